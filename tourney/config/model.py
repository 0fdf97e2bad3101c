"""What an event file may say. Unknown keys are errors; every limit stands here."""

import enum
from typing import Annotated, Any, Final, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from tourney.config.command import check_command
from tourney.config.values import PortPlan, PortRange, check_team_name, parse_port_range, parse_vp_steps, slug
from tourney.errors import ConfigError
from tourney.movement.round_robin import plan_round_robin
from tourney.protocol.bluechip.profile import PROFILES
from tourney.scoring.victory_points import UserTable, VpScale, vp_scale

TEAMS_MAX: Final = 256
BOARDS_MAX: Final = 1000
EVENT_NAME_CHARS_MAX: Final = 100


class StageFormat(enum.StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"

    @property
    def cycles(self) -> Literal[1, 2]:
        return 1 if self is StageFormat.ROUND_ROBIN else 2


class SharedDeals(enum.StrEnum):
    """Which matches play the same boards."""

    ROUND = "round"
    MATCH = "match"


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, strict=True)


def _not_blank(text: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(text, str) and not text.strip():
        raise ValueError("it must not be blank")
    return text


def _parse_ports(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(f'ports are a range such as "2000-4999", got {value!r}')  # noqa: TRY004 # pydantic's way
    return parse_port_range(value)


def _parse_steps(value: Any) -> UserTable:  # before pydantic has looked at the type
    if not isinstance(value, list):
        raise ValueError(f"a list of rows is asked for, got {value!r}")  # noqa: TRY004 # pydantic's way
    try:
        return parse_vp_steps(value)
    except ConfigError as error:
        raise ValueError(str(error)) from error


def _member(kind: type[enum.StrEnum]) -> BeforeValidator:
    """Text of the file to a member of an enum; strict mode would refuse it."""

    def convert(value: Any) -> Any:  # before pydantic has looked at the type
        if isinstance(value, str) and value in tuple(kind):
            return kind(value)
        allowed = ", ".join(f'"{member.value}"' for member in kind)
        raise ValueError(f"allowed is one of {allowed}, got {value!r}")

    return BeforeValidator(convert)


Text = Annotated[str, BeforeValidator(_not_blank)]


class EventSection(_Section):
    """`[event]`."""

    name: Annotated[Text, Field(max_length=EVENT_NAME_CHARS_MAX)]
    results: Text | None = None
    database: Text | None = None

    @property
    def results_folder(self) -> str:
        """As the file has it, else `results/<name>`; relative to the folder of the event file."""
        return self.results or f"results/{slug(self.name)}"


class TeamConfig(_Section):
    """`[[team]]`."""

    name: str
    command: Text | None = None
    profile: str = "default"

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
            raise ValueError(f"allowed is one of {', '.join(PROFILES)}, got {profile!r}")
        return profile


class StageConfig(_Section):
    """`[[stage]]`."""

    name: Annotated[Text, Field(max_length=EVENT_NAME_CHARS_MAX)] = "Round robin"
    format: Annotated[StageFormat, _member(StageFormat)] = StageFormat.ROUND_ROBIN
    boards_per_match: Annotated[int, Field(ge=1, le=BOARDS_MAX)] = 16
    vp_scale: str = "wbf-continuous"
    starts: list[AwareDatetime] | None = None


class DealsConfig(_Section):
    """`[deals]`: from a seed, or from a PBN file. With neither, a seed is drawn and kept with the event."""

    seed: int | None = None
    pbn: Text | None = None
    shared: Annotated[SharedDeals, _member(SharedDeals)] = SharedDeals.ROUND

    @model_validator(mode="after")
    def _one_source(self) -> "DealsConfig":
        if self.seed is not None and self.pbn is not None:
            raise ValueError("give seed or pbn, not both")
        return self


class TablesConfig(_Section):
    """`[tables]`."""

    host: Text = "127.0.0.1"
    ports: Annotated[PortRange, BeforeValidator(_parse_ports)] = PortRange(2000, 4999)
    port_plan: Annotated[PortPlan, _member(PortPlan)] = PortPlan.PER_TABLE
    trick_pause_ms: Annotated[int, Field(ge=0, le=60_000)] = 1000
    at_once: Annotated[int, Field(ge=1, le=1000)] = 16
    wire_log: bool = True
    connect_s: Annotated[int, Field(ge=1, le=3600)] = 60
    """How long a program that tourney starts may take to sit down, in seconds."""


class VpTableConfig(_Section):
    """`[vp_table.NAME]`: a victory-point scale of the organiser's own."""

    steps: Annotated[UserTable, BeforeValidator(_parse_steps)]


class EventConfig(_Section):
    """A whole event file."""

    event: EventSection
    team: list[TeamConfig]
    stage: list[StageConfig]
    deals: DealsConfig = DealsConfig()
    tables: TablesConfig = TablesConfig()
    vp_table: dict[str, VpTableConfig] = {}

    @field_validator("team")
    @classmethod
    def _teams_differ(cls, teams: list[TeamConfig]) -> list[TeamConfig]:
        if not 2 <= len(teams) <= TEAMS_MAX:
            raise ValueError(f"an event has 2 to {TEAMS_MAX} teams, got {len(teams)}")
        numbers: dict[str, int] = {}
        for number, team in enumerate(teams, 1):
            earlier = numbers.setdefault(team.name.casefold(), number)
            if earlier != number:
                raise ValueError(
                    f"team names differ in more than case, {team.name!r} is that of teams {earlier} and {number}"
                )
        return teams

    @field_validator("stage")
    @classmethod
    def _one_stage(cls, stages: list[StageConfig]) -> list[StageConfig]:
        if len(stages) != 1:
            raise ValueError(f"an event has 1 stage, got {len(stages)}")
        return stages

    @model_validator(mode="after")
    def _parts_fit(self) -> "EventConfig":
        stage = self.stage[0]
        problems = []
        try:
            self.scale(stage)
        except ConfigError as error:
            problems.append(f"stage 1, vp_scale: {error}")
        rounds = len(plan_round_robin(len(self.team), cycles=stage.format.cycles))
        if stage.starts is not None and len(stage.starts) != rounds:
            problems.append(
                f"stage 1, starts: one time a round, {rounds} for {len(self.team)} teams, got {len(stage.starts)}"
            )
        elif stage.starts is not None and stage.starts != sorted(stage.starts):
            problems.append("stage 1, starts: a round starts no earlier than the one before it")
        side_by_side = min(self.tables.at_once, len(self.team) // 2)
        needed = 2 * side_by_side * self.tables.port_plan.ports_per_table
        if needed > len(self.tables.ports):
            problems.append(
                f"tables, ports: {side_by_side} matches side by side need {needed} ports, "
                f"{self.tables.ports} has {len(self.tables.ports)}"
            )
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def scale(self, stage: StageConfig) -> VpScale:
        """The victory points of a stage's matches.

        Raises:
            ConfigError: there is no such scale for that number of boards.
        """
        own = {name: table.steps for name, table in self.vp_table.items()}
        return vp_scale(stage.vp_scale, stage.boards_per_match, own)
