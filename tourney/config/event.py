"""The whole event file: its sections, each in a model whose attributes are the keys.

Unknown keys are errors. What a key means is the docstring of its attribute, from which the manual is made.
"""

from collections.abc import Mapping
from datetime import tzinfo
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from tourney.config.alarms import AlarmsConfig
from tourney.config.base import Name, OneOf, Section, Text, between, refuse
from tourney.config.command import player_in
from tourney.config.consistency import consistency_problems
from tourney.config.launch import LaunchConfig, SandboxConfig
from tourney.config.lobby import STAGES, LobbyConfig
from tourney.config.stages import StageConfig, stage_teams
from tourney.config.tables import ClockConfig, LimitsConfig, RulesConfig, StatefulConfig, TablesConfig, table_rules
from tourney.config.team import TeamConfig
from tourney.config.toml import EventNames
from tourney.config.values import CardPlay, Durability, Processes, Totals, shown
from tourney.config.web import WebConfig
from tourney.errors import ConfigError, FormatError
from tourney.movement.pairs.individual import name_partnership
from tourney.movement.pairs.movement import Movement
from tourney.movement.ranking import RankingRules
from tourney.movement.seating import SharedDeals
from tourney.protocol.session.rules import TableRules, UndoRule
from tourney.protocol.wires import Language
from tourney.scoring.butler import TRIM_MAX, Datum, check_trim
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.victory_points import UserTable, VpHundredths, VpScale, VpStep, parse_vp
from tourney.times import find_zone


def _trim(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return check_trim(value)
    raise ValueError(
        f"expected a whole number of results from 0 to {TRIM_MAX}, or a fraction of them below 0.5, "
        f"got {shown(value)}"
    )


def _zone_name(name: str) -> str:
    find_zone(name)
    return name


def _parse_vp(value: object) -> VpHundredths:
    if not isinstance(value, int | str | Decimal) or isinstance(value, bool):
        raise FormatError(f"victory points are a number with at most two decimals, got {shown(value)}")
    return parse_vp(format(value, "f") if isinstance(value, Decimal) else value)


def _parse_steps(value: Any) -> UserTable:  # before pydantic has looked at the type
    """Reads a victory-point table of the organiser's own: rows of least margin, winner's VPs, loser's VPs."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list of rows, got {shown(value)}")  # noqa: TRY004 # pydantic's way
    steps = []
    for number, row in enumerate(value, 1):
        if not isinstance(row, list) or len(row) != 3 or type(row[0]) is not int:  # true is no margin
            raise ValueError(f"row {number} is [least margin in IMPs, winner's VPs, loser's VPs], got {shown(row)}")
        try:
            steps.append(VpStep(row[0], _parse_vp(row[1]), _parse_vp(row[2])))
        except FormatError as error:
            raise ValueError(f"row {number}: {error}") from error
    try:
        return UserTable(tuple(steps))
    except ConfigError as error:
        raise ValueError(str(error)) from error


class EventSection(Section):
    """`[event]`."""

    name: Name
    """What the event is called, 1 to 100 characters. A database may hold many events, each under its own name."""
    results: Text | None = None
    """The folder for everything that a run writes: database, logs, connection lists, backups. `~` at its start is
    a home folder. By default `results/` followed by the event's name in lower case with dashes."""
    database: Text | None = None
    """Where the record is kept: an SQLite file (`sqlite:///event.db` lies beside the event file,
    `sqlite:////data/event.db` is an absolute path) or `postgresql://user:password@host/database`. By default
    `event.db` in the results folder. The environment variable `TOURNEY_DATABASE` overrides it and keeps a
    password out of the file."""
    backup_every_s: Annotated[int, between(0, 86_400)] = 600
    """Seconds between two backups of the database during a run, which go into `backups/` of the results folder,
    where the last three are kept; 0 for none."""
    timezone: Annotated[str, AfterValidator(_zone_name)] | None = None
    """The time zone of the event, by its name in the IANA database, such as `"Europe/Berlin"`. Schedules, invitations
    and pages give the starts of rounds in it, pages with UTC beside it; a browser that runs scripts shows the
    reader's own time. By default pages and invitations have UTC, and commands the time zone of their machine. May be
    changed at any time."""

    @property
    def zone(self) -> tzinfo | None:
        """The time zone of the event; None if the file names none."""
        return EventNames(self.name, timezone=self.timezone).zone

    @property
    def results_folder(self) -> str:
        """The folder named in the file, else `results/<name>`; relative to the folder of the event file."""
        return EventNames(self.name, self.results).results_folder


class DealsConfig(Section):
    """`[deals]`: from a seed, or from a PBN file. With neither, a seed is drawn and kept with the event."""

    seed: int | None = None
    """Deal the boards from this whole number; the same seed always deals the same boards. Give `seed` or `pbn`,
    not both. With neither, a seed is drawn at random and kept with the event."""
    pbn: Text | None = None
    """Take the boards from this PBN file."""
    shared: OneOf[SharedDeals] = SharedDeals.ROUND
    """Whether all matches of a round play the same boards (`"round"`) or each match has its own (`"match"`)."""
    cards: OneOf[CardPlay] = CardPlay.PLAYED
    """`"played"`: the cards are played. `"double-dummy"`: they are not. Each board ends with its auction, and
    declarer makes as many tricks as the double-dummy table of the deal says. The PBN file may have these tables
    (`OptimumResultTable`, written by `tourney deals solve`). Other deals are solved when the event is drawn, for
    which the extra `dd` is needed."""

    @model_validator(mode="after")
    def _one_source(self) -> "DealsConfig":
        if self.seed is not None and self.pbn is not None:
            raise ValueError("give seed or pbn, not both")
        return self


class RecordConfig(Section):
    """`[record]`."""

    durability: OneOf[Durability] = Durability.FULL
    """`"full"`: every call and card is on the disk before the other players see it. Neither a killed process nor a
    power cut loses anything that anyone was shown. `"process"`, for SQLite alone: a killed process loses nothing, but
    a power cut may take the last moments of boards in play, never a finished board. Programs that do not think then
    play several times as many boards in the same time. [Durability](formats.md#durability) says what follows a power
    cut."""


class AnalysisConfig(Section):
    """`[analysis]`."""

    automatic: bool = True
    """Whether `tourney run` has finished boards solved double dummy while the event is played, if the extra `dd` is
    installed. One process of the lowest priority solves a board when a core of the machine is free. Then it rests 40
    times as long as that took, so that tables do not notice it. What is not solved when the run ends is solved by the
    next run, or by `tourney analyse`."""


class ReportsConfig(Section):
    """`[reports]`."""

    butler_datum: OneOf[Datum] = Datum.MEAN
    """The datum of a board, with which `tourney butler` compares scores: the `"mean"` or the `"median"` of
    North-South's scores at all tables that played it."""
    butler_trim: Annotated[int | Decimal, BeforeValidator(_trim)] = 0
    """How many of the best results of a board, and how many of the worst, are left out of its datum. A whole number
    from 0 to 100, or a share of the results from 0.0 to below 0.5."""

    matchpoints: OneOf[MatchpointScale] = MatchpointScale.TWO
    """For pairs, how matchpoints are shown to people. `"2/1/0"`: 2 for each result that is worse and 1 for each equal
    one; `"1/0.5/0"`: 1 and a half, as in America. Percentages are the same. JSON documents, CSV tables and exports
    always have the former."""

    totals: OneOf[Totals] = Totals.SHOWN
    """Which boards totals, victory points and standings go by, in reports, exports and pages. `"shown"`: those that
    nobody has to play any more; a match has its score when that is true of all its boards. `"all"`: all that have
    been played; the total of a match then tells what a board that is still to be played was worth there."""


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
    pair: list[TeamConfig] = Field(default_factory=list)
    """`[[pair]]`: the pairs, in place of teams, 2 to 256, in the order of the draw. Its keys are those of `[[team]]`
    but `open_room` and `enters`."""
    player: list[TeamConfig] = Field(default_factory=list)
    """`[[player]]`: the players of an individual, in place of teams, in the order of the draw: as many as have a
    movement. Its keys are those of a `[[pair]]`, and all have the same `profile` and `wire`. Two partners sit down
    under both names, `Alpha and Beta`, which is also the `{team}` of their commands; a name has at most 29
    characters. The passphrase follows both names, and is that of the player whose seat it is; so are the addresses of
    `allow`, and the `methods`. With `[stateful]`, players have neither passphrases nor addresses."""
    stage: list[StageConfig]
    """`[[stage]]`: the stages, 1 to 20, played one after the other."""
    deals: DealsConfig = DealsConfig()
    """`[deals]`: where the boards come from."""
    tables: TablesConfig = TablesConfig()
    """`[tables]`: where the tables listen, and how they are run."""
    stateful: StatefulConfig | None = None
    """`[stateful]`: one port for programs that speak the [stateful-server protocol](stateful.md). By default there is
    none."""
    lobby: LobbyConfig | None = None
    """`[lobby]`: this is the file of a [lobby](play.md#lobby), which `tourney lobby` writes. Its players make their
    games themselves, so that there are no teams and stages in the file."""
    limits: LimitsConfig = LimitsConfig()
    """`[limits]`: what a single connection, or a single address, may ask of a table. Clients that exceed a limit are
    told so and disconnected; the others at the table notice nothing."""
    clock: ClockConfig = ClockConfig()
    """`[clock]`: limits of thinking time, and what follows when one is exceeded. A player's time runs from the
    line that lets it act to the first byte of its answer; the table's own time and its pauses are charged to
    nobody."""
    rules: RulesConfig = RulesConfig()
    """`[rules]`: irregularities, penalties, reconnecting, claims and manual alerting."""
    sandbox: SandboxConfig = SandboxConfig()
    """`[sandbox]`: what programs that tourney starts are kept from, and how much each may use."""
    launch: LaunchConfig = LaunchConfig()
    """`[launch]`: where the hosts of tables are started."""
    record: RecordConfig = RecordConfig()
    """`[record]`: what the record of the event survives."""
    analysis: AnalysisConfig = AnalysisConfig()
    """`[analysis]`: what is worked out of finished boards without being asked for."""
    reports: ReportsConfig = ReportsConfig()
    """`[reports]`: how reports are worked out where organisers differ. The scores of the event do not depend on
    it."""
    web: WebConfig = WebConfig()
    """`[web]`: the live pages of `tourney serve`, and what the public may see on them. Every key may change at any
    time."""
    alarms: AlarmsConfig | None = None
    """`[alarms]`: whom `tourney serve` tells when something is wrong. Every key may change at any time;
    the watcher reads them when it is started."""
    vp_table: dict[str, VpTableConfig] = Field(default_factory=dict)
    """`[vp_table.NAME]`: a victory point scale of your own, for `vp_scale = "NAME"`."""

    @model_validator(mode="before")
    @classmethod
    def _lobby_has_stages_of_its_own(cls, data: Any) -> Any:  # before pydantic has looked at the type
        if not isinstance(data, dict) or "lobby" not in data:
            return data
        for section in ("team", "pair", "player", "stage", "stateful"):
            if section in data:
                raise ValueError(f"lobby: the players of a lobby make its games, leave [[{section}]] out")
        return data | {"team": [], "stage": list(STAGES.values())}

    @model_validator(mode="before")
    @classmethod
    def _has_teams_or_pairs(cls, data: Any) -> Any:  # before pydantic has looked at the type
        if not isinstance(data, dict) or not data.keys() & {"pair", "player"}:
            return data
        if data.get("team") and data.get("pair"):
            raise ValueError("an event has [[team]] or [[pair]] sections, not both")
        if data.get("player") and (data.get("team") or data.get("pair")):
            raise ValueError("an event of players has [[player]] sections and no others")
        return data | {"team": []}

    @model_validator(mode="after")
    def _pairs_are_entrants(self) -> "EventConfig":
        if self.pair or self.player:
            self.__dict__["team"] = [*self.pair, *self.player]  # where everybody looks for the entrants
        return self

    @model_validator(mode="after")
    def _sections_are_consistent(self) -> "EventConfig":
        if self.lobby is not None:
            if self.deals.cards is CardPlay.DOUBLE_DUMMY:
                raise ValueError(
                    '[deals] has cards = "double-dummy": games of a lobby are dealt as they begin, and played'
                )
            return self
        refuse(consistency_problems(self))
        return self

    @property
    def entrant_section(self) -> str:
        """The name of the sections of those who enter: `team`, `pair` or `player`."""
        return "player" if self.player else "pair" if self.pair else "team"

    @property
    def partnerships(self) -> dict[str, tuple[TeamConfig, TeamConfig]]:
        """The players of each partnership by its name, in the order of their numbers; none where nobody changes."""
        teams = self.team
        found = {}
        for one, other in self.stage[0].format.partnerships(len(teams)) if self.stage else ():
            partners = teams[one - 1], teams[other - 1]
            found[name_partnership(partners[0].name, partners[1].name)] = partners
        return found

    def stateful_port(self, team: TeamConfig) -> int | None:
        """Return the port of `[stateful]` if the programs of a team connect there, else None."""
        is_theirs = team.command is None and team.protocol is Language.STATEFUL
        return self.stateful.port if self.stateful is not None and is_theirs else None

    def team_port(self, team: TeamConfig, number: int) -> int | None:
        """Return the port of `team_ports` if the programs of a team connect there, by its number in the draw."""
        ports = self.tables.team_ports
        if ports is None or number > len(ports) or team.command is not None or self.stateful_port(team) is not None:
            return None
        return ports.first + number - 1

    @property
    def shared_processes(self) -> dict[str, Processes]:
        """How many processes play for the teams of which a process has more than one seat, by name."""
        played_so = Processes(self.stage[0].format.usual_processes)
        found: dict[str, Processes] = {}
        for team in self.team:
            usual = played_so if player_in(team.command) is not None else Processes.SEAT
            kind = team.processes or usual
            if kind is not Processes.SEAT and team.is_started_here:
                found[team.name] = kind
        return found

    @property
    def table_rules(self) -> TableRules:
        """The rules that every table applies to lateness, irregularities, claims and alerts."""
        if self.lobby is not None:  # where players take back what they like, unless the file says otherwise
            return self.lobby.table_rules(self.rules.undo if "undo" in self.rules.model_fields_set else UndoRule.ALL)
        return table_rules(self.clock, self.rules)

    @property
    def own_scales(self) -> dict[str, UserTable]:
        """The organiser's own tables of victory points, by name."""
        return {name: table.steps for name, table in self.vp_table.items()}

    @property
    def movements(self) -> dict[int, Movement]:
        """The movements of the pairs stages, by number of the stage."""
        sizes = stage_teams(self.stage, len(self.team))
        found = {}
        for number, (stage, size) in enumerate(zip(self.stage, sizes, strict=True), 1):
            movement = stage.format.movement(stage, size)
            if movement is not None:
                found[number] = movement
        return found

    def scale(self, stage: StageConfig) -> VpScale:
        """Returns the victory point scale of a stage's matches.

        Raises:
            ConfigError: the scale does not exist for that number of boards.
        """
        return stage.board_scale.vp_scale(stage.vp_scale, stage.boards_per_match, self.own_scales)

    def ranking_rules(self, scales: Mapping[int, VpScale | None]) -> dict[int, RankingRules]:
        """Returns the ranking rules by number of the stage; `scales` are also by stage, None if unknown."""
        return {n: stage.ranking_rules(scales.get(n)) for n, stage in enumerate(self.stage, 1)}
