"""Rounds, boards, swings, Butler and times, and reports as CSV."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import Seat, format_deal
from tourney.cli._output import DIRECTOR_NOTE
from tourney.cli.main import cli
from tourney.movement.seating import Room
from tourney.protocol.session.records import IncidentKind, RulingKind

OPEN, CLOSED = Room.OPEN, Room.CLOSED

COMMANDS = (["rounds"], ["rounds", "Alpha", "Beta"], ["boards"], ["swings"], ["butler"], ["times"])
OLDER = (["standings"], ["match", "1"], ["crosstable"], ["rulings"])


NOTE = f"for the director only: {DIRECTOR_NOTE}\n"


def run(path: Path, command: str, *words: str) -> Result:
    return CliRunner().invoke(cli, [command, str(path), *words])


def lines_of(result: Result) -> list[str]:
    """The lines, without the one of how many matches there have been so far (`tests/report/test_progress.py`)."""
    assert (result.exit_code, result.stderr in ("", NOTE)) == (0, True)
    return [line.rstrip() for line in result.stdout.splitlines() if not line.startswith("so far: ")]


def json_of(result: Result) -> Any:  # whatever the document has
    assert (result.exit_code, result.stderr in ("", NOTE)) == (0, True)
    return json.loads(result.stdout)


def csv_of(result: Result) -> list[dict[str, str]]:
    assert (result.exit_code, result.stderr in ("", NOTE)) == (0, True)
    return list(csv.DictReader(result.stdout.splitlines()))


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Four teams: round 1 is over, in round 2 match 3 has a board that was forfeited, match 4 half a board."""
    played = first_rounds(tmp_path)
    played.record(4, OPEN, 1, "7NTXX S", 13)
    played.begin(4, CLOSED, 1)
    return played


@pytest.fixture
def shown(tmp_path: Path) -> PlayedEvent:
    """The same, but nothing is left to play in match 4, so that the board of match 3 is shown."""
    played = first_rounds(tmp_path)
    played.leave_aside(4)
    return played


def first_rounds(folder: Path) -> PlayedEvent:
    played = draw_event(folder, event_text("Alpha", "Beta", "Gamma", "Delta", boards=1))
    played.record(1, OPEN, 1, "3NT N", 9, ns_ms=61_500, ew_ms=2000)
    played.record(1, CLOSED, 1, "4S N", 9, ns_ms=500, ew_ms=100)
    played.record(2, OPEN, 1, "3NT N", 10)
    played.record(2, CLOSED, 1, "3NT N", 9)
    played.record(3, CLOSED, 1, "Pass")
    played.forfeit(3, OPEN, 1, Seat.EAST)
    played.score()
    return played


@pytest.fixture
def empty(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path)


# rounds


def test_rounds_for_people_have_every_match_and_what_is_still_played(played: PlayedEvent) -> None:
    assert lines_of(run(played.path, "rounds", "--director")) == [
        "Test Cup: 3 of 6 matches over",
        "",
        "Round 1",
        "Match  Home   Away   IMPs          VP  State",
        "    1  Alpha  Delta  10-0  18.09-1.91  over",
        "    2  Beta   Gamma   1-0  11.20-8.80  over",
        "",
        "Round 2",
        "Match  Home   Away   IMPs           VP  State",
        "    3  Delta  Gamma   3-0  13.28-6.72*  over",
        "    4  Alpha  Beta      -            -  playing, 0 of 1 board",
        "",
        "Round 3",
        "Match  Home   Away   IMPs  VP  State",
        "    5  Beta   Delta     -   -  to come",
        "    6  Gamma  Alpha     -   -  to come",
        "",
        "* match 3, board 1, open room: Gamma: board forfeited: stall: East owed a call for 300 s (BC-45, by rule)",
    ]


def test_one_round_as_json_and_as_csv(played: PlayedEvent) -> None:
    document = json_of(run(played.path, "rounds", "--director", "--round", "2", "--json"))
    (round_,) = document["rounds"]
    assert (document["event"], round_["round"], round_["stage"], round_["starts"]) == ("Test Cup", 2, 1, None)
    assert round_["byes"] == []
    third, fourth = round_["matches"]
    assert [(ruling["match"], ruling["kind"]) for ruling in third.pop("rulings")] == [(3, "board-forfeit")]
    assert fourth == {
        "match": 4,
        "round": 2,
        "home": "Alpha",
        "away": "Beta",
        "state": "playing",
        "boards": 1,
        "boards_over": 0,
        "imps_home": None,
        "imps_away": None,
        "vp_home": None,
        "vp_away": None,
        "carry_home": "0",
        "carry_away": "0",
        "margin_home": None,
        "margin_away": None,
        "lead": None,
        "winner": None,
        "won_by": None,
        "void": False,
        "rulings": [],
    }
    third["void"] = fourth["void"] = 0
    assert csv_of(run(played.path, "rounds", "--director", "--round", "2", "--csv")) == [
        {key: str(value) for key, value in third.items()},
        {key: "" if value is None else str(value) for key, value in fourth.items() if key != "rulings"},
    ]


def test_byes_are_told(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma"))
    assert lines_of(run(played.path, "rounds", "--round", "1"))[2].startswith("Round 1, bye: ")
    rows = csv_of(run(played.path, "rounds", "--csv"))
    assert sorted(row["home"] for row in rows if row["state"] == "bye") == ["Alpha", "Beta", "Gamma"]


# two teams


def test_matches_are_of_a_team_or_of_two_that_are_named_in_any_case(played: PlayedEvent) -> None:
    assert lines_of(run(played.path, "rounds", "DELTA", " alpha "))[-2:] == [
        "Match  Home   Away   IMPs          VP  State",
        "    1  Alpha  Delta  10-0  18.09-1.91  over",
    ]
    (round_,) = json_of(run(played.path, "rounds", "Delta", "Alpha", "--json"))["rounds"]
    assert [match["match"] for match in round_["matches"]] == [1]
    assert [row["match"] for row in csv_of(run(played.path, "rounds", "Delta", "Alpha", "--csv"))] == ["1"]
    rows = csv_of(run(played.path, "rounds", "alpha", "--csv"))
    assert len(rows) == 3
    assert all("Alpha" in (row["home"], row["away"]) for row in rows)


@pytest.mark.parametrize(
    ("teams", "sentence"),
    [
        (["Alpha", "Omega"], "teams of 'Test Cup' are Alpha, Beta, Gamma, Delta, got 'Omega'"),
        (["Alpha", "ALPHA"], "two different teams are needed, got 'Alpha' twice"),
    ],
)
def test_two_teams_of_the_event_are_asked_for(played: PlayedEvent, teams: list[str], sentence: str) -> None:
    result = run(played.path, "rounds", *teams)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {sentence}\n")


def test_of_many_teams_a_sentence_names_the_first(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*(f"T{number}" for number in range(1, 19))))
    result = run(played.path, "rounds", "T1", "x")
    assert result.stderr.endswith(", T15, T16, ..., got 'x'\n")


# boards


def test_a_board_is_compared_over_all_tables_of_its_round(played: PlayedEvent) -> None:
    board = played.boards(1)[0]
    assert lines_of(run(played.path, "boards", "1", "--round", "1")) == [
        "Test Cup, round 1: 1 board finished in both rooms of a match",
        "",
        "Board 1 of set 1.1, compared over 2 matches: dealer North, vulnerable None",
        format_deal(board.deal),
        "North-South  East-West  Contract  Lead  Tricks  Score  Tables  IMPs  Match  Room",
        "Beta         Gamma      3NT N +1  -         10    430       1     1      2  open",
        "Alpha        Delta      3NT N =   -          9    400       2    10      1  open",
        "Gamma        Beta       3NT N =   -          9    400            -1      2  closed",
        "Delta        Alpha      4S N -1   -          9    -50       1   -10      1  closed",
    ]


def test_without_a_round_the_newest_is_shown_with_its_rulings(shown: PlayedEvent) -> None:
    lines = lines_of(run(shown.path, "boards"))
    assert lines[0] == "Test Cup, round 2: 1 board finished in both rooms of a match"
    assert lines[5:] == [
        "Gamma        Delta      Pass       -          -      0           -3*      3  closed",
        "Delta        Gamma      no result                                 3*      3  open",
        "* match 3, board 1, open room: Gamma: board forfeited: stall: East owed a call for 300 s (BC-45, by rule)",
    ]


def test_boards_as_json_and_as_csv(shown: PlayedEvent) -> None:
    document = json_of(run(shown.path, "boards", "--round", "1", "--json"))
    (board,) = document["boards"]
    assert (document["round"], board["set"], board["dealer"], board["vulnerable"]) == (1, "1.1", "N", "None")
    assert board["frequencies"] == [
        {"score": 430, "tables": 1},
        {"score": 400, "tables": 2},
        {"score": -50, "tables": 1},
    ]
    assert board["tables"][3] == {
        "match": 1,
        "room": "closed",
        "ns": "Delta",
        "ew": "Alpha",
        "contract": "4S",
        "declarer": "N",
        "tricks": 9,
        "score": -50,
        "lead": None,
        "imps_ns": -10,
        "rulings": [],
    }
    rows = csv_of(run(shown.path, "boards", "--round", "2", "--csv"))
    assert [(row["ns"], row["contract"], row["score"], row["imps_ns"], row["adjusted"]) for row in rows] == [
        ("Gamma", "Pass", "0", "-3", "1"),
        ("Delta", "", "", "3", "1"),
    ]


def test_the_limits_of_boards_are_told(shown: PlayedEvent, tmp_path: Path) -> None:
    result = run(shown.path, "boards", "2")
    assert (result.exit_code, result.stderr) == (2, "Error: boards of round 2 are 1, got 2\n")
    (tmp_path / "two").mkdir()
    two = draw_event(tmp_path / "two")
    assert run(two.path, "boards", "0").stderr == "Error: boards of round 1 are 1..2, got 0\n"


# swings


def test_swings_for_people(shown: PlayedEvent) -> None:
    left_out = "1 board of a match whose score a ruling has changed is left out"
    assert lines_of(run(shown.path, "swings")) == [
        "Test Cup: 2 swings on 2 boards",
        "IMPs  To     Against  Match  Board  Open      Score  Closed   Score",
        "  10  Alpha  Delta        1      1  3NT N =     400  4S N -1    -50",
        "   1  Beta   Gamma        2      1  3NT N +1    430  3NT N =    400",
        left_out,
    ]
    assert lines_of(run(shown.path, "swings", "--limit", "1"))[0] == "Test Cup: 2 swings on 2 boards; the 1 biggest"
    assert lines_of(run(shown.path, "swings", "--min", "11")) == [
        "Test Cup: 0 swings of 11 IMPs or more on 2 boards",
        left_out,
    ]


def test_swings_as_json_and_as_csv(played: PlayedEvent) -> None:
    document = json_of(run(played.path, "swings", "--match", "1", "--json"))
    (row,) = document.pop("rows")
    assert document == {"event": "Test Cup", "boards": 1, "swings": 1, "adjusted": 0}
    assert (row["winner"], row["imps"], row["open"]["score"], row["closed"]["contract"]) == ("Alpha", 10, 400, "4S")
    (first, _) = csv_of(run(played.path, "swings", "--round", "1", "--csv"))
    assert [first[key] for key in ("winner", "imps", "open_score", "closed_contract")] == ["Alpha", "10", "400", "4S"]


# butler


def test_the_butler_ranking_for_people(shown: PlayedEvent) -> None:
    assert lines_of(run(shown.path, "butler", "--round", "1")) == [
        "Test Cup, round 1: Butler of 4 results of 1 deal, datum is the mean",
        "Rank  Pair       Boards  IMPs  Average",
        "   1  Alpha E-W       1     8     8.00",
        "   2  Beta N-S        1     4     4.00",
        "   3  Alpha N-S       1     3     3.00",
        "   3  Gamma N-S       1     3     3.00",
        "   5  Beta E-W        1    -3    -3.00",
        "   5  Delta E-W       1    -3    -3.00",
        "   7  Gamma E-W       1    -4    -4.00",
        "   8  Delta N-S       1    -8    -8.00",
    ]
    assert lines_of(run(shown.path, "butler"))[-1].endswith("ruling has changed is left out")


def test_the_butler_ranking_as_json_and_as_csv(shown: PlayedEvent) -> None:
    document = json_of(run(shown.path, "butler", "--json", "--datum", "median", "--trim", "0.25"))
    pairs = document.pop("pairs")
    assert document == {
        "event": "Test Cup",
        "round": None,
        "datum": "median",
        "trim": "0.25",
        "boards": 1,
        "results": 4,
        "adjusted": 1,
    }
    assert pairs[0] == {
        "rank": 1,
        "pair": "Alpha E-W",
        "team": "Alpha",
        "side": "EW",
        "boards": 1,
        "imps": 10,
        "average": "10.00",
    }
    rows = csv_of(run(shown.path, "butler", "--csv", "--datum", "median"))
    assert rows[0] == {key: str(value) for key, value in pairs[0].items()}


def test_the_event_file_says_what_the_datum_is_and_the_command_line_has_the_last_word(tmp_path: Path) -> None:
    more = '[reports]\nbutler_datum = "median"\nbutler_trim = 2'
    played = draw_event(tmp_path, event_text(more=more))
    first = lines_of(run(played.path, "butler"))[0]
    assert first == "Test Cup: Butler of 0 results of 0 deals, datum is the median, without 2 results at either end"
    second = lines_of(run(played.path, "butler", "--datum", "mean", "--trim", "0"))[0]
    assert second.endswith("datum is the mean")
    assert lines_of(run(played.path, "butler", "--trim", "0.1"))[0].endswith("without 0.1 of them at either end")


@pytest.mark.parametrize(
    ("trim", "sentence"),
    [
        (
            "0.5",
            "expected a whole number of results from 0 to 100, or a fraction of them below 0.5, got 0.5",
        ),
        (
            "101",
            "expected a whole number of results from 0 to 100, or a fraction of them below 0.5, got 101",
        ),
        (
            "-1",
            "expected a whole number of results from 0 to 100, or a fraction of them below 0.5, got -1",
        ),
        ("few", 'a number such as "1" or "0.1" is asked for, got \'few\''),
    ],
)
def test_a_trim_that_is_none_is_refused_in_one_sentence(empty: PlayedEvent, trim: str, sentence: str) -> None:
    result = run(empty.path, "butler", "--trim", trim)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(f"Error: --trim: {sentence}\n")


# times


def test_times_for_people(played: PlayedEvent) -> None:
    first, headings, alpha, *_ = lines_of(run(played.path, "times"))
    assert first == "Test Cup"
    assert headings.split("  ")[0] == "Team"
    assert alpha.split() == [
        *("Alpha", "2", "1:01.6", "0:30.8", "1:01.5"),
        *["match", "1,", "open", "room,", "board", "1"],
        *("1:01.5", *["match", "1,", "open", "room"]),
    ]
    assert lines_of(run(played.path, "times", "--match", "1")) == [
        "Test Cup, round 1, match 1: Alpha - Delta",
        "          Board  Open NS: Alpha  Open EW: Delta  Closed NS: Delta  Closed EW: Alpha",
        "              1          1:01.5          0:02.0            0:00.5            0:00.1",
        "          Total          1:01.5          0:02.0            0:00.5            0:00.1",
        "        Average          1:01.5          0:02.0            0:00.5            0:00.1",
        "Longest thought               -               -                 -                 -",
    ]


def test_the_longest_thoughts_are_told_of_one_match(empty: PlayedEvent) -> None:
    empty.play_all()
    assert not any("thought longest" in line for line in lines_of(run(empty.path, "times")))
    lines = lines_of(run(empty.path, "times", "--match", "1"))
    assert [line.split(",")[0] for line in lines[-2:]] == ["Alpha thought longest", "Beta thought longest"]
    document = json_of(run(empty.path, "times", "--match", "1", "--json"))
    longest = document["teams"][0]["longest"]
    assert set(longest) == {"match", "room", "side", "board", "ms", "seat", "kind", "number", "action"}
    assert longest["kind"] in ("call", "card")
    assert f"{longest['kind']} {longest['number']} ({longest['action']}, from " in lines[-2]


def test_times_as_json_and_as_csv(played: PlayedEvent) -> None:
    document = json_of(run(played.path, "times", "--match", "1", "--json"))
    assert document["match"] == 1
    assert document["teams"][0] == {
        "team": "Alpha",
        "boards": 2,
        "total_ms": 61_600,
        "average_ms": 30_800,
        "slowest_board": {"match": 1, "room": "open", "side": "NS", "board": 1, "ms": 61_500},
        "slowest_match": {"match": 1, "room": "open", "side": "NS", "ms": 61_500},
        "longest": None,
    }
    assert document["sides"][0] == {
        "match": 1,
        "room": "open",
        "side": "NS",
        "team": "Alpha",
        "boards": 1,
        "total_ms": 61_500,
        "average_ms": 61_500,
        "longest": None,
        "board_times": [{"board": 1, "ms": 61_500}],
    }
    assert "board_times" not in json_of(run(played.path, "times", "--json"))["sides"][0]
    boards = csv_of(run(played.path, "times", "--match", "1", "--csv"))
    assert boards[0] == {"match": "1", "room": "open", "side": "NS", "team": "Alpha", "board": "1", "ms": "61500"}
    sides = csv_of(run(played.path, "times", "--csv"))
    assert [(row["team"], row["total_ms"]) for row in sides[:2]] == [("Alpha", "61500"), ("Delta", "2000")]


# All of them


@pytest.mark.parametrize("number", ["0", "2"])
def test_a_round_that_there_is_not_exits_2_and_names_the_limits(empty: PlayedEvent, number: str) -> None:
    for command in ("rounds", "boards", "swings", "butler"):
        result = run(empty.path, command, "--round", number)
        assert (result.exit_code, result.stdout) == (2, ""), command
        assert result.stderr == f"Error: --round: rounds of 'Test Cup' are 1..1, got {number}\n", command


def test_a_match_that_there_is_not_exits_2_and_names_the_limits(empty: PlayedEvent) -> None:
    for command in ("swings", "times"):
        result = run(empty.path, command, "--match", "7")
        assert (result.exit_code, result.stderr) == (2, "Error: matches of 'Test Cup' are 1..1, got 7\n"), command


def test_an_event_without_a_board_has_every_report_in_every_form(empty: PlayedEvent) -> None:
    for words in COMMANDS:
        assert lines_of(run(empty.path, *words))[0].startswith("Test Cup"), words
        assert json_of(run(empty.path, *words, "--json"))["event"] == "Test Cup", words
        assert "," in lines_of(run(empty.path, *words, "--csv"))[0], words


@pytest.mark.parametrize("forms", [("--json", "--csv"), ("--csv", "--json")])
def test_a_report_has_one_form(empty: PlayedEvent, forms: tuple[str, str]) -> None:
    for words in (*COMMANDS, *OLDER):
        result = run(empty.path, *words, *forms)
        assert (result.exit_code, result.stdout) == (2, ""), words
        assert result.stderr.endswith("Error: a report has one form: give --json or --csv, got both\n"), words


# CSV of the other reports


def test_standings_as_csv(played: PlayedEvent) -> None:
    rows = csv_of(run(played.path, "standings", "--csv"))
    assert list(rows[0].values()) == ["1", "Alpha", "1", "1", "0", "0", "10", "0", "18.09", "0", "", ""]
    assert [row["team"] for row in rows] == [
        row["team"] for row in json_of(run(played.path, "standings", "--json"))["standings"]
    ]


def test_a_scorecard_as_csv(shown: PlayedEvent) -> None:
    (row,) = csv_of(run(shown.path, "match", "1", "--csv"))
    assert (row["board"], row["open_contract"], row["open_score"], row["closed_score"]) == ("1", "3NT", "400", "-50")
    assert (row["open_ns_ms"], row["imps_home"], row["imps_away"], row["adjusted"]) == ("61500", "10", "-10", "0")
    (adjusted,) = csv_of(run(shown.path, "match", "3", "--csv"))
    assert (adjusted["open_contract"], adjusted["closed_contract"], adjusted["adjusted"]) == ("", "Pass", "1")
    (unfinished,) = csv_of(run(shown.path, "match", "4", "--csv"))
    assert {value for key, value in unfinished.items() if key not in ("board", "dealer", "vulnerable")} == {"", "0"}
    assert unfinished["adjusted"] == "0"


def test_a_cross_table_as_csv_has_every_match_from_both_sides(played: PlayedEvent) -> None:
    rows = csv_of(run(played.path, "crosstable", "--csv"))
    assert len(rows) == 12
    assert list(rows[0].values()) == ["1", "Alpha", "Delta", "1", "1", "1", "10", "0", "18.09", "10"]


def test_a_cross_table_in_imps_alone(played: PlayedEvent) -> None:
    assert lines_of(run(played.path, "crosstable", "--director", "--imps-only"))[1:6] == [
        "No  Team      1    2    3     4  IMPs  Rank",
        " 1  Alpha          -    -  10-0   +10     1",
        " 2  Beta      -       1-0     -    +1     4",
        " 3  Gamma     -  0-1       0-3*    -4     2",
        " 4  Delta  0-10    -  3-0          -7     3",
    ]


def test_rulings_as_csv_or_incidents_in_their_place(played: PlayedEvent) -> None:
    played.rule(1, "Alpha", RulingKind.PENALTY_IMPS, "late, again", amount=3)
    played.incident(1, OPEN, 1, IncidentKind.ILLEGAL_CALL, Seat.EAST, 'East "bids" 8S')
    rows = csv_of(run(played.path, "rulings", "--director", "--csv"))
    assert {(row["team"], row["kind"], row["amount"], row["reason"]) for row in rows} == {
        ("Gamma", "board-forfeit", "", "East owed a call for 300 s"),
        ("Alpha", "penalty-imps", "3", "late, again"),
    }
    (incident,) = csv_of(run(played.path, "rulings", "--director", "--csv", "--incidents"))
    assert (incident["match"], incident["seat"], incident["text"]) == ("1", "E", 'East "bids" 8S')
