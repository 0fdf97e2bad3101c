"""The command `tourney lab strength`: the teams of an event, and lists of boards."""

from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import document_of, refusal, run
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, once


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Four teams of which Alpha has won a board by a game, and drawn another."""
    played = draw_event(tmp_path)
    converse(played, "match 1 board 1: 4S N 10, 4S N 9\nmatch 1 board 2: 3NT N 9, 3NT N 9")
    return played


DECIDED = "board,imp\n" + "".join(f"{number},{imp}\n" for number, imp in enumerate([5, 0, -1, 7] * 20, 1))


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        (
            DECIDED,
            """
            -> boards 32 won 16 lost 8 level 8 +2.75 +- ...
            -> ...
            -> The first is better than the second: H1 accepted after 32 boards
            -> estimate +2.6...
            -> 48 boards after that do not count
            """,
        ),
        ("imp\n3\n-3\n0.5\n", "-> ... -> ...more boards... -> Not decided yet after 3 boards"),
        (
            "imp\n" + "9\n8\n" * 10,
            "-> ... -> ...[0, 0.5] decided once there are 32 boards, 16 of them with a swing -> ...",
        ),
    ],
    ids=["decided, and boards that do not count", "how many more are needed", "a ratio beyond its bound"],
)
def test_the_verdict_on_a_list_of_boards_is_told_with_what_there_is_to_it(
    tmp_path: Path, boards: str, told: str
) -> None:
    (tmp_path / "boards.csv").write_text(boards)
    commands.converse(tmp_path, f"$ lab strength FOLDER/boards.csv {told}")


def test_the_document_of_a_list_that_decides_nothing_says_how_many_more_boards_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("imp\n3\n-3\n0.5\n")
    commands.converse(
        tmp_path,
        "$ lab strength FOLDER/few.csv --json | : boards imps verdict final -> 3 0.5 continue -",
    )
    assert document_of(run("lab", "strength", path, "--json"))["more_midway"] > 100


def test_the_teams_of_an_event_are_rated_from_the_boards_of_both_rooms(played: PlayedEvent) -> None:
    match = played.match(1)
    document = document_of(run("lab", "strength", played.path, "--json"))
    assert (document["boards"], document["deals"]) == (2, 2)
    (compared,) = document["pairs"]
    assert {compared["team"], compared["opponent"]} == {match.home, match.away}
    assert (compared["boards"], compared["won"], compared["lost"]) == (2, 1, 0)
    ratings = [team["rating"] for team in document["lists"][0]["teams"]]
    assert ratings[0] == pytest.approx(-ratings[1])
    assert 2 * ratings[0] == pytest.approx(compared["estimate"]["mean"])
    text = run("lab", "strength", played.path).stdout
    assert "strength from 2 boards of 2 deals" in text
    header, *_ = run("lab", "strength", played.path, "--csv").stdout.splitlines()
    assert header == "rank,team,rating,error,boards,opponents,los"


def test_an_event_without_a_board_in_both_rooms_is_refused(tmp_path: Path) -> None:
    converse(draw_event(tmp_path), "$ lab strength EVENT -> refused 2: ...has none so far...")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--sprt 0,1", "...--sprt is for a list of boards, a CSV file with a column imp"),
        (
            "FOLDER/boards.csv --sprt 1",
            "--sprt: expected D0,D1 or D0,D1,ALPHA,BETA, with or without two-sided behind them, got '1'",
        ),
    ],
)
def test_a_test_that_cannot_be_is_refused_in_one_sentence(words: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "boards.csv").write_text(DECIDED)
    commands.converse(tmp_path, f"$ lab strength {words} -> refused 2: {sentence}")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("board,points\n1,2\n", "the first line names a column 'imp', got board,points"),
        ("imp\n1\nmany\n", "line 3: a board is worth -24 to 24 IMPs, got 'many'"),
        ("imp\n25\n", "line 2: a board is worth -24 to 24 IMPs, got '25'"),
        ("imp\n", "a test has 1 to 160000 boards, got 0"),
        ("imp\n1/0\n", "line 2: a board is worth -24 to 24 IMPs, got '1/0'"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_in_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert sentence in refusal(run("lab", "strength", path))
