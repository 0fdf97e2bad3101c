"""What came out in many matches at once: one query for each kind of thing, whatever the number of matches.

For the results of one match there is `results`. Calls and cards are not read here but where a name says so.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Select, Subquery, case, exists, func, select

from tourney.bridge import Board, Card, Seat, Side, parse_card, parse_deal
from tourney.movement.seating import Room
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult
from tourney.store.models import (
    BoardRow,
    BoardSet,
    CallRow,
    CardRow,
    DealRow,
    Match,
    MatchResult,
    ResultRow,
    Round,
    RulingRow,
    Stage,
    TableRow,
)
from tourney.store.results.matches import board_result

_NORTH_SOUTH = tuple(seat.letter for seat in Seat if seat.side is Side.NS)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which matches of an event: all of it, unless a field says less."""

    event_id: int
    round: int | None = None
    """The number of a round, counted through the event."""
    matches: Collection[int] | None = None
    """Numbers of matches, a few."""
    unscored: bool = False
    """Matches without a stored score only."""


@dataclass(frozen=True, slots=True)
class StoredSet:
    """Boards that belong together: those of a round, or of one match."""

    name: str
    boards: tuple[Board, ...]
    """In the order of play."""


@dataclass(frozen=True, slots=True)
class Thought:
    """One call or card and the time that its side took for it."""

    board: int
    seat: Seat
    """The hand that it came from."""
    is_card: bool
    number: int
    """Which call or card of the board, from 1."""
    action: str
    """As it stands in PBN: `4S`, `Pass`, `SA`."""
    thinking_ms: int


def _match_ids(scope: Scope) -> Select[int]:
    query = select(Match.id).where(Match.event_id == scope.event_id)
    if scope.round is not None:
        rounds = _numbered_rounds(scope.event_id)
        query = query.join(rounds, rounds.c.id == Match.round_id).where(rounds.c.number == scope.round)
    if scope.matches is not None:
        query = query.where(Match.number.in_(list(scope.matches)))
    if scope.unscored:
        query = query.outerjoin(MatchResult, MatchResult.match_id == Match.id).where(MatchResult.match_id.is_(None))
    return query


def _numbered_rounds(event_id: int) -> Subquery:
    """The rounds of an event, counted on through its stages."""
    number = func.row_number().over(order_by=(Stage.number, Round.number)).label("number")
    return (
        select(Round.id, number).join(Stage, Stage.id == Round.stage_id).where(Stage.event_id == event_id).subquery()
    )


def iter_results(database: Database, scope: Scope) -> Iterator[tuple[int, dict[Room, dict[int, BoardResult]]]]:
    """The boards that came to a result: numbers of matches, upwards, each with its boards by room and number.

    A match, or a room of it, without a result is left out. One match is in memory at a time.

    Raises:
        StoreError: the database cannot be used.
    """
    query = (
        select(*ResultRow.__table__.c, Match.number.label("match"), TableRow.room)
        .join(TableRow, TableRow.id == ResultRow.table_id)
        .join(Match, Match.id == TableRow.match_id)
        .where(Match.id.in_(_match_ids(scope)))
        .order_by(Match.number)
    )
    with database.read() as connection:
        for number, rows in groupby(connection.execute(query), attrgetter("match")):
            results: defaultdict[Room, dict[int, BoardResult]] = defaultdict(dict)
            for row in rows:
                results[row.room][row.board] = board_result(row)
            yield number, dict(results)


def load_begun_rounds(database: Database, event_id: int) -> list[int]:
    """The numbers of the rounds of which a board came to a result, or is in a ruling, upwards.

    Raises:
        StoreError: the database cannot be used.
    """
    has_result = exists().where(TableRow.match_id == Match.id, ResultRow.table_id == TableRow.id)
    has_ruling = exists().where(RulingRow.match_id == Match.id, RulingRow.board.is_not(None))
    rounds = _numbered_rounds(event_id)
    query = (
        select(rounds.c.number)
        .join(Match, Match.round_id == rounds.c.id)
        .where(Match.event_id == event_id, has_result | has_ruling)
        .distinct()
        .order_by(rounds.c.number)
    )
    with database.read() as connection:
        return list(connection.scalars(query))


def load_sets(database: Database, scope: Scope) -> dict[int, StoredSet]:
    """The boards that the matches play, by id of the set.

    Raises:
        StoreError: the database cannot be used.
    """
    sets = select(Match.board_set_id).where(Match.id.in_(_match_ids(scope)))
    query = (
        select(*(BoardSet.id, BoardSet.name, BoardRow.number, BoardRow.dealer, BoardRow.vulnerability, DealRow.hands))
        .join(BoardRow, BoardRow.board_set_id == BoardSet.id)
        .join(DealRow, DealRow.id == BoardRow.deal_id)
        .where(BoardSet.id.in_(sets))
        .order_by(BoardSet.id, BoardRow.position)
    )
    names: dict[int, str] = {}
    boards: defaultdict[int, list[Board]] = defaultdict(list)
    with database.read() as connection:
        for row in connection.execute(query):
            names[row.id] = row.name
            deal = parse_deal(row.hands)
            boards[row.id].append(Board(row.number, Seat.from_letter(row.dealer), row.vulnerability, deal))
    return {key: StoredSet(name, tuple(boards[key])) for key, name in names.items()}


def load_leads(database: Database, scope: Scope) -> dict[tuple[int, int], Card]:
    """The opening leads of the boards that came to a result, by id of the table and number of the board.

    Raises:
        StoreError: the database cannot be used.
    """
    query = _of_results(select(ResultRow.table_id, ResultRow.board, CardRow.card), CardRow, scope).where(
        CardRow.seq == 0
    )
    with database.read() as connection:
        return {(row.table_id, row.board): parse_card(row.card) for row in connection.execute(query)}


def load_longest(database: Database, scope: Scope) -> dict[tuple[int, int], dict[Side, int]]:
    """How long each side thought at most about one call or card, in milliseconds, board by board.

    Of the boards that came to a result, by id of the table and number of the board. The database goes through every
    call and card.

    Raises:
        StoreError: the database cannot be used.
    """
    longest: defaultdict[tuple[int, int], dict[Side, int]] = defaultdict(dict)
    with database.read() as connection:
        for model in (CallRow, CardRow):
            is_ns = model.seat.in_(_NORTH_SOUTH)
            columns = select(
                ResultRow.table_id,
                ResultRow.board,
                func.max(case((is_ns, model.thinking_ms))).label("ns_ms"),
                func.max(case((~is_ns, model.thinking_ms))).label("ew_ms"),
            )
            for row in connection.execute(
                _of_results(columns, model, scope).group_by(ResultRow.table_id, ResultRow.board)
            ):
                sides = longest[row.table_id, row.board]
                for side, found_ms in ((Side.NS, row.ns_ms), (Side.EW, row.ew_ms)):
                    if found_ms is not None:
                        sides[side] = max(sides.get(side, 0), found_ms)
    return dict(longest)


def load_thought(database: Database, table_id: int, board: int, side: Side, thinking_ms: int) -> Thought | None:
    """The first call or card of a board that came to a result for which a side took that time.

    None when there is none any more: the board has been played again.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.read() as connection:
        for model, action in ((CallRow, CallRow.call), (CardRow, CardRow.card)):
            of_side = model.seat.in_(_NORTH_SOUTH) if side is Side.NS else model.seat.not_in(_NORTH_SOUTH)
            query = (
                select(model.seat, model.seq, action.label("action"))
                .join(ResultRow, _is_of_result(model))
                .where(model.table_id == table_id, model.board == board, model.thinking_ms == thinking_ms, of_side)
                .order_by(model.seq)
                .limit(1)
            )
            row = connection.execute(query).one_or_none()
            if row is not None:
                seat = Seat.from_letter(row.seat)
                return Thought(board, seat, model is CardRow, row.seq + 1, row.action, thinking_ms)
    return None


def _of_results(
    columns: Select[*tuple[Any, ...]], model: type[CallRow] | type[CardRow], scope: Scope
) -> Select[*tuple[Any, ...]]:
    """The calls or cards of the attempts that came to a result."""
    return (
        columns.select_from(ResultRow)
        .join(model, _is_of_result(model))
        .join(TableRow, TableRow.id == ResultRow.table_id)
        .where(TableRow.match_id.in_(_match_ids(scope)))
    )


def _is_of_result(model: type[CallRow] | type[CardRow]) -> Any:  # what SQLAlchemy makes of columns
    return (
        (model.table_id == ResultRow.table_id)
        & (model.board == ResultRow.board)
        & (model.attempt == ResultRow.attempt)
    )
