"""Results over an event: results, scores, leads, times, crashes and totals of many matches at once.

There is one query for each kind of thing, whatever the number of matches. For the results of one match there is
`matches`. Calls and cards are not read here but where a name says so.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import Result, Row, Select, bindparam, case, exists, func, select

from tourney.bridge import SEATS, Board, Card, Side, parse_card, parse_deal
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import IncidentKind, MeasuredDelay
from tourney.store.db.database import Database
from tourney.store.db.queries import AnySelect, has_rows, load_column, load_rows, load_value
from tourney.store.draw.tables import EW_TEAM, NS_TEAM, SEATED_TABLES, SELECT_BOARDS, read_board
from tourney.store.models import (
    BoardAttempt,
    BoardRow,
    BoardSet,
    CallRow,
    CardRow,
    IncidentRow,
    Match,
    MatchResult,
    NetworkDelay,
    OfAttempt,
    ResultRow,
    Round,
    RulingRow,
    StageRow,
    TableRow,
    same_attempt,
)
from tourney.store.record.results import BoardResult, board_result

_ROWS: Final = 500
"""How many rows are fetched at once."""

_NORTH_SOUTH = tuple(seat for seat in SEATS if seat.side is Side.NS)


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """The matches of an event to read: all, unless a field restricts them."""

    event_id: int
    round: int | None = None
    """The number of a round, counted through the event."""
    matches: Collection[int] | None = None
    """Numbers of matches, a few."""


@dataclass(frozen=True, slots=True)
class StoredSet:
    """Boards that belong together: those of a round, or of one match."""

    name: str
    boards: tuple[Board, ...]
    """In the order of play."""


def _match_ids(scope: MatchFilter) -> Select[int]:
    query = select(Match.id).where(Match.event_id == scope.event_id)
    if scope.round is not None:
        # Rounds are numbered through the stages.
        number = func.row_number().over(order_by=(StageRow.number, Round.number)).label("number")
        of_event = select(Round.id, number).join_from(Round, StageRow).where(StageRow.event_id == scope.event_id)
        rounds = of_event.subquery()
        query = query.join(rounds, rounds.c.id == Match.round_id).where(rounds.c.number == scope.round)
    if scope.matches is not None:
        query = query.where(Match.number.in_(list(scope.matches)))
    return query


def iter_results(database: Database, scope: MatchFilter) -> Iterator[tuple[int, dict[Room, dict[int, BoardResult]]]]:
    """Iterate over boards with a result: match numbers, ascending, each with its boards by room and number.

    A match or room without a result is omitted. One match is in memory at a time.
    """
    query = (
        select(ResultRow, Match.number.label("match"), TableRow.room)
        .join(TableRow, TableRow.id == ResultRow.table_id)
        .join(Match)
        .where(Match.id.in_(_match_ids(scope)))
        .order_by(Match.number)
    )
    with database.read() as connection:
        for number, rows in groupby(_iter_rows(connection.execute(query)), attrgetter("match")):
            results: defaultdict[Room, dict[int, BoardResult]] = defaultdict(dict)
            for row in rows:
                results[row.room][row.board] = board_result(row)
            yield number, dict(results)


def _iter_rows(found: Result[Any]) -> Iterator[Row[Any]]:
    """Iterate over rows that are fetched many at a time, which takes a third of what one by one does."""
    for rows in found.partitions(_ROWS):
        yield from rows


def load_begun_matches(database: Database, event_id: int) -> frozenset[int]:
    """Load the numbers of the matches that have a result or a ruling."""
    has_result = exists().where(TableRow.match_id == Match.id, ResultRow.table_id == TableRow.id)
    has_ruling = exists().where(RulingRow.match_id == Match.id)
    query = select(Match.number).where(Match.event_id == event_id, has_result | has_ruling)
    return frozenset(load_column(database, query))


def load_sets(database: Database, scope: MatchFilter) -> dict[int, StoredSet]:
    """Load the boards that the matches play, by set id."""
    sets = select(Match.board_set_id).where(Match.id.in_(_match_ids(scope)))
    query = SELECT_BOARDS.where(BoardSet.id.in_(sets)).order_by(BoardSet.id, BoardRow.position)
    with database.read() as connection:
        by_set = groupby(connection.execute(query), attrgetter("id", "name"))
        return {
            set_id: StoredSet(name, tuple(read_board(row, parse_deal) for row in rows))
            for (set_id, name), rows in by_set
        }


def load_leads(database: Database, scope: MatchFilter) -> dict[tuple[int, int], Card]:
    """Load the opening leads of the boards with a result, by table id and board number."""
    columns = select(BoardAttempt.table_id, BoardAttempt.board, CardRow.card)
    query = _of_final_attempts(columns, CardRow, scope).join(ResultRow, same_attempt(ResultRow, CardRow))
    query = query.where(CardRow.seq == 0)
    return {(table_id, board): parse_card(card) for table_id, board, card in load_rows(database, query)}


def load_auctions(database: Database, scope: MatchFilter) -> dict[tuple[int, int], list[str]]:
    """Load the texts of the calls of the boards that have come to an end, by table id and board number."""
    columns = select(BoardAttempt.table_id, BoardAttempt.board, CallRow.call)
    query = _of_final_attempts(columns, CallRow, scope).order_by(CallRow.table_id, CallRow.board, CallRow.seq)
    calls: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for table_id, board, call in load_rows(database, query):
        calls[table_id, board].append(call)
    return calls


def load_delays(database: Database, scope: MatchFilter) -> dict[int, dict[Side, list[MeasuredDelay]]]:
    """Load what the network took of the calls and cards of each side, by id of the table.

    Of the boards that have come to an end, and only of tables where there are any.
    """
    measured = NetworkDelay.__table__.c["seat", "own_ms", "delay_ms", "allowed_ms"]
    columns = select(BoardAttempt.table_id, *measured)
    delays: defaultdict[int, dict[Side, list[MeasuredDelay]]] = defaultdict(dict)
    for table_id, seat, *times in load_rows(database, _of_final_attempts(columns, NetworkDelay, scope)):
        delays[table_id].setdefault(seat.side, []).append(MeasuredDelay(*times))
    return dict(delays)


def _of_final_attempts(columns: AnySelect, model: type[OfAttempt], scope: MatchFilter) -> AnySelect:
    """Return the rows of the attempts that have brought boards to an end, by a result or a forfeit."""
    return (
        columns.select_from(BoardAttempt)
        .join(model, same_attempt(model, BoardAttempt))
        .join(TableRow, TableRow.id == BoardAttempt.table_id)
        .where(BoardAttempt.final, TableRow.match_id.in_(_match_ids(scope)))
    )


# Scores and totals by match


# Built once, as a run uses it whenever it looks for unplayed matches.
_UNSCORED: Final = (
    select(Match.number, exists().where(TableRow.match_id == Match.id, TableRow.state != TableState.FINISHED))
    .outerjoin_from(Match, MatchResult)
    .where(Match.event_id == bindparam("event_id"), MatchResult.match_id.is_(None))
    .order_by(Match.number)
)


def load_unscored(database: Database, event_id: int) -> dict[int, bool]:
    """Load the numbers of the matches without a score, ascending, each with whether all its tables have finished."""
    return {number: not goes_on for number, goes_on in load_rows(database, _UNSCORED, {"event_id": event_id})}


def is_played(database: Database, event_id: int) -> bool:
    """Return whether every round of an event is drawn, and every match has a score."""
    undrawn = select(Round.id).join_from(Round, StageRow)
    undrawn = undrawn.where(StageRow.event_id == event_id, Round.drawn_at_ms.is_(None))
    return not has_rows(database, undrawn) and not load_unscored(database, event_id)


# Incidents


def count_incidents(database: Database, event_id: int) -> dict[tuple[str, IncidentKind], int]:
    """Count the incidents of players, by team name and kind; those that are not one seat's are left out."""
    team = case((IncidentRow.seat.in_(_NORTH_SOUTH), NS_TEAM.c.name), else_=EW_TEAM.c.name)
    query = (
        select(team.label("team_name"), IncidentRow.kind, func.count())
        .select_from(SEATED_TABLES.join(IncidentRow))
        .where(Match.event_id == event_id, IncidentRow.seat.is_not(None))
        .group_by("team_name", IncidentRow.kind)
    )
    return {(name, kind): int(times) for name, kind, times in load_rows(database, query)}


BREAK_MS: Final = 5_000
"""The longest time between two boards that belongs to playing them."""


def load_playing_ms(database: Database, event_id: int) -> int:
    """Load how long an event was at boards that it finished, in milliseconds, the time between two boards included.

    Of more than `BREAK_MS` it has stood still.
    """
    query = (
        select(BoardAttempt.began_at_ms, BoardAttempt.ended_at_ms)
        .join_from(BoardAttempt, TableRow)
        .join(Match)
        .where(Match.event_id == event_id, BoardAttempt.final, BoardAttempt.ended_at_ms.is_not(None))
        .order_by(BoardAttempt.began_at_ms)
    )
    playing_ms, until_ms = 0, 0
    for began_at_ms, ended_at_ms in load_rows(database, query):
        assert ended_at_ms is not None
        since_ms = until_ms if began_at_ms - until_ms <= BREAK_MS else began_at_ms
        playing_ms += max(0, ended_at_ms - since_ms)
        until_ms = max(until_ms, ended_at_ms)
    return playing_ms


def load_first_began_ms(database: Database, event_id: int) -> int | None:
    """Load when the first board of an event began, in ms since the epoch; None before."""
    query = select(func.min(BoardAttempt.began_at_ms)).join_from(BoardAttempt, TableRow).join(Match)
    return load_value(database, query.where(Match.event_id == event_id))
