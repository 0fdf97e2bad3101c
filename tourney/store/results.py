"""What came out: results of boards, scores of matches, and whole records of boards."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, insert, select, update

from tourney.bridge import Board, Contract, Result, Seat, Side, Strain, parse_call, parse_card
from tourney.movement.seating import Room
from tourney.scoring.victory_points import VpHundredths
from tourney.store.board_sets import load_boards
from tourney.store.database import Database
from tourney.store.models import (
    AlertQuestion,
    BoardAttempt,
    BoardRow,
    BoardSet,
    CallRow,
    CardRow,
    Match,
    MatchResult,
    ResultRow,
)
from tourney.store.objects import (
    BoardRecord,
    BoardResult,
    CallRecord,
    CardRecord,
    MatchInfo,
    StoredMatchScore,
)

AnyRow: TypeAlias = Row[*tuple[Any, ...]]

_CONTRACT: Final = re.compile(r"([1-7])(C|D|H|S|NT)(X{0,2})")
_STRAINS: Final = {strain.letters: strain for strain in Strain}


def load_board_results(database: Database, match: MatchInfo) -> dict[Room, dict[int, BoardResult]]:
    """The boards of a match that came to a result, by room and board number, in the order of play.

    A board that was forfeited has none; its ruling stands in its place (`load_match_rulings`).
    """
    rooms = {table.id: table.room for table in match.tables}
    query = (
        select(*ResultRow.__table__.c)
        .join(BoardRow, (BoardRow.board_set_id == match.board_set_id) & (BoardRow.number == ResultRow.board))
        .where(ResultRow.table_id.in_(rooms))
        .order_by(BoardRow.position)
    )
    results: dict[Room, dict[int, BoardResult]] = {room: {} for room in Room}
    with database.read() as connection:
        for row in connection.execute(query):
            results[rooms[row.table_id]][row.board] = board_result(row)
    return results


def save_match_score(database: Database, match: MatchInfo, score: StoredMatchScore, now_ms: int) -> None:
    """Write the score of a match that is over; a score that is there already stays.

    The score is what results and rulings make: `replace_match_score` when a ruling has changed after it was written.
    """
    with database.write() as connection:
        if connection.scalar(select(MatchResult.match_id).where(MatchResult.match_id == match.id)) is None:
            _insert_score(connection, match, score, now_ms)


def replace_match_score(database: Database, match: MatchInfo, score: StoredMatchScore | None, now_ms: int) -> None:
    """Write the score of a match anew, in the place of what is there; None when it is not over any more.

    Needed when a ruling on a match that has a score is given, changed or withdrawn. When the match was over stays as
    it is.
    """
    with database.write() as connection:
        if score is None:
            connection.execute(delete(MatchResult).where(MatchResult.match_id == match.id))
            return
        changed = connection.execute(
            update(MatchResult).where(MatchResult.match_id == match.id).values(score_columns(score))
        )
        if changed.rowcount == 0:
            _insert_score(connection, match, score, now_ms)


def _insert_score(connection: Connection, match: MatchInfo, score: StoredMatchScore, now_ms: int) -> None:
    connection.execute(
        insert(MatchResult).values(score_columns(score) | {"match_id": match.id, "finished_at_ms": now_ms})
    )


def score_columns(score: StoredMatchScore) -> dict[str, int]:
    """What a score of a match is on record, without when the match was over."""
    return {
        "boards": score.boards,
        "imps_home": score.imps_home,
        "imps_away": score.imps_away,
        "vp_home_hundredths": score.vp_home,
        "vp_away_hundredths": score.vp_away,
        "lost_home": score.lost_home,
        "lost_away": score.lost_away,
    }


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
        return load_boards(connection, match.board_set_id)[: match.boards]


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
    """Everything on record of a match's boards that are not played again: in the order of play, the open room first.

    A call whose alert came from the operator (BC-25) has the operator's text.
    """
    tables = match.tables_by_id
    with database.read() as connection:
        boards = load_boards(connection, match.board_set_id)[: match.boards]
        attempts = {(row.table_id, row.board): row for row in connection.execute(_select_final(tables))}
        calls = _group(connection.execute(with_answers(_actions(CallRow, tables))), call_record)
        cards = _group(connection.execute(_actions(CardRow, tables)), card_record)
    return [
        BoardRecord(
            match=match.number,
            table=table,
            attempt=row.attempt,
            board=board,
            result=board_result(row) if row.contract is not None else None,
            calls=tuple(calls[table_id, board.number]),
            cards=tuple(cards[table_id, board.number]),
            began_at_ms=row.began_at_ms,
            ended=row.ended,
            fault=Seat.from_letter(row.fault) if row.fault is not None else None,
            reason=row.reason,
        )
        for board in boards
        for table_id, table in tables.items()
        if (row := attempts.get((table_id, board.number))) is not None
    ]


def _is_result_of_attempt() -> ColumnElement[bool]:
    return and_(
        ResultRow.table_id == BoardAttempt.table_id,
        ResultRow.board == BoardAttempt.board,
        ResultRow.attempt == BoardAttempt.attempt,
    )


def _select_final(table_ids: Iterable[int]) -> Select[*tuple[Any, ...]]:
    """The attempts that are the last at their board, with the results of those that have one."""
    results = [column for column in ResultRow.__table__.c if column.key not in BoardAttempt.__table__.c]
    return (
        select(*BoardAttempt.__table__.c, *results)
        .outerjoin(ResultRow, _is_result_of_attempt())
        .where(BoardAttempt.table_id.in_(list(table_ids)), BoardAttempt.final)
    )


def _actions(model: type[CallRow] | type[CardRow], table_ids: Iterable[int]) -> Select[*tuple[Any, ...]]:
    """The calls or cards of the attempts that are the last at their board."""
    return (
        select(*model.__table__.c)
        .join(
            BoardAttempt,
            (BoardAttempt.table_id == model.table_id)
            & (BoardAttempt.board == model.board)
            & (BoardAttempt.attempt == model.attempt),
        )
        .where(model.table_id.in_(list(table_ids)), BoardAttempt.final)
        .order_by(model.table_id, model.board, model.seq)
    )


def with_answers(calls: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """A query of calls, each with the operator's answer where he was asked about it."""
    return calls.add_columns(AlertQuestion.answer).outerjoin(
        AlertQuestion,
        (AlertQuestion.table_id == CallRow.table_id)
        & (AlertQuestion.board == CallRow.board)
        & (AlertQuestion.attempt == CallRow.attempt)
        & (AlertQuestion.seq == CallRow.seq),
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
        lost_home=row.lost_home,
        lost_away=row.lost_away,
    )


def call_record(row: AnyRow) -> CallRecord:
    """A row of a query of `with_answers`: what the operator has answered counts as said by the player."""
    seat, call = Seat.from_letter(row.seat), parse_call(row.call)
    alerted, alert = (True, row.answer) if row.answer else (row.alerted, row.alert or "")
    return CallRecord(seat, call, alerted, alert, row.thinking_ms, row.at_ms, row.substituted)


def card_record(row: AnyRow) -> CardRecord:
    return CardRecord(Seat.from_letter(row.seat), parse_card(row.card), row.thinking_ms, row.at_ms, row.substituted)


def board_result(row: AnyRow) -> BoardResult:
    contract = _contract(row.contract, row.declarer)
    result = Result(contract, row.tricks or 0, row.score_ns)
    return BoardResult(row.board, result, {Side.NS: row.ns_ms, Side.EW: row.ew_ms}, row.tm_ms)


def _contract(text: str, declarer: str | None) -> Contract | None:
    found = _CONTRACT.fullmatch(text)
    if found is None or declarer is None:
        return None
    level, strain, doubles = found.groups()
    return Contract(int(level), _STRAINS[strain], len(doubles), Seat.from_letter(declarer))
