"""What a machine of a cluster is told to start a team's program, and what it tells of it.

Plain data, for the run that gives the order and for the worker or agent that carries it out, which may be on Windows.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from tourney.config.command import CommandValues


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOrder:
    """One start of the program of one seat at one table."""

    scope: str
    """Tells the event from all others of the cluster."""
    place: str
    """The table, the attempt at it, and the seat: `17-2-N`."""
    number: int
    """Counts the starts at this place, from 1. Only the newest may run."""
    name: str
    """What messages call it: `Alpha's program for North`."""
    label: str
    command: str
    """The event file's, with its placeholders: `{folder}` and `~` are those of the machine that starts it."""
    values: CommandValues
    """What is filled in; the folder is found there."""
    table: str
    """The name of the table's files."""
    started_in: str | None = None
    """The folder in which it is started; by default that of the worker or agent."""
    orphan_s: int = 60
    """After this time without a run it is ended."""

    @property
    def key(self) -> str:
        """The name of this start, unique in the cluster."""
        return format_key(self.scope, self.place, self.number)


class ProgramEvent(StrEnum):
    """What has happened to a program."""

    STARTED = "started"
    PRINTED = "printed"
    ENDED = "ended"
    LOST = "lost"
    """Its machine has gone, and whether it runs there is unknown."""


@dataclass(frozen=True, slots=True)
class ProgramNews:
    """What has happened to a start of a program, as its machine tells."""

    key: str
    event: ProgramEvent
    text: str
    """The name of the machine where it was started; what it has printed; how it ended."""

    def format(self) -> dict[str, str]:
        """Return it as a message that any version of a cluster's programs can pack."""
        return {"key": self.key, "event": self.event.value, "text": self.text}

    @staticmethod
    def parse(message: Mapping[str, Any]) -> "ProgramNews | None":
        """Read what `format` wrote; None if it is something else."""
        try:
            return ProgramNews(str(message["key"]), ProgramEvent(message["event"]), str(message["text"]))
        except (KeyError, TypeError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class FoundProgram:
    """The newest start at a place that an earlier run has ordered."""

    number: int
    is_alive: bool


def format_key(scope: str, place: str, number: int) -> str:
    """Return the name of a start, unique in the cluster."""
    return f"program-{scope}-{place}-{number}"


def news_topic(scope: str) -> str:
    """Return the topic under which machines tell of the programs of an event."""
    return f"tourney-programs-{scope}"


class LabelLauncher(Protocol):
    """Starts programs on machines with a label. Nothing here waits."""

    scope: str
    """Tells the event from all others of the cluster."""

    @property
    def labels(self) -> Collection[str]:
        """The labels that there are now."""

    @property
    def found(self) -> Mapping[str, FoundProgram] | None:
        """The newest start at each place that earlier runs have ordered, by place; None before that is known."""

    @property
    def is_quiet(self) -> bool:
        """Whether everything that was ordered has been done, and no program is left."""

    def start(self, order: ProgramOrder) -> None: ...

    def adopt(self, key: str) -> None:
        """Look after a start that an earlier run has ordered."""

    def end(self, key: str) -> None: ...

    def take_news(self) -> list[ProgramNews]: ...
