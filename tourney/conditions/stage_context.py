"""The context of one stage of an event file for the templates of the conditions of contest."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby, pairwise, zip_longest
from typing import Final, TypeAlias

from tourney.conditions.movement import MovementContext
from tourney.conditions.wording import ordinal
from tourney.config import EventConfig, StageConfig
from tourney.contest.kind import Contest
from tourney.movement.carry_over import CarryOver
from tourney.movement.groups import deal_into_groups, group_letter
from tourney.movement.knockout import EXTRA_TIMES, bracket_size, knockout_rounds
from tourney.movement.pairs.individual import plan_individual
from tourney.movement.pairs.planning import CompareWithin, switched_rounds
from tourney.movement.ranking import RankingRules
from tourney.movement.seating import SeatsRule, seat_segments
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import Penalty
from tourney.scoring.adjusted import walkover_vp
from tourney.scoring.chicago import ChicagoScoring
from tourney.scoring.games import GameKind
from tourney.scoring.victory_points import VpHundredths, VpScale, format_hundredths, format_vp

Row: TypeAlias = tuple[str, ...]

_VP_COLUMNS: Final = 3
_VP_COLUMNS_FROM: Final = 14
"""Number of rows from which a table of victory points is set in three columns, so that it fits on a page."""

_SEAT_CYCLE: Final = 4
"""Number of segments after which the seats repeat."""

_SEGMENTS_NAMED: Final = 3
"""Largest number of segments with the same seats that are listed."""


@dataclass(frozen=True, slots=True)
class StageContext:
    """One stage of an event file, with the stages before it and the amount of play in it."""

    config: EventConfig
    number: int
    settings: StageConfig
    teams: int
    """Number of teams it is planned for."""
    before: "StageContext | None"
    """The previous stage; None for the first."""

    @property
    def name(self) -> str:
        return self.settings.name

    @property
    def format(self) -> Contest:
        return self.settings.format

    @property
    def is_only(self) -> bool:
        """Whether it is the only stage of the event."""
        return len(self.config.stage) == 1

    @property
    def is_first(self) -> bool:
        return self.number == 1

    @property
    def is_last(self) -> bool:
        return self.number == len(self.config.stage)

    # What is played

    @property
    def entrant(self) -> str:
        """What takes part in it: `team`, `pair` or `player`."""
        return self.format.entrant_in(self.config.entrant_section)

    @property
    def movement(self) -> MovementContext:
        """The movement of a pairs stage.

        Raises:
            ConfigError: the file with the organiser's own movement was not read.
        """
        movement = self.format.movement(self.settings, self.teams)
        assert movement is not None
        settings = self.settings.movement_settings
        return MovementContext(
            movement,
            self.settings.boards_per_match,
            switched=switched_rounds(settings, self.teams),
            is_barometer=settings.is_barometer,
            ranks_sections=settings.compare_within is CompareWithin.SECTION,
        )

    @property
    def rounds(self) -> int:
        return self.format.count_rounds(self.settings, self.teams)

    @property
    def matches(self) -> int:
        """Number of matches if nobody leaves the event."""
        return sum(self.format.count_matches(self.settings, self.teams, self.late))

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The seeds of each group, 1 the best; a single group if the stage has no groups."""
        return deal_into_groups(range(1, self.teams + 1), self.settings.groups)

    @property
    def smallest_group(self) -> int:
        """Number of teams in the smallest group."""
        return min(map(len, self.groups))

    @property
    def rounds_of_smallest_group(self) -> int:
        return self.format.count_rounds(self.settings.model_copy(update={"groups": 1}), self.smallest_group)

    @property
    def late(self) -> tuple[int, ...]:
        """The first round of each team that enters late."""
        return tuple(team.enters for team in self.config.team if team.enters is not None) if self.is_first else ()

    @property
    def boards_of_a_match(self) -> str:
        """Number of boards of a match; a dash if that depends on the course of the game."""
        game = self.settings.game_settings
        if game is not None and game.kind is GameKind.MINIBRIDGE:
            return str(game.length)
        is_known = game is None or game.kind is not GameKind.RUBBER
        return str(self.settings.boards_per_match) if is_known else "-"

    @property
    def boards_of_a_team(self) -> str | None:
        """Number of boards each team plays; None if that depends on results or on the team."""
        numbers = self.format.boards_each(self.settings, self.teams, self.late)
        return " or ".join(map(str, numbers)) or None

    # A knockout

    @property
    def left(self) -> int:
        """Number of teams left at the end of a knockout."""
        left = self.format.teams_left(self.settings, self.teams)
        assert left is not None
        return left

    @property
    def bracket_size(self) -> int:
        return bracket_size(self.teams)

    @property
    def ends_before_its_final(self) -> bool:
        return self.rounds < knockout_rounds(self.teams)

    # What is carried over

    @property
    def carry_over(self) -> CarryOver | None:
        return self.settings.carry_over.rules if self.settings.carry_over is not None else None

    @property
    def ranked_by(self) -> "StageContext":
        """The last stage before it that was not a knockout; the carry-over comes from there."""
        assert self.before is not None
        return self.before if self.before.uses_vp else self.before.ranked_by

    @property
    def carried_by_rank(self) -> list[str]:
        """The carry-over of each rank, such as `10 IMPs for the 1st`."""
        unit = self.settings.carried_unit.replace("VPs", "victory points")
        amounts = map(format_hundredths, self.carry_over.by_rank if self.carry_over is not None else ())
        return [f"{amount} {unit} for the {ordinal(rank)}" for rank, amount in enumerate(amounts, 1)]

    @property
    def individual_rows(self) -> list[Row]:
        """The rounds of an individual: the number, its tables (`1, 8 - 2, 4`) and who sits out, if anybody does."""
        found = []
        for number, group in groupby(plan_individual(self.teams), key=lambda row: row.round):
            seated = [row.partnerships for row in group]
            idle = set(range(1, self.teams + 1)).difference(*chain.from_iterable(seated))
            tables = "; ".join(f"{ns[0]}, {ns[1]} - {ew[0]}, {ew[1]}" for ns, ew in seated)
            found.append((str(number), tables, *map(str, sorted(idle))))
        return found

    # Scores and ranking

    @property
    def lists(self) -> int:
        """The number of rankings of a pairs stage, of directions and sections; 1 in any other stage."""
        return self.format.count_groups(self.settings, self.teams)

    @property
    def has_two_winners(self) -> bool:
        """Whether no pair of a pairs stage changes its direction."""
        return self.movement.movement.has_two_winners

    @property
    def ranks_sections(self) -> bool:
        """Whether the sections of a pairs stage are compared and ranked by themselves."""
        return self.lists > (2 if self.has_two_winners else 1)

    @property
    def uses_vp(self) -> bool:
        """Whether victory points count; in a knockout only IMPs do."""
        return self.format.ranking_scale(self.settings.board_scale) is not None

    @property
    def scale(self) -> VpScale:
        return self.config.scale(self.settings)

    @property
    def walkover_vp(self) -> VpHundredths:
        """Victory points for the opponents of a team that forfeits a match."""
        return walkover_vp(self.scale)

    @property
    def ranking_rules(self) -> RankingRules:
        return self.settings.ranking_rules(self.scale)

    @property
    def ends_with_lot(self) -> bool:
        """Whether teams still tied after every other tie-break are ranked by lot."""
        return self.format.draws_lots(self.ranking_rules)

    @property
    def has_part_scores(self) -> bool:
        """Whether part scores are carried on from deal to deal: in rubber bridge and plain Chicago."""
        game = self.settings.game_settings
        if game is None or game.kind is GameKind.MINIBRIDGE:
            return False
        return game.kind is GameKind.RUBBER or game.scoring is ChicagoScoring.PLAIN

    @property
    def ranked_in(self) -> str:
        """The unit that teams are ranked by: `victory points`, or `points` where there are none."""
        return self.settings.board_scale.ranked_in

    def format_fine(self, penalty: Penalty) -> str:
        """Format what a fine of the event file is worth here: `3 IMPs`, `10 % of a top`."""
        scale = self.settings.board_scale
        describe = scale.describe_vp_penalty if penalty.kind is RulingKind.PENALTY_VP else scale.describe_penalty
        return describe(penalty.amount)

    # Seats

    @property
    def seats_change(self) -> bool:
        """Whether seats ever differ from the customary ones."""
        several = self.settings.segments > 1 or self.settings.extra_boards > 0
        return self.chooses_seats or (self.settings.seats is SeatsRule.ALTERNATE and several)

    @property
    def chooses_seats(self) -> bool:
        """Whether the teams choose where they sit."""
        return self.settings.seats is SeatsRule.RIGHTS

    @property
    def seat_rows(self) -> tuple[Row, ...]:
        """Segments, the home team's direction, and the away team's pair, all in the open room."""
        segments = self.settings.segments + (EXTRA_TIMES if self.settings.extra_boards else 0)
        rows = []
        for i, seats in enumerate(seat_segments(min(segments, _SEAT_CYCLE), self.settings.seats), 1):
            numbers = list(range(i, segments + 1, _SEAT_CYCLE))
            named = ", ".join(map(str, numbers[:_SEGMENTS_NAMED])) + (
                ", ..." if len(numbers) > _SEGMENTS_NAMED else ""
            )
            chooser = "home" if i % 2 else "away"
            direction = f"as the {chooser} team chooses" if self.chooses_seats else seats.home_open.full_name
            rows.append((named, direction, "first" if seats.away_pair_open == 1 else "second"))
        return tuple(rows)

    # Tables of the draw

    @property
    def group_rows(self) -> tuple[Row, ...]:
        """The letter of each group, and its teams; their seeds where the teams are not known."""
        names = [team.name for team in self.config.team]
        labels = [[names[seed - 1] if self.is_first else str(seed) for seed in group] for group in self.groups]
        return tuple((group_letter(index), ", ".join(group)) for index, group in enumerate(labels))


def tabulate_vp(scale: VpScale) -> list[Row]:
    """Return the steps of a scale, each with its range of margins and the figures of winner and loser.

    A long table has several columns of these, which are read downwards; the last may end in empty cells.
    """
    margins = [step.least_margin for step in scale.steps]
    ranges = [_format_range(first, after - 1) for first, after in pairwise(margins)]
    ranges.append(f"{margins[-1]} and more")
    cells = [
        (text, format_vp(step.winner), format_vp(step.loser)) for text, step in zip(ranges, scale.steps, strict=True)
    ]
    height = -(-len(cells) // (_VP_COLUMNS if len(cells) >= _VP_COLUMNS_FROM else 1))
    columns = [cells[first : first + height] for first in range(0, len(cells), height)]
    return [tuple(chain.from_iterable(row)) for row in zip_longest(*columns, fillvalue=("", "", ""))]


def format_part(part: Fraction) -> str:
    """Format a part of a whole: `half`, `40 percent`, `2/7`."""
    if part in _PARTS:
        return _PARTS[part]
    percent = 100 * part
    return f"{percent} percent" if percent.denominator == 1 else f"{part}"


_PARTS: Final = {Fraction(0): "nothing", Fraction(1, 3): "a third", Fraction(1, 2): "half", Fraction(1): "all"}


def _format_range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
