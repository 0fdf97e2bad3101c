"""Reading PBN text: tokens, tag pairs, sections and games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.pbn import parse_games
from tourney.formats.file_kinds import decode_text
from tourney.formats.pbn.games import Game, iter_games
from tourney.formats.unchecked import SourceFinding


def _values(game: Game) -> dict[str, str]:
    return {tag.name: tag.value for tag in game.tags}


def _only(text: str) -> Game:
    (game,) = parse_games(text, "x.pbn")
    return game


def test_utf8_is_read_with_and_without_its_mark() -> None:
    assert decode_text("Müller".encode()) == "Müller"
    assert decode_text("Müller".encode("utf-8-sig")) == "Müller"


def test_text_that_is_not_utf8_is_windows_1252_which_has_the_letters_of_iso_8859_1() -> None:
    assert decode_text("Müller, Škoda".encode("cp1252")) == "Müller, Škoda"
    assert decode_text(bytes(range(0xA0, 0x100))) == "".join(map(chr, range(0xA0, 0x100)))


def test_characters_that_are_not_printed_are_left_out_of_a_text_and_white_space_stays() -> None:
    assert decode_text('\ufeff[Board\t\x02"1"]\r\n\x1a\u200e\x00'.encode()) == '[Board\t"1"]\r\n'


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_utf16_is_read_with_and_without_its_mark(codec: str, mark: str) -> None:
    text = '[North "Müller"]\r\n[South "Łoś"]\r\n'
    data = (mark + text).encode(codec) if codec != "utf-16" else text.encode(codec)
    assert decode_text(data).removeprefix("\ufeff") == text
    assert [tag.value for tag in parse_games(decode_text(data), "x")[0].tags] == ["Müller", "Łoś"]


@pytest.mark.parametrize("data", [b"\xff\xfe[", b"\0[", b"[\0", b"\0\xd8[\0", b"\xfe\xff\xd8\0", b"\0" * 7])
def test_what_only_looks_like_utf16_is_text_all_the_same(data: bytes) -> None:
    assert isinstance(decode_text(data), str)


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\r\r\n"])
def test_lines_end_in_any_of_the_ways_of_the_platforms(end: str) -> None:
    text = end.join(['[Board "1"]', '[Dealer "N"]', "", '[Board "2"]', ""])
    games = parse_games(text, "x.pbn")
    assert [(_values(game), game.line) for game in games] == [
        ({"Board": "1", "Dealer": "N"}, 1),
        ({"Board": "2"}, 4),
    ]


def test_a_line_of_blanks_ends_a_game_as_an_empty_one_does() -> None:
    games = parse_games('[Board "1"]\n \t \n[Board "2"]\n\n\n\n[Board "3"]', "x.pbn")
    assert [(_values(game)["Board"], game.line) for game in games] == [("1", 1), ("2", 3), ("3", 7)]


def test_games_without_a_line_between_them_part_at_a_mandatory_tag_given_again() -> None:
    games = parse_games('[Event "A"]\n[Deal "d1"]\n[Room "Open"]\n[Event "B"]\n[Deal "d2"]', "x.pbn")
    assert [_values(game) for game in games] == [
        {"Event": "A", "Deal": "d1", "Room": "Open"},
        {"Event": "B", "Deal": "d2"},
    ]


def test_a_tag_given_twice_before_the_deal_is_ignored_the_second_time() -> None:
    game = _only('[Board "1"]\n[Board "2"]\n[Deal "d"]\n[Note "1:a"]\n[Note "2:b"]')
    board = game.tag("Board")
    assert board is not None
    assert board.value == "1"


def test_tags_are_found_in_either_case_and_none_where_there_is_none() -> None:
    game = _only('[BOARD "7"]')
    tag = game.tag("Board")
    assert tag is not None
    assert (tag.name, tag.value, tag.line) == ("BOARD", "7", 1)
    assert game.tag("Deal") is None


def test_two_tags_may_share_a_line_and_one_may_span_lines() -> None:
    game = _only('[Board "1"][Dealer "N"]  [ Vulnerable\n "All" ]\n[Site "x"\n]')
    assert [(tag.name, tag.value, tag.line) for tag in game.tags] == [
        ("Board", "1", 1),
        ("Dealer", "N", 1),
        ("Vulnerable", "All", 1),
        ("Site", "x", 3),
    ]


def test_a_no_break_space_copied_from_a_page_is_a_blank() -> None:
    game = _only('[Board\xa0"1"]\n\xa0[Auction "N"]\nPass\xa01C')
    assert [(tag.name, tag.value, tag.rows) for tag in game.tags] == [
        ("Board", "1", ()),
        ("Auction", "N", (("Pass", "1C"),)),
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r"a \"b\" c", 'a "b" c'),
        (r"C:\\boards", r"C:\boards"),
        (r"4\S", r"4\S"),
        ("", ""),
        ("{no comment} ; here", "{no comment} ; here"),
        ("[brackets]", "[brackets]"),
    ],
)
def test_escapes_and_delimiters_inside_a_value(written: str, value: str) -> None:
    assert _values(_only(f'[Event "{written}"]\n[Site "s"]')) == {"Event": value, "Site": "s"}


@pytest.mark.parametrize(
    "line",
    ['[Event "a"', '[Event "a', '[Event "a"] ', '[Event "a" ]'],
)
def test_a_tag_not_closed_ends_with_its_line(line: str) -> None:
    assert _values(_only(f'{line}\n[Site "s"]')) == {"Event": "a", "Site": "s"}


def test_quotes_inside_a_value_without_their_backslash_belong_to_it() -> None:
    assert _values(_only('[Event "The "big" one"]\n[Site "s"]')) == {"Event": 'The "big" one', "Site": "s"}


def test_a_value_that_ends_in_a_backslash_is_closed_all_the_same() -> None:
    assert _values(_only('[Event "C:\\boards\\"]\n[Site "s"]')) == {"Event": "C:\\boards\\", "Site": "s"}


def test_comments_are_no_data_and_may_hold_empty_lines_and_tags() -> None:
    text = '{ before [Board "9"]\n\n% still } [Board "1"] ; rest [Board "8"]\n[Auction "N"]\n1C {a {b} Pass ; end\n'
    game = _only(text)
    assert [(tag.name, tag.value, tag.rows, tag.line) for tag in game.tags] == [
        ("Board", "1", (), 3),
        ("Auction", "N", (("1C", "Pass"),), 4),
    ]


def test_a_percent_sign_escapes_its_line_in_the_first_column_only() -> None:
    game = _only('% PBN 2.1\n%[Board "9"]\n[Board "1"]\n %x\n')
    assert [(tag.value, tag.rows) for tag in game.tags] == [("1", (("%x",),))]


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


@pytest.mark.parametrize(
    "comment",
    ["{ a {b} c }", "{{{a} b} c}", "{ a\n\n[12:30] b\n c }", "{ a ; b }", "; a { b", "{ a { b }", "{} }"],
)
def test_braces_in_a_comment_and_comments_of_several_lines_are_no_data(comment: str) -> None:
    findings: list[SourceFinding] = []
    (game,) = iter_games(f'[Board "1"]\n[Auction "N"]\n1C {comment}\nPass\n[Site "x"]', "x.pbn", findings)
    assert [tag.rows for tag in game.tags] == [(), (("1C",), ("Pass",)), ()]
    assert findings == []


@given(st.text(st.sampled_from('{} ;\n[a"]x'), max_size=60))
def test_no_braces_break_it_and_no_tag_that_begins_a_line_is_lost(text: str) -> None:
    findings: list[SourceFinding] = []
    games = list(iter_games(f'{text}\n[Last "1"]\n', "x.pbn", findings))
    assert games[-1].tags[-1].name == "Last"
    assert all(1 <= finding.line <= text.count("\n") + 1 for finding in findings)


def test_sections_keep_their_lines_word_by_word() -> None:
    game = _only(
        '[Auction "N"]\n1C =1= Pass 1H !\n\tPass AP\n[Note "1:strong"]\n[Play "W"]\nSK S2\n*\n'
        '[ScoreTable "Rank\\\\2R;Names\\\\9L"]\n 1 "A - B; C"\n 2 [x\n'
    )
    assert [(tag.name, tag.value, tag.rows) for tag in game.tags] == [
        ("Auction", "N", (("1C", "=1=", "Pass", "1H", "!"), ("Pass", "AP"))),
        ("Note", "1:strong", ()),
        ("Play", "W", (("SK", "S2"), ("*",))),
        ("ScoreTable", "Rank\\2R;Names\\9L", (("1", '"A - B; C"'), ("2", "[", "x"))),
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "words only", "% nothing\n", "[", "]", '"', "\x1a", "[Board]"])
def test_a_text_without_a_tag_has_no_games(text: str) -> None:
    assert parse_games(text, "x.pbn") == []
