"""Reading PBN text: tag pairs, sections and games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.pbn import parse_games
from tourney.formats.file_kinds import decode_text
from tourney.formats.pbn.games import iter_games
from tourney.formats.unchecked import SourceFinding


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Müller".encode(), "Müller"),
        ("Müller".encode("utf-8-sig"), "Müller"),
        ("Müller, Škoda".encode("cp1252"), "Müller, Škoda"),
        (bytes(range(0xA0, 0x100)), "".join(map(chr, range(0xA0, 0x100)))),
        ('\ufeff[Board\t\x02"1"]\r\n\x1a\u200e\x00'.encode(), '[Board\t"1"]\r\n'),
        *(('[North "Łoś"]'.encode(codec), '[North "Łoś"]') for codec in ("utf-16", "utf-16-le", "utf-16-be")),
        ('\ufeff[North "Łoś"]'.encode("utf-16-be"), '[North "Łoś"]'),
    ],
)
def test_texts_are_read_in_the_codes_that_programs_write(data: bytes, text: str) -> None:
    assert decode_text(data) == text


@pytest.mark.parametrize("data", [b"\xff\xfe[", b"\0[", b"[\0", b"\0\xd8[\0", b"\xfe\xff\xd8\0", b"\0" * 7])
def test_what_only_looks_like_utf16_is_text_all_the_same(data: bytes) -> None:
    assert isinstance(decode_text(data), str)


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\r\r\n"])
def test_lines_end_in_any_of_the_ways_of_the_platforms(end: str) -> None:
    games = parse_games(end.join(['[Board "1"]', '[Dealer "N"]', "", '[Board "2"]', ""]))
    assert [(len(game.tags), game.line) for game in games] == [(2, 1), (1, 4)]


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ('[Board "1"]\n \t \n[Board "2"]\n\n\n\n[Board "3"]', [[("Board", "1")], [("Board", "2")], [("Board", "3")]]),
        (
            '[Event "A"]\n[Deal "d1"]\n[Room "Open"]\n[Event "B"]\n[Deal "d2"]',
            [[("Event", "A"), ("Deal", "d1"), ("Room", "Open")], [("Event", "B"), ("Deal", "d2")]],
        ),
        (
            '[Board "1"][Dealer "N"]  [ Vulnerable\n "All" ]\n[Site "x"\n]',
            [[("Board", "1"), ("Dealer", "N"), ("Vulnerable", "All"), ("Site", "x")]],
        ),
        *(
            (f'[Event "{written}"]\n[Site "s"]', [[("Event", value), ("Site", "s")]])
            for written, value in (
                (r"a \"b\" c", 'a "b" c'),
                (r"C:\\boards", r"C:\boards"),
                (r"4\S", r"4\S"),
                ("", ""),
                ("{no comment} ; [here]", "{no comment} ; [here]"),
                ('The "big" one', 'The "big" one'),
                ("C:\\boards\\", "C:\\boards\\"),
            )
        ),
        *(
            (f'{line}\n[Site "s"]', [[("Event", "a"), ("Site", "s")]])
            for line in ('[Event "a"', '[Event "a', '[Event "a"] ', '[Event "a" ]')
        ),
        *((text, []) for text in ("", "\n\n", "words only", "% nothing\n", "[", '"', "\x1a", "[Board]")),
    ],
)
def test_a_text_has_the_games_and_tags(text: str, games: list[list[tuple[str, str]]]) -> None:
    assert [[(tag.name, tag.value) for tag in game.tags] for game in parse_games(text)] == games


def test_the_first_tag_of_a_name_counts_in_either_case() -> None:
    (game,) = parse_games('[BOARD "1"]\n[Board "2"]\n[Deal "d"]\n[Note "1:a"]\n[Note "2:b"]')
    board = game.tag("Board")
    assert board is not None
    assert (board.name, board.value, board.line) == ("BOARD", "1", 1)
    assert game.tag("Dealer") is None


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ('[Board\xa0"1"]\n\xa0[Auction "N"]\nPass\xa01C', [(), (("Pass", "1C"),)]),
        (
            '{ before [Board "9"]\n\n% still } [Board "1"] ; rest [Board "8"]\n[Auction "N"]\n1C {a {b} Pass ; end\n',
            [(), (("1C", "Pass"),)],
        ),
        ('% PBN 2.1\n%[Board "9"]\n[Board "1"]\n %x\n', [(("%x",),)]),
        (
            '[Auction "N"]\n1C =1= Pass 1H !\n\tPass AP\n[Note "1:strong"]\n[Play "W"]\nSK S2\n*\n'
            '[ScoreTable "Rank\\\\2R;Names\\\\9L"]\n 1 "A - B; C"\n 2 [x\n',
            [
                (("1C", "=1=", "Pass", "1H", "!"), ("Pass", "AP")),
                (),
                (("SK", "S2"), ("*",)),
                (("1", '"A - B; C"'), ("2", "[", "x")),
            ],
        ),
        *(
            (f'[Board "1"]\n[Auction "N"]\n1C {comment}\nPass\n[Site "x"]', [(), (("1C",), ("Pass",)), ()])
            for comment in ("{ a {b} c }", "{{{a} b} c}", "{ a\n\n[12:30] b\n c }", "; a { b", "{ a { b }", "{} }")
        ),
    ],
)
def test_sections_keep_their_words_line_by_line_without_comments(
    text: str, sections: list[tuple[tuple[str, ...], ...]]
) -> None:
    findings: list[SourceFinding] = []
    (game,) = iter_games(text, "x.pbn", findings)
    assert ([tag.rows for tag in game.tags], findings) == (sections, [])


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('[Board "1"]\n{ makes\n[Dealer "N"]\n', [2]),
        ('[Board "1"] { makes [x]\nand more\n[Dealer "N"] { x }\n', [1]),
        ('{ a\n\n[Board "1"]\n{ b\n[Dealer "N"]\n} {', [1, 4, 6]),
        ('[Board "1"]\n[Dealer "N"]\n{ the last', [3]),
    ],
)
def test_a_comment_that_is_not_closed_ends_before_the_next_tag_and_is_said(text: str, lines: list[int]) -> None:
    findings: list[SourceFinding] = []
    tags = {tag.name: tag.value for game in iter_games(text, "x.pbn", findings) for tag in game.tags}
    assert tags == {"Board": "1", "Dealer": "N"}
    assert [finding.line for finding in findings] == lines


@given(st.text(st.sampled_from('{} ;\n[a"]x'), max_size=60))
def test_no_braces_break_it_and_no_tag_that_begins_a_line_is_lost(text: str) -> None:
    findings: list[SourceFinding] = []
    games = list(iter_games(f'{text}\n[Last "1"]\n', "x.pbn", findings))
    assert games[-1].tags[-1].name == "Last"
    assert all(1 <= finding.line <= text.count("\n") + 1 for finding in findings)
