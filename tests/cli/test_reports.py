"""The commands `tourney standings`, `tourney match` and `tourney crosstable`."""

from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import document_of, lines_of, refusal
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once, write_event
from tourney.bridge import Seat
from tourney.coordinator.draw import ensure_drawn
from tourney.event.file import load_event_file
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.scoring.victory_points import format_vp, vp_scale

TIE_BREAKS = 'tie_breaks = ["head-to-head-vp", "imp-difference", "total-points-quotient"]'

READERS = (["standings"], ["match", "1"], ["crosstable"], ["rulings"], ["export", "--format", "csv", "--out", "x"])


run = commands.run


@pytest.fixture
@once
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


@pytest.mark.parametrize("number", ["0", "3", "-1"])
def test_standings_after_a_round_that_there_is_not_exit_2_and_name_the_limits(
    played: PlayedEvent, number: str
) -> None:
    assert refusal(run("standings", played.path, "--json", "--round", number), 2) == (
        f"--round: rounds of 'Test Cup' are 1..2, got {number}"
    )


@pytest.fixture
@once
def tied(tmp_path: Path) -> PlayedEvent:
    """A single match, 9 IMPs each: Beta have the board with more points."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", stage=TIE_BREAKS))
    played.record(1, OPEN, 1, "3NT N", 9)
    played.record(1, OPEN, 2, "4S W", 10)
    for board in (1, 2):
        played.record(1, CLOSED, board, "Pass")
    played.score()
    return played


def test_ties_are_not_explained_in_a_csv_table(tied: PlayedEvent) -> None:
    assert refusal(run("standings", tied.path, "--explain", "--csv"), 2) == (
        "--explain: a CSV table has no ties; leave out --csv, or use --json"
    )


def test_standings_say_so_when_there_is_nothing_to_explain(played: PlayedEvent) -> None:
    told = lines_of(run("standings", played.path, "--explain"))
    assert told[4:] == ["", "No two teams have the same victory points"]


def test_tie_breaks_may_be_changed_when_all_has_been_played(tied: PlayedEvent) -> None:
    text = tied.path.read_text(encoding="utf-8")
    tied.path.write_text(text.replace(TIE_BREAKS, 'tie_breaks = ["wins"]'), encoding="utf-8")
    ensure_drawn(load_event_file(tied.path), tied.database, 0)
    document = document_of(run("standings", tied.path, "--explain", "--json"))
    assert document["tie_breaks"] == ["wins"]
    assert [row["rank"] for row in document["standings"]] == [1, 1]


# match


@pytest.fixture
@once
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
    assert refusal(run("match", played.path, number, "--json"), 2) == (
        f"matches of 'Test Cup' are 1..2, got {number}"
    )


# crosstable


# All of them


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
    assert refusal(run(words[0], path, *words[1:])) == (
        f"event 'Other Cup' is not in database {played.database}: `tourney schedule {path}` draws it, "
        f"`tourney run {path}` draws and plays it"
    )


def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    text = event_text().replace("[[team]]", 'database = "sqlite:///notes.txt"\n[[team]]', 1)
    (tmp_path / "notes.txt").write_text("notes " * 100, encoding="ascii")
    assert refusal(run("standings", write_event(tmp_path, text))) == (
        f"database sqlite:///{tmp_path / 'notes.txt'}: file is not a database: "
        "name another file, or put a backup in its place"
    )


def test_the_stored_draw_is_shown_when_the_event_file_has_changed_since(played: PlayedEvent) -> None:
    write_event(played.path.parent, event_text("Ants", "Bees", "Cats", boards=24, stage='vp_scale = "seed-24"'))
    assert [row["team"] for row in document_of(run("standings", played.path, "--json"))["standings"]] == [
        "Beta",
        "Alpha",
    ]
    assert document_of(run("match", played.path, "1", "--json"))["vp_away"] == "17.03"
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
    scored, unscored = (document_of(run("match", played.path, number, "--json")) for number in ("1", "2"))
    assert (scored["imps_home"], scored["vp_home"]) == (1, "12.00")
    assert (unscored["imps_home"], unscored["vp_home"]) == (0, None)


# Against par


# What of the event file a scorecard is read with


def test_a_scorecard_can_be_read_while_another_section_of_the_file_is_wrong(ruled: PlayedEvent) -> None:
    before = lines_of(run("match", ruled.path, "1"))
    text = ruled.path.read_text(encoding="utf-8")
    ruled.path.write_text(f"{text}\n[clock]\ncall_s = -1\n", encoding="utf-8")
    assert lines_of(run("match", ruled.path, "1")) == before
    refused = refusal(run("standings", ruled.path), 2)
    assert "clock, call_s: at least 1 is allowed, got -1" in refused


def test_a_scorecard_names_all_that_is_wrong_when_the_file_does_not_say_of_which_event_it_is(
    ruled: PlayedEvent,
) -> None:
    text = ruled.path.read_text(encoding="utf-8").replace('name = "Test Cup"', "name = 7")
    ruled.path.write_text(f"{text}\n[clock]\ncall_s = -1\n", encoding="utf-8")
    refused = refusal(run("match", ruled.path, "1"), 2)
    assert "event, name: expected text in quotes, got 7" in refused
    assert "clock, call_s: at least 1 is allowed, got -1" in refused
