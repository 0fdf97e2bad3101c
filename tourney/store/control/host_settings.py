"""What table hosts need from the event file: the settings of a run, stored for its hosts."""

from dataclasses import dataclass, field

from sqlalchemy import select, update

from tourney.bridge import Side
from tourney.config import PortPlan, PortRange
from tourney.errors import StoreError
from tourney.protocol.access import ConnectionLimits, TableAccess, TeamAccess
from tourney.protocol.session.alert_pauses import PairMethods
from tourney.protocol.session.rules import TableRules
from tourney.store.db.database import Database
from tourney.store.db.plain_json import format_plain, parse_plain
from tourney.store.models import Event


@dataclass(frozen=True, slots=True)
class StatefulSettings:
    """What hosts need to know about the stateful-server protocol."""

    tournament: str = "event"
    """The id of the event, as clients are told."""
    port: int | None = None
    """The event's port for clients; None if it has none."""
    teams: tuple[str, ...] = ()
    """The teams whose programs speak it that tourney starts."""


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
    connect_s: int
    rules: TableRules
    """All rules except the methods of pairs."""
    methods: dict[str, PairMethods]
    """Keyed by team name."""
    doors: ConnectionLimits = field(default_factory=ConnectionLimits)
    entrances: dict[str, TeamAccess] = field(default_factory=dict)
    """What a team must present besides its name, keyed by team name; teams that need no more are omitted."""
    logins: dict[str, str] = field(default_factory=dict)
    """Log-ons of teams with a pass phrase, keyed by team name. Never stored, as they contain the phrase."""
    lease_s: int = 10
    """A host renews its lease four times within this time, and counts as dead after this much silence."""
    orphan_s: int = 60
    """After this time without a run, a host finishes its current boards and ends."""
    outage_s: int = 60
    """After this time without the database, a host releases its tables and ends."""
    stateful: StatefulSettings = field(default_factory=StatefulSettings)

    def access_of(self, teams: dict[Side, str]) -> TableAccess:
        """Return the access rules of a table where these teams sit."""
        entrances = {side: self.entrances[name] for side, name in teams.items() if name in self.entrances}
        return TableAccess(self.doors, entrances)


def save_settings(database: Database, event_id: int, settings: HostSettings) -> None:
    """Store what hosts need from the event file, with hashes of the pass phrases and never the phrases themselves."""
    text = format_plain(settings, without=("logins",))
    with database.write() as connection:
        connection.execute(update(Event).where(Event.id == event_id).values(settings=text))


def load_settings(database: Database, event_id: int) -> HostSettings:
    """Load what `save_settings` stored.

    Raises:
        StoreError: there is no such event, or its settings cannot be read.
    """
    with database.read() as connection:
        text = connection.scalar(select(Event.settings).where(Event.id == event_id))
    if text is None:
        raise StoreError(f"database {database} has no event {event_id}")
    try:
        return parse_plain(HostSettings, text)
    except ValueError as error:
        raise StoreError(f"database {database}: the settings of event {event_id} cannot be read: {error}") from None
