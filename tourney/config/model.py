"""What an event file may say. Unknown keys are errors; every limit stands here."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    field_validator,
    model_validator,
)

from tourney.config.command import check_command
from tourney.config.doors import DoorsConfig, Networks, PassPhrase
from tourney.config.fit import TeamToFit, fit_problems
from tourney.config.names import EventNames
from tourney.config.reports import ReportsConfig
from tourney.config.sections import Name, Section, Text, member
from tourney.config.stages import StageConfig
from tourney.config.table_rules import ClockConfig, MethodsConfig, RulesConfig, WireConfig, table_rules
from tourney.config.values import (
    PortPlan,
    PortRange,
    check_host,
    check_team_name,
    parse_port_range,
    parse_vp_steps,
    shown,
)
from tourney.config.words import OpenRoomSide, SharedDeals
from tourney.errors import ConfigError
from tourney.movement.ranking import RankingRules
from tourney.protocol.pass_phrases import SEPARATOR
from tourney.protocol.session.rules import TableRules
from tourney.protocol.wires import PROFILES, WireProfile
from tourney.scoring.victory_points import UserTable, VpScale, vp_scale


def _parse_ports(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(f'ports are a range such as "2000-4999", got {shown(value)}')  # noqa: TRY004 # pydantic's way
    return parse_port_range(value)


def _parse_steps(value: Any) -> UserTable:  # before pydantic has looked at the type
    if not isinstance(value, list):
        raise ValueError(f"a list of rows is asked for, got {shown(value)}")  # noqa: TRY004 # pydantic's way
    try:
        return parse_vp_steps(value)
    except ConfigError as error:
        raise ValueError(str(error)) from error


class EventSection(Section):
    """`[event]`."""

    name: Name
    results: Text | None = None
    database: Text | None = None
    backup_every_s: Annotated[int, Field(ge=0, le=86_400)] = 600
    """Seconds between two backups during a run; 0 for none."""
    backups: Annotated[int, Field(ge=1, le=1000)] = 3
    """How many are kept."""

    @property
    def results_folder(self) -> str:
        """As the file has it, else `results/<name>`; relative to the folder of the event file."""
        return EventNames(self.name, self.results).results_folder


class TeamConfig(Section):
    """`[[team]]`."""

    name: str
    command: Text | None = None
    second_command: Text | None = None
    """Of the programs of its second pair; by default as the first."""
    open_room: Annotated[OpenRoomSide | None, member(OpenRoomSide)] = None
    """Where it sits in the open room when it has the seating rights."""
    enters: Annotated[int | None, Field(ge=2, le=1000)] = None
    """The round of a Swiss from which it plays; None for the first."""
    pass_phrase: Annotated[PassPhrase | None, Field(repr=False)] = None
    allow: Networks | None = None
    profile: str = "default"
    wire: WireConfig = WireConfig()
    methods: MethodsConfig = MethodsConfig()

    @property
    def wire_profile(self) -> WireProfile:
        """The named profile with the team's own settings."""
        return self.wire.over(PROFILES[self.profile])

    @property
    def login(self) -> str:
        """What its programs have between the quotes of a log-on (BC-05)."""
        return self.name if self.pass_phrase is None else f"{self.name}{SEPARATOR}{self.pass_phrase}"

    @field_validator("name")
    @classmethod
    def _name_can_be_said(cls, name: str) -> str:
        return check_team_name(name)

    @field_validator("command", "second_command")
    @classmethod
    def _command_can_be_run(cls, command: str | None) -> str | None:
        return check_command(command) if command is not None else None

    @model_validator(mode="after")
    def _first_pair_comes_first(self) -> "TeamConfig":
        if self.second_command is not None and self.command is None:
            raise ValueError("second_command is of the second pair: give the first its command too")
        return self

    @field_validator("profile")
    @classmethod
    def _profile_is_known(cls, profile: str) -> str:
        if profile not in PROFILES:
            allowed = ", ".join(f'"{name}"' for name in PROFILES)
            raise ValueError(f"allowed is one of {allowed}, got {shown(profile)}")
        return profile


class DealsConfig(Section):
    """`[deals]`: from a seed, or from a PBN file. With neither, a seed is drawn and kept with the event."""

    seed: int | None = None
    pbn: Text | None = None
    shared: Annotated[SharedDeals, member(SharedDeals)] = SharedDeals.ROUND

    @model_validator(mode="after")
    def _one_source(self) -> "DealsConfig":
        if self.seed is not None and self.pbn is not None:
            raise ValueError("give seed or pbn, not both")
        return self


class TablesConfig(Section):
    """`[tables]`."""

    host: Annotated[str, AfterValidator(check_host)] = "127.0.0.1"
    ports: Annotated[PortRange, BeforeValidator(_parse_ports)] = PortRange(2000, 4999)
    port_plan: Annotated[PortPlan, member(PortPlan)] = PortPlan.PER_TABLE
    trick_pause_ms: Annotated[int, Field(ge=0, le=60_000)] = 1000
    at_once: Annotated[int, Field(ge=1, le=1000)] = 16
    wire_log: bool = True
    connect_s: Annotated[int, Field(ge=1, le=3600)] = 60
    """How long a program that tourney starts may take to sit down, in seconds."""
    lease_s: Annotated[int, Field(ge=2, le=3600)] = 10
    """After so many seconds of silence a host, or a run, is taken for dead."""
    orphan_s: Annotated[int, Field(ge=5, le=86_400)] = 60
    """For how many seconds hosts play on without a run; then they finish the boards in hand and end."""
    outage_s: Annotated[int, Field(ge=1, le=86_400)] = 60
    """For how many seconds the database may be away before hosts and run give up."""


class VpTableConfig(Section):
    """`[vp_table.NAME]`: a victory-point scale of the organiser's own."""

    steps: Annotated[UserTable, BeforeValidator(_parse_steps)]


class EventConfig(Section):
    """A whole event file."""

    event: EventSection
    team: list[TeamConfig]
    stage: list[StageConfig]
    deals: DealsConfig = DealsConfig()
    tables: TablesConfig = TablesConfig()
    doors: DoorsConfig = DoorsConfig()
    clock: ClockConfig = ClockConfig()
    rules: RulesConfig = RulesConfig()
    reports: ReportsConfig = ReportsConfig()
    vp_table: dict[str, VpTableConfig] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _parts_fit(self) -> "EventConfig":
        teams = [TeamToFit(team.name, team.enters) for team in self.team]
        problems = fit_problems(teams, self.stage, self.tables, self.own_scales)
        if problems:
            raise ValueError("\n".join(problems))
        return self

    @property
    def table_rules(self) -> TableRules:
        """What every table does about lateness, irregularities, claims and alerts."""
        return table_rules(self.clock, self.rules)

    @property
    def own_scales(self) -> dict[str, UserTable]:
        """The organiser's own tables of victory points, by name."""
        return {name: table.steps for name, table in self.vp_table.items()}

    def scale(self, stage: StageConfig) -> VpScale:
        """The victory points of a stage's matches.

        Raises:
            ConfigError: there is no such scale for that number of boards.
        """
        return vp_scale(stage.vp_scale, stage.boards_per_match, self.own_scales)

    def ranking_rules(self, scales: Mapping[int, VpScale | None]) -> dict[int, RankingRules]:
        """How teams are ranked in each stage, by its number; `scales` are by stage too, None where unknown."""
        return {n: stage.ranking_rules(scales.get(n)) for n, stage in enumerate(self.stage, 1)}
