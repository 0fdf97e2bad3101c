"""The schema. Nothing outside `store` sees these classes; migrations build what they describe.

Times named `*_at_ms` are milliseconds since 1970-01-01 UTC. Victory points are whole hundredths. Seats are
N, E, S, W. The natural key of a call or card is (table, board, attempt, seq): the database refuses a second one.
"""

import enum
from typing import Any, Final

from sqlalchemy import (
    CheckConstraint,
    ColumnClause,
    Enum,
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

from tourney.bridge import Vulnerability
from tourney.config import SharedDeals, StageFormat
from tourney.movement.seating import Room
from tourney.movement.segments import SeatsRule
from tourney.protocol.record_words import BoardEnd, IncidentKind, RulingKind
from tourney.store.declaring import Model as Model  # noqa: PLC0414 # migrations see it with all its tables
from tourney.store.declaring import column


class TableState(enum.StrEnum):
    """Where a table stands, as its host says it."""

    WAITING = "waiting"
    """No host has it: its round has not begun, or it was stopped and may go on."""
    ASSIGNED = "assigned"
    """Given to a host, which has not opened it yet."""
    OPEN = "open"
    """Its ports are open and it waits for players."""
    PLAYING = "playing"
    FINISHED = "finished"
    FAILED = "failed"
    """It could not be opened or played on; `reason` says why. A new run tries again."""


class OrderKind(enum.StrEnum):
    """What a director asks of a running table."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    """End the table's session; the board in hand stays unfinished."""
    KICK = "kick"
    """End the connection of one seat."""
    REPLAY = "replay"
    """Play a board again, under its number; what it came to before stays on record."""
    ALERT = "alert"
    """The operator's answer to whether a call is alertable (BC-27)."""


def _enum(kind: type[enum.StrEnum], name: str) -> Enum:
    """Stored by value, with a check, the same on every database; a native type could not be altered later."""
    return Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=True,
        length=20,
        values_callable=lambda members: [member.value for member in members],
    )


class Event(Model):
    """One competition. `settings` is what table hosts need of the event file, `plan` what the draw hangs on.

    `run_holder` is who runs the event, `run_beat_at_ms` when that was last heard of; both null when nobody does.
    """

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("name_key"),)

    id: ColumnClause[int] = column(primary_key=True)
    name: ColumnClause[str] = column(String(100))
    # A letter may become three when case is set aside.
    name_key: ColumnClause[str] = column(String(300))
    seed: ColumnClause[str] = column(String(40))
    plan: ColumnClause[str] = column(LongText)
    settings: ColumnClause[str] = column(LongText)
    created_at_ms: ColumnClause[int]
    run_holder: ColumnClause[str | None] = column(LongText)
    run_beat_at_ms: ColumnClause[int | None]


class Host(Model):
    """A process that plays tables. `beat_at_ms` is when it was last heard of, null `ended_at_ms` means it goes on.

    `written` counts its transactions, so that one whose outcome got lost with the connection is not written twice.
    `pid_start` tells the process from a later one with its id.
    """

    __tablename__ = "hosts"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    name: ColumnClause[str] = column(String(100))
    machine: ColumnClause[str] = column(String(200))
    pid: ColumnClause[int]
    pid_start: ColumnClause[str] = column(String(100))
    started_at_ms: ColumnClause[int]
    beat_at_ms: ColumnClause[int]
    written: ColumnClause[int]
    ended_at_ms: ColumnClause[int | None]
    reason: ColumnClause[str] = column(LongText)


class Team(Model):
    """A team under its locked name (BC-09); `number` is its place in the draw.

    `second_command` starts the programs of its second pair, null when `command` does that too.
    `wire` holds the wire settings that differ from those of the profile, as JSON.
    """

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("event_id", "number"), UniqueConstraint("event_id", "name_key"))

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    number: ColumnClause[int]
    name: ColumnClause[str] = column(String(64))
    name_key: ColumnClause[str] = column(String(64))
    command: ColumnClause[str | None] = column(LongText)
    second_command: ColumnClause[str | None] = column(LongText)
    profile: ColumnClause[str] = column(String(40))
    wire: ColumnClause[str] = column(LongText, server_default="{}")


class Stage(Model):
    """A part of the event with one format and one VP scale."""

    __tablename__ = "stages"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    number: ColumnClause[int]
    name: ColumnClause[str] = column(String(100))
    format: ColumnClause[StageFormat] = column(_enum(StageFormat, "stage_format"))
    boards_per_match: ColumnClause[int]
    vp_scale: ColumnClause[str] = column(String(100))
    shared_deals: ColumnClause[SharedDeals] = column(_enum(SharedDeals, "shared_deals"))
    groups: ColumnClause[int] = column(server_default="1")
    segments: ColumnClause[int] = column(server_default="1")
    seats: ColumnClause[SeatsRule] = column(_enum(SeatsRule, "seats_rule"), server_default=SeatsRule.FIXED.value)
    extra_boards: ColumnClause[int] = column(server_default="0")


class StageEntry(Model):
    """A team in a stage. There are none before it is known who goes on into the stage.

    `seed` is its place among them, from 1; `rank` that in its group of the stage before, 0 in the first stage;
    `from_round` the round from which it plays; `carry_vp` hundredths of victory points that it brings along.
    """

    __tablename__ = "stage_entries"
    __table_args__ = (UniqueConstraint("stage_id", "seed"),)

    stage_id: ColumnClause[int] = column(ForeignKey("stages.id"), primary_key=True, autoincrement=False)
    team_id: ColumnClause[int] = column(ForeignKey("teams.id"), primary_key=True, autoincrement=False)
    seed: ColumnClause[int]
    group_number: ColumnClause[int] = column(server_default="1")
    rank: ColumnClause[int] = column(server_default="0")
    from_round: ColumnClause[int] = column(server_default="1")
    carry_vp: ColumnClause[int] = column(server_default="0")


class Round(Model):
    """Matches that are played side by side. `drawn_at_ms` is null while it is not known who meets whom."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("stage_id", "number"),)

    id: ColumnClause[int] = column(primary_key=True)
    stage_id: ColumnClause[int] = column(ForeignKey("stages.id"))
    number: ColumnClause[int]
    starts_at_ms: ColumnClause[int | None]
    drawn_at_ms: ColumnClause[int | None]


class Bye(Model):
    """A team that sits out in a round."""

    __tablename__ = "byes"

    round_id: ColumnClause[int] = column(ForeignKey("rounds.id"), primary_key=True, autoincrement=False)
    team_id: ColumnClause[int] = column(ForeignKey("teams.id"), primary_key=True, autoincrement=False)


class BoardSet(Model):
    """Boards that belong together: those of a round, or of one match; extra ones for level matches come last."""

    __tablename__ = "board_sets"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    name: ColumnClause[str] = column(String(100))


class DealRow(Model):
    """Four hands, as the value of a PBN Deal tag from North."""

    __tablename__ = "deals"

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    hands: ColumnClause[str] = column(String(80))


class BoardRow(Model):
    """A board of a set; `position` is its place in the order of play, from 0."""

    __tablename__ = "boards"
    __table_args__ = (UniqueConstraint("board_set_id", "position"),)

    board_set_id: ColumnClause[int] = column(ForeignKey("board_sets.id"), primary_key=True)
    number: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    position: ColumnClause[int]
    dealer: ColumnClause[str] = column(String(1))
    vulnerability: ColumnClause[Vulnerability] = column(_enum(Vulnerability, "vulnerability"))
    deal_id: ColumnClause[int] = column(ForeignKey("deals.id"))


class Match(Model):
    """Two teams over the first `boards` of a set; `number` counts through the event and is what commands name.

    `carry_home`, `carry_away`: hundredths of IMPs brought along from the stage before.
    """

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    round_id: ColumnClause[int] = column(ForeignKey("rounds.id"), index=True)
    number: ColumnClause[int]
    home_team_id: ColumnClause[int] = column(ForeignKey("teams.id"))
    away_team_id: ColumnClause[int] = column(ForeignKey("teams.id"))
    board_set_id: ColumnClause[int] = column(ForeignKey("board_sets.id"))
    boards: ColumnClause[int]
    carry_home: ColumnClause[int] = column(server_default="0")
    carry_away: ColumnClause[int] = column(server_default="0")
    third_place: ColumnClause[bool] = column(server_default=false())


class MatchResult(Model):
    """The score of a match that is over: written when its last board is in, and anew when a ruling changes it.

    `lost_home`, `lost_away`: IMPs that a team lost and its opponents did not win.
    """

    __tablename__ = "match_results"

    match_id: ColumnClause[int] = column(ForeignKey("matches.id"), primary_key=True, autoincrement=False)
    boards: ColumnClause[int]
    imps_home: ColumnClause[int]
    imps_away: ColumnClause[int]
    vp_home_hundredths: ColumnClause[int]
    vp_away_hundredths: ColumnClause[int]
    lost_home: ColumnClause[int] = column(server_default="0")
    lost_away: ColumnClause[int] = column(server_default="0")
    finished_at_ms: ColumnClause[int]


class TableRow(Model):
    """One room of a segment of a match, which is `boards` of its boards from `first_position` on.

    Seating is stored, never inferred: the teams, and which pair of each sits here.
    `attempt` counts how often the table has been given to a host, `taken` says whether that host has taken it up; a
    host writes only while its attempt is the newest. `beat_at_ms` is when that host was last heard of: after a lease
    time of silence the table may be given to another. `doing` is the host's word on what goes on, as JSON, for those
    who watch; nothing is decided by it.
    """

    __tablename__ = "tables"
    __table_args__ = (UniqueConstraint("match_id", "segment", "room"),)

    id: ColumnClause[int] = column(primary_key=True)
    match_id: ColumnClause[int] = column(ForeignKey("matches.id"))
    segment: ColumnClause[int] = column(server_default="1")
    room: ColumnClause[Room] = column(_enum(Room, "room"))
    first_position: ColumnClause[int] = column(server_default="0")
    boards: ColumnClause[int]
    ns_team_id: ColumnClause[int] = column(ForeignKey("teams.id"))
    ew_team_id: ColumnClause[int] = column(ForeignKey("teams.id"))
    ns_pair: ColumnClause[int] = column(server_default="1")
    ew_pair: ColumnClause[int] = column(server_default="1")
    state: ColumnClause[TableState] = column(_enum(TableState, "table_state"))
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
    )

    table_id: ColumnClause[int] = column(ForeignKey("tables.id"), primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    attempt: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    table_attempt: ColumnClause[int]
    began_at_ms: ColumnClause[int]
    ended_at_ms: ColumnClause[int | None]
    ended: ColumnClause[BoardEnd | None] = column(_enum(BoardEnd, "board_end"))
    reason: ColumnClause[str] = column(LongText)
    final: ColumnClause[bool] = column(server_default=false())
    fault: ColumnClause[str | None] = column(String(1))
    chain: ColumnClause[str | None] = column(String(64))


@event.listens_for(BoardAttempt.__table__, "before_create")
def _say_final_on_postgresql(table: Table, connection: SqlConnection, **_: Any) -> None:  # SQLAlchemy's
    # Said with the index, this would load the whole of the dialect in every process that reads an SQLite file.
    if connection.dialect.name == "postgresql":
        (final,) = (index for index in table.indexes if index.name == "uq_board_attempts_final")
        final.dialect_kwargs["postgresql_where"] = text("final")


_ATTEMPT = ("table_id", "board", "attempt")
_ATTEMPT_KEY = ("board_attempts.table_id", "board_attempts.board", "board_attempts.attempt")
_WITHOUT_ROWID: Final = {"sqlite_with_rowid": False}


class CallRow(Model):
    """A call. `alert` is the information as sent, `meaning` the same parsed (JSON), `findings` its faults.

    `substituted`: the table made it in the player's place. `chain` is a hash over this row and the row before.
    """

    __tablename__ = "calls"
    __table_args__ = (ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY),)
    __table_options__ = _WITHOUT_ROWID

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
    __table_args__ = (ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY),)
    __table_options__ = _WITHOUT_ROWID

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
    """How a board came out at a table, once. `contract` is "Pass" when passed out: no declarer, no tricks then.

    `ns_ms`, `ew_ms`: thinking times; `tm_ms`: the table's own share of the time, pauses included.
    """

    __tablename__ = "results"
    __table_args__ = (
        ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY),
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


class Connection(Model):
    """A program that sat down: under which name, from where, from when to when."""

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
    """Something for the director's eyes, no call and no card; `text` holds the offending line or a sentence."""

    __tablename__ = "incidents"

    id: ColumnClause[int] = column(primary_key=True)
    table_id: ColumnClause[int] = column(ForeignKey("tables.id"), index=True)
    board: ColumnClause[int | None]
    attempt: ColumnClause[int | None]
    kind: ColumnClause[IncidentKind] = column(_enum(IncidentKind, "incident_kind"))
    seat: ColumnClause[str | None] = column(String(1))
    text: ColumnClause[str] = column(LongText)
    at_ms: ColumnClause[int]


class RulingRow(Model):
    """A ruling on a team, or on a board for both: by rule, or by the director. Withdrawn ones stay: when, who, why.

    `amount` is in IMPs for `penalty-imps` and `adjusted-score`, in hundredths of a victory point for `penalty-vp`,
    else 0; `terms` is what an `assigned-score` assigns, as JSON. `law` is a law or a clause of the protocol; `author`
    is "rule" where a rule gave it.
    """

    __tablename__ = "rulings"

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"), index=True)
    match_id: ColumnClause[int | None] = column(ForeignKey("matches.id"), index=True)
    table_id: ColumnClause[int | None] = column(ForeignKey("tables.id"))
    board: ColumnClause[int | None]
    attempt: ColumnClause[int | None]
    team_id: ColumnClause[int | None] = column(ForeignKey("teams.id"))
    kind: ColumnClause[RulingKind] = column(_enum(RulingKind, "ruling_kind"))
    amount: ColumnClause[int]
    terms: ColumnClause[str | None] = column(LongText)
    reason: ColumnClause[str] = column(LongText)
    law: ColumnClause[str] = column(String(100))
    author: ColumnClause[str] = column(String(100))
    at_ms: ColumnClause[int]
    withdrawn_at_ms: ColumnClause[int | None]
    withdrawn_by: ColumnClause[str | None] = column(String(100))
    withdrawn_reason: ColumnClause[str | None] = column(LongText)


class Finalisation(Model):
    """When the results of an event were made final, or opened again, by whom and why; the newest row says which."""

    __tablename__ = "finalisations"

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"), index=True)
    is_final: ColumnClause[bool]
    author: ColumnClause[str] = column(String(100))
    reason: ColumnClause[str] = column(LongText)
    at_ms: ColumnClause[int]


class BoardAnalysis(Model):
    """What a board is worth double dummy: `tricks` as `DoubleDummyTable` writes them, par for North-South."""

    __tablename__ = "board_analyses"
    __table_args__ = (
        ForeignKeyConstraint(("board_set_id", "board"), ("boards.board_set_id", "boards.number")),
        CheckConstraint("length(tricks) = 20", name="tricks"),
    )

    board_set_id: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    tricks: ColumnClause[str] = column(String(20))
    par_ns: ColumnClause[int]
    par_contracts: ColumnClause[str] = column(LongText)


class PlayAnalysis(Model):
    """Declarer's tricks double dummy before the first card and after each one, a hexadecimal digit each."""

    __tablename__ = "play_analyses"
    __table_args__ = (ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY),)

    table_id: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    attempt: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    tricks: ColumnClause[str] = column(String(60))


class AlertQuestion(Model):
    """Whether a call is alertable, asked of the operator (BC-25). `answer` is null while it waits, "" for no."""

    __tablename__ = "alert_questions"
    __table_args__ = (ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY),)

    table_id: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    attempt: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    seq: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    seat: ColumnClause[str] = column(String(1))
    asked_at_ms: ColumnClause[int]
    answer: ColumnClause[str | None] = column(LongText)
    author: ColumnClause[str | None] = column(String(100))
    answered_at_ms: ColumnClause[int | None]


class Order(Model):
    """What a director asks of one table; its host acts on it and says what came of it."""

    __tablename__ = "orders"

    id: ColumnClause[int] = column(primary_key=True)
    table_id: ColumnClause[int] = column(ForeignKey("tables.id"), index=True)
    kind: ColumnClause[OrderKind] = column(_enum(OrderKind, "order_kind"))
    seat: ColumnClause[str | None] = column(String(1))
    board: ColumnClause[int | None]
    seq: ColumnClause[int | None]
    text: ColumnClause[str] = column(LongText)
    author: ColumnClause[str] = column(String(100))
    created_at_ms: ColumnClause[int]
    acted_at_ms: ColumnClause[int | None]
    outcome: ColumnClause[str | None] = column(LongText)
