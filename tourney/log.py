"""Logging of runs and table hosts: one line per event, each with an `action` and the place where it happened.

Modules log to a logger of their own name, with fields such as `extra={"action": "table_opened", "match": 3}`. A log
file has one JSON object per line, with these fields beside the time, the level and the message. People, on a terminal
or in the captured output of a host, see only the messages.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tourney.errors import LaunchError

LEVELS: Final = ("debug", "info", "warning", "error")

DEFAULT_LEVEL: Final = "info"

_STANDARD_FIELDS: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
"""The attributes of every log record; all others were given as `extra`."""


class JsonFormatter(logging.Formatter):
    """Formats a record as one JSON object on one line.

    The keys are `at` (ISO 8601 in UTC, with milliseconds), `level`, `logger`, the fields of the record, `message`,
    and `traceback` if there was an exception.
    """

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        line |= {key: value for key, value in vars(record).items() if key not in _STANDARD_FIELDS}
        line["message"] = record.getMessage()
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure_logging(*, level: str = DEFAULT_LEVEL, file: Path | None = None, to_stderr: bool) -> None:
    """Configure where this process logs. Called once by each process that logs.

    Args:
        level: one of `LEVELS`; messages below it are not written to the file.
        file: where JSON lines are appended; its folder is created if necessary.
        to_stderr: whether warnings and errors are also written to stderr, as plain messages.

    Raises:
        LaunchError: the file cannot be written.
    """
    handlers: list[logging.Handler] = []
    if file is not None:
        with LaunchError.of_system(f"log file {file} cannot be written"):
            file.parent.mkdir(parents=True, exist_ok=True)
            in_file = logging.FileHandler(file, encoding="utf-8")
        in_file.setFormatter(JsonFormatter())
        in_file.setLevel(level.upper())
        handlers.append(in_file)
    if to_stderr:
        sentences = logging.StreamHandler(sys.stderr)
        sentences.setLevel(logging.WARNING)
        handlers.append(sentences)
    logger = logging.getLogger("tourney")
    for old in list(logger.handlers):
        logger.removeHandler(old)
        old.close()
    # Without any handler, logging would write warnings to stderr.
    for handler in handlers or [logging.NullHandler()]:
        logger.addHandler(handler)
    logger.setLevel(level.upper() if file is not None else logging.WARNING)
