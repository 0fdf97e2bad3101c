"""Which kind of file something is, and the sentence about one that is not read."""

import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.errors import FormatError
from tourney.formats.file_kinds import GAME_KINDS, FileKind, csv_rows, read_text, recognise


def archive(member: str, content: str = "x") -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr(member, content)
    return data.getvalue()


PAIRS = "board,ns,ew,score\n1,1,2,420\n"
XML = '<?xml version="1.0"?>\n<!DOCTYPE USEBIO SYSTEM "x.dtd">\n<USEBIO Version="1.2"/>'


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ('\n\n [Event "x"]\n', FileKind.PBN),
        ('{ a "comment" [x] }\r[Event "x"]\r', FileKind.PBN),
        ("% PBN 2.1\n", FileKind.PBN),
        ('[Event "x"]\n'.encode("utf-16"), FileKind.PBN),
        ("qx|o1|", FileKind.LIN),
        ("mn|Cup|pn|a,b,c,d|", FileKind.LIN),
        (PAIRS, FileKind.PAIRS_CSV),
        ("\ufeff" + PAIRS.replace(",", ";"), FileKind.PAIRS_CSV),
        ("sep=;\n" + PAIRS.upper().replace(",", ";"), FileKind.PAIRS_CSV),
        (PAIRS.replace(",", "\t").encode("utf-16"), FileKind.PAIRS_CSV),
        ("match,home,away,imps\n1,A,B,3\n", FileKind.CSV),
        (XML, FileKind.USEBIO),
        (XML.encode("utf-16"), FileKind.USEBIO),
        ("<EVENT/>", FileKind.XML),
        ('<!DOCTYPE html>\n<pre>\n[Event "x"]\n', FileKind.HTML),
        (json.dumps([{"lin": "pn|a|st||md|3S|"}]), FileKind.JSON),
        ("{}", FileKind.JSON),
        (archive("xl/workbook.xml"), FileKind.SPREADSHEET),
        (archive("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), FileKind.SPREADSHEET),
        (archive("a.pbn"), FileKind.ZIP),
        (b"%PDF-1.4\n", FileKind.BINARY),
        (b"\x00\x01\x00\x00Standard Jet DB\x00", FileKind.ACCESS),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileKind.SPREADSHEET),
        ("1" * 78 + " " * 50, FileKind.DEALING_MACHINE),
        ("[Document]\nHeader=x\n", FileKind.DEALING_MACHINE),
        (" \r\n", FileKind.EMPTY),
        (b"\x89PNG\r\n\x1a\n\x00\x00", FileKind.BINARY),
        ("Dear organiser,\nboards follow.\n", FileKind.TEXT),
    ],
)
def test_a_file_is_recognised_by_its_contents(data: str | bytes, kind: FileKind) -> None:
    assert recognise(data.encode() if isinstance(data, str) else data) is kind


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_every_file_is_of_some_kind_and_a_sentence_names_it(data: bytes) -> None:
    kind = recognise(data)
    others = [other for other in FileKind if other is not kind]
    with pytest.raises(FormatError, match=r"^x is [^\n]*: what is read here is [^\n]*$"):
        read_text(data, "x", *others)
    read_text(data, "x", kind)


def test_a_sentence_says_the_columns_of_a_list_and_what_a_file_of_a_dealing_machine_is() -> None:
    with pytest.raises(FormatError) as refused:
        read_text(b"team;vp\nA;3\n", "a.csv", *GAME_KINDS, FileKind.PAIRS_CSV)
    assert str(refused.value) == (
        "a.csv is CSV with the columns team,vp: "
        "what is read here is PBN, LIN or CSV of pairs (columns board,ns,ew,score)"
    )
    with pytest.raises(FormatError) as refused:
        read_text(bytes(156), "boards.DUP", *GAME_KINDS)
    assert str(refused.value).startswith("boards.DUP is a file of a dealing machine (DUP, BRI or DLM): ")


@given(
    st.lists(st.lists(st.text("ab1,;\t\"' ", min_size=1, max_size=5).filter(str.strip), min_size=2, max_size=4)),
    st.sampled_from(",;\t"),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_rows_are_the_same_whatever_divides_and_quotes_their_fields(
    rows: list[list[str]], delimiter: str, end: str
) -> None:
    quoted = [delimiter.join('"' + field.replace('"', '""') + '"' for field in row) for row in rows]
    text = end.join(["a" + delimiter * 40, *quoted, ""])
    found = [fields for _, fields in csv_rows(text, "x")][1:]
    assert found == [[" ".join(field.split()) for field in row] for row in rows]
