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
    """What the event is called, 1 to 100 characters. A database may hold many events, each under its own name."""
    results: Text | None = None
    """The folder for everything that a run writes: database, logs, connection lists, backups. By default
    `results/` followed by the event's name in lower case with dashes."""
    database: Text | None = None
    """Where the record is kept: an SQLite file (`sqlite:///event.db` lies beside the event file,
    `sqlite:////data/event.db` is an absolute path) or `postgresql://user:password@host/database`. By default
    `event.db` in the results folder. The environment variable `TOURNEY_DATABASE` overrides it and keeps a
    password out of the file."""
    backup_every_s: Annotated[int, Field(ge=0, le=86_400)] = 600
    """Seconds between two backups of the database during a run, which go into `backups/` of the results folder;
    0 for none."""
    backups: Annotated[int, Field(ge=1, le=1000)] = 3
    """How many of these backups are kept."""

    @property
    def results_folder(self) -> str:
        """As the file has it, else `results/<name>`; relative to the folder of the event file."""
        return EventNames(self.name, self.results).results_folder


class TeamConfig(Section):
    """`[[team]]`."""

    name: str
    r"""The team's name, which its programs give when they log on: 1 to 64 ASCII characters that may occur in a
    file name, so none of `< > : " / \ | ? *` and no full stop at the end. Two names must differ in more than
    case."""
    command: Text | None = None
    """The command that starts the team's program, once for each seat, in the folder of the event file. It is
    split into words as a shell would, but no shell runs it. `{host}`, `{port}`, `{seat}` (North, East, South
    or West), `{team}`, `{login}` (the team's name, with its pass phrase if there is one), `{match}` (a
    number), `{room}` (open or closed) and `{pair}` (1 or 2) are filled in; a literal brace is written twice.
    Without a command nothing is started, and the team's programs are expected to connect by themselves."""
    second_command: Text | None = None
    """The command for the team's second pair, where that is a different program; the first pair then needs its
    `command` too. The home team's first pair always plays in the open room. By default both pairs are started
    alike."""
    open_room: Annotated[OpenRoomSide | None, member(OpenRoomSide)] = None
    """Where the team sits in the open room when it has the seating rights (`seats = "rights"`): `"north-south"`
    or `"east-west"`. By default North-South."""
    enters: Annotated[int | None, Field(ge=2, le=1000)] = None
    """The round from which a late team plays, 2 to the last. The first stage must be a Swiss, and at least two
    teams must play from its first round. By default the first round."""
    pass_phrase: Annotated[PassPhrase | None, Field(repr=False)] = None
    """What the team's programs must say, besides the name, to sit down: with `"open sesame"` they log on as
    `Alpha#open sesame`. 4 to 64 ASCII characters other than double quotes. Lines, logs and the record show
    the name alone; the database keeps a salted hash. By default the name is enough."""
    allow: Networks | None = None
    """The addresses and networks, IPv4 or IPv6, from which the team's programs may connect, 1 to 100 of them. If
    the team has a `command`, this machine must be among them. By default any address may connect."""
    profile: str = "default"
    """How lines are sent to the team's programs, according to what they are known to need. `tourney check-bot`
    finds out which profile suits a program; `[team.wire]` changes single settings."""
    wire: WireConfig = WireConfig()
    """`[team.wire]`: single settings that replace those of the profile."""
    methods: MethodsConfig = MethodsConfig()
    """`[team.methods]`: what manual alerting has to know about the team's system."""

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
    """Deal the boards from this whole number; the same seed always deals the same boards. Give `seed` or `pbn`,
    not both. With neither, a seed is drawn at random and kept with the event."""
    pbn: Text | None = None
    """Take the boards from this PBN file."""
    shared: Annotated[SharedDeals, member(SharedDeals)] = SharedDeals.ROUND
    """Whether all matches of a round play the same boards (`"round"`) or each match has its own (`"match"`)."""

    @model_validator(mode="after")
    def _one_source(self) -> "DealsConfig":
        if self.seed is not None and self.pbn is not None:
            raise ValueError("give seed or pbn, not both")
        return self


class TablesConfig(Section):
    """`[tables]`."""

    host: Annotated[str, AfterValidator(check_host)] = "127.0.0.1"
    """The address that the tables listen on. `"127.0.0.1"` admits programs on this machine only, `"0.0.0.0"`
    programs from everywhere; then give each team a `pass_phrase` or an `allow` list. `tourney run` says so
    when other machines can connect."""
    ports: Annotated[PortRange, BeforeValidator(_parse_ports)] = PortRange(2000, 4999)
    """The ports that tables may use, between 1024 and 65535. Each match needs two tables, each table one port or
    four."""
    port_plan: Annotated[PortPlan, member(PortPlan)] = PortPlan.PER_TABLE
    """`"per-table"`: the four seats of a table share one port. `"per-seat"`: each seat has a port of its own, as
    version 18 of the protocol says."""
    trick_pause_ms: Annotated[int, Field(ge=0, le=60_000)] = 1000
    """How long a table pauses after each trick, for the sake of spectators, in milliseconds."""
    at_once: Annotated[int, Field(ge=1, le=1000)] = 16
    """How many matches of a round are played side by side."""
    wire_log: bool = True
    """Whether every line to and from the players is kept in a file of the results folder."""
    connect_s: Annotated[int, Field(ge=1, le=3600)] = 60
    """How long a program that tourney has started may take to sit down, in seconds."""
    lease_s: Annotated[int, Field(ge=2, le=3600)] = 10
    """After this many seconds of silence a table host is taken for dead, and another one takes its tables over.
    The same holds for the run itself."""
    orphan_s: Annotated[int, Field(ge=5, le=86_400)] = 60
    """For how many seconds table hosts play on without a run, which may come back and find them again. After
    that they finish the boards in hand and end."""
    outage_s: Annotated[int, Field(ge=1, le=86_400)] = 60
    """For how many seconds the database may be unavailable. Tables wait and go on where they were; after that
    they give up."""


class VpTableConfig(Section):
    """`[vp_table.NAME]`: a victory-point scale of the organiser's own."""

    steps: Annotated[UserTable, BeforeValidator(_parse_steps)]
    """Rows of three numbers: from this margin in IMPs on, the winner gets so many victory points and the loser
    so many, with at most two decimals. The first row is margin 0, a draw; margins rise, the winner's points
    never fall and the loser's never rise."""


class EventConfig(Section):
    """A whole event file."""

    event: EventSection
    """`[event]`: the event's name, and where its record is kept."""
    team: list[TeamConfig]
    """`[[team]]`: the teams, 2 to 256, in the order of the draw."""
    stage: list[StageConfig]
    """`[[stage]]`: the stages, 1 to 20, played one after the other."""
    deals: DealsConfig = DealsConfig()
    """`[deals]`: where the boards come from."""
    tables: TablesConfig = TablesConfig()
    """`[tables]`: where the tables listen, and how they are run."""
    doors: DoorsConfig = DoorsConfig()
    """`[doors]`: what a single connection, or a single address, may ask of a table. Whoever exceeds a limit is
    told so and disconnected; the others at the table notice nothing."""
    clock: ClockConfig = ClockConfig()
    """`[clock]`: limits of thinking time, and what follows when one is exceeded. A player's time runs from the
    line that lets it act to the first byte of its answer; the table's own time and its pauses are charged to
    nobody."""
    rules: RulesConfig = RulesConfig()
    """`[rules]`: irregularities, penalties, reconnecting, claims and manual alerting."""
    reports: ReportsConfig = ReportsConfig()
    """`[reports]`: how reports are worked out where organisers differ. The scores of the event do not depend on
    it."""
    vp_table: dict[str, VpTableConfig] = Field(default_factory=dict)
    """`[vp_table.NAME]`: a victory point scale of your own, for `vp_scale = "NAME"`."""

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
