"""A board as an environment of PettingZoo's AEC interface: four agents, at a table by the rules of any event.

    env = BridgeEnv()
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination else choose(observation["observation"], observation["action_mask"]))

An episode is a board. Agents are `north`, `east`, `south` and `west`; declarer acts for dummy. When the board is
over, each has its side's points as its reward: of a made 4S by North, not vulnerable, 420 and -420.

**Actions**, `Discrete(90)`, are numbered as in OpenSpiel: 0 to 51 are the cards, from 52 on the calls
(`tourney.player.encoders`). `action_mask` has 1 for what is legal, and is 0 throughout for an agent that is not in
turn. An action that is not legal is refused: the agent acts again, and after three refusals the table acts for it.

**Observations** are a dictionary: `observation` is what the agent knows as the vector `openspiel571` of
`tourney.player.encoders`; `action_mask` is as above.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from tourney.bots.strategy import Decision
from tourney.bridge import SEATS, Board, Card, Side, board_from_seed
from tourney.extras import check_extra
from tourney.lab.in_process import USUAL_RULES
from tourney.lab.player_table import PlayerTable
from tourney.lab.players import PlayerMaker
from tourney.player.encoders import ENCODERS
from tourney.player.view import View
from tourney.protocol.session.records import BoardEnded
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.table import TableSettings

check_extra("env", "an environment for learning")

import numpy as np  # noqa: E402
from gymnasium.spaces import Box, Dict, Discrete, Space  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402

AGENTS: Final = tuple(seat.title.lower() for seat in SEATS)
_ENCODER: Final = ENCODERS["openspiel571"]


class BridgeEnv(AECEnv):  # type: ignore[misc] # it has no types
    """One board after the other, each an episode."""

    metadata: ClassVar = {"render_modes": ["ansi"], "name": "tourney_bridge_v0", "is_parallelizable": False}

    def __init__(
        self, boards: Sequence[Board] = (), rules: TableRules = USUAL_RULES, render_mode: str | None = None
    ) -> None:
        """Prepare to play `boards` again and again; without any they are dealt from the seed of `reset`."""
        super().__init__()
        self.possible_agents = list(AGENTS)
        self.render_mode = render_mode
        space: dict[str, Space[Any]] = {
            name: Box(0, 1, (length,), np.int8)
            for name, length in (("observation", _ENCODER.size), ("action_mask", _ENCODER.actions))
        }
        self.observation_spaces = {agent: Dict(space) for agent in AGENTS}
        self.action_spaces = {agent: Discrete(_ENCODER.actions) for agent in AGENTS}
        self._boards, self._rules = boards, rules
        self._seed, self._number = 0, 0

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin the next board; with a seed, the first of that seed."""
        if seed is not None:
            self._seed, self._number = seed, 0
        self._number += 1
        boards, number = self._boards, self._number
        board = boards[(number - 1) % len(boards)] if boards else board_from_seed(self._seed, "env", number)
        settings = TableSettings("North-South", "East-West", (board,), trick_pause_ms=0, rules=self._rules)
        self._table = PlayerTable(settings, {seat: PlayerMaker("random") for seat in SEATS})
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select()

    def _select(self) -> None:
        question = self._table.question
        if question is not None:
            self.agent_selection = AGENTS[question.link.seat]
            return
        self.terminations = dict.fromkeys(AGENTS, True)
        results = [record.result for record in self._table.records if isinstance(record, BoardEnded)]
        if results and results[-1] is not None:
            score = results[-1].score
            self.rewards = {AGENTS[seat]: score if seat.side is Side.NS else -score for seat in SEATS}

    def step(self, action: int | None) -> None:
        """Have the agent that is selected call or play."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        made = _ENCODER.made(action)
        self._table.answer(made if isinstance(made, Card) else Decision(made), 0.0)
        self._select()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """Return what an agent knows, in its turn or not, and what it may do."""
        seat, question = SEATS[AGENTS.index(agent)], self._table.question
        mask = np.zeros(_ENCODER.actions, np.int8)
        known = self._table.known_at(seat)
        assert known is not None
        if question is not None and question.link.seat is seat:
            mask[_ENCODER.legal(View(known, question.hand))] = 1
        return {"observation": _ENCODER.encode(known).astype(np.int8), "action_mask": mask}

    def render(self) -> str | None:
        """Return the board as the agent in turn knows it, in a line."""
        known = self._table.known_at(SEATS[AGENTS.index(self.agent_selection)])
        return str(View(known, known.turn or known.seat)) if known is not None else None

    def close(self) -> None:
        """Nothing is open."""
