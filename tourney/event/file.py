"""An event file on disk: read and checked, with absolute paths."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tourney.config import Durability, EventConfig, SandboxKind, TeamConfig, parse_event_file, slug
from tourney.config.command import LOGIN_VARIABLE
from tourney.config.toml import EventNames
from tourney.errors import ConfigError, StoreError
from tourney.event.place import EventLocation, find_path, read_bytes, read_event_text
from tourney.movement.ranking import RankingRules
from tourney.protocol.access import TeamAccess, hash_phrase
from tourney.protocol.stateful.values import ID_CHARS_MAX
from tourney.protocol.wires import Language
from tourney.runtime.address import TableAddress, find_address, is_loopback, is_wildcard
from tourney.scoring.victory_points import VpScale
from tourney.store.control.host_settings import HostSettings, ProgramLimits, SandboxSettings, StatefulSettings
from tourney.store.db.database import database_files

PAGES: Final = "pages"
SEATS: Final = "seats"
"""What a server says of itself where it is: it has the live pages, or the seats for people."""

_SALT_DIGITS: Final = 32

_NAMES_SHOWN: Final = 8
"""The maximum number of team names listed in one line."""

NAMED_FILE_BYTES_MAX: Final = 100_000_000
"""Enough for a PBN file of 200,000 boards with their play."""


@dataclass(frozen=True, slots=True)
class EventFile:
    """A checked event file. Paths in it are relative to its own folder."""

    path: Path
    config: EventConfig

    @property
    def place(self) -> EventLocation:
        """Where the record of the event is."""
        event = self.config.event
        return EventLocation(
            self.path,
            EventNames(
                event.name, event.results, event.database, bool(self.config.vp_table), timezone=event.timezone
            ),
        )

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def results(self) -> Path:
        """The folder of everything that a run writes, absolute."""
        return self.place.results

    @property
    def database_url(self) -> str:
        """The database from the environment, else from the file, else `event.db` in the results folder."""
        return self.place.database_url

    @property
    def durability(self) -> Durability:
        """What the record survives from now on; a PostgreSQL server waits for its disk whatever the file says."""
        with suppress(StoreError):  # which is said when the database is opened
            if not database_files(self.database_url):
                return Durability.FULL
        return self.config.record.durability

    def weakest_durability(self, on_record: Durability | None) -> Durability:
        """Return what the record survives at its weakest: as the file has it, or as runs so far have recorded."""
        return max(self.durability, on_record or self.durability)

    @property
    def scales(self) -> dict[int, VpScale | None]:
        """Victory point scales of the event's matches by stage."""
        return {number: self.config.scale(stage) for number, stage in enumerate(self.config.stage, 1)}

    @property
    def ranking_rules(self) -> dict[int, RankingRules]:
        """How teams are ranked in each stage."""
        return self.config.ranking_rules(self.scales)

    @property
    def passphrases(self) -> dict[str, str]:
        """The passphrases of the entrants that have one, by name."""
        return {team.name: team.pass_phrase for team in self.config.team if team.pass_phrase}

    def team(self, name: str) -> TeamConfig:
        """Return what the file says of a team; `name` is that of one of its teams."""
        return next(team for team in self.config.team if team.name == name)

    @property
    def open_teams(self) -> list[str]:
        """The teams whose seats anybody may take who can connect, by the name alone."""
        return [team.name for team in self.config.team if not team.pass_phrase and not team.allow]

    @property
    def access_notice(self) -> str | None:
        """A sentence on who may connect, if tables can be reached from other machines; None if they cannot."""
        host, bare = self.config.tables.host, self.open_teams
        if is_loopback(host):
            return None
        if not bare:
            return f"tables listen on {host}: each team has a passphrase or a list of addresses"
        return (
            f"tables listen on {host}: from there anybody may take a seat of {_list_names(bare)}, by the name alone"
        )

    @property
    def durability_notice(self) -> str | None:
        """A sentence on a durability that only an SQLite file can have; None if the database can have it."""
        if self.durability is self.config.record.durability:
            return None
        return f"{self.config.record.durability.value!r} is for an SQLite file: PostgreSQL commits in full, always"

    @property
    def login_notice(self) -> str | None:
        """A sentence on the teams whose passphrase is on the command line of programs; None without any."""
        shown = [team.name for team in self.config.team if team.pass_phrase and team.shows_login]
        if not shown:
            return None
        return (
            f"{{login}} puts the passphrase of {_list_names(shown)} on a command line, which every user and program "
            f"of this machine can read: let the program read ${LOGIN_VARIABLE}"
        )

    @property
    def address(self) -> TableAddress:
        """Where programs connect to the tables."""
        return find_address(self.config.tables.host, self.config.tables.public_host)

    @property
    def pages_address(self) -> str:
        """Where people find the live pages, as the file says, with a slash at its end."""
        web = self.config.web
        if web.behind_tls:
            return f"https://{web.hosts[0] if web.hosts else web.host}/"
        host = "127.0.0.1" if is_wildcard(web.host) else web.host
        return f"http://{f'[{host}]' if ':' in host else host}:{web.port}/"

    @contextmanager
    def announcing(self, address: str, *kinds: str) -> Iterator[None]:
        """Keep on file where a server is, for as long as it serves pages of these kinds (`PAGES`, `SEATS`)."""
        files = [self.results / f"{kind}.address" for kind in kinds]
        with suppress(OSError):
            for file in files:
                file.write_text(address, encoding="ascii")
        try:
            yield
        finally:
            for file in files:
                with suppress(OSError, ValueError):
                    if file.read_text(encoding="ascii") == address:  # another server may have come
                        file.unlink()

    def served_address(self, kind: str) -> tuple[str, bool]:
        """Return where people find pages of a kind, with a slash at its end, and whether a server is there."""
        with suppress(OSError, ValueError):
            served = (self.results / f"{kind}.address").read_text(encoding="ascii")
            return self.pages_address if self.config.web.behind_tls else served, True
        return self.pages_address, False

    @property
    def address_notice(self) -> str | None:
        """A sentence on where programs from elsewhere connect, if the file does not say so and some are awaited."""
        awaited = any(team.command is None for team in self.config.team)
        is_needed = awaited and is_wildcard(self.config.tables.host)
        return (self.address.notice or None) if is_needed else None

    @property
    def host_settings(self) -> HostSettings:
        """The settings of table hosts; equal files give equal settings, so that a change is noticed."""
        tables, teams, event = self.config.tables, self.config.team, self.config.event.name
        return tables.settings(
            HostSettings,
            folder=str(self.folder),
            results_folder=str(self.results),
            durability=self.durability,
            rules=self.config.table_rules,
            methods={team.name: team.pair_methods for team in teams},
            limits=self.config.limits.of_connections,
            sandbox=self._sandbox_settings,
            processes=self.config.shared_processes,
            scorings=tuple(stage.scoring_of_programs for stage in self.config.stage),
            entrances={team.name: _entrance(event, team) for team in teams if team.pass_phrase or team.allow},
            stateful=StatefulSettings(
                tournament=tournament_id(event) if self.config.lobby is None else None,
                seats_players=self.config.lobby is not None,
                port=self.config.stateful.port if self.config.stateful is not None else None,
                teams=tuple(team.name for team in teams if team.protocol is Language.STATEFUL and team.command),
            ),
        )

    @property
    def wanted_sandbox(self) -> SandboxKind | None:
        """The sandbox of programs that the file asks for; None for the best that a machine has.

        Programs of a duel are the organiser's own, and have none unless the event file says so.
        """
        kind = self.config.sandbox.kind or self.config.stage[0].format.usual_sandbox
        return SandboxKind(kind) if kind is not None else None

    @property
    def _sandbox_settings(self) -> SandboxSettings:
        """What programs are kept from; without a kind of its own for `SandboxKind.NONE`."""
        sandbox, teams = self.config.sandbox, [team for team in self.config.team if team.is_started_here]
        hidden = [self.path, self.results]
        if self.config.deals.pbn is not None:
            hidden.append(find_path(self.folder, self.config.deals.pbn))
        with suppress(StoreError):  # which is said when the database is opened
            hidden += database_files(self.database_url)
        return SandboxSettings(
            kind=sandbox.kind or SandboxKind.NONE,
            wanted=self.wanted_sandbox,
            command=sandbox.command or "",
            readable=tuple(str(find_path(self.folder, name)) for name in sandbox.readable or ()),
            hidden=tuple(map(str, hidden)),
            limits=sandbox.settings(ProgramLimits),
            team_folders={
                team.name: str(find_path(self.folder, team.folder)) for team in teams if team.folder is not None
            },
            commands={team.name: team.command for team in teams if team.command is not None},
        )

    def read_named_file(self, name: str, what: str) -> bytes:
        """Read a file that the event file names.

        Raises:
            ConfigError: it cannot be read.
        """
        return read_bytes(find_path(self.folder, name), what, NAMED_FILE_BYTES_MAX)


def _list_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more


def _entrance(event: str, team: TeamConfig) -> TeamAccess:
    # A salt has to differ between teams and events, but need be neither secret nor random.
    salt = hashlib.sha256(f"{event}\n{team.name}".encode()).hexdigest()[:_SALT_DIGITS]
    phrase = hash_phrase(team.pass_phrase, salt) if team.pass_phrase else None
    return TeamAccess(phrase, tuple(team.allow or ()))


def tournament_id(event: str) -> str:
    """Return the id of an event in the stateful-server protocol: small letters and digits of its name (SS-06)."""
    return slug(event).replace("-", "")[:ID_CHARS_MAX]


def load_event_to_play(path: Path) -> EventFile:
    """Read and check the file of an event that has teams and stages, which a lobby has not.

    Raises:
        ConfigError: as for `load_event_file`, or it is the file of a lobby.
    """
    event_file = load_event_file(path)
    if event_file.config.lobby is not None:
        raise ConfigError(
            f"{path} is the file of a lobby, whose players make their games themselves: `tourney lobby "
            f"{path.parent}` opens it, and reports such as `tourney standings {path}` read it"
        )
    return event_file


def load_event_file(path: Path) -> EventFile:
    """Read and check an event file.

    Raises:
        ConfigError: it cannot be read or is invalid; the message has every mistake, one per line.
    """
    path = path.resolve()

    def read(name: str) -> str:
        try:
            return read_bytes(find_path(path.parent, name), "movement", NAMED_FILE_BYTES_MAX).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ConfigError(f"{name}: a movement is text in UTF-8, byte {error.start + 1} is not") from error

    return EventFile(path, parse_event_file(read_event_text(path), path.name, read))
