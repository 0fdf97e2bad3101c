"""The commands `tourney lab strength` and `tourney lab plan`."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.golden_figures import golden_rows
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.cli.main import cli
from tourney.movement.seating import Room

SEQUENCES = ("strong", "bots", "alike", "cap", "symmetric")


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    path = tmp_path / "boards.csv"
    path.write_text("board,imp\n" + "".join(f"{n},{imp}\n" for n, imp in enumerate([5, 0, -1, 7] * 20, 1)))
    return path


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Four teams of which Alpha has won a board by a game, and drawn another."""
    played = draw_event(tmp_path)
    match = played.match(1)
    for board, (contract, tricks) in enumerate([("4S N", 10), ("3NT N", 9)], 1):
        played.record(match.number, Room.OPEN, board, contract, tricks)
        played.record(match.number, Room.CLOSED, board, contract, tricks if board == 2 else 9)
    return played


@pytest.mark.parametrize("name", SEQUENCES)
def test_csv_of_a_list_of_boards_is_the_golden_file_row_for_row(name: str, tmp_path: Path) -> None:
    golden = [row for row in golden_rows("strength_llr") if row["sequence"].split("|")[0] == name]
    _, d0, d1, alpha, beta, cap = golden[0]["sequence"].split("|")
    path = tmp_path / f"{name}.csv"
    path.write_text("imp\n" + "".join(f"{row['imp']}\n" for row in golden))
    test = ("--sprt", f"{d0},{d1}", "--alpha", alpha, "--beta", beta, "--boards", cap)
    result = run("lab", "strength", "--imps-file", path, *test, "--csv")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert list(rows[0]) == list(golden[0])
    for row, wanted in zip(rows, golden, strict=True):
        for column in wanted:
            if column in ("sequence", "decision") or not wanted[column]:
                assert row[column] == wanted[column]
            else:
                absolute = 3e-4 if column.startswith("final") else 1e-9
                assert float(row[column]) == pytest.approx(float(wanted[column]), rel=1e-7, abs=absolute)


def test_the_verdict_is_told_with_the_estimate_and_the_boards_that_do_not_count(boards: Path) -> None:
    result = run("lab", "strength", "--imps-file", boards)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("boards 32  won 16 lost 8 level 8  +2.75 +- ")
    assert lines[2] == "The first is better than the second: H1 accepted after 32 boards"
    assert lines[3].startswith("estimate +2.6")
    assert lines[4] == "48 boards after that do not count"


@pytest.mark.parametrize(
    ("imps", "test", "sentence"),
    [
        (
            [0] * 19 + [-1],
            ("--sprt=-0.5,0",),
            "The first is not worse than the second by 0.5 IMPs a board: H1 accepted",
        ),
        ([-5, 0, 1, -7], ("--sprt=-0.5,0",), "The first is worse than the second: H0 accepted"),
        ([-5, 0, 1, -7], ("--two-sided",), "The second is better than the first: H2 accepted"),
        ([5, -5], ("--sprt=0,3",), "The first is not better than the second by 3 IMPs a board: H0 accepted"),
        ([0], ("--sprt=0,3",), "The first and the second play alike: no swing"),
    ],
)
def test_a_list_of_boards_has_the_verdict_in_the_words_of_a_duel(
    tmp_path: Path, imps: list[int], test: tuple[str, ...], sentence: str
) -> None:
    path = tmp_path / "boards.csv"
    path.write_text("imp\n" + "".join(f"{imp}\n" for imp in imps * (6000 // len(imps))))
    result = run("lab", "strength", "--imps-file", path, *test, "--boards", 6000)
    assert f"\n{sentence} after " in result.stdout


def test_a_list_that_decides_nothing_says_how_many_more_boards_are_needed(tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("imp\n3\n-3\n0.5\n")
    result = run("lab", "strength", "--imps-file", path)
    lines = result.stdout.splitlines()
    assert "more boards" in lines[1]
    assert lines[2] == "Not decided yet after 3 boards"
    document = json.loads(run("lab", "strength", "--imps-file", path, "--json").stdout)
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
    lines = run("lab", "strength", "--imps-file", path).stdout.splitlines()
    assert lines[1].endswith("[0, 0.5]  decided once there are 32 boards, 16 of them with a swing")


def test_the_teams_of_an_event_are_rated_from_the_boards_of_both_rooms(played: PlayedEvent) -> None:
    match = played.match(1)
    document = json.loads(run("lab", "strength", played.path, "--json").stdout)
    assert (document["boards"], document["deals"]) == (2, 2)
    (compared,) = document["pairs"]
    assert {compared["team"], compared["opponent"]} == {match.home, match.away}
    assert (compared["boards"], compared["won"], compared["lost"]) == (2, 1, 0)
    ratings = [team["rating"] for team in document["lists"][0]["teams"]]
    assert ratings[0] == pytest.approx(-ratings[1])
    assert 2 * ratings[0] == pytest.approx(compared["estimate"]["mean"])
    text = run("lab", "strength", played.path).stdout
    assert "strength from 2 boards of 2 deals" in text
    assert run("lab", "strength", played.path, "--csv").stdout.startswith(
        "rank,team,rating,error,boards,opponents,los,best\n"
    )


def test_an_event_without_a_board_in_both_rooms_is_refused(tmp_path: Path) -> None:
    result = run("lab", "strength", draw_event(tmp_path).path)
    assert result.exit_code == 2
    assert "has none so far" in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "give EVENT or --imps-file FILE, got neither"),
        (("--imps-file", "FILE", "--sprt", "1"), "--sprt: two differences in IMPs a board, such as 0,0.5, got '1'"),
        (("--imps-file", "FILE", "--sprt", "1,0"), "d0 must be below d1, got d0 = 1 and d1 = 0"),
        (("--imps-file", "FILE", "--boards", "0"), "a test has 1 to 100000 boards, got 0"),
        (
            ("--imps-file", "FILE", "--alpha", "0.6", "--beta", "0.4"),
            "alpha and beta must add up to less than 1, got 0.6 and 0.4",
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
        ("imp\n", "a test has 1 to 100000 boards, got 0"),
        ("imp\n1/0\n", "line 2: a board is worth -24 to 24 IMPs, got '1/0'"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_in_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    result = run("lab", "strength", "--imps-file", path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert sentence in result.stderr


def test_a_plan_names_the_boards_of_each_kind_of_test() -> None:
    document = json.loads(run("lab", "plan", "--detect", "0.5", "--power", "0.95", "--json").stdout)
    relatives, strangers = document["plans"]
    assert (relatives["fixed"], relatives["fixed_one_sided"], relatives["sequential"]) == (379, 316, 155)
    assert (strangers["fixed"], strangers["sequential"]) == (1999, 815)


def test_a_plan_says_how_long_it_takes_at_a_pace() -> None:
    lines = run("lab", "plan", "--detect", "1", "--sd", "6.2", "--pace", "100").stdout.splitlines()
    assert next(line for line in lines if "hours" in line).split()[1:] == ["5.0", "4.2", "2.0", "3.3"]


def test_a_plan_takes_the_spread_from_an_event(played: PlayedEvent) -> None:
    sd = json.loads(run("lab", "strength", played.path, "--json").stdout)["sd"]
    (plan,) = json.loads(run("lab", "plan", "--event", played.path, "--json").stdout)["plans"]
    assert plan["sd"] == sd


def test_a_plan_says_how_long_it_takes_at_the_pace_of_an_event(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(boards=2))
    for board, tricks in ((1, 10), (2, 9)):
        played.record(1, Room.OPEN, board, "4S N", tricks, ns_ms=3000, ew_ms=1000)
        played.record(1, Room.CLOSED, board, "4S N", 9, ns_ms=4000, ew_ms=2000)
    # All four begin at the same time, and the last of them ends after 6 s.
    assert json.loads(run("lab", "plan", "--event", played.path, "--json").stdout)["pace"] == 1200
    assert "Hours are those at 1200 boards an hour." in run("lab", "plan", "--event", played.path).stdout
    assert json.loads(run("lab", "plan", "--event", played.path, "--pace", "7", "--json").stdout)["pace"] == 7


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--detect", "0"), "a difference to detect is above 0 and at most 24 IMPs a board, got 0"),
        (("--power", "1"), "the power is a probability from 0.5 to below 1, got 1"),
        (("--pace", "0"), "--pace is a number of boards an hour above 0, got 0"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = run("lab", "plan", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.rstrip().endswith(sentence)
