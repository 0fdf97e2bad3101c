"""Stages as they are planned from an event file: entries, rounds, matches with their segments, and sets of boards.

Nothing here reads the record; what later rounds hang on is handed in by `next_rounds`.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from tourney.bridge import Board, board_from_seed
from tourney.config import EventConfig, SharedDeals, StageConfig
from tourney.config.fit import stage_rounds, stage_teams
from tourney.errors import ConfigError
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.formats import PlannedEntry, RoundDraw, deal_entries
from tourney.movement.knockout import EXTRA_TIMES
from tourney.movement.round_robin import Pairing
from tourney.movement.seating import SeatsRule, seat_match, seat_segments
from tourney.store.draw.objects import NO_CARRY
from tourney.store.draw.plans import PlannedMatch, PlannedRound, PlannedSegment, PlannedStage

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class StagePlanner:
    """Makes the matches of one stage of an event file."""

    def __init__(self, config: EventConfig, number: int) -> None:
        self.config = config
        self.stage = config.stage[number - 1]
        self.number = number
        self.teams = stage_teams(config.stage, len(config.team))[number - 1]
        """How many it is for."""

    @property
    def rounds(self) -> int:
        """How many it has, whoever comes."""
        return stage_rounds(self.stage, self.teams)

    @property
    def boards(self) -> int:
        """Of a set, extra ones for level matches included."""
        return self.stage.boards_per_match + EXTRA_TIMES * self.stage.extra

    def plan(self, entries: tuple[PlannedEntry, ...], rounds: Sequence[PlannedRound]) -> PlannedStage:
        """The stage, as far as it is drawn."""
        stage = self.stage
        return PlannedStage(
            name=stage.name,
            format=stage.format,
            boards_per_match=stage.boards_per_match,
            vp_scale=stage.vp_scale,
            shared_deals=self.config.deals.shared,
            groups=stage.groups,
            segments=stage.segments,
            seats=stage.seats,
            extra_boards=stage.extra,
            starts_at_ms=self.starts_at_ms(),
            entries=entries,
            rounds=tuple(rounds),
        )

    def starts_at_ms(self) -> tuple[int | None, ...]:
        """When its rounds start; None for at once."""
        if self.stage.starts is None:
            return (None,) * self.rounds
        return tuple((time - _EPOCH) // timedelta(milliseconds=1) for time in self.stage.starts)

    def first_entries(self) -> tuple[PlannedEntry, ...]:
        """Those of the first stage: every team of the event, in the order of the file."""
        entries = (PlannedEntry(n, from_round=team.enters or 1) for n, team in enumerate(self.config.team, 1))
        return deal_entries(tuple(entries), self.stage.groups)

    def draw_first(self, entries: Sequence[PlannedEntry]) -> list[RoundDraw]:
        """The rounds that can be drawn when the stage begins."""
        named = self.stage.against_all
        head = [team.name for team in self.config.team].index(named) + 1 if named is not None else None
        return self.stage.format.draw_first(self.stage, self.teams, entries, head)

    def make_round(
        self,
        number: int,
        drawn: RoundDraw,
        carried: Mapping[Pairing, tuple[ImpHundredths, ImpHundredths]] | None = None,
    ) -> PlannedRound:
        """Round `number` of the stage; `carried` is what the teams of a pairing bring along."""
        matches = []
        for index, (home, away) in enumerate(drawn.pairings, 1):
            carry_home, carry_away = (carried or {}).get((home, away), (NO_CARRY, NO_CARRY))
            matches.append(
                PlannedMatch(
                    home,
                    away,
                    self._segments(home, away),
                    self._set_name(number, index),
                    carry_home,
                    carry_away,
                    drawn.has_third_place and index == len(drawn.pairings),
                )
            )
        return PlannedRound(tuple(matches), drawn.byes)

    def _segments(self, home: int, away: int) -> tuple[PlannedSegment, ...]:
        stage, teams = self.stage, self.config.team
        each = stage.boards_per_match // stage.segments
        sides = [room.side if (room := teams[team - 1].open_room) is not None else None for team in (home, away)]
        seats = seat_segments(stage.segments, stage.seats, home_sits=sides[0], away_sits=sides[1])
        return tuple(PlannedSegment(i * each, each, seat_match(home, away, seat)) for i, seat in enumerate(seats))

    def extra_segment(self, home: int, away: int, played: int) -> PlannedSegment:
        """Extra boards of a match in which so many segments have been played: the seats go on to change."""
        stage, before = self.stage, played - self.stage.segments
        seats = seat_segments(played + 1, stage.seats)[-1]
        first = stage.boards_per_match + before * stage.extra
        return PlannedSegment(first, stage.extra, seat_match(home, away, seats))

    def _set_name(self, round_: int, match: int) -> str:
        """The boards of match number `match` of a round: stage, round and, if it has its own, match."""
        own = f".{match}" if self.config.deals.shared is SharedDeals.MATCH else ""
        return f"{self.number}.{round_}{own}"

    def set_names(self) -> list[str]:
        """Those of the whole stage, in the order of the rounds, whoever comes and wins."""
        if self.config.deals.shared is SharedDeals.ROUND:
            return [self._set_name(number, 1) for number in range(1, self.rounds + 1)]
        return [
            self._set_name(number, index)
            for number, matches in enumerate(self.most_matches(), 1)
            for index in range(1, matches + 1)
        ]

    def most_matches(self) -> list[int]:
        """How many matches each round has when nobody leaves the event."""
        return self.stage.format.count_matches(self.stage, self.teams)


def deal_boards(config: EventConfig, seed: str, pbn_boards: tuple[Board, ...] | None) -> dict[str, tuple[Board, ...]]:
    """The boards of every set of an event, by name.

    Those of a PBN file are taken in its order; extra boards for level matches are dealt from the seed all the same,
    and numbered on.

    Raises:
        ConfigError: there are too few boards, or a match would play two of the same number.
    """
    planners = [StagePlanner(config, number) for number in range(1, len(config.stage) + 1)]
    named = [(name, planner) for planner in planners for name in planner.set_names()]
    if pbn_boards is None:
        return {
            name: tuple(board_from_seed(seed, name, number) for number in range(1, planner.boards + 1))
            for name, planner in named
        }
    file = config.deals.pbn or ""
    needed = sum(planner.stage.boards_per_match for _, planner in named)
    if len(pbn_boards) < needed:
        of = {planner.stage.boards_per_match for _, planner in named}
        each = f" of {of.pop()}" if len(of) == 1 else ""
        raise ConfigError(f"{file} has {len(pbn_boards)} boards, {needed} are needed: {len(named)} sets{each}")
    sets, start = {}, 0
    for name, planner in named:
        count = planner.stage.boards_per_match
        chosen = pbn_boards[start : start + count]
        start += count
        _check_numbers(file, name, chosen)
        last = max(board.number for board in chosen)
        extra = (board_from_seed(seed, name, last + n) for n in range(1, planner.boards - count + 1))
        sets[name] = (*chosen, *extra)
    return sets


def _check_numbers(file: str, name: str, boards: Sequence[Board]) -> None:
    numbers = [board.number for board in boards]
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise ConfigError(
            f"{file}: one match would play two boards number {twice} (set {name}, {len(boards)} boards)"
        )


def stage_plan_text(stage: StageConfig) -> dict[str, object]:
    """What the draw of a stage hangs on beside its name, format, boards and scale; only what is said."""
    carry = stage.carry_over.rules if stage.carry_over is not None else None
    said = {
        "teams": stage.teams,
        "groups": stage.groups if stage.groups > 1 else None,
        "rounds": stage.rounds,
        "segments": stage.segments if stage.segments > 1 else None,
        "seats": stage.seats.value if stage.seats is not SeatsRule.FIXED else None,
        "extra_boards": stage.extra or None,
        "third_place": stage.third_place or None,
        "against_all": stage.against_all,
        "carry_over": json.dumps([str(carry.won), str(carry.lost), carry.cap, carry.by_rank]) if carry else None,
    }
    return {key: value for key, value in said.items() if value is not None}
