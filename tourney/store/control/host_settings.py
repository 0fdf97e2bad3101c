"""What table hosts need from the event file: the settings of a run, stored for its hosts."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Select, select

from tourney.bridge import Seat
from tourney.config import Durability, PortPlan, PortRange, Processes, SandboxKind
from tourney.errors import StoreError
from tourney.formats.plain_json import format_plain, parse_plain
from tourney.movement.seating import TableInfo
from tourney.protocol.access import ConnectionLimits, TableAccess, TeamAccess
from tourney.protocol.session.rules import PairMethods, TableRules
from tourney.store.db.database import Database
from tourney.store.db.queries import load_value, update_row
from tourney.store.draw.tables import BEGUN
from tourney.store.models import Event, Match


@dataclass(frozen=True, slots=True)
class StatefulSettings:
    """What hosts need to know about the stateful-server protocol."""

    tournament: str | None = "event"
    """The id of the event, as clients are told; None if its matches are games of no tournament."""
    port: int | None = None
    """The event's port for clients; None if it has none."""
    seats_players: bool = False
    """Whether seats are given to single players by a lobby."""
    teams: tuple[str, ...] = ()
    """The teams whose programs speak it that tourney starts."""


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """What one program may use, with all that it starts; None for no limit."""

    memory_mb: int | None = None
    disk_mb: int | None = None
    """In its own folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """What programs that tourney starts are kept from. Paths are absolute."""

    kind: SandboxKind = SandboxKind.NONE
    """What the machine of the run has; a host on another machine looks for itself."""
    wanted: SandboxKind | None = None
    """What the event asks for; None for the best that a machine has."""
    command: str = ""
    """The command that starts the others, with `SandboxKind.COMMAND`."""
    readable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    """What no program may read: the event file, the results folder, the database, the boards."""
    limits: ProgramLimits = ProgramLimits()
    team_folders: dict[str, str] = field(default_factory=dict)
    """Where programs are started, keyed by team name; others in the folder of the event file."""
    commands: dict[str, str] = field(default_factory=dict)
    """What starts the programs of a team, keyed by team name: their files are not for other teams."""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What a table host needs from the event file; unlike the draw, each run replaces it."""

    folder: str
    """The folder of the event file, absolute: where programs of teams are started."""
    results_folder: str
    """Absolute path."""
    host: str
    ports: PortRange
    port_plan: PortPlan
    trick_pause_ms: int
    wire_log: bool
    """Whether a table keeps every line in a file."""
    connect_s: int
    rules: TableRules
    """All rules except the methods of players."""
    methods: dict[str, PairMethods]
    """Keyed by team name."""
    limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    entrances: dict[str, TeamAccess] = field(default_factory=dict)
    """What a team must present besides its name, keyed by team name; teams that need no more are omitted."""
    passphrases: dict[str, str] = field(default_factory=dict)
    """The passphrases of entrants that have one, by name. They are never stored."""
    lease_s: int = 10
    """A host renews its lease four times within this time, and counts as dead after this much silence."""
    orphan_s: int = 60
    """After this time without a run, a host finishes its current boards and ends."""
    outage_s: int = 60
    """After this time without the database, a host releases its tables and ends."""
    stateful: StatefulSettings = field(default_factory=StatefulSettings)
    durability: Durability = Durability.FULL
    """Whether hosts wait for the disk before they relay a call or card."""
    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    logs_in_record: bool = False
    """Whether hosts hand their logs in to the record, as those do that have a folder of their own."""
    processes: dict[str, Processes] = field(default_factory=dict)
    """How many processes play for the teams of which a process has more than one seat, keyed by team name."""
    scorings: tuple[str, ...] = ()
    """How the stages are scored, as programs are told."""
    relay_key: str | None = None
    """The hash of the key by which tables know a connection that a team's port has made; None without such ports."""

    @property
    def wire_folder(self) -> Path:
        """The folder of the wire logs."""
        return Path(self.results_folder) / "wire"

    def wire_log_path(self, table: TableInfo) -> Path:
        """Return where a table writes its wire log."""
        return self.wire_folder / f"{table.file_name}.jsonl"

    def program_folder(self, table: TableInfo) -> Path:
        """Return the folder with the own folders of the programs at a table."""
        return Path(self.results_folder) / "programs" / table.file_name

    def access_of(self, entrants: Mapping[Seat, str], numbers: Mapping[Seat, int]) -> TableAccess:
        """Return the access rules of a table where programs of these entrants sit, by name and number."""
        entrances = {seat: self.entrances[name] for seat, name in entrants.items() if name in self.entrances}
        return TableAccess(self.limits, entrances, numbers)


_WEAKEST: Final = "weakest_durability"
_NETWORK_MS_MAX: Final = "network_ms_max"
_ORIGIN: Final = "origin"
"""Keys of the stored settings, beside those that hosts read."""


def save_settings(database: Database, event_id: int, settings: HostSettings) -> None:
    """Store what hosts need from the event file, with hashes of the passphrases and never the phrases themselves."""
    with database.write() as connection:
        found = connection.scalar(_settings_of(event_id))
        before = json.loads(found or "{}")
        is_weak = settings.durability is Durability.PROCESS or (
            before.get(_WEAKEST) == Durability.PROCESS
            and connection.scalar(BEGUN.where(Match.event_id == event_id)) is not None
        )
        weakest = Durability.PROCESS if is_weak else Durability.FULL
        network_ms = max(settings.rules.time.network_ms, before.get(_NETWORK_MS_MAX, 0))
        more = {_WEAKEST: weakest.value, _NETWORK_MS_MAX: network_ms}
        text = format_plain(settings, without=("passphrases",), more=more)
        update_row(connection, Event, event_id, settings=text)


def load_durability(database: Database, event_id: int) -> Durability | None:
    """Load what the record of an event survives at its weakest; None before its first run.

    It is the weakest of all runs since the first board began: what any part of the record may have lost.
    """
    found = _load_more(database, event_id).get(_WEAKEST)
    return Durability(found) if found is not None else None


def parse_durability(text: str) -> Durability | None:
    """Read the durability of the newest run from stored settings; None before the first."""
    found = json.loads(text or "{}").get("durability")
    return Durability(found) if found is not None else None


def load_network_ms_max(database: Database, event_id: int) -> int | None:
    """Load the most that a run of an event has allowed for the network a call; None where no run has said so."""
    found: int | None = _load_more(database, event_id).get(_NETWORK_MS_MAX)
    return found


def save_origin(database: Database, event_id: int, origin: Mapping[str, Any]) -> None:
    """Store by what a share of a duel is played, which has no hosts."""
    text = json.dumps(_load_more(database, event_id) | {_ORIGIN: origin})
    update_row(database, Event, event_id, settings=text)


def load_origin(database: Database, event_id: int) -> dict[str, Any] | None:
    """Load what `save_origin` stored; None without it."""
    return _load_more(database, event_id).get(_ORIGIN)


def _load_more(database: Database, event_id: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(load_value(database, _settings_of(event_id)) or "{}")
    return found


def load_settings(database: Database, event_id: int) -> HostSettings:
    """Load what `save_settings` stored.

    Raises:
        StoreError: there is no such event, or its settings cannot be read.
    """
    text = load_value(database, _settings_of(event_id))
    if text is None:
        raise StoreError(f"database {database} has no event {event_id}")
    try:
        return parse_plain(HostSettings, text)
    except ValueError as error:
        raise StoreError(f"database {database}: the settings of event {event_id} cannot be read: {error}") from None


def _settings_of(event_id: int) -> Select[str]:
    return select(Event.settings).where(Event.id == event_id)
