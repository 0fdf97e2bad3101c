"""`tourney.lab.duel`: the event file of a duel, its boards, and when its tables are stopped."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import Seat, board_from_seed
from tourney.config import parse_event_file
from tourney.errors import ConfigError
from tourney.lab.duel import DuelSettings, DuelTeam, DuelWatch, check_same_duel, format_duel
from tourney.movement.seating import Room
from tourney.report.duel import DuelReport
from tourney.scoring.strength.sequential import SequentialTest, Verdict
from tourney.store.control.orders import load_holds
from tourney.store.models import OrderKind

SETTINGS = DuelSettings(
    first=DuelTeam("New (beta)", {"command": "new {port}", "profile": "tourney"}),
    second=DuelTeam("Old", {"command": "old {port}"}),
    boards=100,
    matches=3,
    test=SequentialTest(d1=0.25, is_two_sided=True, boards_max=100),
    seed=7,
)


def test_the_event_file_of_a_duel_says_what_was_asked_for() -> None:
    config = parse_event_file(format_duel(SETTINGS), "duel.toml")
    (stage,) = config.stage
    assert [team.name for team in config.team] == ["New (beta)", "Old"]
    assert (config.team[0].profile, config.deals.seed) == ("tourney", 7)
    assert (stage.format.is_duel, stage.matches, stage.boards_per_match) == (True, 3, 34)
    assert stage.sprt is not None
    assert stage.sprt.test_of(100) == SETTINGS.test


def test_boards_of_a_file_are_divided_so_that_the_matches_take_turns() -> None:
    boards = [board_from_seed(1, "1.1", number) for number in range(1, 8)]
    divided = replace(SETTINGS, boards=7, matches=2, deals="boards.pbn").divide(boards)
    assert [board.deal for board in divided] == [boards[n].deal for n in (0, 2, 4, 1, 3, 5)]
    assert [board.number for board in divided] == [1, 2, 3, 1, 2, 3]
    assert [(b.dealer, b.vulnerability) for b in divided[:3]] == [
        (boards[n].dealer, boards[n].vulnerability) for n in (0, 2, 4)
    ]


def test_another_duel_under_the_same_name_is_refused_with_the_first_key_that_differs() -> None:
    found = tomllib.loads(format_duel(SETTINGS))
    check_same_duel(found, found, "duel.toml", has_seed=True)
    other = tomllib.loads(format_duel(replace(SETTINGS, seed=8)))
    check_same_duel(found, other, "duel.toml", has_seed=False)
    with pytest.raises(ConfigError, match=r"duel\.toml is a duel of other parameters, deals\.seed is 7 there, got 8"):
        check_same_duel(found, other, "duel.toml", has_seed=True)
    shorter = tomllib.loads(format_duel(replace(SETTINGS, test=None)))
    with pytest.raises(ConfigError, match=r"stage 1\.sprt is \{.*\} there, got None"):
        check_same_duel(found, shorter, "duel.toml", has_seed=True)


def test_a_duel_may_keep_its_record_in_a_folder_of_its_own() -> None:
    config = parse_event_file(format_duel(replace(SETTINGS, results="results/second")), "second.toml")
    assert config.event.results_folder == "results/second"


# Watching the record

DUEL = 'format = "duel"\nmatches = 2\n[stage.sprt]\nd1 = 12'


@pytest.fixture
def duel(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path, event_text("New", "Old", boards=40, stage=DUEL))


def watch(duel: PlayedEvent, *, strikes: int = 0) -> tuple[DuelWatch, list[DuelReport], list[str]]:
    shown: list[DuelReport] = []
    said: list[str] = []
    stage = duel.file.config.stage[0]
    watching = DuelWatch(
        duel.database, duel.event, stage, every=16, strikes=strikes, show=shown.append, say=said.append
    )
    return watching, shown, said


def test_a_live_display_is_brought_up_to_date_at_each_look(duel: PlayedEvent) -> None:
    boards: list[int] = []
    watching = DuelWatch(
        duel.database,
        duel.event,
        duel.file.config.stage[0],
        every=16,
        strikes=0,
        show=lambda _: None,
        say=lambda _: None,
        refresh=lambda report: boards.append(report.result.tally.boards),
    )
    for board in (1, 2):
        win(duel, 1, range(board, board + 1))
        win(duel, 2, range(board, board + 1))
        watching.look()
    assert boards == [2, 4]


def win(duel: PlayedEvent, match: int, boards: range) -> None:
    """Let New win boards by a game."""
    for board in boards:
        duel.record(match, Room.OPEN, board, "4S N", 10)
        duel.record(match, Room.CLOSED, board, "4S N", 9)


def held(duel: PlayedEvent) -> set[OrderKind]:
    tables = [table.id for match in duel.event.matches for table in match.tables]
    return set(load_holds(duel.database, tables).values())


def test_progress_is_shown_every_so_many_boards_and_the_decision_stops_all_tables(duel: PlayedEvent) -> None:
    watching, shown, _ = watch(duel)
    win(duel, 1, range(1, 11))
    win(duel, 2, range(1, 10))
    assert watching.look().verdict is Verdict.CONTINUE
    assert [report.result.tally.boards for report in shown] == [19]
    watching.look()
    assert len(shown) == 1
    assert held(duel) == set()
    win(duel, 1, range(11, 17))
    win(duel, 2, range(10, 17))
    assert watching.look().verdict is Verdict.BETTER
    assert watching.is_stopped
    assert held(duel) == {OrderKind.STOP}


def test_a_side_that_loses_too_many_boards_by_faults_stops_the_duel(duel: PlayedEvent) -> None:
    watching, _, said = watch(duel, strikes=2)
    for board in (1, 2):
        assert not watching.is_stopped
        watching.look()
        duel.forfeit(1, Room.OPEN, board, Seat.EAST)
        duel.record(1, Room.CLOSED, board, "Pass")
    watching.look()
    assert watching.is_stopped
    assert said == ["Old has lost 2 boards by faults of its programs: the duel stops"]
