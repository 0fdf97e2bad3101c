"""Thinking time that a director gives beyond the limits of the event file: for a board, a match or a round."""

import re
from collections.abc import Sequence
from typing import Annotated, ClassVar, Final

from tourney.bridge import Seat, Side
from tourney.config.tables import SECONDS_MAX
from tourney.coordinator.director import RulingBasis, check_open
from tourney.director.action import ActionPreview, DirectorAction, Offer, Reason
from tourney.director.parameters import ActionParameter, teams
from tourney.errors import RuleError, UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import TableInfo
from tourney.plurals import seconds
from tourney.store.control.orders import (
    give_orders,
    load_extensions,
)
from tourney.store.models import OrderKind
from tourney.store.record.live import load_board_attempts
from tourney.store.results.matches import load_board_numbers
from tourney.store.rulings import DecisionOutcome
from tourney.views.schedule import format_ranges

PLACES_MAX: Final = 4
"""More tables than these are counted in a sentence, and not named."""

_TIME: Final = re.compile(r"(-?)(?:([0-9]{1,5})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,7})s)?")


def parse_time(text: str) -> int:
    """Return the seconds of a text such as `90s`, `5m`, `1h30m` or `-5m`.

    Raises:
        UsageError: the text is not a time, or it is none at all, or more than a day.
    """
    found = _TIME.fullmatch("".join(text.split()).lower())
    if found is None or not any(found.groups()[1:]):
        raise UsageError(f"expected a time such as 90s, 5m, 1h30m or -5m, got {text!r}")
    hours, minutes, rest = (int(part or 0) for part in found.groups()[1:])
    number = 3600 * hours + 60 * minutes + rest
    if not 0 < number <= SECONDS_MAX:
        raise UsageError(f"a time is from 1 second to {seconds(SECONDS_MAX)}, got {text!r}")
    return -number if found[1] else number


_WHERE: Final = ActionParameter(
    "[PLACE]", name="table", label="Table or match", help="3-open, or 3; empty for a round"
)
_ROUND: Final = ActionParameter(
    option="--round", metavar="N", help="Extend the time at all tables of this round that have not finished."
)
_OF_BOARD: Final = ActionParameter(
    option="--board", metavar="N", help="Move the limit of this board; by default that of the match."
)
_FOR_TEAM: Final = ActionParameter(
    option="--team", metavar="NAME", help="Give the time to this team only; by default to both.", choices=teams
)
_HOW_MUCH: Final = ActionParameter(
    option="--time",
    metavar="TIME",
    help="How much: 90s, 5m or 1h30m; -5m takes back what was given.",
    convert=parse_time,
)


class ExtendTables(DirectorAction):
    """Extend the time of a board, a match or a round. Both sides have it, or one team.

    EVENT is the path of an event file. PLACE is a match, such as 3, or one of its rooms, such as 3-open. With --round
    in its place, the time is extended at every table of the round. It takes effect at once, for the board in play
    too; a table that has not begun has it when it begins. How long one call or card may take stays as it is.

    \b
        tourney table extend club.toml 3 --time 5m --reason "the clocks were late"
        tourney table extend club.toml 3-open --board 7 --team Alpha --time 90s --reason "a question to the director"
        tourney table extend club.toml --round 2 --time 10m --reason "a slow network"
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself

    offer: ClassVar = Offer("extend", "table extend", "Extend time", reason=Reason.PUBLIC, asks_first=True)

    place: Annotated[str | None, _WHERE]
    """A match, such as 3, or a room, such as 3-open; None for the tables of a round."""
    time_s: Annotated[int, _HOW_MUCH]
    """How many seconds are given; below 0 if they are taken back."""
    board: Annotated[int | None, _OF_BOARD] = None
    """The board whose limit is moved; None for that of the match."""
    team: Annotated[str | None, _FOR_TEAM] = None
    """The only team that it is for; None for both."""
    round: Annotated[int | None, _ROUND] = None
    """The round, counted through the event, if it is for all its tables."""

    @classmethod
    def is_offered(cls, drawn: DrawnEvent) -> bool:
        """Return whether there is a limit that it could move."""
        clock = drawn.config.clock
        return clock.board_s is not None or clock.match_s is not None

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return where which limit is moved, and by how much."""
        sentences = (self._describe(self.tables(drawn)),)
        if self.time_s > 0:
            return ActionPreview(sentences)
        cost = f"With {seconds(-self.time_s)} less, a side that has used more is late at once."
        return ActionPreview(sentences, cost, "Take the time back?")

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Order it at every table."""
        tables = self.tables(drawn)
        orders = [
            order
            for table in tables
            for order in give_orders(
                drawn.database,
                [table.id],
                OrderKind.EXTEND,
                author=basis.author,
                now_ms=basis.at_ms,
                text=basis.reason,
                seat=self._seat_of_team(table),
                board=self.board,
                seconds=self.time_s,
            )
        ]
        return DecisionOutcome((self._describe(tables),), tuple(orders))

    # The tables

    def tables(self, drawn: DrawnEvent) -> Sequence[TableInfo]:
        """Return the tables at which the time is extended.

        Raises:
            UsageError: there is no such place, round, board or team.
            RuleError: there is no limit to move, all of it is finished, or less was given than is taken back.
        """
        check_open(drawn.database, drawn.event)
        self._check_limit(drawn)
        if (self.place is None) == (self.round is None):
            raise UsageError("name a match or a table, such as 3 or 3-open, or a round: one of them")
        there = self._of_team(self._with_board(drawn, self._tables_named(drawn)))
        tables = [table for table in there if not table.is_over]
        if not tables:
            raise RuleError(f"{self._where} is finished: there is no time to extend")
        if self.board is not None:
            attempts = load_board_attempts(drawn.database, [table.id for table in tables])
            finished = {each.table_id for each in attempts if each.board == self.board and each.is_final}
            tables = [table for table in tables if table.id not in finished]
            if not tables:
                raise RuleError(f"board {self.board} is finished at {self._where}: there is no time to extend")
        if self.time_s < 0:
            self._check_given(drawn, tables)
        return tables

    @property
    def _where(self) -> str:
        return self.place if self.place is not None else f"round {self.round}"

    @property
    def _what(self) -> str:
        return "the match" if self.board is None else f"board {self.board}"

    def _tables_named(self, drawn: DrawnEvent) -> list[TableInfo]:
        if self.round is None:
            return drawn.tables_at(self.place, self.board)
        event, rounds = drawn.event, drawn.event.all_rounds
        if not 1 <= self.round <= len(rounds):
            raise UsageError(f"rounds of {event.name!r} are 1..{len(rounds)}, got {self.round}")
        if not rounds[self.round - 1].is_drawn:
            raise RuleError(f"{self._where} is not drawn yet: its time can be extended once it is")
        return [
            table
            for match in event.matches
            for table in drawn.tables_at(str(match.number), self.board)
            if event.played_in(match, table.room) == self.round
        ]

    def _with_board(self, drawn: DrawnEvent, tables: Sequence[TableInfo]) -> Sequence[TableInfo]:
        """Return those of the tables that have the board to play."""
        if self.board is None:
            return tables
        sets = {table.match: drawn.match(table.match).board_set_id for table in tables}
        numbers = load_board_numbers(*drawn.record, set(sets.values()))
        boards = {table.id: numbers[sets[table.match]][table.span] for table in tables}
        found = [table for table in tables if self.board in boards[table.id]]
        if not found:
            there = format_ranges(sorted({number for each in boards.values() for number in each}))
            raise UsageError(f"boards of {self._where} are {there}, got {self.board}")
        return found

    def _of_team(self, tables: Sequence[TableInfo]) -> Sequence[TableInfo]:
        """Return those of the tables at which the team sits that alone gets the time."""
        if self.team is None:
            return tables
        found = [table for table in tables if self._side_of_team(table) is not None]
        if not found:
            names = dict.fromkeys(table.team(side) for table in tables for side in Side)
            raise UsageError(f"teams of {self._where} are {', '.join(names)}, got {self.team!r}")
        return found

    def _side_of_team(self, table: TableInfo) -> Side | None:
        """Return where the team sits that alone gets the time; None if it does not."""
        wanted = (self.team or "").casefold()
        return next((side for side in Side if table.team(side).casefold() == wanted), None)

    def _seat_of_team(self, table: TableInfo) -> Seat | None:
        side = self._side_of_team(table)
        return None if side is None else Seat.NORTH if side is Side.NS else Seat.EAST

    # The limits

    def _check_limit(self, drawn: DrawnEvent) -> None:
        clock = drawn.config.clock
        limits = [("match", clock.match_s), ("board", clock.board_s)]
        (of, limit_s), (other, other_s) = limits if self.board is None else reversed(limits)
        if limit_s is None:
            also = f"; a {other} has one" if other_s is not None else ""
            raise RuleError(f"there is no limit on thinking time for a {of}: `{of}_s` in [clock] is not set{also}")

    def _check_given(self, drawn: DrawnEvent, tables: Sequence[TableInfo]) -> None:
        extensions = load_extensions(*drawn.record)
        for table in tables:
            only = self._side_of_team(table)
            for side in Side if only is None else (only,):
                given_s = sum(
                    each.seconds
                    for each in extensions
                    if (each.match, each.room, each.board) == (table.match, table.room, self.board)
                    and each.team in (table.team(side), None)
                )
                if given_s < -self.time_s:
                    raise RuleError(
                        f"{table.place}: {table.team(side)} was given {seconds(given_s)} for {self._what}, so that "
                        f"{seconds(-self.time_s)} cannot be taken back"
                    )

    def _describe(self, tables: Sequence[TableInfo]) -> str:
        places = [table.place for table in tables]
        where = ", ".join(places) if 0 < len(places) <= PLACES_MAX else self._where
        much = f"{seconds(abs(self.time_s))} {'more' if self.time_s > 0 else 'less'}"
        return f"{where}: {much} for {self.team or 'both sides'}, for {self._what} alone"
