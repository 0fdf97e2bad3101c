"""The context of the templates of the conditions of contest: the event file, and what follows from it for each stage.

Numbers, names and rows of tables are computed here; every sentence is in `templates`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC
from operator import attrgetter

from tourney.conditions.stage_context import Row, StageContext
from tourney.conditions.wording import quoted
from tourney.config import EventConfig, OpenRoomSide, TeamConfig
from tourney.config.command import reaches_service
from tourney.config.stages import stage_teams
from tourney.contest import common_word
from tourney.plurals import count, listed
from tourney.protocol.wires import WireProfile
from tourney.times import format_second, from_datetime


@dataclass(frozen=True, slots=True)
class StageGroup:
    """Stages that share the same text."""

    stages: tuple[StageContext, ...]
    is_all: bool
    """Whether these are all stages of the event."""

    @property
    def first(self) -> StageContext:
        return self.stages[0]


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
    def entrant(self) -> str:
        """What takes part in the event: `team` or `pair`."""
        return common_word((stage.entrant for stage in self.stages), "team")

    def fine_in(self, among: Sequence[StageContext]) -> str:
        """Format what a fine of the event file is worth in some stages: `3 IMPs`, with those where that differs."""
        stages: dict[str, list[str]] = {}
        for stage in among:
            stages.setdefault(stage.format_fine(self.config.rules.penalty), []).append(quoted(stage.name))
        if len(stages) == 1:
            return next(iter(stages))
        return listed([f"{words} (in {listed(names)})" for words, names in stages.items()], "or")

    def stages_of(self, texts: str) -> tuple[StageContext, ...]:
        """Return the stages that these texts tell of."""
        return tuple(stage for stage in self.stages if stage.format.texts == texts)

    @property
    def games(self) -> str:
        """The games that are played at one table: `Rubber bridge and Chicago`."""
        return " and ".join(dict.fromkeys(stage.format.title for stage in self.stages_of("games")))

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
        """Stage (if there are several), round, start in the time zone of the event or else its own, start in UTC."""
        zone = self.config.event.zone
        return tuple(
            (
                *(() if stage.is_only else (stage.name,)),
                str(number),
                format_second(from_datetime(start), zone or start.tzinfo),
                format_second(from_datetime(start), UTC).removesuffix(" UTC"),
            )
            for stage in self.timed_stages
            for number, start in enumerate(stage.settings.starts or (), 1)
        )

    # Teams

    @property
    def has_late_teams(self) -> bool:
        return any(team.enters is not None for team in self.config.team)

    @property
    def team_rows(self) -> tuple[Row, ...]:
        """Number, name and, if any team enters late, the first round the team plays.

        Pairs are numbered as in the movement, by which those of a section follow each other.
        """
        first = self.stages[0]
        order = first.format.seeds_by_number(first.settings, len(self.config.team))
        return tuple(
            (str(number), team.name, *((str(team.enters or 1),) if self.has_late_teams else ()))
            for number, team in enumerate((self.config.team[seed - 1] for seed in order), 1)
        )

    @property
    def access_rows(self) -> tuple[Row, ...]:
        """Each team, who starts its programs, whether it has a passphrase, where they may connect from, its port."""
        tables = self.config.tables
        ports = tables.team_ports
        return tuple(
            (
                *(team.name, _starter(team, self.entrant)),
                *("asked for" if team.pass_phrase else "none", _allowed(team)),
                *([str(ports.first + index)] if ports is not None else []),
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
            (team.name, (team.open_room or OpenRoomSide.NORTH_SOUTH).side.full_name) for team in self.config.team
        )

    @property
    def butler_trim(self) -> str | None:
        """The number, or the part, of the best and of the worst results of a board that are left out of the datum."""
        trim = self.config.reports.butler_trim
        if not trim:
            return None
        return str(trim) if isinstance(trim, int) else f"{(trim * 100).normalize():f} percent"


def event_context(config: EventConfig, commitment: str | None) -> EventContext:
    """Return the context of an event file; `commitment` is the hash that seals its boards."""
    stages: list[StageContext] = []
    teams = stage_teams(config.stage, len(config.team))
    for number, (settings, size) in enumerate(zip(config.stage, teams, strict=True), 1):
        stages.append(StageContext(config, number, settings, size, stages[-1] if stages else None))
    return EventContext(config, tuple(stages), commitment)


def grouped(stages: Sequence[StageContext], *whats: str | Callable[[StageContext], str]) -> list[StageGroup]:
    """Group the stages by attributes of theirs, such as `settings.vp_scale`, or by what a macro says of each.

    The groups are in the order of the first stage of each.
    """
    groups: dict[object, list[StageContext]] = {}
    for stage in stages:
        key = tuple(attrgetter(what)(stage) if isinstance(what, str) else str(what(stage)) for what in whats)
        groups.setdefault(key, []).append(stage)
    return [StageGroup(tuple(group), len(group) == len(stages)) for group in groups.values()]


def _starter(team: TeamConfig, entrant: str) -> str:
    if reaches_service(team.command):
        return "the organiser; it asks a service over HTTP, and has a network for that"
    return "the organiser" if team.command is not None else f"the {entrant}"


def _allowed(team: TeamConfig) -> str:
    if not team.allow:
        return "anywhere"
    return f"{count(len(team.allow), 'address', 'addresses')} agreed with the organiser"
