"""What an event file may say. Unknown keys are errors; every limit stands here."""

import enum
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    Field,
    field_validator,
    model_validator,
)

from tourney.config.command import check_command
from tourney.config.doors import DoorsConfig, Networks, PassPhrase
from tourney.config.reports import ReportsConfig
from tourney.config.sections import Section, Text, member
from tourney.config.table_rules import ClockConfig, MethodsConfig, RulesConfig, WireConfig, table_rules
from tourney.config.values import (
    PortPlan,
    PortRange,
    check_host,
    check_team_name,
    check_text,
    parse_port_range,
    parse_vp_amount,
    parse_vp_steps,
    shown,
    slug,
)
from tourney.errors import ConfigError
from tourney.movement.ranking import RankingRules
from tourney.movement.round_robin import plan_round_robin
from tourney.movement.tie_breaks import DEFAULT_TIE_BREAKS, TieBreak
from tourney.protocol.bluechip.profile import PROFILES, WireProfile
from tourney.protocol.bluechip.rules import TableRules
from tourney.protocol.pass_phrases import SEPARATOR
from tourney.scoring.adjusted import walkover_vp
from tourney.scoring.victory_points import UserTable, VpHundredths, VpScale, vp_scale

TEAMS_MAX: Final = 256
BOARDS_MAX: Final = 1000
BYE_VP_MAX: Final = 100
NAME_CHARS_MAX: Final = 100
"""Of an event, a stage and a victory-point scale."""


class StageFormat(enum.StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"

    @property
    def cycles(self) -> Literal[1, 2]:
        return 1 if self is StageFormat.ROUND_ROBIN else 2


class EarlyLeavers(enum.StrEnum):
    """What becomes of the scores of a team that leaves before half of its matches were played."""

    FORGET = "forget"
    """They are cancelled, those of its opponents against it too."""
    FORFEIT = "forfeit"
    """They stand, and what is left is forfeited, as for a team that leaves later."""


class SharedDeals(enum.StrEnum):
    """Which matches play the same boards."""

    ROUND = "round"
    MATCH = "match"


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


def _check_tie_breaks(tie_breaks: list[TieBreak]) -> list[TieBreak]:
    for number, tie_break in enumerate(tie_breaks):
        if tie_break in tie_breaks[:number]:
            raise ValueError(f"each is named once, got '{tie_break}' twice")
        if TieBreak.LOT in tie_breaks[:number]:
            raise ValueError(
                f"'{TieBreak.LOT}' stands last, for it leaves nothing to part, got '{tie_break}' after it"
            )
    return tie_breaks


def _parse_bye_vp(value: Any) -> int:  # before pydantic has looked at the type
    return parse_vp_amount(value, BYE_VP_MAX, may_be_none=True)


def _clean_name(text: str) -> str:
    text = " ".join(text.split())
    if len(text) > NAME_CHARS_MAX:
        raise ValueError(f"at most {NAME_CHARS_MAX} characters are allowed, got {len(text)}")
    return check_text(text)


Name = Annotated[str, AfterValidator(_clean_name)]
Start = Annotated[AwareDatetime, Field(ge=datetime(2000, 1, 1, tzinfo=UTC), le=datetime(2999, 12, 31, tzinfo=UTC))]
"""A year far off is a slip of the keyboard."""


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
        return self.results or f"results/{slug(self.name)}"


class TeamConfig(Section):
    """`[[team]]`."""

    name: str
    command: Text | None = None
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

    @field_validator("command")
    @classmethod
    def _command_can_be_run(cls, command: str | None) -> str | None:
        return check_command(command) if command is not None else None

    @field_validator("profile")
    @classmethod
    def _profile_is_known(cls, profile: str) -> str:
        if profile not in PROFILES:
            allowed = ", ".join(f'"{name}"' for name in PROFILES)
            raise ValueError(f"allowed is one of {allowed}, got {shown(profile)}")
        return profile


class StageConfig(Section):
    """`[[stage]]`."""

    name: Name = "Round robin"
    format: Annotated[StageFormat, member(StageFormat)] = StageFormat.ROUND_ROBIN
    boards_per_match: Annotated[int, Field(ge=1, le=BOARDS_MAX)] = 16
    vp_scale: Annotated[str, Field(max_length=NAME_CHARS_MAX)] = "wbf-continuous"
    starts: list[Start] | None = None
    tie_breaks: Annotated[list[Annotated[TieBreak, member(TieBreak)]], AfterValidator(_check_tie_breaks)] = Field(
        default_factory=lambda: list(DEFAULT_TIE_BREAKS)
    )
    """What parts teams equal in victory points, the first one first; no part of the draw."""
    bye_vp: Annotated[int | None, BeforeValidator(_parse_bye_vp)] = None
    """In hundredths; by default 60 percent of the most a match is worth. No part of the draw."""
    early_leavers: Annotated[EarlyLeavers, member(EarlyLeavers)] = EarlyLeavers.FORGET
    """No part of the draw."""

    def ranking_rules(self, scale: VpScale | None) -> RankingRules:
        """How teams are ranked; `scale` is None when the event file has it no more: then 20 are at stake."""
        most = scale.steps[-1].winner if scale is not None else RankingRules().most_vp
        walkover = walkover_vp(scale) if scale is not None else RankingRules().bye_vp
        bye = self.bye_vp if self.bye_vp is not None else walkover
        return RankingRules(
            tuple(self.tie_breaks), VpHundredths(bye), most, self.early_leavers is EarlyLeavers.FORGET
        )


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
        own = {name: table.steps for name, table in self.vp_table.items()}
        problems = fit_problems([team.name for team in self.team], self.stage, self.tables, own)
        if problems:
            raise ValueError("\n".join(problems))
        return self

    @property
    def table_rules(self) -> TableRules:
        """What every table does about lateness, irregularities, claims and alerts."""
        return table_rules(self.clock, self.rules)

    def scale(self, stage: StageConfig) -> VpScale:
        """The victory points of a stage's matches.

        Raises:
            ConfigError: there is no such scale for that number of boards.
        """
        own = {name: table.steps for name, table in self.vp_table.items()}
        return vp_scale(stage.vp_scale, stage.boards_per_match, own)


def fit_problems(
    team_names: Sequence[str | None] | None,
    stages: Sequence[StageConfig | None] | None,
    tables: TablesConfig | None,
    own_tables: Mapping[str, UserTable | None],
) -> list[str]:
    """What does not fit between sections, a sentence each. None is a section that is wrong by itself."""
    problems: list[str] = []
    count = None
    if team_names is not None:
        problems += _team_problems(team_names)
        count = len(team_names) if 2 <= len(team_names) <= TEAMS_MAX else None
    if stages is not None and len(stages) != 1:
        problems.append(f"stage: an event has 1 stage, got {len(stages)}")
    stage = stages[0] if stages else None
    if stage is not None:
        problems += _scale_problems(stage, own_tables)
    if stage is not None and stage.starts is not None and count is not None:
        problems += _starts_problems(stage.starts, len(plan_round_robin(count, cycles=stage.format.cycles)), count)
    if tables is not None and count is not None:
        problems += _port_problems(tables, count)
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


def _scale_problems(stage: StageConfig, own_tables: Mapping[str, UserTable | None]) -> Iterator[str]:
    if stage.vp_scale in own_tables and own_tables[stage.vp_scale] is None:
        return
    try:
        vp_scale(stage.vp_scale, stage.boards_per_match, {name: table for name, table in own_tables.items() if table})
    except ConfigError as error:
        yield f"stage 1, vp_scale: {error}"


def _starts_problems(starts: list[datetime], rounds: int, teams: int) -> Iterator[str]:
    if len(starts) != rounds:
        yield f"stage 1, starts: one time a round is asked for, {rounds} for {teams} teams, got {len(starts)}"
    if starts != sorted(starts):
        yield "stage 1, starts: a round starts no earlier than the one before it"


def _port_problems(tables: TablesConfig, teams: int) -> Iterator[str]:
    side_by_side = min(tables.at_once, teams // 2)
    needed = 2 * side_by_side * tables.port_plan.ports_per_table
    if needed > len(tables.ports):
        yield (
            f"tables, ports: {side_by_side} matches side by side need {needed} ports, "
            f"{tables.ports} has {len(tables.ports)}"
        )
