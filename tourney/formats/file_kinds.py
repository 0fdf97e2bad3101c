"""Recognises what kind of file something is, and reads the text of those kinds that a command can use.

Whatever organisers are sent is told apart: records of boards (PBN, LIN), lists in CSV, and what is not read at all,
such as USEBIO, spreadsheets, and the files of dealing machines.
"""

import csv
import enum
import re
from collections.abc import Iterator
from typing import Final

from tourney.errors import FormatError
from tourney.formats.lin.reader import iter_lin
from tourney.formats.pbn.unchecked_reader import iter_unchecked_games
from tourney.formats.unchecked import SourceFinding, UncheckedGame

PAIRS_COLUMNS: Final = ("board", "ns", "ew", "score")
"""The columns that the results of a field of pairs have as CSV."""

DELIMITERS: Final = ",;\t"
"""What stands between the fields of CSV. The comma comes first: it is taken where the heading has but one column."""


class FileKind(enum.StrEnum):
    """The kind of a file; the value is its name in a sentence."""

    PBN = "PBN"
    LIN = "LIN"
    PAIRS_CSV = "CSV of pairs"
    CSV = "CSV"
    USEBIO = "USEBIO (XML)"
    HTML = "HTML"
    XML = "XML"
    JSON = "JSON"
    TEXT = "plain text"
    EMPTY = "empty"
    DEALING_MACHINE = "a file of a dealing machine (DUP, BRI or DLM)"
    SPREADSHEET = "a spreadsheet"
    ZIP = "a ZIP archive"
    ACCESS = "an Access database (BWS)"
    BINARY = "binary"


GAME_KINDS: Final = (FileKind.PBN, FileKind.LIN)
"""The kinds of files that have records of boards."""

LIST_KINDS: Final = (FileKind.CSV, FileKind.PAIRS_CSV, FileKind.TEXT, FileKind.EMPTY)
"""What may be CSV: one column looks like any text."""

_SHOWN_MAX: Final = 200
"""Characters of a heading that a sentence quotes."""

_BEGINNINGS: Final = {
    b"PK\x03\x04": FileKind.ZIP,
    b"PK\x05\x06": FileKind.ZIP,
    b"\x00\x01\x00\x00Standard ": FileKind.ACCESS,
    b"\xd0\xcf\x11\xe0": FileKind.SPREADSHEET,
    b"%PDF": FileKind.BINARY,
}
_DEALING_MACHINE_NAMES: Final = (".dup", ".dlm", ".bri", ".dge")
_IN_SPREADSHEETS: Final = (b"xl/workbook", b"opendocument.spreadsheet")

_SIGN: Final = re.compile(
    r"(?:^|\|)[^\S\n]*(?P<lin>vg|rs|pn|qx|md|st)\| | ^[^\S\n]*\[[^\S\n]*\w+\s*\" | ^%[ ]?(?:PBN|EXPORT)",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""The first pair of a LIN text, or the first tag of a PBN text."""

_TEXT_SIGNS: Final = (
    (FileKind.USEBIO, re.compile(r"<.{0,1000}?\bUSEBIO\b", re.IGNORECASE | re.DOTALL)),
    (FileKind.HTML, re.compile(r"<(?:!DOCTYPE html|html)", re.IGNORECASE)),
    (FileKind.XML, re.compile(r"<[?!\w]")),
    (FileKind.JSON, re.compile(r"\{\s*[\"}]|\[\s*[\[{\"\]0-9-]")),
    (FileKind.DEALING_MACHINE, re.compile(r"\[Document\]|[0-9]{78}", re.IGNORECASE)),
)
"""How other texts begin."""

_SEPARATOR_LINE: Final = "sep="
"""What a first line begins with that tells a spreadsheet the delimiter, which follows."""

_HEADING_LENGTH_MAX: Final = 10_000

_UNPRINTED: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060\ufeff]")
"""Characters that no text needs: controls but for white space, marks of direction and of byte order."""

_UNPRINTED_SHARE: Final = 10
"""A text in which one of so many characters is not printed is binary."""


def decode_text(data: bytes) -> str:
    """Decodes a text: as UTF-16 if it begins as such, as UTF-8 where that succeeds, else as Windows-1252.

    That has the letters of ISO 8859-1, the standard's own (PBN 2.1 section 2.2), and every byte is taken, so there is
    always a text. Editors save UTF-16 as "Unicode", with a byte order mark; without one, a NUL beside the first
    character gives it away. Characters that are not printed are left out: programs write them by mistake.
    """
    return _UNPRINTED.sub("", _decode(data))


def _decode(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if len(data) % 2 == 0 and (data[:1] == b"\0") is not (data[1:2] == b"\0"):
        try:
            return data.decode("utf-16-be" if data[:1] == b"\0" else "utf-16-le")
        except UnicodeDecodeError:
            pass
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def recognise(data: bytes) -> FileKind:
    """Returns what kind of file this is, judged by its contents."""
    for beginning, kind in _BEGINNINGS.items():
        if data.startswith(beginning):
            is_spreadsheet = kind is FileKind.ZIP and any(part in data for part in _IN_SPREADSHEETS)
            return FileKind.SPREADSHEET if is_spreadsheet else kind
    return recognise_text(_decode(data))


def recognise_text(decoded: str) -> FileKind:
    """Returns what kind of text this is."""
    text = _UNPRINTED.sub("", decoded).replace("\r", "\n")
    start = text.lstrip()
    other = next((kind for kind, sign in _TEXT_SIGNS if sign.match(start)), None)
    sign = _SIGN.search(text)
    if other is not None and (other is not FileKind.JSON or sign is None or sign["lin"] is not None):
        return other
    if sign is not None:
        return FileKind.LIN if sign["lin"] is not None else FileKind.PBN
    if _UNPRINTED_SHARE * (len(decoded) - len(text) + text.count("\ufffd")) > len(decoded):
        return FileKind.BINARY
    if not start:
        return FileKind.EMPTY
    columns = heading_of(text)
    if not set(PAIRS_COLUMNS) - set(columns):
        return FileKind.PAIRS_CSV
    return FileKind.CSV if sum(map(bool, columns)) > 1 else FileKind.TEXT


def read_text(data: bytes, name: str, *kinds: FileKind) -> str:
    """Returns the text of a file that is of one of some kinds.

    Args:
        data: its contents.
        name: what to call it in errors.
        kinds: those that can be read.

    Raises:
        FormatError: it is of another kind, which the sentence names.
    """
    kind = recognise(data)
    if kind in (FileKind.BINARY, FileKind.TEXT) and name.lower().endswith(_DEALING_MACHINE_NAMES):
        kind = FileKind.DEALING_MACHINE
    if kind not in kinds:
        *others, last = (FileKind.CSV,) if kinds == LIST_KINDS else kinds
        wanted = f"{', '.join(others)} or {last}" if others else last
        columns = ""
        if kind is FileKind.CSV:
            columns = f" with the columns {','.join(heading_of(decode_text(data)))[:_SHOWN_MAX]}"
        if last is FileKind.PAIRS_CSV:
            wanted += f" (columns {','.join(PAIRS_COLUMNS)})"
        raise FormatError(f"{name} is {kind}{columns}: what is read here is {wanted}")
    return decode_text(data)


def csv_rows(text: str, name: str, *, is_strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows of a CSV text that are not blank, with the line on which each begins; fields are trimmed.

    Fields are divided by commas, semicolons or tabs, as the first line shows or says (`sep=;`).

    Args:
        text: the whole file.
        name: what to call it in errors.
        is_strict: whether what is no CSV is an error: a quote that is not closed, text behind one.

    Raises:
        FormatError: it is no CSV.
    """
    lines = text.splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "").rstrip("\r\n")
    begins = 1
    delimiter = max(DELIMITERS, key=first.count)
    if first.casefold().startswith(_SEPARATOR_LINE):
        begins = lines.index(next(line for line in lines if line.strip())) + 2
        delimiter = first[len(_SEPARATOR_LINE) :] or "\t"
        if delimiter not in tuple(DELIMITERS):
            raise FormatError(f"{name} line 1: fields are divided by commas, semicolons or tabs, got {delimiter!r}")
    reader = csv.reader(lines[begins - 1 :], delimiter=delimiter, strict=is_strict)
    above = begins - 1
    try:
        for row in reader:
            fields = [" ".join(field.split()) for field in row]  # a field may be of several lines
            if any(fields):
                yield begins, fields
            begins = above + reader.line_num + 1
    except csv.Error as error:
        meaning = "a quote is opened and not closed" if "end of data" in str(error) else str(error)
        raise FormatError(f"{name} line {begins}: {meaning}") from None


def heading_of(text: str) -> list[str]:
    """Returns the names of the columns of a CSV text, in small letters; none where there are none."""
    try:
        _, row = next(csv_rows(text[:_HEADING_LENGTH_MAX], ""), (1, []))
    except FormatError:
        return []
    return [cell.casefold() for cell in row]


def iter_records(text: str, name: str, findings: list[SourceFinding]) -> Iterator[UncheckedGame]:
    """Yields the records of a PBN or LIN text, in order, reading no further than asked.

    Args:
        text: the whole file.
        name: what to call it in errors.
        findings: receives what is wrong with the text as such.

    Raises:
        FormatError: it has more in it than is read.
    """
    is_lin = recognise_text(text) is FileKind.LIN
    return iter_lin(text, name, findings) if is_lin else iter_unchecked_games(text, name, findings)
