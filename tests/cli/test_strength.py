"""The command `tourney lab strength`: the teams of an event, and lists of boards."""

from pathlib import Path

import pytest

from tests.support.commands import document_of, printed, refusal, run
from tests.support.played_event import PlayedEvent, draw_event, once
from tourney.movement.seating import Room


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    path = tmp_path / "boards.csv"
    path.write_text("board,imp\n" + "".join(f"{n},{imp}\n" for n, imp in enumerate([5, 0, -1, 7] * 20, 1)))
    return path


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Four teams of which Alpha has won a board by a game, and drawn another."""
    played = draw_event(tmp_path)
    match = played.match(1)
    for board, (contract, tricks) in enumerate([("4S N", 10), ("3NT N", 9)], 1):
        played.record(match.number, Room.OPEN, board, contract, tricks)
        played.record(match.number, Room.CLOSED, board, contract, tricks if board == 2 else 9)
    return played


def test_the_verdict_is_told_with_the_estimate_and_the_boards_that_do_not_count(boards: Path) -> None:
    result = printed(run("lab", "strength", boards))
    lines = result.splitlines()
    assert lines[0].startswith("boards 32  won 16 lost 8 level 8  +2.75 +- ")
    assert lines[2] == "The first is better than the second: H1 accepted after 32 boards"
    assert lines[3].startswith("estimate +2.6")
    assert lines[4] == "48 boards after that do not count"


def test_a_list_that_decides_nothing_says_how_many_more_boards_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("imp\n3\n-3\n0.5\n")
    result = run("lab", "strength", path)
    lines = result.stdout.splitlines()
    assert "more boards" in lines[1]
    assert lines[2] == "Not decided yet after 3 boards"
    document = document_of(run("lab", "strength", path, "--json"))
    assert (document["boards"], document["imps"], document["verdict"], document["final"]) == (
        3,
        0.5,
        "continue",
        None,
    )
    assert document["more_midway"] > 100


def test_a_ratio_beyond_its_bound_says_what_else_it_takes(tmp_path: Path) -> None:
    path = tmp_path / "quick.csv"
    path.write_text("imp\n" + "9\n8\n" * 10)
    lines = run("lab", "strength", path).stdout.splitlines()
    assert lines[1].endswith("[0, 0.5]  decided once there are 32 boards, 16 of them with a swing")


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
    assert "has none so far" in refusal(run("lab", "strength", draw_event(tmp_path).path), 2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--sprt", "0,1"), "--sprt is for a list of boards, a CSV file with a column imp"),
        (
            ("FILE", "--sprt", "1"),
            "--sprt: expected D0,D1 or D0,D1,ALPHA,BETA, with or without two-sided behind them, got '1'",
        ),
    ],
)
def test_a_test_that_cannot_be_is_refused_in_one_sentence(
    words: tuple[str, ...], sentence: str, boards: Path
) -> None:
    result = run("lab", "strength", *(boards if word == "FILE" else word for word in words))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.rstrip().endswith(sentence)


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
