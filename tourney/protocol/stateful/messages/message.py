"""What all messages have: a name, arguments, and how they are written (SS-01)."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

from tourney.errors import FormatError


class StatefulMessage(ABC):
    """One message. `NAME` is its name, `FORM` how it is written, for refusals."""

    __slots__ = ()
    NAME: ClassVar[str]
    FORM: ClassVar[str]

    @abstractmethod
    def arguments(self) -> tuple[str, ...]:
        """Format the arguments; those that are left out come last."""

    @classmethod
    @abstractmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        """Parse the arguments.

        Raises:
            FormatError: they are not those of this message.
        """

    @classmethod
    def check(cls, arguments: Sequence[str], least: int, most: int | None = None) -> None:
        """Check the number of arguments.

        Raises:
            FormatError: there are too few, or too many.
        """
        if not least <= len(arguments) <= (least if most is None else most):
            found = f"{len(arguments)} argument{'' if len(arguments) == 1 else 's'}"
            raise FormatError(f"the message is {cls.FORM}, got {found}")


def format_message(message: StatefulMessage) -> str:
    """Format a message, without a line end."""
    return " ".join((message.NAME, *message.arguments()))
