"""A board as an environment of PettingZoo."""

import random

import pytest

pytest.importorskip("pettingzoo", reason="the extra env is not installed")

import numpy as np
from pettingzoo.test import api_test, seed_test

from tourney.bridge import CALLS, DECK, board_from_seed
from tourney.lab.bridge_env import ACTIONS, AGENTS, OBSERVED, BridgeEnv, observe_board
from tourney.player.answers import find_card
from tourney.testing import playing_view


@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo.test.api_test")  # masks, and agents with plain names
def test_it_keeps_to_the_interface(capsys: pytest.CaptureFixture[str]) -> None:
    api_test(BridgeEnv(), num_cycles=300)
    seed_test(BridgeEnv, num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


def test_the_points_of_a_board_are_the_rewards_and_the_mask_is_what_is_legal() -> None:
    board = board_from_seed(1, "env", 1)
    env, source = BridgeEnv([board]), random.Random(4)
    env.reset()
    first = env.observe(env.agent_selection)
    dealt = set(board.deal[board.dealer].cards)
    assert {DECK[number] for number in np.flatnonzero(first["observation"][:52])} == dealt
    assert [CALLS[number] for number in np.flatnonzero(first["action_mask"])] == [
        call for call in CALLS if str(call) not in ("X", "XX")
    ]
    points = {}
    for agent in env.agent_iter():
        observation, reward, is_over, _, _ = env.last()
        assert observation is not None
        assert (observation["observation"].shape, observation["action_mask"].shape) == ((OBSERVED,), (ACTIONS,))
        if is_over:
            points[agent] = reward
        env.step(None if is_over else int(source.choice(np.flatnonzero(observation["action_mask"]))))
    assert set(points) == set(AGENTS)
    assert points["north"] == points["south"] == -points["east"] == -points["west"] != 0


def test_a_player_may_observe_what_its_view_knows() -> None:
    view = playing_view("AK97.K32.QT3.AK7", "1NT Pass Pass Pass", "S2", dummy="QJ.A54.J98.Q6542", dealer="S")
    seen = observe_board(view)
    cards = {DECK[place % 52] for place in np.flatnonzero(seen[:104])}
    assert cards == {*view.held(view.seat), *view.held(view.seat.partner)}
    assert np.flatnonzero(seen[104:312]).tolist() == [52 + DECK.index(find_card("S2"))]  # of the seat to its left
