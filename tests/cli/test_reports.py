"""The commands `tourney standings`, `tourney match` and `tourney crosstable`."""

from pathlib import Path

import pytest

from tests.support.commands import lines_of, refusal, run
from tests.support.event_conversation import converse
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once, write_event
from tourney.bridge import Seat
from tourney.coordinator.draw import ensure_drawn
from tourney.event.file import load_event_file
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.scoring.victory_points import format_vp, vp_scale

TIE_BREAKS = 'tie_breaks = ["head-to-head-vp", "imp-difference", "total-points-quotient"]'

READERS = (
    "standings EVENT",
    "match EVENT 1",
    "crosstable EVENT",
    "rulings EVENT",
    "export EVENT --format csv --out x",
)


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """One match of four boards, 10 IMPs to 26, that Alpha has lost."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=4, stage='format = "double-round-robin"'))
    converse(
        played,
        """
        match 1 board 1: 4S N 10, 4S N 9
        match 1 board 2: 3NT W 9, Pass
        match 1 board 3: 1NT S 7, 1NT S 7
        match 1 board 4: 6HX S 11, 6H S 12
        scored
        """,
    )
    return played


# standings


@pytest.mark.parametrize("number", ["0", "3", "-1"])
def test_standings_after_a_round_that_there_is_not_exit_2_and_name_the_limits(
    played: PlayedEvent, number: str
) -> None:
    converse(
        played,
        f"$ standings EVENT --json --round {number}"
        f" -> refused 2: --round: rounds of 'Test Cup' are 1..2, got {number}",
    )


@pytest.fixture
@once
def tied(tmp_path: Path) -> PlayedEvent:
    """A single match, 9 IMPs each: Beta have the board with more points."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", stage=TIE_BREAKS))
    converse(
        played,
        """
        match 1 board 1: 3NT N 9, Pass
        match 1 board 2: 4S W 10, Pass
        scored
        """,
    )
    return played


def test_ties_are_not_explained_in_a_csv_table(tied: PlayedEvent) -> None:
    why = "--explain: a CSV table has no ties; leave out --csv, or use --json"
    converse(tied, f"$ standings EVENT --explain --csv -> refused 2: {why}")


def test_standings_say_so_when_there_is_nothing_to_explain(played: PlayedEvent) -> None:
    converse(played, "$ standings EVENT --explain -> ... -> No two teams have the same victory points")


def test_tie_breaks_may_be_changed_when_all_has_been_played(tied: PlayedEvent) -> None:
    text = tied.path.read_text(encoding="utf-8")
    tied.path.write_text(text.replace(TIE_BREAKS, 'tie_breaks = ["wins"]'), encoding="utf-8")
    ensure_drawn(load_event_file(tied.path), tied.database, 0)
    converse(
        tied,
        """
        $ standings EVENT --explain --json | tie_breaks -> wins
        $ standings EVENT --explain --json | standings: rank -> 1 -> 1
        """,
    )


# match


@pytest.fixture
@once
def ruled(tmp_path: Path) -> PlayedEvent:
    """One match of three boards. Beta forfeits board 1 in the open room; both lose board 2; Alpha is fined."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=3))
    converse(
        played,
        """
        1-open board 1: E forfeits
        1-closed board 1: 4S N 9 in 61500 2000 400 ms
        1-open board 2: Pass
        Jane rules 1-open board 2 board-forfeit Alpha: saw the hands
        """,
    )
    played.forfeit(1, CLOSED, 2, Seat.NORTH, BoardEnd.CRASH, "North ended with 3")
    converse(played, "match 1 board 3: 4S N 10, 4S N 9")
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
    converse(played, f"$ match EVENT {number} --json -> refused 2: matches of 'Test Cup' are 1..2, got {number}")


# All of them


@pytest.mark.parametrize("words", READERS)
def test_an_event_never_drawn_is_refused_and_no_database_is_made(tmp_path: Path, words: str) -> None:
    path = write_event(tmp_path, event_text())
    first, *others = words.replace("EVENT", str(path)).split()
    result = run(first, *others)
    assert (result.exit_code, result.stdout) == (1, "")
    database = f"sqlite:///{tmp_path / 'results' / 'test-cup' / 'event.db'}"
    assert result.stderr == (
        f"Error: 'Test Cup' has not begun: `tourney run {path}` draws and plays it "
        f"(there is no database {database})\n"
    )
    assert [entry.name for entry in tmp_path.iterdir()] == ["event.toml"]


@pytest.mark.parametrize("words", READERS)
def test_an_event_of_another_name_in_the_same_database_is_refused(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setenv("TOURNEY_DATABASE", str(played.database.url))
    write_event(played.path.parent, event_text(name="Other Cup"))
    converse(
        played,
        f"""
        $ {words}
            -> refused: event 'Other Cup' is not in database sqlite:///FOLDER/results/test-cup/event.db: `tourney...
        """,
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
    converse(
        played,
        """
        $ standings EVENT --json | standings: team -> Beta -> Alpha
        $ match EVENT 1 --json | vp_away -> 17.03
        $ crosstable EVENT
        """,
    )


def test_a_scale_that_the_event_file_has_no_more_leaves_stored_scores_standing(tmp_path: Path) -> None:
    own = "[vp_table.house]\nsteps = [[0, 10, 10], [1, 12, 8]]"
    text = event_text(boards=1, stage='vp_scale = "house"\nformat = "double-round-robin"', more=own)
    played = draw_event(tmp_path, text)
    converse(played, "match 1 board 1: 1NT N 8, 1NT S 7\nscored\nmatch 2 board 1: Pass, Pass")
    write_event(tmp_path, event_text(boards=1, stage='format = "double-round-robin"'))
    converse(
        played,
        """
        $ match EVENT 1 --json | : imps_home vp_home -> 1 12.00
        $ match EVENT 2 --json | : imps_home vp_home -> 0 -
        """,
    )


# What of the event file a scorecard is read with


def test_a_scorecard_can_be_read_while_another_section_of_the_file_is_wrong(ruled: PlayedEvent) -> None:
    before = lines_of(run("match", ruled.path, "1"))
    text = ruled.path.read_text(encoding="utf-8")
    ruled.path.write_text(f"{text}\n[clock]\ncall_s = -1\n", encoding="utf-8")
    assert lines_of(run("match", ruled.path, "1")) == before
    wrong = "refused 2: event.toml: clock, call_s: at least 1 is allowed, got -1"
    converse(ruled, f"$ standings EVENT -> {wrong}")
    ruled.path.write_text(ruled.path.read_text().replace('name = "Test Cup"', "name = 7"), encoding="utf-8")
    converse(ruled, "$ match EVENT 1 -> refused 2: event.toml: event, name: ... -> event.toml: clock, call_s: ...")
