"""The errors a user of tourney can meet.

Every message is one sentence that names the thing, the limit and the value got. `tourney.cli` prints the message
and exits with `exit_status`; a traceback is for our own bugs only.

    TourneyError
        ConfigError     the event file, or what it names, cannot be used
        FormatError     a text (PBN deal, alert, table) does not say what its format asks
        RuleError       the rules of the game do not allow it
        ProtocolError   a table or player core was used in a way its contract rules out
        StoreError      the database cannot be read or written
            StoreUnavailable    it may pass: locked, connection lost, server starting, disk full
            LeaseLost           tables have been given to another host
        LaunchError     a process, a port or a folder could not be had
"""

from typing import ClassVar


class TourneyError(Exception):
    """Something a user can mend: one sentence, no traceback."""

    exit_status: ClassVar[int] = 1
    """What the command exits with: 1 refused, 2 usage."""


class ConfigError(TourneyError):
    """The event file, or a file it names, cannot be used."""


class FormatError(TourneyError):
    """A text does not say what its format asks."""


class RuleError(TourneyError):
    """The rules of the game do not allow it."""


class ProtocolError(TourneyError):
    """A protocol core was used in a way its contract rules out."""


class StoreError(TourneyError):
    """The database cannot be read or written."""


class StoreUnavailable(StoreError):  # noqa: N818 # a state that passes, not a mistake
    """The database cannot be used at the moment; the same may work a moment later.

    Nothing of the transaction is kept, with one exception: when a connection is lost while a transaction is being
    made durable, it may have been. So try again only what finds out whether it is done already.
    """


class LeaseLost(StoreError):  # noqa: N818 # what has happened, no mistake
    """Tables have been given to another host, or their host was declared dead: who held them writes no more."""

    def __init__(self, message: str, table_ids: frozenset[int]) -> None:
        """Name the tables, by id; none when it is the host itself that has ended."""
        super().__init__(message)
        self.table_ids = table_ids


class LaunchError(TourneyError):
    """A process, a port or a folder could not be had."""


class UsageError(TourneyError):
    """The words of a command are off."""

    exit_status = 2
