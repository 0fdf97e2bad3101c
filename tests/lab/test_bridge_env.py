"""A board as an environment of PettingZoo."""

import random

import pytest

pytest.importorskip("pettingzoo", reason="the extra env is not installed")

import numpy as np
from pettingzoo.test import api_test, seed_test

from tourney.bridge import CALLS, board_from_seed
from tourney.lab.bridge_env import AGENTS, BridgeEnv
from tourney.player.encoders import ENCODERS

ENCODER = ENCODERS["openspiel571"]


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
    assert {ENCODER.made(int(number)) for number in np.flatnonzero(first["observation"][432:484])} == dealt
    assert [ENCODER.made(int(number)) for number in np.flatnonzero(first["action_mask"])] == [
        call for call in CALLS if str(call) not in ("X", "XX")
    ]
    points = {}
    for agent in env.agent_iter():
        observation, reward, is_over, _, _ = env.last()
        assert observation is not None
        assert (observation["observation"].shape, observation["action_mask"].shape) == ((571,), (90,))
        if is_over:
            points[agent] = reward
        env.step(None if is_over else int(source.choice(np.flatnonzero(observation["action_mask"]))))
    assert set(points) == set(AGENTS)
    assert points["north"] == points["south"] == -points["east"] == -points["west"] != 0
