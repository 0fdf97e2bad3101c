"""An action of the director: what it would change, doing it, and what came of it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

from tourney.coordinator.director import RulingBasis
from tourney.director.offer import Offer
from tourney.director.parameters import TEXT_MAX
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.results.load import ResultsChange
from tourney.store.db.database import Database
from tourney.store.draw.objects import MatchInfo
from tourney.store.rulings import DecisionOutcome, decide


@dataclass(frozen=True, slots=True)
class ActionPreview:
    """What an action would change."""

    changes: tuple[str, ...]
    """Sentences, or parts of them as the command line prints outcomes; of a ruling, what becomes of scores."""
    cost: str = ""
    """What has to be confirmed before it is done: what somebody loses by it; empty if nobody does."""
    question: str = ""
    """The question that a `cost` leads to."""
    change: ResultsChange | None = None
    """What it would change of the results, and so of the standings; None if it is no matter of them."""
    words: tuple[str, ...] = ()
    """A ruling itself, a sentence each, which tells nothing of what was played; empty if it is none."""


@dataclass(frozen=True, slots=True)
class ActionBegun:
    """What has been recorded of an action; tables may still have to act on it."""

    lines: tuple[str, ...]
    """What was done, or ordered."""
    orders: tuple[int, ...] = ()
    """The ids of the orders to tables that it led to."""
    is_now_or_never: bool = False
    """Whether the orders only make sense now, and are withdrawn if no host acts on them within `WAIT_S`."""


class DirectorAction(ABC):
    """Something that the director asks for, with all that he says of it but his name and his reason.

    It is a dataclass whose fields are annotated with how they are asked for (`ActionParameter`); `offer` says the
    rest. Its command, and its button and form at the console, are made from these.
    """

    offer: ClassVar[Offer]
    is_now_or_never: ClassVar[bool] = False
    """Whether the orders that it leads to only make sense now, and are withdrawn if no host acts on them within
    `WAIT_S`."""

    @abstractmethod
    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what the action would change at the moment; nothing is recorded.

        Raises:
            UsageError: something that it names is not there.
            RuleError: it is not possible.
            StoreError: the database cannot be used.
        """

    @abstractmethod
    def matches(self, drawn: DrawnEvent) -> tuple[MatchInfo, ...]:
        """Return the matches that the action decides on.

        Raises:
            UsageError: something that it names is not there.
        """

    @abstractmethod
    def subject(self, drawn: DrawnEvent) -> str:
        """Return what it is done to, for the log: `3-open`, `match 7, board 5`."""

    def must_type(self, drawn: DrawnEvent) -> str | None:  # noqa: ARG002 # most need not
        """Return what has to be typed at the console to show that a grave action is meant; None if nothing has."""
        return None

    def fixed(self, drawn: DrawnEvent) -> Self:  # noqa: ARG002 # most leave nothing open
        """Return the action with what was left open, such as the board in play, as it is at the moment.

        Raises:
            UsageError: something that it names is not there.
            RuleError: it is not possible.
        """
        return self

    @classmethod
    def is_offered(cls, drawn: DrawnEvent) -> bool:  # noqa: ARG003 # most always are
        """Return whether there is something for it to be done to, so that its button is shown."""
        return True

    @abstractmethod
    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Check that the action is possible, and record it; called by `begin`, in its transaction.

        Args:
            drawn: the event, with the database that is in the transaction.
            basis: who asks for it, why, by which law, and when.

        Raises:
            UsageError: something that it names is not there.
            RuleError: it is not possible.
            StoreError: the database cannot be used.
        """

    def begin(self, drawn: DrawnEvent, basis: RulingBasis) -> ActionBegun:
        """Record the action, all of it or nothing, and return what there is to wait for.

        With the same `grounds.key` it is recorded once, however often it is asked for.

        Args:
            drawn: the event.
            basis: who asks for it, why, by which law, and when.

        Raises:
            UsageError: something that it names is not there.
            RuleError: it is not possible.
            StoreError: the database cannot be used.
        """

        def record(database: Database) -> DecisionOutcome:
            return self.record(drawn.within(database), basis)

        outcome = decide(drawn.database, drawn.event.id, basis.key, basis.at_ms, record)
        return ActionBegun(outcome.lines, outcome.orders, self.is_now_or_never)

    def carry_out(self, drawn: DrawnEvent, basis: RulingBasis) -> tuple[str, ...]:
        """Do it, and return what came of it, a line for each part.

        Raises:
            UsageError: something that it names is not there.
            RuleError: it is not possible.
            LaunchError: nobody could act on it; it was withdrawn.
            StoreError: the database cannot be used.
        """
        return self.begin(drawn, basis).lines


def one_line(text: str, what: str, limit: int = TEXT_MAX) -> str:
    """Return a director's text on one line, with single blanks.

    Raises:
        UsageError: the text is empty, too long, or has characters that cannot be printed.
    """
    line = " ".join(text.split())
    if not line:
        raise UsageError(f"{what} is empty")
    if len(line) > limit:
        raise UsageError(f"{what} has at most {limit} characters, got {len(line)}")
    if not line.isprintable():
        bad = next(character for character in line if not character.isprintable())
        raise UsageError(f"{what} has a character that cannot be printed: {bad!r}")
    return line
