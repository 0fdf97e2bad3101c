"""Tables of what happens where boards are played: rooms, tries at boards, calls, cards, results, who sat there."""

from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    ColumnClause,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    String,
    Table,
    event,
    false,
    text,
)
from sqlalchemy import Connection as SqlConnection
from sqlalchemy import Text as LongText
from sqlalchemy.schema import UniqueConstraint

from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, IncidentKind
from tourney.store.db.declaring import Model, column
from tourney.store.models.kinds import TableState, stored_enum


class TableRow(Model):
    """One room of a segment of a match, which is `boards` of its boards from `first_position` on.

    Seating is stored, never inferred: the teams, and which pair of each sits here.
    `store.control.table_state` alone writes `state`, `host`, `attempt`, `taken` and `reason`. `attempt` counts how
    often the table has been given to a host or taken from one, `taken` says whether the host has taken it up; a host
    writes only while its attempt is the newest. `doing` is the host's word on what goes on, as JSON, for those who
    watch; nothing is decided by it. `beat_at_ms` is not used: the heartbeat of a table is that of its host.
    """

    __tablename__ = "tables"
    __table_args__ = (UniqueConstraint("match_id", "segment", "room"),)

    id: ColumnClause[int] = column(primary_key=True)
    match_id: ColumnClause[int] = column(ForeignKey("matches.id"))
    segment: ColumnClause[int] = column(server_default="1")
    room: ColumnClause[Room] = column(stored_enum(Room, "room"))
    first_position: ColumnClause[int] = column(server_default="0")
    boards: ColumnClause[int]
    ns_team_id: ColumnClause[int] = column(ForeignKey("teams.id"))
    ew_team_id: ColumnClause[int] = column(ForeignKey("teams.id"))
    ns_pair: ColumnClause[int] = column(server_default="1")
    ew_pair: ColumnClause[int] = column(server_default="1")
    state: ColumnClause[TableState] = column(stored_enum(TableState, "table_state"))
    reason: ColumnClause[str] = column(LongText)
    host: ColumnClause[str | None] = column(String(100), index=True)
    attempt: ColumnClause[int]
    taken: ColumnClause[bool]
    port_north: ColumnClause[int | None]
    port_east: ColumnClause[int | None]
    port_south: ColumnClause[int | None]
    port_west: ColumnClause[int | None]
    changed_at_ms: ColumnClause[int]
    beat_at_ms: ColumnClause[int | None]
    doing: ColumnClause[str | None] = column(LongText)


class BoardAttempt(Model):
    """One try at a board at one table; `ended` is null while it is under way, or was when its host died.

    A table has at most one that is under way.
    `final` says that the board is not played again: it has a result, or was forfeited. `fault` is the seat whose
    fault the end is; null when it is nobody's at the table. `chain` ends the chain of its calls and cards.
    """

    __tablename__ = "board_attempts"
    __table_args__ = (
        Index(
            "uq_board_attempts_final",
            "table_id",
            "board",
            unique=True,
            sqlite_where=text("final"),
        ),
        Index("uq_board_attempts_open", "table_id", unique=True, sqlite_where=text("ended IS NULL")),
    )

    table_id: ColumnClause[int] = column(ForeignKey("tables.id"), primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    attempt: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    table_attempt: ColumnClause[int]
    began_at_ms: ColumnClause[int]
    ended_at_ms: ColumnClause[int | None]
    ended: ColumnClause[BoardEnd | None] = column(stored_enum(BoardEnd, "board_end"))
    reason: ColumnClause[str] = column(LongText)
    final: ColumnClause[bool] = column(server_default=false())
    fault: ColumnClause[str | None] = column(String(1))
    chain: ColumnClause[str | None] = column(String(64))


@event.listens_for(BoardAttempt.__table__, "before_create")
def _say_conditions_on_postgresql(table: Table, connection: SqlConnection, **_: Any) -> None:  # SQLAlchemy's
    # Said with the indexes, this would load the whole of the dialect in every process that reads an SQLite file.
    if connection.dialect.name == "postgresql":
        for index in table.indexes:
            index.dialect_kwargs["postgresql_where"] = index.dialect_kwargs["sqlite_where"]


ATTEMPT = ("table_id", "board", "attempt")
ATTEMPT_KEY = ("board_attempts.table_id", "board_attempts.board", "board_attempts.attempt")
WITHOUT_ROWID: Final = {"sqlite_with_rowid": False}


class CallRow(Model):
    """A call. `alert` is the information as sent, `meaning` the same parsed (JSON), `findings` its faults.

    `substituted`: the table made it in the player's place. `chain` is a hash over this row and the row before.
    """

    __tablename__ = "calls"
    __table_args__ = (ForeignKeyConstraint(ATTEMPT, ATTEMPT_KEY),)
    __table_options__ = WITHOUT_ROWID

    table_id: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    attempt: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    seq: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    seat: ColumnClause[str] = column(String(1))
    call: ColumnClause[str] = column(String(4))
    alerted: ColumnClause[bool]
    alert: ColumnClause[str | None] = column(LongText)
    meaning: ColumnClause[str | None] = column(LongText)
    findings: ColumnClause[str | None] = column(LongText)
    thinking_ms: ColumnClause[int]
    at_ms: ColumnClause[int]
    substituted: ColumnClause[bool] = column(server_default=false())
    chain: ColumnClause[str | None] = column(String(64))


class CardRow(Model):
    """A card; `seat` is the hand it came from, dummy's for dummy's cards."""

    __tablename__ = "cards"
    __table_args__ = (ForeignKeyConstraint(ATTEMPT, ATTEMPT_KEY),)
    __table_options__ = WITHOUT_ROWID

    table_id: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    attempt: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    seq: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    seat: ColumnClause[str] = column(String(1))
    card: ColumnClause[str] = column(String(2))
    thinking_ms: ColumnClause[int]
    at_ms: ColumnClause[int]
    substituted: ColumnClause[bool] = column(server_default=false())
    chain: ColumnClause[str | None] = column(String(64))


class ResultRow(Model):
    """The one result of a board at a table. `contract` is "Pass" when passed out: no declarer, no tricks then.

    `ns_ms`, `ew_ms`: thinking times; `tm_ms`: the table's own share of the time, pauses included.
    """

    __tablename__ = "results"
    __table_args__ = (
        ForeignKeyConstraint(ATTEMPT, ATTEMPT_KEY),
        CheckConstraint("(contract = 'Pass') = (declarer IS NULL)", name="passed_out"),
        CheckConstraint("tricks BETWEEN 0 AND 13", name="tricks"),
    )

    table_id: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    attempt: ColumnClause[int]
    contract: ColumnClause[str] = column(String(6))
    declarer: ColumnClause[str | None] = column(String(1))
    tricks: ColumnClause[int | None]
    score_ns: ColumnClause[int]
    ns_ms: ColumnClause[int]
    ew_ms: ColumnClause[int]
    at_ms: ColumnClause[int]
    tm_ms: ColumnClause[int] = column(server_default="0")


class ConnectionRow(Model):
    """A program that was seated: its name, its address, and from when to when."""

    __tablename__ = "connections"

    table_id: ColumnClause[int] = column(ForeignKey("tables.id"), primary_key=True, autoincrement=False)
    table_attempt: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    connection: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    seat: ColumnClause[str] = column(String(1))
    team: ColumnClause[str] = column(String(200))
    version: ColumnClause[int]
    system: ColumnClause[str] = column(LongText)
    peer: ColumnClause[str] = column(String(200))
    seated_at_ms: ColumnClause[int]
    left_at_ms: ColumnClause[int | None]
    reason: ColumnClause[str] = column(LongText)


class IncidentRow(Model):
    """Something the director should see; `text` is the offending line or a sentence."""

    __tablename__ = "incidents"

    id: ColumnClause[int] = column(primary_key=True)
    table_id: ColumnClause[int] = column(ForeignKey("tables.id"), index=True)
    board: ColumnClause[int | None]
    attempt: ColumnClause[int | None]
    kind: ColumnClause[IncidentKind] = column(stored_enum(IncidentKind, "incident_kind"))
    seat: ColumnClause[str | None] = column(String(1))
    text: ColumnClause[str] = column(LongText)
    at_ms: ColumnClause[int]
