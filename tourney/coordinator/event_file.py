"""An event file on disk: read, checked, its paths made absolute."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tourney.config import EventConfig, parse_event_file
from tourney.errors import ConfigError
from tourney.scoring.victory_points import VpScale
from tourney.store.database import file_url, resolve_url
from tourney.store.objects import HostSettings

DATABASE_VARIABLE: Final = "TOURNEY_DATABASE"
"""Overrides the database of the event file."""

EVENT_FILE_BYTES_MAX: Final = 1_000_000
"""A file of 256 teams has about 50,000; a video named by mistake has more."""

NAMED_FILE_BYTES_MAX: Final = 100_000_000
"""A PBN file of 200,000 boards with their play."""


@dataclass(frozen=True, slots=True)
class EventFile:
    """A checked event file. Paths in it are relative to its own folder."""

    path: Path
    config: EventConfig

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def results(self) -> Path:
        """The folder of everything that a run writes, absolute."""
        return self.folder / self.config.event.results_folder

    @property
    def database_url(self) -> str:
        """The environment's, else the file's, else `event.db` in the results folder."""
        given = os.environ.get(DATABASE_VARIABLE)
        if given:
            return resolve_url(given, Path.cwd())
        if self.config.event.database is not None:
            return resolve_url(self.config.event.database, self.folder)
        return file_url(self.results / "event.db")

    @property
    def scale(self) -> VpScale:
        """Victory points of the event's matches."""
        return self.config.scale(self.config.stage[0])

    @property
    def host_settings(self) -> HostSettings:
        """What table hosts need."""
        tables = self.config.tables
        return HostSettings(
            folder=str(self.folder),
            results_folder=str(self.results),
            host=tables.host,
            ports=tables.ports,
            port_plan=tables.port_plan,
            trick_pause_ms=tables.trick_pause_ms,
            wire_log=tables.wire_log,
            connect_s=tables.connect_s,
            rules=self.config.table_rules,
            methods={team.name: team.methods.pair_methods for team in self.config.team},
        )

    def read_named_file(self, name: str, what: str) -> bytes:
        """The content of a file that the event file names.

        Raises:
            ConfigError: it cannot be read.
        """
        return _read(self.folder / name, what, NAMED_FILE_BYTES_MAX)


def load_event_file(path: Path) -> EventFile:
    """Read and check an event file.

    Raises:
        ConfigError: it cannot be read, or all that is wrong with it, a line each.
    """
    data = _read(path, "event file", EVENT_FILE_BYTES_MAX)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"event file {path} is not UTF-8 text: line {line} has byte {data[error.start]:#04x}; save it as UTF-8"
        ) from None
    return EventFile(path.resolve(), parse_event_file(text, path.name))


def _read(path: Path, what: str, bytes_max: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(bytes_max + 1)
    except OSError as error:
        raise ConfigError(f"{what} {path} cannot be read: {error.strerror}") from None
    if len(data) > bytes_max:
        raise ConfigError(f"{what} {path} has more than {bytes_max} bytes, the most that are read")
    return data
