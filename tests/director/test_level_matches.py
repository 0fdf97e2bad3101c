"""A ruling that ties a scored match of a knockout: extra boards decide it, unless its winner plays on already."""

from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import update

from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text, once
from tests.support.run_context import run_context
from tourney.audit.event import verify_event
from tourney.coordinator.director import RulingBasis
from tourney.coordinator.event_run import EventRun
from tourney.coordinator.host_pool import HostPool
from tourney.coordinator.match_runner import MatchRunner
from tourney.coordinator.run_context import RoundStarted, RoundWaits, RunEvent
from tourney.director.rulings import Fine, WithdrawRulings
from tourney.movement.seating import TableState
from tourney.store.models import TableRow
from tourney.store.results.matches import load_match_scores

GROUNDS = RulingBasis("Ada", "slow play", None, 1)
LEVELS = Fine(1, "Alpha", "1")


KNOCKOUT = 'format = "knockout"\nextra_boards = 2'


@pytest.fixture
@once
def knockout(tmp_path: Path) -> PlayedEvent:
    return play_first_round(tmp_path, KNOCKOUT)


def play_first_round(folder: Path, stage: str) -> PlayedEvent:
    """Four teams, one board a match: both home teams have won round 1 by 1 IMP, and the final is drawn."""
    played = draw_event(folder, event_text("Alpha", "Beta", "Gamma", "Delta", boards=1, stage=stage))
    converse(
        played,
        """
        match 1 board 1: 1NT N 8, 1NT N 7
        match 2 board 1: 1NT N 8, 1NT N 7
        scored
        drawn -> 2
        """,
    )
    return played


def left_to_play(played: PlayedEvent) -> tuple[set[int], list[int]]:
    """The matches that a run has left to play, and the boards of match 1 by segment."""
    left = MatchRunner(run_context(played), Mock(HostPool)).load_left()
    return left, [segment.boards for segment in played.reload().matches[0].segments]


def test_a_level_match_is_decided_by_extra_boards_while_no_later_round_has_begun(knockout: PlayedEvent) -> None:
    decided = "match 1 is level and is decided by 2 extra boards, which the run in progress, or the next, gives it"
    changed, note = LEVELS.preview(knockout.drawn).changes
    assert changed.startswith("match 1: Alpha - Delta has no score yet; before, it was 1 - 0 IMPs")
    assert note == decided
    line, note = LEVELS.carry_out(knockout.drawn, GROUNDS)
    assert (line, note) == ("ruling 1; match 1: Alpha - Delta has no score yet", decided)
    assert left_to_play(knockout) == ({1, 3}, [1, 2])


def test_a_team_keeps_its_place_in_a_round_that_has_begun(knockout: PlayedEvent) -> None:
    converse(knockout, "3-open opens")
    stays = (
        "match 1 is level and has no extra boards: round 2, drawn from its result, has begun, and the team that "
        "plays on there stays in it"
    )
    assert LEVELS.preview(knockout.drawn).changes[1] == stays
    score, note = LEVELS.carry_out(knockout.drawn, GROUNDS)
    assert (score.startswith("ruling 1; match 1: Alpha - Delta 0 - 0 IMPs"), note) == (True, stays)
    assert left_to_play(knockout) == ({3}, [1])


def test_a_match_that_is_no_longer_level_before_its_extra_boards_has_its_score_again(knockout: PlayedEvent) -> None:
    LEVELS.carry_out(knockout.drawn, GROUNDS)
    assert set(load_match_scores(knockout.database, knockout.event.id)) == {2}
    WithdrawRulings((1,)).carry_out(knockout.drawn, GROUNDS)
    assert set(load_match_scores(knockout.database, knockout.event.id)) == {1, 2}


def test_verify_names_the_extra_boards_and_misses_the_score_once_a_later_round_has_begun(
    knockout: PlayedEvent,
) -> None:
    LEVELS.carry_out(knockout.drawn, GROUNDS)
    with knockout.database.write() as connection:
        connection.execute(update(TableRow).where(TableRow.match_id == 1).values(state=TableState.FINISHED))
    assert verify(knockout) == ([], ["match 1 is level and has no score yet: `tourney run` gives it extra boards"])
    converse(knockout, "3-open opens")
    missing = "match 1, score: there is none, though both rooms are finished: `tourney run` writes it"
    assert verify(knockout) == ([missing], [])


def verify(played: PlayedEvent) -> tuple[list[str], list[str]]:
    """The findings about match 1, and the notes."""
    event = played.reload()
    outcome = verify_event(played.database, event, event.matches[:1], dict(played.file.scales), BEGINS_AT_MS + 10**9)
    return [finding.text for finding in outcome.findings if finding.record == "score"], outcome.notes


async def test_a_run_that_waits_for_the_next_round_plays_the_extra_boards_meanwhile(tmp_path: Path) -> None:
    stage = f"{KNOCKOUT}\nstarts = [2026-01-01T10:00:00Z, 2999-01-01T10:00:00Z]"
    played = play_first_round(tmp_path, stage)
    started: list[int] = []

    def report(event: RunEvent) -> None:
        if isinstance(event, RoundWaits):
            LEVELS.carry_out(played.drawn, GROUNDS)
        elif isinstance(event, RoundStarted):
            started.extend(each.match.number for each in event.assignments)
            run.stop()

    run = EventRun(played.file, played.database, played.event, report, hosts=1)
    await run.run()
    assert started == [1]
