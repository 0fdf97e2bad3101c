"""The context of the templates of the conditions of contest: the event file, and what follows from it for each stage.

Numbers, names and rows of tables are computed here; every sentence is in `templates`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import Side
from tourney.conditions.movement import MovementContext
from tourney.conditions.wording import listed, ordinal, quoted
from tourney.config import EventConfig, OpenRoomSide, StageConfig, StageFormat, TeamConfig
from tourney.config.stages import decimal_text, is_at_matchpoints, stage_rounds, stage_teams, teams_left
from tourney.config.values import PortPlan
from tourney.movement.carry_over import CarryOver
from tourney.movement.formats import PairsFormat
from tourney.movement.groups import deal_into_groups, group_letter
from tourney.movement.knockout import EXTRA_TIMES, bracket_size, knockout_rounds
from tourney.movement.pairs.planning import MITCHELL, OWN, CompareWithin, switched_rounds
from tourney.movement.pairs.ranking import PairsTieBreak
from tourney.movement.ranking import RankingRules
from tourney.movement.seating import SeatsRule, seat_segments
from tourney.movement.tie_breaks import TieBreak
from tourney.plurals import count
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import Penalty
from tourney.protocol.wires import WireProfile
from tourney.scoring.adjusted import walkover_vp
from tourney.scoring.board_scale import PENALTY_PART
from tourney.scoring.chicago import ChicagoScoring
from tourney.scoring.games import GameKind
from tourney.scoring.victory_points import VpHundredths, VpScale, format_vp

Row: TypeAlias = tuple[str, ...]

_VP_COLUMNS: Final = 3
_VP_COLUMNS_FROM: Final = 14
"""Number of rows from which a table of victory points is set in three columns, so that it fits on a page."""

_SEAT_CYCLE: Final = 4
"""Number of segments after which the seats repeat."""

_SEGMENTS_NAMED: Final = 3
"""Largest number of segments with the same seats that are listed."""

_GAMES: Final = {GameKind.RUBBER: "Rubber bridge", GameKind.CHICAGO: "Chicago"}

_DIRECTIONS: Final = {Side.NS: "North-South", Side.EW: "East-West"}


class VpTable(NamedTuple):
    """A table of victory points, set in one or more columns that are read downwards."""

    columns: int
    rows: tuple[Row, ...]
    """Range of margins, winner, loser, for each column; the last column may end in empty cells."""


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
    def format(self) -> StageFormat:
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
    def is_of_teams(self) -> bool:
        """Whether two teams meet in two rooms."""
        return not self.format.is_of_pairs and self.format.game is None

    @property
    def entrant(self) -> str:
        """What takes part in it: `team` or `pair`."""
        return "pair" if self.format.is_of_pairs or self.config.pair else "team"

    @property
    def pairing(self) -> str:
        """Who meets whom: the name of its format, without the game that is played."""
        return self.format.name.removeprefix(f"{self.format.game} ") if self.format.game else self.format.name

    @property
    def movement(self) -> MovementContext:
        """The movement of a stage of pairs.

        Raises:
            ConfigError: the file with the organiser's own movement was not read.
        """
        assert isinstance(self.format, PairsFormat)
        settings = self.settings.movement_settings
        return MovementContext(
            self.format.movement(self.settings, self.teams),
            self.settings.boards_per_match,
            is_own=self.format.name == OWN,
            switched=switched_rounds(settings, self.teams) if self.format.name == MITCHELL else (),
            is_barometer=settings.is_barometer,
            ranks_sections=settings.compare_within is CompareWithin.SECTION,
        )

    @property
    def rounds(self) -> int:
        return stage_rounds(self.settings, self.teams)

    @property
    def matches(self) -> int:
        """Number of matches if nobody leaves the event."""
        return sum(self.format.count_matches(self.settings, self.teams, self.late))

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The seeds of each group, 1 the best; a single group if the stage has no groups."""
        return deal_into_groups(range(1, self.teams + 1), self.settings.groups)

    @property
    def has_odd_group(self) -> bool:
        return any(len(group) % 2 for group in self.groups)

    @property
    def smallest_group(self) -> int:
        """Number of teams in the smallest group."""
        return min(map(len, self.groups))

    @property
    def rounds_of_smallest_group(self) -> int:
        return stage_rounds(self.settings.model_copy(update={"groups": 1}), self.smallest_group)

    @property
    def late(self) -> tuple[int, ...]:
        """The first round of each team that enters late."""
        return tuple(team.enters for team in self.config.team if team.enters is not None) if self.is_first else ()

    @property
    def boards_of_a_match(self) -> str:
        """Number of boards of a match; a dash if that depends on the course of the game."""
        game = self.settings.game_settings
        is_known = game is None or game.kind is not GameKind.RUBBER
        return str(self.settings.boards_per_match) if is_known else "-"

    @property
    def boards_of_a_team(self) -> str | None:
        """Number of boards each team plays; None if that depends on results or on the team."""
        boards = self.settings.boards_per_match
        if self.format.plays_halves_apart:
            return str(boards * self.rounds)
        if self.format.is_round_robin:
            numbers = {boards * (len(group) - 1) * self.format.cycles for group in self.groups}
            return " or ".join(map(str, sorted(numbers)))
        if self.is_drawn_by_standings and self.teams % 2 == 0 and not self.late:
            return str(boards * self.rounds)
        return None

    @property
    def has_whole_movement(self) -> bool:
        """Whether all teams meet in a movement of several teams."""
        return self.rounds == self.teams - 1

    @property
    def is_drawn_by_standings(self) -> bool:
        """Whether each round is drawn from the standings before it, as in a Swiss."""
        return self.format.is_drawn_by_round and not self.format.is_knockout

    # A knockout

    @property
    def left(self) -> int:
        """Number of teams left at the end of a knockout."""
        left = teams_left(self.settings, self.teams)
        assert left is not None
        return left

    @property
    def bracket_size(self) -> int:
        return bracket_size(self.teams)

    @property
    def first_round_byes(self) -> int:
        return self.bracket_size - self.teams

    @property
    def ends_before_its_final(self) -> bool:
        return self.rounds < knockout_rounds(self.teams)

    @property
    def extra_times(self) -> int:
        """Maximum number of times a tied match gets extra boards."""
        return EXTRA_TIMES

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
        scale = self.settings.board_scale
        unit = ("points" if scale.ranks_by_points else "victory points") if self.uses_vp else scale.unit
        if self.format.is_of_pairs:
            unit = "percent" if self.is_at_matchpoints else "IMPs per board"
        amounts = map(decimal_text, self.carry_over.by_rank if self.carry_over is not None else ())
        return [f"{amount} {unit} for the {ordinal(rank)}" for rank, amount in enumerate(amounts, 1)]

    # Scores and ranking

    @property
    def lists(self) -> int:
        """The number of rankings of a stage of pairs, of directions and sections; 1 in any other stage."""
        return self.format.count_groups(self.settings, self.teams) if self.format.is_of_pairs else 1

    @property
    def has_two_winners(self) -> bool:
        """Whether no pair of a stage of pairs changes its direction."""
        return self.movement.movement.has_two_winners

    @property
    def ranks_sections(self) -> bool:
        """Whether the sections of a stage of pairs are compared and ranked by themselves."""
        return self.lists > (2 if self.has_two_winners else 1)

    @property
    def uses_vp(self) -> bool:
        """Whether victory points count; in a knockout only IMPs do."""
        return not self.format.is_knockout

    @property
    def scale(self) -> VpScale:
        return self.config.scale(self.settings)

    @property
    def vp_table(self) -> VpTable:
        """The steps of its scale, each with its range of margins."""
        return tabulate_vp(self.scale)

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
        if self.format.is_of_pairs:
            return self.settings.ties[-1:] == [PairsTieBreak.LOT]
        return self.settings.tie_breaks[-1:] == [TieBreak.LOT]

    @property
    def tie_breaks(self) -> list[TieBreak]:
        """The criteria that break ties; in games without the margin, by which entrants rank already."""
        criteria = self.settings.tie_breaks
        return criteria if self.format.game is None else [c for c in criteria if c is not TieBreak.IMP_DIFFERENCE]

    @property
    def has_part_scores(self) -> bool:
        """Whether part scores are carried on from deal to deal: in rubber bridge and plain Chicago."""
        game = self.settings.game_settings
        return game is not None and (game.kind is GameKind.RUBBER or game.scoring is ChicagoScoring.PLAIN)

    @property
    def scoring(self) -> str:
        """The word for how boards are scored, the usual one if the event file gives none."""
        return self.settings.scoring or self.format.scorings[0]

    @property
    def is_at_matchpoints(self) -> bool:
        return is_at_matchpoints(self.settings)

    @property
    def ranked_in(self) -> str:
        """The unit that teams are ranked by: `victory points`, or `points` where there are none."""
        game = self.settings.game_settings
        if game is not None:
            return "IMPs" if game.scoring is ChicagoScoring.RUSSIAN else "points"
        return "points" if self.settings.board_scale.ranks_by_points else "victory points"

    def format_fine(self, penalty: Penalty) -> str:
        """Format what a fine of the event file is worth here: `3 IMPs`, `10 percent of a top on one board`."""
        in_vp, amount = penalty.kind is RulingKind.PENALTY_VP, penalty.amount
        if self.is_at_matchpoints:
            percent = Fraction(amount, 100) if in_vp else 100 * PENALTY_PART * amount
            return f"{decimal_text(round(100 * percent))} percent of a top on one board"
        if in_vp:
            return f"{format_vp(VpHundredths(amount))} {self.ranked_in}"
        is_in_imps = self.format.game is None or self.ranked_in == "IMPs"
        return count(amount, "IMP" if is_in_imps else "point")

    # Seats

    @property
    def seats_change(self) -> bool:
        """Whether seats ever differ from the customary ones."""
        several = self.settings.segments > 1 or self.settings.extra > 0
        return self.chooses_seats or (self.settings.seats is SeatsRule.ALTERNATE and several)

    @property
    def chooses_seats(self) -> bool:
        """Whether the teams choose where they sit."""
        return self.settings.seats is SeatsRule.RIGHTS

    @property
    def seat_rows(self) -> tuple[Row, ...]:
        """Segments, the home team's direction, and the away team's pair, all in the open room."""
        segments = self.settings.segments + (EXTRA_TIMES if self.settings.extra else 0)
        rows = []
        for i, seats in enumerate(seat_segments(min(segments, _SEAT_CYCLE), self.settings.seats), 1):
            numbers = list(range(i, segments + 1, _SEAT_CYCLE))
            named = ", ".join(map(str, numbers[:_SEGMENTS_NAMED])) + (
                ", ..." if len(numbers) > _SEGMENTS_NAMED else ""
            )
            chooser = "home" if i % 2 else "away"
            direction = f"as the {chooser} team chooses" if self.chooses_seats else _DIRECTIONS[seats.home_open]
            rows.append((named, direction, "first" if seats.away_pair_open == 1 else "second"))
        return tuple(rows)

    # Tables of the draw

    @property
    def group_rows(self) -> tuple[Row, ...]:
        """The letter of each group, and its teams; their seeds where the teams are not known."""
        names = [team.name for team in self.config.team]
        labels = [[names[seed - 1] if self.is_first else str(seed) for seed in group] for group in self.groups]
        return tuple((group_letter(index), ", ".join(group)) for index, group in enumerate(labels))


@dataclass(frozen=True, slots=True)
class StageGroup:
    """Stages that share the same text."""

    stages: tuple[StageContext, ...]
    is_all: bool
    """Whether these are all stages of the event."""

    @property
    def first(self) -> StageContext:
        return self.stages[0]

    @property
    def names(self) -> list[str]:
        return [stage.name for stage in self.stages]


@dataclass(frozen=True, slots=True)
class EventContext:
    """A whole event file."""

    config: EventConfig
    stages: tuple[StageContext, ...]
    commitment: str | None
    """The hash that seals the boards, if they are sealed."""

    @property
    def only(self) -> StageContext | None:
        """The only stage; None if the event has several."""
        return self.stages[0] if len(self.stages) == 1 else None

    @property
    def movement_stages(self) -> tuple[StageContext, ...]:
        """The stages that are movements of several teams."""
        return tuple(stage for stage in self.stages if stage.format.plays_halves_apart)

    @property
    def is_all_movements(self) -> bool:
        """Whether all its matches of teams are in such stages."""
        return len(self.movement_stages) == len(self.team_stages)

    @property
    def vp_stages(self) -> tuple[StageContext, ...]:
        """The stages of matches in two rooms where victory points count."""
        return tuple(stage for stage in self.team_stages if stage.uses_vp)

    @property
    def team_stages(self) -> tuple[StageContext, ...]:
        """The stages in which two teams meet in two rooms."""
        return tuple(stage for stage in self.stages if stage.is_of_teams)

    @property
    def pairs_stages(self) -> tuple[StageContext, ...]:
        """The stages in which pairs play a movement."""
        return tuple(stage for stage in self.stages if stage.format.is_of_pairs)

    @property
    def entrant(self) -> str:
        """What takes part in the event: `team` or `pair`."""
        return "pair" if all(stage.entrant == "pair" for stage in self.stages) else "team"

    @property
    def fine(self) -> str:
        """What a fine of the event file is worth: `3 IMPs`, with the stages where that differs."""
        return self._format_fine(self.stages)

    @property
    def fine_of_pairs(self) -> str:
        """The same in the stages of pairs."""
        return self._format_fine(self.pairs_stages)

    @property
    def fine_of_teams(self) -> str:
        """The same in the stages of matches in two rooms."""
        return self._format_fine(self.team_stages)

    def _format_fine(self, among: Sequence[StageContext]) -> str:
        stages: dict[str, list[str]] = {}
        for stage in among:
            stages.setdefault(stage.format_fine(self.config.rules.penalty), []).append(quoted(stage.name))
        if len(stages) == 1:
            return next(iter(stages))
        return listed([f"{words} (in {listed(names)})" for words, names in stages.items()], "or")

    @property
    def game_stages(self) -> tuple[StageContext, ...]:
        """The stages whose matches are of rubber bridge or Chicago, at one table."""
        return tuple(stage for stage in self.stages if stage.format.game is not None)

    @property
    def knockout_stages(self) -> tuple[StageContext, ...]:
        """The knockouts of matches in two rooms."""
        return tuple(stage for stage in self.team_stages if not stage.uses_vp)

    # Stages that share the same text

    @property
    def by_scale(self) -> list[StageGroup]:
        by_scale = [stage for stage in self.vp_stages if not stage.settings.board_scale.ranks_by_points]
        return _group(
            by_scale,
            lambda stage: (stage.settings.vp_scale, stage.settings.boards_per_match, stage.settings.board_scale.unit),
        )

    @property
    def stages_in_imps(self) -> tuple[StageContext, ...]:
        """The stages of matches in two rooms that are scored in IMPs."""
        return tuple(stage for stage in self.team_stages if not stage.settings.board_scale.is_board_a_match)

    @property
    def stages_in_points(self) -> tuple[StageContext, ...]:
        """The stages that are scored at board-a-match."""
        return tuple(stage for stage in self.stages if stage.settings.board_scale.is_board_a_match)

    @property
    def has_only_points(self) -> bool:
        """Whether teams rank by points of board-a-match wherever they do not rank by matches won."""
        return all(stage.settings.board_scale.ranks_by_points for stage in self.vp_stages)

    @property
    def by_board_points(self) -> list[StageGroup]:
        return _group(self.stages_in_points, lambda stage: (stage.settings.board_scale, stage.uses_vp))

    @property
    def by_walkover(self) -> list[StageGroup]:
        return _group(self.vp_stages, lambda stage: stage.walkover_vp)

    @property
    def by_early_leavers(self) -> list[StageGroup]:
        return _group(self.team_stages, _early_leavers_key)

    @property
    def by_void(self) -> list[StageGroup]:
        return _group(
            self.team_stages, lambda stage: (stage.settings.void_matches, stage.settings.board_scale.is_board_a_match)
        )

    @property
    def by_pairs_scoring(self) -> list[StageGroup]:
        return _group(self.pairs_stages, lambda stage: (stage.scoring, stage.movement.results))

    @property
    def games(self) -> str:
        """The games that are played at one table: `Rubber bridge and Chicago`."""
        played = {stage.format.game for stage in self.game_stages}
        names = [name for game, name in _GAMES.items() if game in played]
        return " and ".join(names)

    @property
    def by_ranking(self) -> list[StageGroup]:
        return _group(self.stages, _ranking_key)

    @property
    def by_wire(self) -> list[tuple[WireProfile, list[str]]]:
        """Each wire profile in use, with the teams whose programs are served by it."""
        groups: dict[WireProfile, list[str]] = {}
        for team in self.config.team:
            groups.setdefault(team.wire_profile, []).append(team.name)
        return list(groups.items())

    # Times

    @property
    def timed_stages(self) -> tuple[StageContext, ...]:
        """The stages whose rounds have times."""
        return tuple(stage for stage in self.stages if stage.settings.starts is not None)

    @property
    def start_rows(self) -> tuple[Row, ...]:
        """Stage (if there are several), round, start in its own time zone, start in UTC."""
        return tuple(
            (*(() if stage.is_only else (stage.name,)), str(number), _format_zoned(start), _format_utc(start))
            for stage in self.timed_stages
            for number, start in enumerate(stage.settings.starts or (), 1)
        )

    # Teams

    @property
    def has_late_teams(self) -> bool:
        return any(team.enters is not None for team in self.config.team)

    @property
    def team_rows(self) -> tuple[Row, ...]:
        """Number, name and, if any team enters late, the first round the team plays."""
        return tuple(
            (str(number), team.name, *((str(team.enters or 1),) if self.has_late_teams else ()))
            for number, team in enumerate(self.config.team, 1)
        )

    @property
    def access_rows(self) -> tuple[Row, ...]:
        """Each team, who starts its programs, whether it has a pass phrase, where they may connect from, its port."""
        tables = self.config.tables
        has_ports = tables.port_plan is PortPlan.PER_PAIR
        return tuple(
            (
                *(team.name, _starter(team, self.entrant), _pass_phrase(team), _allowed(team)),
                *([str(tables.ports.first + index)] if has_ports else []),
            )
            for index, team in enumerate(self.config.team)
        )

    @property
    def stage_rows(self) -> tuple[Row, ...]:
        """Number, name, format, teams, rounds and boards a match."""
        return tuple(
            (
                *(str(stage.number), stage.name, stage.format.name, str(stage.teams)),
                *(str(stage.rounds), stage.boards_of_a_match),
            )
            for stage in self.stages
        )

    @property
    def direction_rows(self) -> tuple[Row, ...]:
        """Each team's direction in the open room when it chooses; empty if no team ever does."""
        if not any(stage.chooses_seats for stage in self.stages):
            return ()
        return tuple(
            (team.name, _DIRECTIONS[(team.open_room or OpenRoomSide.NORTH_SOUTH).side]) for team in self.config.team
        )

    @property
    def butler_trim(self) -> str | None:
        """The number, or the part, of the best and of the worst results of a board that are left out of the datum."""
        trim = self.config.reports.butler_trim
        if not trim:
            return None
        return str(trim) if isinstance(trim, int) else f"{(trim * 100).normalize():f} percent"


def event_context(config: EventConfig, commitment: str | None = None) -> EventContext:
    """Return the context of an event file; `commitment` is the hash that seals its boards."""
    stages: list[StageContext] = []
    teams = stage_teams(config.stage, len(config.team))
    for number, (settings, size) in enumerate(zip(config.stage, teams, strict=True), 1):
        stages.append(StageContext(config, number, settings, size, stages[-1] if stages else None))
    return EventContext(config, tuple(stages), commitment)


def tabulate_vp(scale: VpScale) -> VpTable:
    """Return the steps of a scale, each with its range of margins; a long table has several columns."""
    margins = [step.least_margin for step in scale.steps]
    ranges = [_format_range(first, after - 1) for first, after in pairwise(margins)]
    ranges.append(f"{margins[-1]} and more")
    cells = [
        (text, format_vp(step.winner), format_vp(step.loser)) for text, step in zip(ranges, scale.steps, strict=True)
    ]
    columns = _VP_COLUMNS if len(cells) >= _VP_COLUMNS_FROM else 1
    height = -(-len(cells) // columns)
    cells += [("", "", "")] * (height * columns - len(cells))
    rows = (sum((cells[i + height * column] for column in range(columns)), ()) for i in range(height))
    return VpTable(columns, tuple(rows))


def format_part(part: Fraction) -> str:
    """Format a part of a whole: `half`, `40 percent`, `2/7`."""
    if part in _PARTS:
        return _PARTS[part]
    percent = 100 * part
    return f"{percent} percent" if percent.denominator == 1 else f"{part}"


_PARTS: Final = {Fraction(0): "nothing", Fraction(1, 3): "a third", Fraction(1, 2): "half", Fraction(1): "all"}


def _group(stages: Sequence[StageContext], key: Callable[[StageContext], object]) -> list[StageGroup]:
    """Group the stages by key, in the order of the first stage of each group."""
    groups: dict[object, list[StageContext]] = {}
    for stage in stages:
        groups.setdefault(key(stage), []).append(stage)
    return [StageGroup(tuple(group), len(group) == len(stages)) for group in groups.values()]


def _early_leavers_key(stage: StageContext) -> object:
    if stage.is_drawn_by_standings:
        return "no more rounds"
    if not stage.format.all_meet:
        return "forfeit"
    rule = stage.settings.early_leavers
    return rule.value if rule == "forfeit" else (rule.value, stage.walkover_vp)


def _ranking_key(stage: StageContext) -> object:
    if stage.format.is_of_pairs:
        is_last_lot = stage.ends_with_lot and not stage.is_last
        return (
            stage.is_at_matchpoints,
            stage.movement.movement.has_two_winners,
            tuple(stage.settings.ties),
            is_last_lot,
        )
    if not stage.uses_vp:
        return stage.pairing, stage.settings.third_place
    rules = stage.ranking_rules
    return (
        stage.settings.board_scale,
        stage.ranked_in,
        stage.format.by_average,
        stage.format.by_average and stage.carry_over is not None,
        stage.settings.groups > 1,
        rules.bye_vp,
        rules.late_vp if stage.late else None,
        tuple(stage.settings.tie_breaks),
        stage.ends_with_lot and stage.is_last,
    )


def _starter(team: TeamConfig, entrant: str) -> str:
    if team.second_command is not None:
        return "the organiser, each pair by a command of its own"
    return "the organiser" if team.command is not None else f"the {entrant}"


def _pass_phrase(team: TeamConfig) -> str:
    return "asked for" if team.pass_phrase else "none"


def _allowed(team: TeamConfig) -> str:
    if not team.allow:
        return "anywhere"
    return f"{count(len(team.allow), 'address', 'addresses')} agreed with the organiser"


def _format_range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _format_zoned(start: datetime) -> str:
    zone = f"{start:%z}"
    return f"{start:%Y-%m-%d %H:%M:%S} " + ("UTC" if zone == "+0000" else f"UTC{zone[:3]}:{zone[3:5]}")


def _format_utc(start: datetime) -> str:
    return f"{start.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
