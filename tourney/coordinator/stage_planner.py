"""Stages planned from an event file, and the sets of boards that they play.

Nothing here reads the record; the contest of a stage plans its rounds, `next_rounds` those that depend on results.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeAlias

from tourney.bridge import Board, board_from_seed
from tourney.config import EventConfig
from tourney.config.stages import stage_teams
from tourney.contest.draw import NO_CARRY, EntryInfo, MatchInfo, RoundInfo, StageRules
from tourney.contest.kind import Contest, set_name
from tourney.contest.plan import RoundDraw, Sides, StagePlan
from tourney.errors import ConfigError
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.knockout import EXTRA_TIMES
from tourney.movement.pairs.planning import CompareWithin
from tourney.plurals import count
from tourney.times import from_datetime

Carried: TypeAlias = Mapping[Sides, tuple[ImpHundredths, ImpHundredths]]
"""What the sides of each pairing carry over into their match."""


class StagePlanner:
    """Plans one stage of an event file with its contest."""

    def __init__(self, config: EventConfig, number: int) -> None:
        self.config = config
        self.stage = config.stage[number - 1]
        self.contest: Contest = self.stage.format
        carry = self.stage.carry_over
        self.plan = StagePlan(
            number=number,
            settings=self.stage,
            size=stage_teams(config.stage, len(config.team))[number - 1],
            shared=config.deals.shared,
            open_rooms={team.name: team.open_room.side for team in config.team if team.open_room is not None},
            carry_over=carry.rules if carry is not None else None,
        )

    @property
    def rounds(self) -> int:
        """Number of rounds of the stage, whoever enters it."""
        return self.contest.count_rounds(self.stage, self.plan.size)

    @property
    def most_matches(self) -> list[int]:
        """Number of matches in each round if nobody leaves the event."""
        return self.contest.count_matches(self.stage, self.plan.size)

    @property
    def most_at_once(self) -> int:
        """Number of matches, or halves of matches, in the largest round if nobody leaves the event."""
        return self.contest.most_at_once(self.stage, self.plan.size)

    @property
    def boards(self) -> int:
        """Number of boards in a set, including extra boards for tied matches."""
        return self.stage.boards_per_match + EXTRA_TIMES * self.stage.extra_boards

    @property
    def rules(self) -> StageRules:
        """What the stage lays down for its matches."""
        stage = self.stage
        by_section = stage.compare_within is CompareWithin.SECTION
        return stage.settings(
            StageRules,
            number=self.plan.number,
            groups=self.contest.count_groups(stage, self.plan.size),
            game=stage.game_settings,
            sections=stage.sections if by_section else 1,
        )

    def starts_at_ms(self) -> tuple[int | None, ...]:
        """Start times of its rounds; None for at once."""
        if self.stage.starts is None:
            return (None,) * self.rounds
        return tuple(map(from_datetime, self.stage.starts))

    def first_entries(self) -> tuple[EntryInfo, ...]:
        """The entries of the first stage: every team of the event, in the order of the file."""
        return self.contest.deal(
            self.plan, [EntryInfo(team.name, from_round=team.enters or 1) for team in self.config.team]
        )

    def draw_first(self, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        """Return the rounds that depend on no result of the stage."""
        head_first = sorted(entries, key=lambda entry: entry.team != self.stage.against_all)
        return self.contest.draw_first(self.stage, self.plan.size, head_first)

    def plan_rounds(
        self, rounds: Sequence[RoundInfo], drawn: Sequence[RoundDraw], carried: Carried
    ) -> tuple[RoundInfo, ...]:
        """Return the first of the rounds as they are drawn, with their tables; `carried` is by pairing."""
        return tuple(
            replace(
                round_,
                is_drawn=True,
                byes=each.byes,
                matches=tuple(self._plan_matches(round_.number_in_stage, each, carried)),
            )
            for round_, each in zip(rounds, drawn, strict=False)
        )

    def _plan_matches(self, round_: int, drawn: RoundDraw, carried: Carried) -> Iterator[MatchInfo]:
        contest, plan, rules = self.contest, self.plan, self.rules
        for index, sides in enumerate(drawn.pairings, 1):
            of_movement = set_name(plan, drawn.sets[index - 1]) if drawn.sets else None
            carry_home, carry_away = carried.get(sides, (NO_CARRY, NO_CARRY))
            yield MatchInfo(
                *(rules, *sides, contest.seat(plan, *sides)),
                board_set=of_movement or contest.board_set(plan, round_, index).name,
                carry_home=carry_home,
                carry_away=carry_away,
                is_third_place=drawn.has_third_place and index == len(drawn.pairings),
            )


def stage_planners(config: EventConfig) -> list[StagePlanner]:
    """Return a planner for each stage of an event, in the order of play."""
    return [StagePlanner(config, number) for number in range(1, len(config.stage) + 1)]


def deal_boards(config: EventConfig, seed: str, pbn_boards: tuple[Board, ...] | None) -> dict[str, tuple[Board, ...]]:
    """Deal the boards of every set of an event, by name.

    Boards of a PBN file are taken in its order; extra boards for tied matches are dealt from the seed even then, and
    continue its numbering.

    Raises:
        ConfigError: there are too few boards, or a match would play two of the same number.
    """
    planned = [
        (each, planner) for planner in stage_planners(config) for each in planner.contest.board_sets(planner.plan)
    ]
    if pbn_boards is None:
        return {each.name: each.deal(seed, planner.boards) for each, planner in planned}
    file = config.deals.pbn or ""
    lengths = {each.source: planner.stage.boards_per_match for each, planner in planned}
    needed = sum(lengths.values())
    if len(pbn_boards) < needed:
        of = set(lengths.values())
        of_each = f" of {of.pop()}" if len(of) == 1 else ""
        raise ConfigError(
            f"{file} has {count(len(pbn_boards), 'board')}, {count(needed, 'is', 'are')} needed: "
            f"{count(len(lengths), 'set')}{of_each}"
        )
    sets: dict[str, tuple[Board, ...]] = {}
    starts = dict(zip(lengths, accumulate(lengths.values(), initial=0), strict=False))
    together: dict[object, list[str]] = {}
    for planned_set, planner in planned:
        name, start, length = planned_set.name, starts[planned_set.source], lengths[planned_set.source]
        chosen = tuple(map(planner.contest.as_dealt, pbn_boards[start : start + length]))
        last = max(board.number for board in chosen)
        extra = (board_from_seed(seed, name, last + n) for n in range(1, planner.boards - length + 1))
        sets[name] = (*chosen, *extra)
        together.setdefault(planner if planner.contest.is_numbered_through else name, []).append(name)
    for names in together.values():
        boards = [board for name in names for board in sets[name]]
        numbers = Counter(board.number for board in boards)
        twice = next((number for number, times in numbers.items() if times > 1), None)
        if twice is not None:
            which = " to ".join(dict.fromkeys((names[0], names[-1])))
            raise ConfigError(
                f"{file}: one match would play two boards number {twice} (set {which}, {len(boards)} boards)"
            )
    return sets
