"""An action of the director: what it would change, doing it, and what came of it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

from tourney.coordinator.director import RulingBasis
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.results.load import ResultsChange
from tourney.store.db.database import Database
from tourney.store.decisions import DecisionOutcome, decide
from tourney.store.draw.objects import MatchInfo

AUTHOR_MAX: Final = 100
"""Maximum length of a name in characters: the width of the database column."""

TEXT_MAX: Final = 500
"""Maximum length of a reason in characters: it is shown to players and printed in lists."""


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
    """Something that the director asks for, with all that he says of it but his name and his reason."""

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
