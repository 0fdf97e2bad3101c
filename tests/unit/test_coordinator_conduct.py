"""A run of an event, as far as it needs no host."""

from pathlib import Path
from unittest.mock import create_autospec

from tests.live_event import take_up
from tests.played_event import BEGINS_AT_MS, PlayedEvent, draw_event
from tourney.coordinator.conduct import Conductor, RunOutcome
from tourney.coordinator.listener import RunListener
from tourney.movement.seating import Room
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
