"""An action of the director: how it is offered, what it would change, doing it, and what came of it."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any, ClassVar, Final, Self, dataclass_transform

from tourney.contest.draw import MatchInfo
from tourney.coordinator.director import RulingBasis
from tourney.coordinator.run_lease import load_activity
from tourney.director.parameters import TEXT_MAX
from tourney.errors import LaunchError, UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import TableInfo
from tourney.results.load import ResultsChange
from tourney.runtime import clock
from tourney.store.control.orders import load_ordered_tables, load_outcomes, mark_acted, settle_replays
from tourney.store.db.database import Database
from tourney.store.rulings import DecisionOutcome, decide

WAIT_S: Final = 3.0
"""How long to wait for hosts to act; they look for orders at least once a second."""

POLL_S: Final = 0.1


class Right(enum.Enum):
    """A thing that not every user of the console may do. To look at the console itself takes none."""

    HOLD = "pause and resume tables"
    ANSWER = "answer alerts"
    CONDUCT = "give orders and rulings"
    SEE_HANDS = "see hands, calls and cards"
    SEE_LOG = "read what others did at the console"
    ADMINISTER = "manage users, make results final or provisional"


class Level(enum.Enum):
    """What an action is offered beside; its form finds that filled in."""

    EVENT = "event"
    MATCH = "match"
    """The input `match` is filled in."""
    TABLE = "table"
    """The input `table` is filled in, with a place such as `3-open`."""
    USER = "user"
    """The input `user` is filled in."""
    USERS = "users"
    """The list of users."""


class Reason(enum.Enum):
    """Whether an action takes a reason, and who will read it."""

    NONE = "none"
    CONSOLE = "console"
    """For the log of the console; commands ask for none."""
    RECORD = "record"
    """It is kept on record with the action."""
    PUBLIC = "public"
    """It is on the public pages too, with the ruling."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The words and the rules by which an action is offered.

    What it does is said in the docstring of the action: the first sentence in the list of commands, the first
    paragraph in its form, all of it in the help of its command.
    """

    name: str
    """Its name at the console and in its log."""
    command: str
    """The words of its command."""
    title: str
    """What its button says."""
    right: Right = Right.CONDUCT
    level: Level = Level.TABLE
    reason: Reason = Reason.PUBLIC
    has_law: bool = False
    """Whether the law that is applied may be given with it."""
    asks_first: bool = False
    """Whether its command says what it costs, and asks whether it is meant: of a ruling, a round drawn again."""
    instead: str = ""
    """What its command adds to what it costs."""
    undo: str = ""
    """The action that undoes it: the console then carries it out at one press, without a preview or a reason."""
    tells_results: bool = False
    """Whether its preview and its outcome tell what boards were worth: users who belong to a team see neither."""


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


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class DirectorAction(ABC):
    """Something that the director asks for, with all that he says of it but his name and his reason.

    Every class derived from it is a frozen dataclass, whose fields are annotated with how they are asked for
    (`ActionParameter`); `offer` says the rest. Its command, and its button and form at the console, are made from
    these.
    """

    def __init_subclass__(cls) -> None:
        """Make a dataclass of the class."""
        super().__init_subclass__()
        dataclass(frozen=True)(cls)

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

    def tables(self, drawn: DrawnEvent) -> Sequence[TableInfo]:
        """Return the tables that the action is for: those of the place or match that it names, or none.

        Raises:
            UsageError: something that it names is not there.
            RuleError: there is none for which it is possible.
        """
        named = self._named
        if "match" in named:
            return drawn.match(named["match"]).tables
        return drawn.tables_at(named["place"]) if "place" in named else ()

    def matches(self, drawn: DrawnEvent) -> tuple[MatchInfo, ...]:
        """Return the matches that the action decides on: those of its tables.

        Raises:
            UsageError: something that it names is not there.
        """
        return tuple(drawn.match(number) for number in sorted({table.match for table in self.tables(drawn)}))

    def subject(self, drawn: DrawnEvent) -> str:  # noqa: ARG002 # events have names
        """Return what it is done to, for the log: `3-open`, `match 7, board 5`."""
        named = self._named
        if named.get("place", "").isdigit():
            named = {"match": named.pop("place"), **named}
        words = ("match", "round", "board")
        return ", ".join(f"{name} {value}" if name in words else value for name, value in named.items())

    @property
    def _named(self) -> dict[str, Any]:
        """What it names of the event, as far as it does."""
        named = {name: getattr(self, name, None) for name in ("place", "match", "round", "board", "team")}
        return {name: value for name, value in named.items() if value is not None}

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

    def begin(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Record the action, all of it or nothing; tables may still have to act on its orders.

        With the same `basis.key` it is recorded once, however often it is asked for.

        Raises:
            UsageError: something that it names is not there.
            RuleError: it is not possible.
            StoreError: the database cannot be used.
        """

        def record(database: Database) -> DecisionOutcome:
            return self.record(drawn.within(database), basis)

        return decide(*drawn.record, basis.key, basis.at_ms, record)

    def carry_out(self, drawn: DrawnEvent, basis: RulingBasis) -> tuple[str, ...]:
        """Do it, and return what came of it, a line for each part: of orders, at each table.

        Raises:
            UsageError: something that it names is not there.
            RuleError: it is not possible.
            LaunchError: nobody could act on it; it was withdrawn.
            StoreError: the database cannot be used.
        """
        done = self.begin(drawn, basis)
        return tuple(f"{place}: {outcome}" for place, outcome in self.wait(drawn, done.orders)) or done.lines

    def wait(self, drawn: DrawnEvent, order_ids: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Wait for what comes of orders, for at most `WAIT_S`; yield the place of each, and its outcome so far.

        Raises:
            LaunchError: nobody could act on one; it was withdrawn.
        """
        outcomes = _wait_for_outcomes(drawn, order_ids)
        why = "no run is in progress"
        if len(outcomes) != len(order_ids) and load_activity(drawn.file, *drawn.record, clock.wall_ms()).is_played:
            why = f"its host has not answered within {WAIT_S:g} s"
        places = {table.id: table.place for table in drawn.event.tables}
        for order_id, table_id in load_ordered_tables(drawn.database, order_ids):
            place = places[table_id]
            if order_id not in outcomes and self.is_now_or_never:
                if mark_acted(drawn.database, order_id, f"withdrawn: {why}", clock.wall_ms()):
                    raise LaunchError(f"{place}: not done and withdrawn, {why}")
                outcomes |= load_outcomes(drawn.database, [order_id])
            yield place, outcomes.get(order_id, f"not acted on yet: {why}")


def _wait_for_outcomes(drawn: DrawnEvent, order_ids: Sequence[int]) -> dict[int, str]:
    """Wait until orders have been acted on, for at most `WAIT_S`; return the outcomes by the id of the order.

    A replay is carried out here if its table ends before its host has done it.
    """
    until = monotonic() + WAIT_S
    while True:
        settle_replays(*drawn.record, clock.wall_ms())
        outcomes = load_outcomes(drawn.database, order_ids)
        if len(outcomes) == len(order_ids) or monotonic() >= until:
            return outcomes
        sleep(POLL_S)


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
