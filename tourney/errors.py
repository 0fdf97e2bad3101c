"""The errors a user of tourney can meet.

Every message is one sentence that names the thing, the limit and the value got. `tourney.cli` prints the message
and exits with `exit_status`; a traceback is for our own bugs only.

    TourneyError
        ConfigError     the event file, or what it names, cannot be used
        FormatError     a text (PBN deal, alert, table) does not say what its format asks
        RuleError       the rules of the game do not allow it
        ProtocolError   a table or player core was used in a way its contract rules out
        StoreError      the database cannot be read or written
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


class LaunchError(TourneyError):
    """A process, a port or a folder could not be had."""


class UsageError(TourneyError):
    """The words of a command are off."""

    exit_status = 2
