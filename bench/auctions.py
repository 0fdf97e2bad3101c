"""`bench auctions`: boards a second of auctions alone, beside whole boards of the same player in the same run.

Seconds are those of the processor, so that what else the machine does makes little difference.
The network has random weights, four hidden layers of 1,024, and the calls and cards of `openspiel571`. What it takes
is measured around its function, and around all that `Agent` does for a batch.
"""

import gc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from time import process_time
from typing import Any, Final

import numpy as np

from bench.figures import Machine, this_machine
from tourney.bridge import Board, Card, DoubleDummyTable, board_from_seed
from tourney.lab import play
from tourney.lab.players import PlayerSource
from tourney.player import Call, Player, View
from tourney.player.agents import Agent, make_agent
from tourney.runtime.parallel import GARBAGE_AFTER

_LAYERS: Final = (571, 1024, 1024, 1024, 1024, 90)
_AT_ONCE: Final = 128
_MAKES: Final = DoubleDummyTable.parse("789a6" * 4)
"""What everybody makes of every deal: nothing is solved."""


@dataclass(frozen=True, slots=True)
class AuctionSpeed:
    """The boards a second of one player; each figure is the median of the rounds."""

    player: str
    whole_boards_per_s: float
    auctions_per_s: float
    ratio: float
    calls_per_board: float
    """Calls of an auction alone."""


@dataclass(frozen=True, slots=True)
class AuctionFigures:
    """The figures of auctions alone, in one process."""

    boards: int
    """Boards of a round."""
    rounds: int
    players: tuple[AuctionSpeed, ...]
    batch: float
    """Observations in a batch of the network, on average."""
    outside_network: float
    """The share of the processor time of auctions that is outside the function of the network."""
    outside_agents: float
    """The same, outside its agents: what encodes and chooses is inside."""
    network_us_per_call: float
    agent_us_per_call: float
    """What encodes and chooses."""
    table_us_per_call: float
    """All else: the table, its record, the boards."""
    machine: Machine


class _Meter:
    """Counts the processor time of the network and of its agents."""

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self._weights = [
            rng.standard_normal(size).astype(np.float32) * np.float32((2 / size[0]) ** 0.5)
            for size in pairwise(_LAYERS)
        ]
        self.reset()

    def reset(self) -> None:
        """Begin to count."""
        self.network_s = self.agents_s = 0.0
        self.batches = self.calls = 0

    def policy(self, seen: Any) -> Any:
        began_s = process_time()
        for weights in self._weights[:-1]:
            seen = np.maximum(seen @ weights, 0)
        values = seen @ self._weights[-1]
        self.network_s += process_time() - began_s
        self.batches += 1
        self.calls += len(values)
        return values

    def agent(self) -> type[Agent]:
        meter = self

        class Metered(make_agent(self.policy, "network", "openspiel571")):  # type: ignore[misc] # a class made here
            @classmethod
            def act(cls, model: Any, players: Sequence[Player], views: Sequence[View]) -> list[Call | Card]:
                began_s = process_time()
                made: list[Call | Card] = super().act(model, players, views)
                meter.agents_s += process_time() - began_s
                return made

        return Metered


def measure_auctions(boards: int, rounds: int) -> AuctionFigures:
    """Measure auctions alone: in each round whole boards and auctions of each player."""
    gc.set_threshold(GARBAGE_AFTER)  # as in the processes of a duel
    play(8, {"NS": "random", "EW": "random"})  # what is made once is not measured
    speeds, shares = [], []
    for name in ("random", "basic", "network"):
        found = []
        for seed in range(1, rounds + 1):
            deals = [replace(board_from_seed(seed, "1.1", number), makes=_MAKES) for number in range(1, boards + 1)]
            meter = _Meter()
            player: PlayerSource = name if name != "network" else meter.agent()
            whole_s, _ = _play([replace(board, makes=None) for board in deals], player)
            meter.reset()
            auctions_s, calls = _play(deals, player)
            found.append((boards / whole_s, boards / auctions_s, whole_s / auctions_s, calls / boards))
            if name == "network":
                each_us = [1e6 * spent_s / calls for spent_s in (meter.network_s, meter.agents_s, auctions_s)]
                shares.append((meter.calls / meter.batches, *each_us))
        whole, auctions, ratio, per_board = (median(figures) for figures in zip(*found, strict=True))
        speeds.append(AuctionSpeed(name, round(whole, 1), round(auctions, 1), round(ratio, 2), round(per_board, 1)))
    batch, network_us, agents_us, all_us = (median(figures) for figures in zip(*shares, strict=True))
    return AuctionFigures(
        boards=boards,
        rounds=rounds,
        players=tuple(speeds),
        batch=round(batch, 1),
        outside_network=round(1 - network_us / all_us, 3),
        outside_agents=round(1 - agents_us / all_us, 3),
        network_us_per_call=round(network_us, 1),
        agent_us_per_call=round(agents_us - network_us, 1),
        table_us_per_call=round(all_us - agents_us, 1),
        machine=this_machine(),
    )


def _play(deals: Sequence[Board], player: PlayerSource) -> tuple[float, int]:
    """Play deals; return how long that took, and how many calls were made."""
    began_s = process_time()
    at_once = 1 if isinstance(player, str) else _AT_ONCE
    results = play(deals, {"NS": player, "EW": player}, auctions=deals[0].makes is not None, concurrent=at_once)
    return process_time() - began_s, sum(len(result.calls) for result in results)
