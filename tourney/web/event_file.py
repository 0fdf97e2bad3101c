"""The event file of an event that is being served: it is read again when it was changed."""

import logging
from pathlib import Path
from typing import Final

from tourney.errors import ConfigError
from tourney.event.drawn import DrawnEvent

log: Final = logging.getLogger(__name__)


class ServedEventFile:
    """Reads an event file again when it was changed since the last look; it belongs to one thread.

    Args:
        path: where the file is; it has been read just now.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed_at = self._look()

    def read_if_changed(self, drawn: DrawnEvent) -> DrawnEvent | None:
        """Return the event with its file as it is now; None if that was not changed, or cannot be read."""
        changed_at = self._look()
        if changed_at == self._changed_at:
            return None
        self._changed_at = changed_at
        try:
            return drawn.read_again()
        except ConfigError as error:
            log.warning("event file as before: %s", error, extra={"action": "file_refused"})
            return None

    def _look(self) -> float:
        try:
            return self._path.stat().st_mtime
        except OSError:
            return 0.0
