"""Files of deals and records that no archive has are refused at a limit, and read no further than it."""

from collections.abc import Iterator

import pytest

from tests.support.pbn import parse_games
from tourney.errors import FormatError
from tourney.formats import boards
from tourney.formats.boards import parse_boards
from tourney.formats.lin import reader as lin
from tourney.formats.pbn import games
from tourney.formats.pbn.unchecked_reader import VALUE_LENGTH_MAX, iter_unchecked_games
from tourney.formats.unchecked import SourceFinding, UncheckedGame

DEAL = "N:Q65.K92.872.7654 AK9.AJT6.KT3.A82 T4.Q843.AQ54.KJ9 J8732.75.J96.QT3"
UNCLOSED = "{ a comment that is never closed"


def board(number: int) -> str:
    return f'[Board "{number}"]\n[Deal "{DEAL}"]\n\n'


def refusal(text: str) -> str:
    findings: list[SourceFinding] = []
    with pytest.raises(FormatError) as refused:
        list(games.iter_games(text, "x.pbn", findings))
    assert findings == [], "what comes after the limit is not reached"
    return str(refused.value)


@pytest.mark.parametrize("word", ["[", "Pass ", "=1= ", "{}", "x\n\n", '[a ""]', ";\n"])
def test_a_game_has_so_many_words_and_a_text_is_read_no_further(word: str) -> None:
    text = '[Auction "N"]\n' + word * games.TOKENS_MAX + UNCLOSED
    assert refusal(text).endswith("a game has more than 50000 tags, words and comments, the most that are read")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", " \n"])
def test_a_file_has_so_many_lines(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LINES_MAX", 1000)
    assert len(parse_games('[Event "x"]' + end * 1000, "x.pbn")) == 1
    assert refusal('[Event "x"]' + end * 1001) == "x.pbn has 1001 lines, the most that are read are 1000"


def test_a_file_has_so_many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES_MAX", 3)
    assert (
        refusal('[a ""]\n\n' * 4 + UNCLOSED) == "x.pbn line 7: a file has more than 3 games, the most that are read"
    )


def test_boards_beyond_those_asked_for_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(text: str, name: str, findings: list[SourceFinding]) -> Iterator[UncheckedGame]:
        for game in iter_unchecked_games(text, name, findings):
            read.append(game.line)
            yield game

    monkeypatch.setattr(boards, "iter_records", counted)
    text = "".join(map(board, range(1, 10_001)))
    assert len(parse_boards(text, "x.pbn", only_first=16)) == 16
    assert len(read) == 16
    read.clear()
    with pytest.raises(FormatError, match="line 61: a file has more than 20 boards, the most that are read"):
        parse_boards(text, "x.pbn", boards_max=20)
    assert len(read) == 21


def test_a_value_that_later_games_inherit_is_short() -> None:
    text = f'[Event "{"e" * 100_000}"]\n[Board "1"]\n\n' + '[Event "#"]\n[Board "2"]\n\n' * 3
    read = list(iter_unchecked_games(text, "x", []))
    assert [len(game.text("event")) for game in read] == [VALUE_LENGTH_MAX] * 4


def test_so_many_values_stand_for_all_games_to_come() -> None:
    text = "".join(f'[T{i} "##x"]\n' for i in range(1000)) + "\n" + '[Event "x"]\n\n' * 3
    read = list(iter_unchecked_games(text, "x", []))
    assert len(read[-1].tags) < 100


def test_a_game_is_not_rejoined_with_any_number_of_parts() -> None:
    read = list(iter_unchecked_games('[Event "x"]\n\n' + '[Note "1:x"]\n\n' * 5000, "x", []))
    assert len(read) == 6


def test_a_board_of_lin_has_so_many_entries() -> None:
    findings: list[SourceFinding] = []
    text = "qx|o1|" + "mb|p|" * lin.PAIRS_MAX + "\n" * 10
    with pytest.raises(FormatError, match="line 1: a board has more than 5000 entries, the most that are read"):
        list(lin.iter_lin(text, "x.lin", findings))


def test_boards_of_lin_are_read_one_at_a_time_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"qx|o{i}|mb|p|\n" for i in range(1, 10))
    found = lin.iter_lin(text, "x.lin", [])
    assert [next(found).board, next(found).board] == ["1", "2"]
    monkeypatch.setattr(lin, "BOARDS_MAX", 3)
    with pytest.raises(FormatError, match="line 5: a file has more than 3 boards, the most that are read"):
        list(lin.iter_lin(text, "x.lin", []))


def test_a_value_of_lin_is_read_up_to_a_limit() -> None:
    (game,) = lin.iter_lin("qx|o1|pn|" + "a," * 1_000_000 + "|mb|p|", "x.lin", [])
    assert game.text("north") == "a"
