"""Rulings and incidents: what a director wants to know, and what a score is made of besides results."""

from contextlib import nullcontext
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Row, Select, and_, insert, select

from tourney.bridge import Seat, Side
from tourney.errors import RuleError
from tourney.protocol.records import RulingKind
from tourney.store.database import Database
from tourney.store.models import BoardAttempt, IncidentRow, Match, RulingRow, TableRow, Team
from tourney.store.objects import MatchInfo
from tourney.store.verdicts import RULE_AUTHOR, IncidentInfo, RulingInfo

PENALTIES: Final = (RulingKind.PENALTY_IMPS, RulingKind.PENALTY_VP)

_ONCE: Final = (RulingKind.MATCH_FORFEIT, RulingKind.WITHDRAWAL)
"""A second one on the same team and match would say nothing."""

_AnyRow: TypeAlias = Row[*tuple[Any, ...]]


def save_ruling(
    store: Database | Connection,
    *,
    event_id: int,
    team_id: int,
    kind: RulingKind,
    reason: str,
    law: str,
    now_ms: int,
    match_id: int | None = None,
    table_id: int | None = None,
    board: int | None = None,
    attempt: int | None = None,
    amount: int = 0,
    author: str = RULE_AUTHOR,
) -> int:
    """Put a ruling against a team on record; its id.

    A team forfeits a match, and withdraws from the event, once: where such a ruling stands, it stays and its id is
    given. A match that has a score must be scored again after a ruling on it (`replace_match_score`).

    Args:
        store: the database, or a transaction that writes.
        event_id: the event.
        team_id: whom the ruling is against.
        kind: what it does.
        reason: one sentence for people.
        law: a law ("Law 81C5") or a clause of the protocol ("BC-45").
        now_ms: when it was given.
        match_id: the match; None for a withdrawal, which is from the event.
        table_id: the room, when it is about what happened there.
        board: the board, when it is about one.
        attempt: which try at that board.
        amount: of a penalty: IMPs, or hundredths of a victory point.
        author: who gave it.

    Raises:
        RuleError: a ruling of this kind needs a match, a room and a board, or an amount, and has none.
        StoreError: the database cannot be used.
    """
    _check_place(kind, match_id, table_id, board)
    _check_amount(kind, amount)
    with nullcontext(store) if isinstance(store, Connection) else store.write() as connection:
        standing = _standing(connection, event_id, team_id, match_id, kind) if kind in _ONCE else None
        if standing is not None:
            return standing
        key = connection.execute(
            insert(RulingRow).values(
                event_id=event_id,
                match_id=match_id,
                table_id=table_id,
                board=board,
                attempt=attempt,
                team_id=team_id,
                kind=kind,
                amount=amount,
                reason=reason,
                law=law,
                author=author,
                at_ms=now_ms,
            )
        ).inserted_primary_key
        assert key is not None
        return int(key[0])


def _standing(
    connection: Connection, event_id: int, team_id: int, match_id: int | None, kind: RulingKind
) -> int | None:
    """The id of a ruling of this kind that stands."""
    # Whoever gives the same ruling at the same time waits here.
    connection.execute(select(Team.id).where(Team.id == team_id).with_for_update(key_share=True))
    return connection.scalar(
        select(RulingRow.id).where(
            RulingRow.event_id == event_id,
            RulingRow.team_id == team_id,
            RulingRow.match_id.is_not_distinct_from(match_id),
            RulingRow.kind == kind,
            RulingRow.withdrawn_at_ms.is_(None),
        )
    )


def _check_place(kind: RulingKind, match_id: int | None, table_id: int | None, board: int | None) -> None:
    if kind is RulingKind.WITHDRAWAL and match_id is not None:
        raise RuleError(f"a team withdraws from the event, not from a match, got match {match_id}")
    if kind is RulingKind.BOARD_FORFEIT and None in (match_id, table_id, board):
        raise RuleError(
            f"a board is forfeited at a table of a match, got match {match_id}, table {table_id}, board {board}"
        )
    if kind in (*PENALTIES, RulingKind.MATCH_FORFEIT) and match_id is None:
        raise RuleError(f"a {kind.value} is given in a match, got none")


def _check_amount(kind: RulingKind, amount: int) -> None:
    if kind in PENALTIES and amount < 1:
        unit = "IMP" if kind is RulingKind.PENALTY_IMPS else "hundredth of a victory point"
        raise RuleError(f"a {kind.value} is at least 1 {unit}, got {amount}")
    if kind not in PENALTIES and amount != 0:
        raise RuleError(f"a {kind.value} has no amount, got {amount}")


def load_rulings(database: Database, event_id: int) -> list[RulingInfo]:
    """All rulings of an event, the oldest first; those that were withdrawn are among them (`is_live`)."""
    return _load(database, _select_rulings().where(RulingRow.event_id == event_id))


def load_match_rulings(database: Database, match: MatchInfo) -> list[RulingInfo]:
    """All rulings given in a match, as `load_rulings` has them; a withdrawal is from the event, not in here."""
    return _load(database, _select_rulings().where(RulingRow.match_id == match.id))


def _load(database: Database, query: Select[*tuple[Any, ...]]) -> list[RulingInfo]:
    with database.read() as connection:
        return [_ruling_info(row) for row in connection.execute(query)]


def _select_rulings() -> Select[*tuple[Any, ...]]:  # a select of this width has no shorter type
    return (
        select(
            *RulingRow.__table__.c,
            Team.name.label("team_name"),
            Match.number.label("match_number"),
            TableRow.room,
            BoardAttempt.ended,
        )
        .join(Team, Team.id == RulingRow.team_id)
        .outerjoin(Match, Match.id == RulingRow.match_id)
        .outerjoin(TableRow, TableRow.id == RulingRow.table_id)
        .outerjoin(
            BoardAttempt,
            and_(
                BoardAttempt.table_id == RulingRow.table_id,
                BoardAttempt.board == RulingRow.board,
                BoardAttempt.attempt == RulingRow.attempt,
            ),
        )
        .order_by(RulingRow.at_ms, RulingRow.id)
    )


def _ruling_info(row: _AnyRow) -> RulingInfo:
    return RulingInfo(
        id=row.id,
        kind=row.kind,
        team=row.team_name,
        match=row.match_number,
        room=row.room,
        board=row.board,
        attempt=row.attempt,
        ended=row.ended,
        amount=row.amount,
        reason=row.reason,
        law=row.law,
        author=row.author,
        at_ms=row.at_ms,
        withdrawn_at_ms=row.withdrawn_at_ms,
        withdrawn_by=row.withdrawn_by,
        withdrawn_reason=row.withdrawn_reason,
    )


def load_incidents(database: Database, event_id: int, match: MatchInfo | None = None) -> list[IncidentInfo]:
    """The incidents of an event, or of one of its matches, the oldest first."""
    north_south, east_west = Team.__table__.alias("ns_team"), Team.__table__.alias("ew_team")
    query = (
        select(
            *IncidentRow.__table__.c,
            Match.number.label("match_number"),
            TableRow.room,
            north_south.c.name.label("ns_name"),
            east_west.c.name.label("ew_name"),
        )
        .join(TableRow, TableRow.id == IncidentRow.table_id)
        .join(Match, Match.id == TableRow.match_id)
        .join(north_south, north_south.c.id == TableRow.ns_team_id)
        .join(east_west, east_west.c.id == TableRow.ew_team_id)
        .where(Match.event_id == event_id)
        .order_by(IncidentRow.at_ms, IncidentRow.id)
    )
    if match is not None:
        query = query.where(Match.id == match.id)
    with database.read() as connection:
        return [_incident_info(row) for row in connection.execute(query)]


def _incident_info(row: _AnyRow) -> IncidentInfo:
    seat = Seat.from_letter(row.seat) if row.seat is not None else None
    team = None if seat is None else row.ns_name if seat.side is Side.NS else row.ew_name
    return IncidentInfo(
        id=row.id,
        match=row.match_number,
        room=row.room,
        board=row.board,
        attempt=row.attempt,
        kind=row.kind,
        seat=seat,
        team=team,
        text=row.text,
        at_ms=row.at_ms,
    )
