"""Stages as they are planned from an event file: entries, rounds, matches with their segments, and sets of boards.

Nothing here reads the record; what later rounds hang on is handed in by `next_rounds`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from tourney.bridge import Board, board_from_seed
from tourney.config import EventConfig, SharedDeals, StageConfig, StageFormat
from tourney.config.fit import stage_rounds, stage_teams
from tourney.config.stages import EXTRA_TIMES
from tourney.errors import ConfigError
from tourney.movement.berger import Pairing
from tourney.movement.carry_over import ImpHundredths
from tourney.movement.gauntlet import plan_gauntlet
from tourney.movement.groups import deal_into_groups
from tourney.movement.knockout import bracket_size, knockout_round
from tourney.movement.round_robin import plan_round_robin
from tourney.movement.seating import seat_match
from tourney.movement.segments import SeatsRule, seat_segments
from tourney.movement.swiss import pair_swiss
from tourney.store.draw.objects import NO_CARRY
from tourney.store.draw.plans import PlannedEntry, PlannedMatch, PlannedRound, PlannedSegment, PlannedStage

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Who meets whom in a round of a stage, by numbers in the draw; the third-place match comes last."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    has_third_place: bool = False


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
    def size(self) -> int:
        """The places of its bracket, when it is a knockout."""
        return bracket_size(self.teams)

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
        return self.with_groups(tuple(entries))

    def with_groups(self, entries: tuple[PlannedEntry, ...]) -> tuple[PlannedEntry, ...]:
        """The entries, in the order of their seeds, dealt into the groups of the stage."""
        groups = min(self.stage.groups, len(entries) // 2)  # fewer come when teams have left the event
        if groups <= 1:
            return entries
        seeds = deal_into_groups(range(1, len(entries) + 1), groups)
        group_of = {seed: group for group, members in enumerate(seeds, 1) for seed in members}
        return tuple(
            PlannedEntry(e.team, group_of[seed], e.rank, e.from_round, e.carry_vp)
            for seed, e in enumerate(entries, 1)
        )

    def draw_first(self, entries: Sequence[PlannedEntry]) -> list[Drawn]:
        """The rounds that can be drawn when the stage begins: all, but of a knockout and a Swiss the first alone."""
        teams = [entry.team for entry in entries]
        match self.stage.format:
            case StageFormat.ROUND_ROBIN | StageFormat.DOUBLE_ROUND_ROBIN:
                return self._draw_round_robins(entries)
            case StageFormat.GAUNTLET:
                if len(teams) < 2:
                    return [Drawn(())] * self.rounds
                names = [team.name for team in self.config.team]
                head = teams[0] if self.stage.against_all is None else names.index(self.stage.against_all) + 1
                # Where teams have left the event, fewer rounds than planned are needed; those to spare are empty.
                rounds = 1 if self.rounds == 1 else len(teams) - 1
                drawn = [Drawn(pairings) for pairings in plan_gauntlet(teams, head, rounds)]
                return drawn + [Drawn(())] * (self.rounds - len(drawn))
            case StageFormat.SWISS:
                if len(teams) < 2:
                    return [Drawn(())]
                first = pair_swiss([entry.team for entry in entries if entry.from_round == 1], ())
                return [Drawn(first.pairings, () if first.bye is None else (first.bye,))]
            case StageFormat.KNOCKOUT | StageFormat.MATCH:
                return [self.draw_knockout(teams, ())]

    def _draw_round_robins(self, entries: Sequence[PlannedEntry]) -> list[Drawn]:
        """Those of all groups side by side; a smaller group has no match in the last rounds."""
        rounds: list[Drawn] = [Drawn(())] * self.rounds
        for group in range(1, self.stage.groups + 1):
            teams = [entry.team for entry in entries if entry.group == group]
            if len(teams) < 2:
                continue  # the others have left the event
            for index, round_ in enumerate(plan_round_robin(len(teams), cycles=self.stage.format.cycles)):
                pairings = tuple((teams[home - 1], teams[away - 1]) for home, away in round_.pairings)
                bye = () if round_.bye is None else (teams[round_.bye - 1],)
                before = rounds[index]
                rounds[index] = Drawn(before.pairings + pairings, before.byes + bye)
        return rounds

    def draw_knockout(self, teams: Sequence[int], winners: Sequence[Sequence[int]]) -> Drawn:
        """The next round; `teams` in the order of their seeds, `winners` of each round so far."""
        seeds = {team: seed for seed, team in enumerate(teams, 1)}
        if len(teams) < 2:
            return Drawn((), tuple(teams))
        third_place = self.stage.third_place
        won = [[seeds[team] for team in round_] for round_ in winners]
        made = knockout_round(list(seeds.values()), self.size, won, third_place=third_place)
        pairings = tuple((teams[home - 1], teams[away - 1]) for home, away in made.pairings)
        return Drawn(pairings, tuple(teams[seed - 1] for seed in made.byes), made.has_third_place)

    def make_round(
        self,
        number: int,
        drawn: Drawn,
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
        entries = self.with_groups(tuple(PlannedEntry(number) for number in range(1, self.teams + 1)))
        if self.stage.format is StageFormat.SWISS:
            return [self.teams // 2] * self.rounds
        if self.stage.against_all is not None:
            return [self.teams - 1] if self.rounds == 1 else [1] * self.rounds
        if not self.stage.format.is_knockout:
            return [len(drawn.pairings) for drawn in self.draw_first(entries)]
        teams = [entry.team for entry in entries]
        winners: list[list[int]] = []
        counts = []
        for _ in range(self.rounds):
            drawn = self.draw_knockout(teams, winners)
            counts.append(len(drawn.pairings))
            winners.append([home for home, _ in drawn.pairings])
        return counts


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
