"""A run of an event, as far as it needs no host."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support.live_event import take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.run_context import Reported
from tourney.config import Durability
from tourney.coordinator.draw import draw_next
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.launch.hosts import this_process
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.store.control.host_settings import save_settings
from tourney.store.control.hosts import add_host, join_host
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.orders import give_replay, load_outcomes
from tourney.store.draw.reader import load_event
from tourney.store.results.matches import load_match_scores, save_match_score
from tourney.store.rulings import load_rulings


async def run_and_stop(played: PlayedEvent) -> RunOutcome:
    """A run that is stopped before its first round."""
    conductor = EventRun(played.file, played.database, played.event, lambda _: None, hosts=1)
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


@pytest.mark.skipif(not this_process().boot, reason="this system does not tell boots apart")
@pytest.mark.parametrize(
    ("boot", "durability", "is_told"),
    [
        ("another-boot", Durability.PROCESS, True),
        ("another-boot", Durability.FULL, False),
        ("", Durability.PROCESS, False),
        (this_process().boot, Durability.PROCESS, False),
    ],
)
async def test_after_a_restart_of_the_machine_it_is_told_what_the_record_may_have_lost(
    tmp_path: Path, boot: str, durability: Durability, is_told: bool
) -> None:
    played = draw_event(tmp_path)
    save_settings(played.database, played.event.id, replace(played.file.host_settings, durability=durability))
    add_host(played.database, played.event.id, "host-1", BEGINS_AT_MS)
    start = f"{boot}/77" if boot else "Sun Nov 22 14:00:00 2026"
    process = ProcessIdentity(this_process().machine, 999_999_999, start)
    join_host(played.database, "host-1", process, BEGINS_AT_MS)
    reported = Reported()
    conductor = EventRun(played.file, played.database, played.event, reported.append, hosts=1)
    conductor.stop()
    await conductor.run()
    sentence = (
        'this machine was restarted while tables were played, and durability is "process": the last calls and cards '
        "of boards in play may be lost, and each goes on from what is on record"
    )
    assert (sentence in reported.notices) is is_told


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
    monkeypatch.setattr("tourney.coordinator.run_context.load_event", reads)
    conductor = EventRun(played.file, played.database, played.event, lambda _: None, 1)
    outcome = await conductor.run()
    assert (outcome.matches_left, outcome.rounds_left, reads.call_count) == (0, 0, 1)
    assert len(load_match_scores(played.database, played.event.id)) == 6


def draw_round_two(tmp_path: Path, stage: str) -> PlayedEvent:
    """Four teams; the matches of round 1 are over and those of round 2 are drawn, Ants among them."""
    text = event_text("Ants", "Bees", "Cats", "Dogs", boards=1, stage=stage)
    played = draw_event(tmp_path, text)
    played.leave_aside(1, 2)
    draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS)
    assert "Ants" in teams_of_round_two(played)
    return played


def teams_of_round_two(played: PlayedEvent) -> set[str]:
    return {team for match in played.reload().rounds[1].matches for team in (match.home, match.away)}


def forfeits(played: PlayedEvent) -> list[tuple[int | None, str]]:
    rulings = load_rulings(played.database, played.event.id)
    return [(ruling.match, ruling.team) for ruling in rulings if ruling.kind is RulingKind.MATCH_FORFEIT]


SWISS = 'format = "swiss"\nrounds = 2'


async def test_a_round_is_drawn_without_a_team_that_left_since_the_last_run(tmp_path: Path) -> None:
    played = draw_round_two(tmp_path, SWISS)
    played.rule(None, "Ants", RulingKind.WITHDRAWAL)
    outcome = await run_and_stop(played)
    assert teams_of_round_two(played) | set(played.event.rounds[1].byes) == {"Bees", "Cats", "Dogs"}
    assert forfeits(played) == []
    assert outcome.matches_left == 1


async def test_nobody_forfeits_in_a_round_that_will_be_drawn_anew_when_a_replay_is_over(tmp_path: Path) -> None:
    played = draw_round_two(tmp_path, SWISS)
    of_others = next(m for m in played.event.rounds[0].matches if "Ants" not in (m.home, m.away))
    save_match_score(played.database, of_others, None, BEGINS_AT_MS)
    played.rule(None, "Ants", RulingKind.WITHDRAWAL)
    await run_and_stop(played)
    assert "Ants" in teams_of_round_two(played)
    assert forfeits(played) == []


async def test_a_team_that_left_since_the_last_run_forfeits_where_the_draw_stands(tmp_path: Path) -> None:
    played = draw_round_two(tmp_path, "")
    played.rule(None, "Ants", RulingKind.WITHDRAWAL)
    left = [match.number for match in played.event.matches[2:] if "Ants" in (match.home, match.away)]
    await run_and_stop(played)
    assert sorted(forfeits(played)) == [(number, "Ants") for number in left]
    assert len(left) == 2


async def test_a_team_that_left_since_the_last_run_forfeits_a_match_of_a_round_that_was_begun(tmp_path: Path) -> None:
    played = draw_round_two(tmp_path, SWISS)
    of_ants = next(m for m in played.event.rounds[1].matches if "Ants" in (m.home, m.away))
    take_up(played, of_ants.number)
    played.rule(None, "Ants", RulingKind.WITHDRAWAL)
    await run_and_stop(played)
    assert "Ants" in teams_of_round_two(played)
    assert forfeits(played) == [(of_ants.number, "Ants")]
