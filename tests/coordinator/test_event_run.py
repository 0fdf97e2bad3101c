"""A run of an event, as far as it needs no host."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.run_context import Reported
from tourney.config import Durability
from tourney.coordinator.event_run import EventRun
from tourney.launch.hosts import this_process
from tourney.protocol.session.records import RulingKind
from tourney.store.control.host_settings import save_settings
from tourney.store.control.hosts import add_host, join_host
from tourney.store.control.leases import ProcessIdentity
from tourney.store.draw.reader import load_event
from tourney.store.results.matches import load_match_scores, save_match_score
from tourney.store.rulings import load_rulings


def run(played: PlayedEvent) -> list[str]:
    """Have a run stopped before its first round; how many matches it leaves."""
    conductor = EventRun(played.file, played.database, played.event, lambda _: None, hosts=1)
    conductor.stop()
    outcome = asyncio.run(conductor.run())
    played.reload()
    return [f"{outcome.matches_left} left", *outcome.failures]


def forfeits(played: PlayedEvent) -> list[str]:
    rulings = load_rulings(played.database, played.event.id)
    return [f"{ruling.match} {ruling.team}" for ruling in rulings if ruling.kind is RulingKind.MATCH_FORFEIT]


tell = partial(converse, run=run, forfeits=forfeits)


def test_a_replay_that_no_host_has_done_is_done_by_the_next_run(tmp_path: Path) -> None:
    tell(
        draw_event(tmp_path),
        """
        1-open opens
        1-open board 1: 1NT N 7
        Ada: replay 1-open board 1
        1-open board 2: Pass
        1-closed boards 1-2: Pass
        scored
        run -> 1 left
        outcomes -> board 1 is void, it had come to 1NT by North, 7 tricks, +90 for North-South
        """,
    )


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


def test_a_run_of_an_event_that_is_over_has_nothing_left(tmp_path: Path) -> None:
    tell(draw_event(tmp_path), "all is played\nrun -> 0 left")


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


SWISS = 'format = "swiss"\nrounds = 2'


def draw_round_two(tmp_path: Path, stage: str) -> PlayedEvent:
    """Four teams; the matches of round 1 are over and those of round 2 are drawn."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=1, stage=stage))
    tell(played, "0 IMPs in matches 1 2\ndrawn")
    return played


def test_a_round_is_drawn_without_a_team_that_left_since_the_last_run(tmp_path: Path) -> None:
    tell(
        draw_round_two(tmp_path, SWISS),
        """
        round 2 -> Bees - Ants -> Cats - Dogs
        rule withdrawal Ants
        run -> 1 left
        round 2 -> Bees - Cats -> Dogs
        forfeits -> nothing
        """,
    )


def test_nobody_forfeits_in_a_round_that_will_be_drawn_anew_when_a_replay_is_over(tmp_path: Path) -> None:
    played = draw_round_two(tmp_path, SWISS)
    of_others = next(m for m in played.event.rounds[0].matches if "Ants" not in (m.home, m.away))
    save_match_score(played.database, of_others, None)
    tell(played, "rule withdrawal Ants\nrun\nround 2 -> Bees - Ants -> Cats - Dogs\nforfeits -> nothing")


@pytest.mark.parametrize(
    ("stage", "begins", "expected", "drawn"),
    [
        ("", "", "4 Ants -> 6 Ants", "Dogs - Cats -> Ants - Bees"),
        (SWISS, "3-open opens", "3 Ants", "Bees - Ants -> Cats - Dogs"),
    ],
    ids=["where the draw stands", "in a round that was begun"],
)
def test_a_team_that_left_since_the_last_run_forfeits_what_is_not_drawn_anew(
    tmp_path: Path, stage: str, begins: str, expected: str, drawn: str
) -> None:
    tell(
        draw_round_two(tmp_path, stage),
        f"""
        {begins}
        rule withdrawal Ants
        run
        forfeits -> {expected}
        round 2 -> {drawn}
        """,
    )
