"""Lobbies on simulated time, whose players come and go as they please, and whose process dies and stops."""

import pytest

from tests.sim.lobby import simulate_lobby
from tests.sim.seeds import draw_first

FOUND = (519261337, 534497133, 1070, 2102)
"""Seeds at which the lobby was woken for ever while the database was down, and never slept; at which a game that
nobody had called in was off the record, and its place on record another's; and at which a bot was asked about a claim
before it had seen dummy; and at which a player that had gone to another game was told a call of the one before."""

SEEDS = (*FOUND, *range(24))
PARTS = 5
SUITE_PARTS = 2
"""How many of them the suite plays, those in which the first two found seeds are; campaigns play the others."""


@pytest.mark.clause("SS-43", "SS-47", "SS-52")
@pytest.mark.parametrize(
    "part",
    [
        *range(SUITE_PARTS),
        *(pytest.param(part, marks=pytest.mark.campaign) for part in range(SUITE_PARTS, PARTS)),
    ],
)
def test_whatever_players_do_every_game_ends_and_nobody_is_told_what_it_may_not_know(part: int) -> None:
    happened: set[str] = set()
    for seed in SEEDS[part::PARTS]:
        outcome = simulate_lobby(seed)
        assert not outcome.faults, f"seed {seed}: {outcome.faults[0]}"
        happened |= outcome.happened
    assert {"a player hangs up", "a player leaves its game", "a call or card is taken back"} <= happened


@pytest.mark.campaign
def test_a_seed_comes_out_the_same_each_time() -> None:
    seed = draw_first()
    first, second = simulate_lobby(seed), simulate_lobby(seed)
    assert first.transcript == second.transcript, f"seed {seed}"
