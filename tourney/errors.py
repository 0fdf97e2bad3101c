"""The errors a user of tourney can meet.

Every message is one sentence that names the thing, the limit and the value got. `tourney.cli` prints the message
and exits with `exit_status`; a traceback is for our own bugs only.

    TourneyError
        ConfigError     the event file, or what it names, cannot be used
        FormatError     a text (PBN deal, alert, VP table) does not follow its format
        RuleError       the rules of the game do not allow it
        ProtocolError   a table or player core was used in a way its contract rules out
        StoreError      the database cannot be read or written
            StoreUnavailable    for the moment: connection lost, server starting, disk full
                StoreLocked         another process has had the lock of an SQLite file for too long
            LeaseLost           tables have been given to another host
            RunLeaseLost        another run has taken the event over
        LaunchError     a process cannot be started, or a port or a folder cannot be used
            ResourcesShort      for the moment: too many open files or processes, no memory, disk full
        PlayerError     a player class of an author cannot be made, failed, or answered with what is no call or card
        ServiceError    a service that plays over HTTP cannot be reached, refused a question, or did not answer it
        UsageError      a command was given arguments that it does not take
"""

import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar


class TourneyError(Exception):
    """A problem that a user can solve, reported in one sentence without a traceback."""

    exit_status: ClassVar[int] = 1
    """The exit status of the command: 1 refused, 2 usage."""

    def __init__(self, message: str = "", *, option: str = "", remedy: str = "") -> None:
        """Create the error.

        Args:
            message: the sentence, in words that are true wherever it is read.
            option: the option of the command line that was given; at the console it is a field.
            remedy: what can be done about it on the command line.
        """
        self.message = message
        """The sentence without the words of the command line, for the console."""
        self.remedy = remedy
        before, after = f"{option}: " if option else "", f"; {remedy}" if remedy else ""
        super().__init__(f"{before}{message}{after}")

    @classmethod
    @contextmanager
    def of_system(cls, what: str) -> Iterator[None]:
        """Raise this error where the system refuses something within the block: what, and the system's reason."""
        try:
            yield
        except OSError as error:
            raise cls(f"{what}: {error.strerror}") from None


class ConfigError(TourneyError):
    """The event file, or a file it names, cannot be used: trying again does not mend it."""

    exit_status = 2


class FormatError(TourneyError):
    """A text does not follow its format."""


class RuleError(TourneyError):
    """The rules of the game do not allow it."""


class ProtocolError(TourneyError):
    """A protocol core was used in a way its contract rules out."""


class StoreError(TourneyError):
    """The database cannot be read or written."""


class StoreUnavailable(StoreError):  # noqa: N818 # a passing state, not an error
    """The database cannot be used at the moment; the same may work a moment later.

    The transaction is rolled back, with one exception: when the connection is lost during a commit, the commit may
    have succeeded. So retry only work that finds out whether it has been done already.
    """


class StoreLocked(StoreUnavailable):
    """Another process has had the lock of an SQLite file for too long; nothing was written."""


class LeaseLost(StoreError):  # noqa: N818 # an occurrence, not an error
    """Tables have been given to another host, or their host was declared dead: the old holder must stop writing."""

    def __init__(self, message: str, attempts: Mapping[int, int]) -> None:
        """Create the error.

        Args:
            message: the sentence.
            attempts: the attempts that have ended, by table id: the same host may have taken a table up again since.
                None are named when the host itself was declared dead.
        """
        super().__init__(message)
        self.attempts = attempts

    @property
    def is_of_host(self) -> bool:
        """Whether the host was declared dead, so that it has no table any more."""
        return not self.attempts

    def ends(self, table_id: int, attempt: int) -> bool:
        """Return whether an attempt at a table has ended."""
        return self.is_of_host or self.attempts.get(table_id) == attempt


class RunLeaseLost(StoreError):  # noqa: N818 # an occurrence, not an error
    """Another run has taken the event over: this one must write nothing any more."""


class LaunchError(TourneyError):
    """A process cannot be started, or a port or a folder cannot be used."""


class ResourcesShort(LaunchError):  # noqa: N818 # a passing state, not an error
    """This machine lacks something at the moment, which is nobody's fault who plays; it may work a moment later."""


class PlayerError(TourneyError):
    """A player class cannot be made, failed, or answered with what is no call or card."""

    @property
    def traceback(self) -> str:
        """The traceback of what the author's class raised; empty if it raised nothing."""
        return "".join(traceback.format_exception(self.__cause__)) if self.__cause__ is not None else ""


class ServiceError(TourneyError):
    """A service that plays over HTTP cannot be reached, refused a question, or did not answer it."""


class UsageError(TourneyError):
    """A command was given arguments that it does not take."""

    exit_status = 2
