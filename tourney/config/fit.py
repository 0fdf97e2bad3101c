"""What must fit between the sections of an event file: teams, stages and what follows what, ports, scales.

Each problem is a sentence of its own; a section that is wrong by itself is passed over here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from tourney.config.stages import StageConfig
from tourney.config.values import PortPlan, PortRange
from tourney.errors import ConfigError
from tourney.movement.knockout import knockout_rounds
from tourney.scoring.victory_points import UserTable, vp_scale

TEAMS_MAX: Final = 256
STAGES_MAX: Final = 20


class TeamToFit(NamedTuple):
    """What of a team concerns others; None where it is wrong by itself."""

    name: str | None
    enters: int | None = None
    """The round from which it plays, when not from the first."""


class TablesToFit(Protocol):
    """What of `[tables]` has to suffice for an event."""

    @property
    def at_once(self) -> int: ...
    @property
    def ports(self) -> PortRange: ...
    @property
    def port_plan(self) -> PortPlan: ...


def stage_rounds(stage: StageConfig, teams: int) -> int:
    """How many rounds a stage has that so many teams come to; 0 where they are too few for it."""
    return stage.format.count_rounds(stage, teams)


def stage_teams(stages: Sequence[StageConfig], teams: int) -> list[int]:
    """How many teams each stage is for, when so many enter the event."""
    counts: list[int] = []
    for stage in stages:
        before = counts[-1] if counts else teams
        counts.append(stage.teams if counts and stage.teams is not None else before)
    return counts


def teams_left(stage: StageConfig, teams: int) -> int | None:
    """How many teams of a knockout are still in when it is over; None in other formats, where everybody is ranked."""
    return stage.format.teams_left(stage, teams)


def fit_problems(
    teams: Sequence[TeamToFit] | None,
    stages: Sequence[StageConfig | None] | None,
    tables: TablesToFit | None,
    own_tables: Mapping[str, UserTable | None],
) -> list[str]:
    """What does not fit between sections, a sentence each. None is a section that is wrong by itself."""
    problems: list[str] = []
    count = None
    if teams is not None:
        problems += _team_problems([team.name for team in teams])
        count = len(teams) if 2 <= len(teams) <= TEAMS_MAX else None
    if stages is not None and not 1 <= len(stages) <= STAGES_MAX:
        problems.append(f"stage: an event has 1 to {STAGES_MAX} stages, got {len(stages)}")
        stages = None
    for number, stage in enumerate(stages or (), 1):
        if stage is not None:
            problems += (f"stage {number}, {problem}" for problem in _lone_problems(number, stage, own_tables))
    known = [stage for stage in stages or () if stage is not None]
    if stages is not None and len(known) == len(stages):
        problems += _name_problems(known)
        if count is not None:
            problems += _row_problems(known, count)
    if known and stages is not None and stages[0] is not None and teams is not None:
        problems += _entry_problems(stages[0], teams)
    if tables is not None and count is not None:
        most = max((stage.format.most_at_once(stage, count) for stage in known), default=count // 2)
        each = max((stage.format.tables_per_match for stage in known), default=2)
        problems += _port_problems(tables, most, each)
    return problems


def _team_problems(names: Sequence[str | None]) -> Iterator[str]:
    if not 2 <= len(names) <= TEAMS_MAX:
        yield f"team: an event has 2 to {TEAMS_MAX} teams, got {len(names)}"
    numbers: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if name is not None:
            earlier = numbers.setdefault(name.casefold(), number)
            if earlier != number:
                yield f"team {number}, name: names differ in more than case, {name!r} is that of team {earlier}"


def _name_problems(stages: Sequence[StageConfig]) -> Iterator[str]:
    numbers: dict[str, int] = {}
    for number, stage in enumerate(stages, 1):
        earlier = numbers.setdefault(stage.name.casefold(), number)
        if earlier != number:
            yield f"stage {number}, name: names differ in more than case, {stage.name!r} is that of stage {earlier}"


def _lone_problems(number: int, stage: StageConfig, own_tables: Mapping[str, UserTable | None]) -> Iterator[str]:
    """What of a stage does not fit, whoever comes to it."""
    if stage.vp_scale not in own_tables or own_tables[stage.vp_scale] is not None:
        own = {name: table for name, table in own_tables.items() if table}
        try:
            vp_scale(stage.vp_scale, stage.boards_per_match, own)
        except ConfigError as error:
            yield f"vp_scale: {error}"
    if stage.boards_per_match % stage.segments:
        yield f"segments: {stage.boards_per_match} boards cannot be cut into {stage.segments} equal segments"
    yield from _format_problems(stage)
    if number == 1:
        for name in ("teams", "carry_over"):
            if getattr(stage, name) is not None:
                yield f"{name}: there is no stage before the first"
    elif stage.against_all is not None:
        who = f"who comes to stage {number} is not known, it is the best of them"
        yield f"against_all: {who}, got {stage.against_all!r}"


def _format_problems(stage: StageConfig) -> Iterator[str]:
    """Settings that are for another format."""
    kind, a = stage.format, stage.format.with_article
    if stage.groups > 1 and not kind.is_round_robin:
        yield f"groups: they are for round robins, {a} has 1, got {stage.groups}"
    if stage.rounds is None and kind.needs_rounds:
        yield f"rounds: {a} has to say how many it has"
    if stage.rounds is not None and not kind.takes_rounds:
        yield f"rounds: {a} has as many as its teams ask for, leave it out, got {stage.rounds}"
    if stage.extra_boards and not kind.takes_extra_boards:
        yield f"extra_boards: they part teams of a knockout or a match, {a} has none, got {stage.extra_boards}"
    if stage.third_place and not kind.takes_third_place:
        yield f"third_place: that match is one of a knockout, {a} has none"
    if stage.against_all is not None and not kind.takes_head:
        yield f"against_all: one team meets all others in a gauntlet, not in {a}, got {stage.against_all!r}"


def _row_problems(stages: Sequence[StageConfig], teams: int) -> Iterator[str]:
    """What of stages in a row does not fit the teams that come to them."""
    counts = stage_teams(stages, teams)
    for number, (stage, count) in enumerate(zip(stages, counts, strict=True), 1):
        where = f"stage {number}"
        if number > 1:
            problem = _following_problem(number, stages[number - 2], counts[number - 2], stage, count)
            if problem is not None:
                yield f"{where}, {problem}"
                return  # what follows hangs on it
        problem = stage.format.size_problem(stage, count)
        if problem is not None:
            yield f"{where}, {problem}"
            return
        rounds = stage_rounds(stage, count)
        if stage.starts is not None and len(stage.starts) != rounds:
            yield (
                f"{where}, starts: one time a round is asked for, {rounds} for {count} teams, got {len(stage.starts)}"
            )
        by_rank = stage.carry_over.by_rank if stage.carry_over is not None else None
        if by_rank is not None and len(by_rank) > count:
            yield f"{where}, carry_over, by_rank: {count} teams come to the stage, got {len(by_rank)} amounts"
        before = [each.format.is_knockout for each in stages[: number - 1]]
        if stage.carry_over is not None and before and (all(before) or (before[-1] and not stage.format.is_knockout)):
            yield f"{where}, carry_over: no stage before it has ranked the teams, a knockout does not"
        if stage.third_place and (count < 4 or rounds < knockout_rounds(count)):
            yield f"{where}, third_place: two beaten semi-finalists and a final are needed for it"
    times = [time for stage in stages for time in stage.starts or ()]
    for number, stage in enumerate(stages, 1):
        if stage.starts is not None and stage.starts != sorted(stage.starts):
            yield f"stage {number}, starts: a round starts no earlier than the one before it"
            return
    if times != sorted(times):
        yield "stage, starts: a stage starts no earlier than the rounds of the one before it"


def _following_problem(
    number: int, before: StageConfig, teams_before: int, stage: StageConfig, count: int
) -> str | None:
    if stage.teams is not None and stage.teams > teams_before:
        return f"teams: {teams_before} teams come from stage {number - 1}, got {stage.teams}"
    left = teams_left(before, teams_before)
    if left == 1:
        hint = "; give it `rounds`, and it ends before" if before.format.takes_rounds else ""
        return f"teams: it cannot follow stage {number - 1}, {before.format.with_article} that leaves 1 team{hint}"
    if left is not None and count != left:
        return f"teams: {left} teams are left after stage {number - 1}, which has no order among them, got {count}"
    if before.groups > 1:
        if count % before.groups:
            return f"teams: as many go on from each of {before.groups} groups, got {count}"
        if count // before.groups > teams_before // before.groups:
            smallest = teams_before // before.groups
            each = count // before.groups
            return f"teams: the smallest group of stage {number - 1} has {smallest}, got {each} of each"
    return None


def _entry_problems(stage: StageConfig, teams: Sequence[TeamToFit]) -> Iterator[str]:
    """What of the entries does not fit the first stage."""
    late = [(number, team.enters) for number, team in enumerate(teams, 1) if team.enters is not None]
    for number, enters in late:
        if not stage.format.takes_late_teams:
            yield f"team {number}, enters: a team comes late to a swiss only, stage 1 is {stage.format.with_article}"
        elif stage.rounds is not None and not 2 <= enters <= stage.rounds:
            late_rounds = f"stage 1 has {stage.rounds} rounds, 2 to {stage.rounds} are late"
            yield f"team {number}, enters: {late_rounds}, got {enters}"
    if late and len(teams) - len(late) < 2:
        yield f"team: at least 2 teams play from the first round on, got {len(teams) - len(late)}"
    names = {team.name for team in teams}
    if stage.against_all is not None and None not in names and stage.against_all not in names:
        yield f"stage 1, against_all: it is the name of a team, got {stage.against_all!r}"


def _port_problems(tables: TablesToFit, matches: int, tables_per_match: int) -> Iterator[str]:
    side_by_side = min(tables.at_once, matches)
    needed = tables_per_match * side_by_side * tables.port_plan.ports_per_table
    if needed > len(tables.ports):
        yield (
            f"tables, ports: {side_by_side} matches side by side need {needed} ports, "
            f"{tables.ports} has {len(tables.ports)}"
        )
