"""The commands `tourney standings`, `tourney match` and `tourney crosstable`."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.analysed import put_worth
from tests.support.played_event import PlayedEvent, draw_event, event_text, write_event
from tourney.bridge import Seat
from tourney.cli.main import cli
from tourney.coordinator.draw import ensure_drawn
from tourney.event.file import load_event_file
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.scoring.victory_points import format_vp, vp_scale
from tourney.store.db.database import Database

OPEN, CLOSED = Room.OPEN, Room.CLOSED

TIE_BREAKS = 'tie_breaks = ["head-to-head-vp", "imp-difference", "total-points-quotient"]'

READERS = (["standings"], ["match", "1"], ["crosstable"], ["rulings"], ["export", "--format", "csv", "--out", "x"])


def run(command: str, path: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, [command, str(path), *words])


def lines_of(result: Result) -> list[str]:
    assert (result.exit_code, result.stderr) == (0, "")
    return [line.rstrip() for line in result.stdout.splitlines()]


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """One match of four boards, 10 IMPs to 26, that Alpha has lost."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=4, stage='format = "double-round-robin"'))
    played.record(1, OPEN, 1, "4S N", 10, ns_ms=61_500, ew_ms=2_000, tm_ms=7)
    played.record(1, CLOSED, 1, "4S N", 9)
    played.record(1, OPEN, 2, "3NT W", 9)
    played.record(1, CLOSED, 2, "Pass")
    played.record(1, OPEN, 3, "1NT S", 7)
    played.record(1, CLOSED, 3, "1NT S", 7)
    played.record(1, OPEN, 4, "6HX S", 11)
    played.record(1, CLOSED, 4, "6H S", 12)
    played.score()
    return played


# standings


def test_standings_after_a_round(played: PlayedEvent) -> None:
    for room in Room:
        for board in (1, 2, 3, 4):
            played.record(2, room, board, "Pass")
    played.score()
    assert lines_of(run("standings", played.path))[0] == "Test Cup: 2 of 2 matches scored, provisional"
    assert lines_of(run("standings", played.path, "--round", "1"))[0] == (
        "Test Cup, after round 1: 1 of 1 match scored"
    )


@pytest.mark.parametrize("number", ["0", "3", "-1"])
def test_standings_after_a_round_that_there_is_not_exit_2_and_name_the_limits(
    played: PlayedEvent, number: str
) -> None:
    result = run("standings", played.path, "--json", "--round", number)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: --round: rounds of 'Test Cup' are 1..2, got {number}\n"


@pytest.fixture
def tied(tmp_path: Path) -> PlayedEvent:
    """A single match, 9 IMPs each: Beta have the board with more points."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", stage=TIE_BREAKS))
    played.record(1, OPEN, 1, "3NT N", 9)
    played.record(1, OPEN, 2, "4S W", 10)
    for board in (1, 2):
        played.record(1, CLOSED, board, "Pass")
    played.score()
    return played


def test_standings_explain_what_parted_teams_with_the_same_victory_points(tied: PlayedEvent) -> None:
    assert lines_of(run("standings", tied.path, "--explain"))[-2:] == [
        "",
        "10.00 VP: Beta before Alpha: head-to-head-vp level at 10.00, imp-difference level at 0, "
        "total-points-quotient 1.0500 (420/400), 0.9523 (400/420)",
    ]
    document = json.loads(run("standings", tied.path, "--explain", "--json").stdout)
    assert document["tie_breaks"] == ["head-to-head-vp", "imp-difference", "total-points-quotient"]
    (tie,) = document["explained"]
    assert [look["criterion"] for look in tie["steps"][0]["asked"]] == document["tie_breaks"]


def test_ties_are_not_explained_in_a_csv_table(tied: PlayedEvent) -> None:
    result = run("standings", tied.path, "--explain", "--csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: --explain: a CSV table has no ties; leave out --csv, or use --json\n"


def test_standings_say_so_when_there_is_nothing_to_explain(played: PlayedEvent) -> None:
    told = lines_of(run("standings", played.path, "--explain"))
    assert told[4:] == ["", "No two teams have the same victory points"]


def test_points_without_a_match_are_in_the_crosstable_and_its_row_adds_up(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma"))
    assert [row["rank"] for row in crosstable_rows(played.path)] == [None] * 3
    assert [line.split()[-1] for line in lines_of(run("crosstable", played.path))[2:5]] == ["-"] * 3
    played.play_all()
    for row in crosstable_rows(played.path):
        won = sum(Decimal(match["vp"]) for match in row["matches"])
        assert (won + Decimal(row["vp_awarded"]), row["vp_awarded"]) == (Decimal(row["vp"]), "12.00")
    text = run("crosstable", played.path).stdout
    assert "Awarded     VP  Rank" in text
    assert text.endswith("Awarded: without a match, for byes and rounds missed by entering late, or carried over\n")


def test_tie_breaks_may_be_changed_when_all_has_been_played(tied: PlayedEvent) -> None:
    text = tied.path.read_text(encoding="utf-8")
    tied.path.write_text(text.replace(TIE_BREAKS, 'tie_breaks = ["wins"]'), encoding="utf-8")
    ensure_drawn(load_event_file(tied.path), tied.database, 0)
    document = json.loads(run("standings", tied.path, "--explain", "--json").stdout)
    assert document["tie_breaks"] == ["wins"]
    assert [row["rank"] for row in document["standings"]] == [1, 1]


def crosstable_rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(run("crosstable", path, "--json").stdout)["teams"]
    return rows


# match


def test_a_match_under_way_shows_no_board_that_one_room_still_has_to_play(played: PlayedEvent) -> None:
    played.record(2, OPEN, 1, "7NT N", 13)
    played.record(2, OPEN, 2, "2C N", 10)
    played.record(2, CLOSED, 2, "2C N", 7)
    played.begin(2, CLOSED, 1)
    text = lines_of(run("match", played.path, "2"))
    assert text[1] == "Beta lead Alpha: 6 - 0 IMPs after 1 of 4 boards."
    assert text[2].startswith("VP if it ended now: 1")
    assert text[5:8] == [
        "1      N    None  -            -  -            -     -      -",
        "2      E    NS    2C N +2    130  2C N -1   -100     6",
        "3      S    EW    -            -  -            -     -      -",
    ]
    assert text[9] == "IMPs                                                 6      0"
    assert text[11] == "Open room, playing; Beta North-South 0:00.0, Alpha East-West 0:00.0"
    document = json.loads(run("match", played.path, "2", "--json").stdout)
    assert document["boards"][0] == {
        "board": 1,
        "dealer": "N",
        "vulnerable": "None",
        "open": None,
        "closed": None,
        "imps": None,
        "imps_away": None,
        "adjusted": False,
        "cancelled": False,
        "forfeits": [],
    }
    assert [document[key] for key in ("imps_home", "imps_away", "vp_home", "vp_away")] == [6, 0, None, None]


@pytest.fixture
def ruled(tmp_path: Path) -> PlayedEvent:
    """One match of three boards. Beta forfeits board 1 in the open room; both lose board 2; Alpha is fined."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=3))
    played.forfeit(1, OPEN, 1, Seat.EAST)
    played.record(1, CLOSED, 1, "4S N", 9, ns_ms=61_500, ew_ms=2_000, tm_ms=400)
    played.record(1, OPEN, 2, "Pass")
    played.rule(1, "Alpha", RulingKind.BOARD_FORFEIT, "saw the hands", room=OPEN, board=2, law="", author="Jane")
    played.forfeit(1, CLOSED, 2, Seat.NORTH, BoardEnd.CRASH, "North ended with 3")
    played.record(1, OPEN, 3, "4S N", 10)
    played.record(1, CLOSED, 3, "4S N", 9)
    played.rule(1, "Alpha", RulingKind.PENALTY_IMPS, "slow", amount=1, law="BC-46")
    return played


def test_a_scorecard_says_what_took_the_place_of_a_result_and_has_the_rulings_below(ruled: PlayedEvent) -> None:
    # 420 against -50 points are 10 IMPs. Alpha: 3 - 3 + 10, less a fine of 1, is a margin of 9, and 9 IMPs are shown.
    # Beta: -3 - 3 - 10 is one of -16; it has won nothing.
    vp = vp_scale("wbf-continuous", 3)
    home, away = format_vp(vp.split(9)[0]), format_vp(vp.split(-16)[0])
    assert lines_of(run("match", ruled.path, "1")) == [
        "Test Cup, round 1, match 1: Alpha - Beta",
        f"Alpha beat Beta: 12 - 0 IMPs, {home} - {away} VP.",
        "Alpha +9, Beta -16 IMPs: each team's victory points are those of its own margin.",
        "",
        "Board   Dlr  Vul   Open                         Score  Closed                 Score  Alpha  Beta   Run",
        "1       N    None  forfeited by Beta (1)               4S N -1                  -50      3         3-0",
        "2       E    NS    Pass forfeited by Alpha (2)      0  forfeited by Beta (3)            -3    -3   3-0",
        "3       S    EW    4S N =                         420  4S N -1                  -50     10        13-0",
        "IMPs                                                                                    12     0",
        "Margin                                                                                  +9   -16",
        f"VP                                                                                   {home}  {away}",
        "",
        "Rulings",
        "(1) board 1, open room: Beta: board forfeited: stall: East owed a call for 300 s (BC-45, by rule)",
        "(2) board 2, open room: Alpha: board forfeited: saw the hands (by Jane)",
        "(3) board 2, closed room: Beta: board forfeited: crash: North ended with 3 (BC-45, by rule)",
        "(4) Alpha: penalty of 1 IMP: slow (BC-46, by rule)",
        "",
        "Open room, finished; Alpha North-South 0:03.5, Beta East-West 0:02.8",
        "Closed room, finished; Beta North-South 1:04.3, Alpha East-West 0:05.5",
    ]


def test_a_scorecard_with_times_has_both_sides_and_the_table_s_own_share(ruled: PlayedEvent) -> None:
    lines = lines_of(run("match", ruled.path, "1", "--times"))
    assert lines[-5] == "Board  Open N-S  Open E-W  Open Table  Closed N-S  Closed E-W  Closed Table"
    assert [line.split() for line in lines[-4:]] == [
        ["1", "0:03.5", "0:02.8", "-", "1:01.5", "0:02.0", "0:00.4"],
        ["2", "0:00.0", "0:00.0", "0:00.0", "0:02.8", "0:03.5", "-"],
        ["3", *["0:00.0"] * 6],
        ["All", "0:03.5", "0:02.8", "0:00.0", "1:04.3", "0:05.5", "0:00.4"],
    ]


def test_a_forfeited_match_is_scored_in_standings_and_cross_table_with_stars(tmp_path: Path) -> None:
    rules = 'bye_vp = 0\nearly_leavers = "forfeit"'
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Cats", boards=3, stage=rules))
    assert (played.match(1).home, played.match(1).away) == ("Beta", "Cats")
    played.rule(1, "Cats", RulingKind.MATCH_FORFEIT, "it never came", law="BC-48")
    played.rule(None, "Cats", RulingKind.WITHDRAWAL, "gone home", author="Jane", law="")
    played.score()
    notes = [
        "* match 1: Cats: match forfeited: it never came (BC-48, by rule)",
        "* Cats: left the event: gone home (by Jane)",
    ]
    assert lines_of(run("standings", played.path)) == [
        "Test Cup: 1 of 3 matches scored",
        "Rank  Team                     P  W  D  L  IMPs for  against  +/-     VP  Form",
        "   1  Beta                     1  1  0  0         0        0    0  12.00  W",
        "  2=  Alpha                    0  0  0  0         0        0    0   0.00",
        "  2=  Cats (left the event) *  1  0  0  1         0        0    0   0.00  L",
        "",
        *notes,
    ]
    assert lines_of(run("crosstable", played.path)) == [
        "Test Cup: 1 of 3 matches scored",
        "No  Team                     1            2            3     VP  Rank",
        " 1  Alpha                                 -            -   0.00    2=",
        " 2  Beta                     -               12.00 (0-0)  12.00     1",
        " 3  Cats (left the event) *  -  0.00* (0-0)                0.00    2=",
        "",
        *notes,
    ]


def _with_rulings(folder: Path, count: int) -> PlayedEvent:
    """A match of 7 boards of which Beta has forfeited the first `count`, those of the open room before the others."""
    played = draw_event(folder, event_text(boards=7))
    ends = [(OPEN, Seat.EAST, BoardEnd.STALL)] * 7 + [(CLOSED, Seat.NORTH, BoardEnd.CRASH)] * 7
    for index, (room, seat, end) in enumerate(ends):
        if index < count:
            played.forfeit(1, room, index % 7 + 1, seat, end, "it broke")
        else:
            played.record(1, room, index % 7 + 1, "Pass")
    played.score()
    return played


@pytest.mark.parametrize("command", ["standings", "crosstable"])
def test_twelve_rulings_are_told_one_by_one_below_a_table_and_of_more_how_many_there_are(
    tmp_path: Path, command: str
) -> None:
    played = _with_rulings(tmp_path, 12)
    notes = [line for line in lines_of(run(command, played.path)) if line.startswith("* ")]
    assert len(notes) == 12
    assert notes[0] == "* match 1, board 1, open room: Beta: board forfeited: stall: it broke (BC-45, by rule)"
    played.rule(None, "Alpha", RulingKind.WITHDRAWAL, "gone home", law="", author="Jane")
    assert lines_of(run(command, played.path))[-2:] == [
        "",
        f"* 13 rulings, which `tourney rulings {played.path}` lists",
    ]


@pytest.mark.parametrize("number", ["0", "3"])
def test_a_match_that_there_is_not_exits_2_and_names_the_limits(played: PlayedEvent, number: str) -> None:
    result = run("match", played.path, number, "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: matches of 'Test Cup' are 1..2, got {number}\n"


def test_a_match_is_named_by_its_number_alone(played: PlayedEvent) -> None:
    result = run("match", played.path, "Alpha")
    assert result.exit_code == 2
    assert "Invalid value for 'MATCH': 'Alpha' is not a valid integer." in result.stderr


def test_a_match_that_is_over_and_not_scored_yet_shows_the_victory_points_of_its_boards(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    played.play_all(scored=False)
    assert json.loads(run("match", played.path, "1", "--json").stdout)["vp_home"] is not None
    assert lines_of(run("standings", played.path))[0] == "Test Cup: 0 of 1 match scored"


# crosstable


# All of them


def test_a_pipe_gets_every_column_however_many_there_are(tmp_path: Path) -> None:
    teams = [f"Team number {number} of a long list" for number in range(1, 31)]
    played = draw_event(tmp_path, event_text(*teams))
    result = run("crosstable", played.path)
    assert "\x1b" not in result.stdout
    assert all(team in result.stdout for team in teams)
    assert len(lines_of(result)) == 2 + 30 + 1  # and that nothing has been played
    assert "…" not in result.stdout


def test_a_name_with_square_brackets_is_printed_as_it_is(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("[bold]Ants", "Bees", name="The [red] Cup"))
    assert lines_of(run("standings", played.path))[0] == "The [red] Cup: 0 of 1 match scored"
    assert "[bold]Ants" in run("standings", played.path).stdout
    assert "[bold]Ants - Bees" in run("match", played.path, "1").stdout
    assert "[bold]Ants" in run("crosstable", played.path).stdout


@pytest.mark.parametrize("words", READERS)
def test_an_event_never_drawn_is_refused_and_no_database_is_made(tmp_path: Path, words: list[str]) -> None:
    path = write_event(tmp_path, event_text())
    result = run(words[0], path, *words[1:])
    assert (result.exit_code, result.stdout) == (1, "")
    database = f"sqlite:///{tmp_path / 'results' / 'test-cup' / 'event.db'}"
    assert result.stderr == (
        f"Error: 'Test Cup' has not begun: `tourney run {path}` draws and plays it "
        f"(there is no database {database})\n"
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["event.toml"]


@pytest.mark.parametrize("words", READERS)
def test_an_event_of_another_name_in_the_same_database_is_refused(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("TOURNEY_DATABASE", str(played.database.url))
    path = write_event(played.path.parent, event_text(name="Other Cup"))
    result = run(words[0], path, *words[1:])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"Error: event 'Other Cup' is not in database {played.database}: `tourney schedule {path}` draws it, "
        f"`tourney run {path}` draws and plays it\n"
    )


@pytest.mark.parametrize("words", READERS)
def test_a_database_of_a_newer_schema_is_refused_in_one_sentence(played: PlayedEvent, words: list[str]) -> None:
    _execute(played.database, "UPDATE alembic_version SET version_num = '99.0.0'")
    result = run(words[0], played.path, *words[1:])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: database {played.database} has schema 99.0.0, which tourney 99.0.0 and ")
    assert result.stderr.count("\n") == 1


def _execute(database: Database, statement: str) -> None:
    with database.write() as connection:
        connection.exec_driver_sql(statement)


def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    text = event_text().replace("[[team]]", 'database = "sqlite:///notes.txt"\n[[team]]', 1)
    (tmp_path / "notes.txt").write_text("notes " * 100, encoding="ascii")
    result = run("standings", write_event(tmp_path, text))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"Error: database sqlite:///{tmp_path / 'notes.txt'}: file is not a database: "
        "name another file, or put a backup in its place\n"
    )


def test_the_stored_draw_is_shown_when_the_event_file_has_changed_since(played: PlayedEvent) -> None:
    write_event(played.path.parent, event_text("Ants", "Bees", "Cats", boards=24, stage='vp_scale = "seed-24"'))
    assert [row["team"] for row in json.loads(run("standings", played.path, "--json").stdout)["standings"]] == [
        "Beta",
        "Alpha",
    ]
    assert json.loads(run("match", played.path, "1", "--json").stdout)["vp_away"] == "17.03"
    assert run("crosstable", played.path).exit_code == 0


def test_a_scale_that_the_event_file_has_no_more_leaves_stored_scores_standing(tmp_path: Path) -> None:
    own = "[vp_table.house]\nsteps = [[0, 10, 10], [1, 12, 8]]"
    text = event_text(boards=1, stage='vp_scale = "house"\nformat = "double-round-robin"', more=own)
    played = draw_event(tmp_path, text)
    for room, contract in ((OPEN, "1NT N"), (CLOSED, "1NT S")):
        played.record(1, room, 1, contract, 8 if room is OPEN else 7)
    played.score()
    for room in Room:
        played.record(2, room, 1, "Pass")
    write_event(tmp_path, event_text(boards=1, stage='format = "double-round-robin"'))
    scored, unscored = (json.loads(run("match", played.path, number, "--json").stdout) for number in ("1", "2"))
    assert (scored["imps_home"], scored["vp_home"]) == (1, "12.00")
    assert (unscored["imps_home"], unscored["vp_home"]) == (0, None)


# Against par


def test_a_scorecard_has_par_once_a_board_was_solved_and_nothing_of_it_before(played: PlayedEvent) -> None:
    before = run("match", played.path, "1", "--csv").stdout.splitlines()
    assert before[0].endswith(",imps_home,imps_away,adjusted,cancelled")
    put_worth(played, 1, 1)
    put_worth(played, 1, 2, par_ns=-400, contracts=["3NT W ="])
    said = "Par is North-South's score double dummy, v par the IMPs that they won against it in the room"
    assert said in lines_of(run("match", played.path, "1"))
    after = run("match", played.path, "1", "--csv").stdout.splitlines()
    assert after[0] == f"{before[0]},par,par_contracts,open_par_imps,closed_par_imps"
    assert after[1] == f'{before[1]},140,"1S N +2, 1S S +2",7,-5'
    assert after[3] == f"{before[3]},,,,"
    boards = json.loads(run("match", played.path, "1", "--json").stdout)["boards"]
    assert [board.get("par") for board in boards] == [140, -400, None, None]


def test_a_board_that_one_room_still_plays_has_a_dash_in_the_place_of_par(played: PlayedEvent) -> None:
    played.record(2, OPEN, 1, "7NT N", 13)
    played.record(2, OPEN, 2, "Pass")
    played.record(2, CLOSED, 2, "Pass")
    for board in (1, 2):
        put_worth(played, 2, board)
    lines = lines_of(run("match", played.path, "2"))
    assert lines[5].split() == ["1", "N", "None", *"-" * 9]
    assert lines[6].split() == ["2", "E", "NS", "Pass", "0", "Pass", "0", "140", "-4", "-4"]


# What of the event file a scorecard is read with


def test_a_scorecard_can_be_read_while_another_section_of_the_file_is_wrong(ruled: PlayedEvent) -> None:
    before = lines_of(run("match", ruled.path, "1"))
    text = ruled.path.read_text(encoding="utf-8")
    ruled.path.write_text(f"{text}\n[clock]\ncall_s = -1\n", encoding="utf-8")
    assert lines_of(run("match", ruled.path, "1")) == before
    refused = run("standings", ruled.path)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "clock, call_s: at least 1 is allowed, got -1" in refused.stderr


def test_a_scorecard_names_all_that_is_wrong_when_the_file_does_not_say_of_which_event_it_is(
    ruled: PlayedEvent,
) -> None:
    text = ruled.path.read_text(encoding="utf-8").replace('name = "Test Cup"', "name = 7")
    ruled.path.write_text(f"{text}\n[clock]\ncall_s = -1\n", encoding="utf-8")
    refused = run("match", ruled.path, "1")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "event, name: expected text in quotes, got 7" in refused.stderr
    assert "clock, call_s: at least 1 is allowed, got -1" in refused.stderr


def test_the_cross_table_of_the_first_of_two_stages_has_its_name_before_the_second_is_drawn(tmp_path: Path) -> None:
    text = event_text("Alpha", "Beta", "Gamma", stage='name = "League"\nformat = "round-robin"')
    second = '[[stage]]\nname = "Finals"\nformat = "round-robin"\nteams = 2\nboards_per_match = 2\n[deals]'
    played = draw_event(tmp_path, text.replace("[deals]", second))
    assert run("crosstable", played.path).stdout.splitlines()[1:3] == ["", "League"]
