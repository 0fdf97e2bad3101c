"""What came out: results of boards, scores of matches, and whole records of boards."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from sqlalchemy import Row, Select, insert, select

from tourney.bridge import Board, Contract, Result, Seat, Side, Strain, parse_call, parse_card
from tourney.movement.seating import Room
from tourney.scoring.victory_points import VpHundredths
from tourney.store.database import Database
from tourney.store.models import BoardAttempt, BoardRow, BoardSet, CallRow, CardRow, Match, MatchResult, ResultRow
from tourney.store.objects import (
    AttemptInfo,
    BoardRecord,
    BoardResult,
    CallRecord,
    CardRecord,
    MatchInfo,
    StoredMatchScore,
)
from tourney.store.tables import load_boards

AnyRow: TypeAlias = Row[*tuple[Any, ...]]

_CONTRACT: Final = re.compile(r"([1-7])(C|D|H|S|NT)(X{0,2})")
_STRAINS: Final = {strain.letters: strain for strain in Strain}


def load_board_results(database: Database, match: MatchInfo) -> dict[Room, dict[int, BoardResult]]:
    """The finished boards of a match by room and board number, in the order of play."""
    rooms = {table.id: room for room, table in match.tables.items()}
    query = (
        select(*ResultRow.__table__.c)
        .join(BoardRow, (BoardRow.board_set_id == match.board_set_id) & (BoardRow.number == ResultRow.board))
        .where(ResultRow.table_id.in_(rooms))
        .order_by(BoardRow.position)
    )
    results: dict[Room, dict[int, BoardResult]] = {room: {} for room in match.tables}
    with database.read() as connection:
        for row in connection.execute(query):
            results[rooms[row.table_id]][row.board] = _board_result(row)
    return results


def save_match_score(database: Database, match: MatchInfo, score: StoredMatchScore, now_ms: int) -> None:
    """Write the score of a match that is over; a score that is there already stays."""
    with database.write() as connection:
        if connection.scalar(select(MatchResult.match_id).where(MatchResult.match_id == match.id)) is not None:
            return
        connection.execute(
            insert(MatchResult).values(
                match_id=match.id,
                boards=score.boards,
                imps_home=score.imps_home,
                imps_away=score.imps_away,
                vp_home_hundredths=score.vp_home,
                vp_away_hundredths=score.vp_away,
                finished_at_ms=now_ms,
            )
        )


def load_match_scores(database: Database, event_id: int) -> dict[int, StoredMatchScore]:
    """The scores of all matches that are over, by match number."""
    query = _select_scores().where(Match.event_id == event_id).order_by(Match.number)
    with database.read() as connection:
        return {row.number: _match_score(row) for row in connection.execute(query)}


def load_match_score(database: Database, match: MatchInfo) -> StoredMatchScore | None:
    """The score that was written when the match was over; None when none was."""
    with database.read() as connection:
        row = connection.execute(_select_scores().where(Match.id == match.id)).one_or_none()
    return _match_score(row) if row is not None else None


def load_match_boards(database: Database, match: MatchInfo) -> tuple[Board, ...]:
    """A match's boards, in the order of play."""
    with database.read() as connection:
        return load_boards(connection, match.board_set_id)


def load_board_set_numbers(database: Database, event_id: int) -> dict[int, list[int]]:
    """The numbers of the boards of every set of an event, in the order of play, by the id of the set."""
    query = (
        select(BoardRow.board_set_id, BoardRow.number)
        .join(BoardSet, BoardSet.id == BoardRow.board_set_id)
        .where(BoardSet.event_id == event_id)
        .order_by(BoardRow.board_set_id, BoardRow.position)
    )
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    with database.read() as connection:
        for row in connection.execute(query):
            numbers[row.board_set_id].append(row.number)
    return dict(numbers)


def load_board_records(database: Database, match: MatchInfo) -> list[BoardRecord]:
    """Everything on record of a match's finished boards: in the order of play, the open room first."""
    rooms = {table.id: room for room, table in match.tables.items()}
    with database.read() as connection:
        boards = load_boards(connection, match.board_set_id)
        results = {
            (row.table_id, row.board): row
            for row in connection.execute(
                select(*ResultRow.__table__.c, BoardAttempt.began_at_ms)
                .join(
                    BoardAttempt,
                    (BoardAttempt.table_id == ResultRow.table_id)
                    & (BoardAttempt.board == ResultRow.board)
                    & (BoardAttempt.attempt == ResultRow.attempt),
                )
                .where(ResultRow.table_id.in_(rooms))
            )
        }
        calls = _group(connection.execute(_actions(CallRow, rooms)), _call_record)
        cards = _group(connection.execute(_actions(CardRow, rooms)), _card_record)
    return [
        BoardRecord(
            match=match.number,
            room=room,
            attempt=row.attempt,
            board=board,
            result=_board_result(row),
            calls=tuple(calls[table_id, board.number]),
            cards=tuple(cards[table_id, board.number]),
            began_at_ms=row.began_at_ms,
        )
        for board in boards
        for table_id, room in rooms.items()
        if (row := results.get((table_id, board.number))) is not None
    ]


def load_attempts(database: Database, table_id: int) -> list[AttemptInfo]:
    """Every try at a board of a table, in order."""
    with database.read() as connection:
        rows = connection.execute(
            select(*BoardAttempt.__table__.c)
            .where(BoardAttempt.table_id == table_id)
            .order_by(BoardAttempt.board, BoardAttempt.attempt)
        )
        return [AttemptInfo(row.board, row.attempt, row.ended, row.reason) for row in rows]


def _actions(model: type[CallRow] | type[CardRow], table_ids: Iterable[int]) -> Select[*tuple[Any, ...]]:
    """The calls or cards of the attempts that led to a result."""
    return (
        select(*model.__table__.c)
        .join(
            ResultRow,
            (ResultRow.table_id == model.table_id)
            & (ResultRow.board == model.board)
            & (ResultRow.attempt == model.attempt),
        )
        .where(model.table_id.in_(list(table_ids)))
        .order_by(model.table_id, model.board, model.seq)
    )


def _group(rows: Iterable[AnyRow], convert: Any) -> defaultdict[tuple[int, int], list[Any]]:
    groups: defaultdict[tuple[int, int], list[Any]] = defaultdict(list)
    for row in rows:
        groups[row.table_id, row.board].append(convert(row))
    return groups


def _select_scores() -> Select[*tuple[Any, ...]]:
    return select(Match.number, *MatchResult.__table__.c).join(MatchResult, MatchResult.match_id == Match.id)


def _match_score(row: AnyRow) -> StoredMatchScore:
    return StoredMatchScore(
        match=row.number,
        boards=row.boards,
        imps_home=row.imps_home,
        imps_away=row.imps_away,
        vp_home=VpHundredths(row.vp_home_hundredths),
        vp_away=VpHundredths(row.vp_away_hundredths),
    )


def _call_record(row: AnyRow) -> CallRecord:
    seat, call = Seat.from_letter(row.seat), parse_call(row.call)
    return CallRecord(seat, call, row.alerted, row.alert or "", row.thinking_ms, row.at_ms)


def _card_record(row: AnyRow) -> CardRecord:
    return CardRecord(Seat.from_letter(row.seat), parse_card(row.card), row.thinking_ms, row.at_ms)


def _board_result(row: AnyRow) -> BoardResult:
    contract = _contract(row.contract, row.declarer)
    result = Result(contract, row.tricks or 0, row.score_ns)
    return BoardResult(row.board, result, {Side.NS: row.ns_ms, Side.EW: row.ew_ms})


def _contract(text: str, declarer: str | None) -> Contract | None:
    found = _CONTRACT.fullmatch(text)
    if found is None or declarer is None:
        return None
    level, strain, doubles = found.groups()
    return Contract(int(level), _STRAINS[strain], len(doubles), Seat.from_letter(declarer))
