"""A run of an event, as far as it needs no host."""

from pathlib import Path
from unittest.mock import Mock, create_autospec

import pytest

from tests.live_event import take_up
from tests.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tourney.coordinator.conduct import Conductor, RunOutcome
from tourney.coordinator.listener import RunListener
from tourney.movement.seating import Room
from tourney.store.event_info import load_event
from tourney.store.orders import give_replay, load_outcomes
from tourney.store.results import load_match_scores


async def run_and_stop(played: PlayedEvent) -> RunOutcome:
    """A run that is stopped before its first round."""
    listener = create_autospec(RunListener, instance=True)
    conductor = Conductor(played.file, played.database, played.event, listener, hosts=1)
    conductor.stop()
    return await conductor.run()


async def test_a_replay_that_no_host_has_done_is_done_by_the_next_run(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    table = take_up(played)
    played.record(1, Room.OPEN, 1, "1NT N", 7)
    order_id = give_replay(played.database, table.id, 1, author="Ada", reason="a wrong deal", now_ms=BEGINS_AT_MS)
    played.record(1, Room.OPEN, 2, "Pass")
    for board in (1, 2):
        played.record(1, Room.CLOSED, board, "Pass")
    played.score()
    assert len(load_match_scores(played.database, played.event.id)) == 1
    outcome = await run_and_stop(played)
    assert outcome.matches_left == 1
    assert load_outcomes(played.database, [order_id]) == {
        order_id: "board 1 is void, it had come to 1NT by North, 7 tricks, +90 for North-South"
    }


async def test_a_run_of_an_event_that_is_over_has_nothing_left(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    played.play_all()
    outcome = await run_and_stop(played)
    assert (outcome.matches_left, outcome.failures) == (0, [])


async def test_a_run_reads_the_draw_once_however_many_rounds_it_looks_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta", boards=1))
    played.play_all()
    reads = Mock(side_effect=load_event)
    monkeypatch.setattr("tourney.coordinator.playing.load_event", reads)
    conductor = Conductor(played.file, played.database, played.event, create_autospec(RunListener, instance=True), 1)
    outcome = await conductor.run()
    assert (outcome.matches_left, outcome.rounds_left, reads.call_count) == (0, 0, 1)
    assert len(load_match_scores(played.database, played.event.id)) == 6
