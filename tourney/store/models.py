"""The schema. Nothing outside `store` sees these classes; migrations build what they describe.

Times named `*_at_ms` are milliseconds since 1970-01-01 UTC. Victory points are whole hundredths. Seats are
N, E, S, W. The natural key of a call or card is (table, board, attempt, seq): the database refuses a second one.
"""

import enum
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Enum,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    false,
    text,
)
from sqlalchemy import Text as LongText
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.schema import UniqueConstraint

from tourney.bridge import Vulnerability
from tourney.config import SharedDeals, StageFormat
from tourney.movement.seating import Room
from tourney.movement.segments import SeatsRule
from tourney.protocol.records import BoardEnd, IncidentKind, RulingKind


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


class Model(DeclarativeBase):
    """Base of all tables; constraints are named, so that migrations can find them again."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    # SQLite gives ids only to INTEGER keys; everywhere else milliseconds need 64 bits.
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: BigInteger().with_variant(Integer(), "sqlite")}


class Event(Model):
    """One competition. `settings` is what table hosts need of the event file, `plan` what the draw hangs on.

    `run_holder` is who runs the event, `run_beat_at_ms` when that was last heard of; both null when nobody does.
    """

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("name_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    # A letter may become three when case is set aside.
    name_key: Mapped[str] = mapped_column(String(300))
    seed: Mapped[str] = mapped_column(String(40))
    plan: Mapped[str] = mapped_column(LongText)
    settings: Mapped[str] = mapped_column(LongText)
    created_at_ms: Mapped[int]
    run_holder: Mapped[str | None] = mapped_column(LongText)
    run_beat_at_ms: Mapped[int | None]


class Host(Model):
    """A process that plays tables. `beat_at_ms` is when it was last heard of, null `ended_at_ms` means it goes on.

    `written` counts its transactions, so that one whose outcome got lost with the connection is not written twice.
    `pid_start` tells the process from a later one with its id.
    """

    __tablename__ = "hosts"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    name: Mapped[str] = mapped_column(String(100))
    machine: Mapped[str] = mapped_column(String(200))
    pid: Mapped[int]
    pid_start: Mapped[str] = mapped_column(String(100))
    started_at_ms: Mapped[int]
    beat_at_ms: Mapped[int]
    written: Mapped[int]
    ended_at_ms: Mapped[int | None]
    reason: Mapped[str] = mapped_column(LongText)


class Team(Model):
    """A team under its locked name (BC-09); `number` is its place in the draw.

    `second_command` starts the programs of its second pair, null when `command` does that too.
    `wire` holds the wire settings that differ from those of the profile, as JSON.
    """

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("event_id", "number"), UniqueConstraint("event_id", "name_key"))

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    number: Mapped[int]
    name: Mapped[str] = mapped_column(String(64))
    name_key: Mapped[str] = mapped_column(String(64))
    command: Mapped[str | None] = mapped_column(LongText)
    second_command: Mapped[str | None] = mapped_column(LongText)
    profile: Mapped[str] = mapped_column(String(40))
    wire: Mapped[str] = mapped_column(LongText, server_default="{}")


class Stage(Model):
    """A part of the event with one format and one VP scale."""

    __tablename__ = "stages"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    number: Mapped[int]
    name: Mapped[str] = mapped_column(String(100))
    format: Mapped[StageFormat] = mapped_column(_enum(StageFormat, "stage_format"))
    boards_per_match: Mapped[int]
    vp_scale: Mapped[str] = mapped_column(String(100))
    shared_deals: Mapped[SharedDeals] = mapped_column(_enum(SharedDeals, "shared_deals"))
    groups: Mapped[int] = mapped_column(server_default="1")
    segments: Mapped[int] = mapped_column(server_default="1")
    seats: Mapped[SeatsRule] = mapped_column(_enum(SeatsRule, "seats_rule"), server_default=SeatsRule.FIXED.value)
    extra_boards: Mapped[int] = mapped_column(server_default="0")


class StageEntry(Model):
    """A team in a stage. There are none before it is known who goes on into the stage.

    `seed` is its place among them, from 1; `rank` that in its group of the stage before, 0 in the first stage;
    `from_round` the round from which it plays; `carry_vp` hundredths of victory points that it brings along.
    """

    __tablename__ = "stage_entries"
    __table_args__ = (UniqueConstraint("stage_id", "seed"),)

    stage_id: Mapped[int] = mapped_column(ForeignKey("stages.id"), primary_key=True, autoincrement=False)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), primary_key=True, autoincrement=False)
    seed: Mapped[int]
    group_number: Mapped[int] = mapped_column(server_default="1")
    rank: Mapped[int] = mapped_column(server_default="0")
    from_round: Mapped[int] = mapped_column(server_default="1")
    carry_vp: Mapped[int] = mapped_column(server_default="0")


class Round(Model):
    """Matches that are played side by side. `drawn_at_ms` is null while it is not known who meets whom."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("stage_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    stage_id: Mapped[int] = mapped_column(ForeignKey("stages.id"))
    number: Mapped[int]
    starts_at_ms: Mapped[int | None]
    drawn_at_ms: Mapped[int | None]


class Bye(Model):
    """A team that sits out in a round."""

    __tablename__ = "byes"

    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), primary_key=True, autoincrement=False)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), primary_key=True, autoincrement=False)


class BoardSet(Model):
    """Boards that belong together: those of a round, or of one match; extra ones for level matches come last."""

    __tablename__ = "board_sets"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    name: Mapped[str] = mapped_column(String(100))


class DealRow(Model):
    """Four hands, as the value of a PBN Deal tag from North."""

    __tablename__ = "deals"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    hands: Mapped[str] = mapped_column(String(80))


class BoardRow(Model):
    """A board of a set; `position` is its place in the order of play, from 0."""

    __tablename__ = "boards"
    __table_args__ = (UniqueConstraint("board_set_id", "position"),)

    board_set_id: Mapped[int] = mapped_column(ForeignKey("board_sets.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    position: Mapped[int]
    dealer: Mapped[str] = mapped_column(String(1))
    vulnerability: Mapped[Vulnerability] = mapped_column(_enum(Vulnerability, "vulnerability"))
    deal_id: Mapped[int] = mapped_column(ForeignKey("deals.id"))


class Match(Model):
    """Two teams over the first `boards` of a set; `number` counts through the event and is what commands name.

    `carry_home`, `carry_away`: hundredths of IMPs brought along from the stage before.
    """

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), index=True)
    number: Mapped[int]
    home_team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    away_team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    board_set_id: Mapped[int] = mapped_column(ForeignKey("board_sets.id"))
    boards: Mapped[int]
    carry_home: Mapped[int] = mapped_column(server_default="0")
    carry_away: Mapped[int] = mapped_column(server_default="0")
    third_place: Mapped[bool] = mapped_column(server_default=false())


class MatchResult(Model):
    """The score of a match that is over: written when its last board is in, and anew when a ruling changes it.

    `lost_home`, `lost_away`: IMPs that a team lost and its opponents did not win.
    """

    __tablename__ = "match_results"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True, autoincrement=False)
    boards: Mapped[int]
    imps_home: Mapped[int]
    imps_away: Mapped[int]
    vp_home_hundredths: Mapped[int]
    vp_away_hundredths: Mapped[int]
    lost_home: Mapped[int] = mapped_column(server_default="0")
    lost_away: Mapped[int] = mapped_column(server_default="0")
    finished_at_ms: Mapped[int]


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

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    segment: Mapped[int] = mapped_column(server_default="1")
    room: Mapped[Room] = mapped_column(_enum(Room, "room"))
    first_position: Mapped[int] = mapped_column(server_default="0")
    boards: Mapped[int]
    ns_team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    ew_team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    ns_pair: Mapped[int] = mapped_column(server_default="1")
    ew_pair: Mapped[int] = mapped_column(server_default="1")
    state: Mapped[TableState] = mapped_column(_enum(TableState, "table_state"))
    reason: Mapped[str] = mapped_column(LongText)
    host: Mapped[str | None] = mapped_column(String(100), index=True)
    attempt: Mapped[int]
    taken: Mapped[bool]
    port_north: Mapped[int | None]
    port_east: Mapped[int | None]
    port_south: Mapped[int | None]
    port_west: Mapped[int | None]
    changed_at_ms: Mapped[int]
    beat_at_ms: Mapped[int | None]
    doing: Mapped[str | None] = mapped_column(LongText)


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
            postgresql_where=text("final"),
        ),
    )

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True, autoincrement=False)
    board: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    attempt: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    table_attempt: Mapped[int]
    began_at_ms: Mapped[int]
    ended_at_ms: Mapped[int | None]
    ended: Mapped[BoardEnd | None] = mapped_column(_enum(BoardEnd, "board_end"))
    reason: Mapped[str] = mapped_column(LongText)
    final: Mapped[bool] = mapped_column(server_default=false())
    fault: Mapped[str | None] = mapped_column(String(1))
    chain: Mapped[str | None] = mapped_column(String(64))


_ATTEMPT = ("table_id", "board", "attempt")
_ATTEMPT_KEY = ("board_attempts.table_id", "board_attempts.board", "board_attempts.attempt")


class CallRow(Model):
    """A call. `alert` is the information as sent, `meaning` the same parsed (JSON), `findings` its faults.

    `substituted`: the table made it in the player's place. `chain` is a hash over this row and the row before.
    """

    __tablename__ = "calls"
    __table_args__: Any = (ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY), {"sqlite_with_rowid": False})

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    board: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    attempt: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[str] = mapped_column(String(1))
    call: Mapped[str] = mapped_column(String(4))
    alerted: Mapped[bool]
    alert: Mapped[str | None] = mapped_column(LongText)
    meaning: Mapped[str | None] = mapped_column(LongText)
    findings: Mapped[str | None] = mapped_column(LongText)
    thinking_ms: Mapped[int]
    at_ms: Mapped[int]
    substituted: Mapped[bool] = mapped_column(server_default=false())
    chain: Mapped[str | None] = mapped_column(String(64))


class CardRow(Model):
    """A card; `seat` is the hand it came from, dummy's for dummy's cards."""

    __tablename__ = "cards"
    __table_args__: Any = (ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY), {"sqlite_with_rowid": False})

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    board: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    attempt: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[str] = mapped_column(String(1))
    card: Mapped[str] = mapped_column(String(2))
    thinking_ms: Mapped[int]
    at_ms: Mapped[int]
    substituted: Mapped[bool] = mapped_column(server_default=false())
    chain: Mapped[str | None] = mapped_column(String(64))


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

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    board: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    attempt: Mapped[int]
    contract: Mapped[str] = mapped_column(String(6))
    declarer: Mapped[str | None] = mapped_column(String(1))
    tricks: Mapped[int | None]
    score_ns: Mapped[int]
    ns_ms: Mapped[int]
    ew_ms: Mapped[int]
    at_ms: Mapped[int]
    tm_ms: Mapped[int] = mapped_column(server_default="0")


class Connection(Model):
    """A program that sat down: under which name, from where, from when to when."""

    __tablename__ = "connections"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True, autoincrement=False)
    table_attempt: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    connection: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[str] = mapped_column(String(1))
    team: Mapped[str] = mapped_column(String(200))
    version: Mapped[int]
    system: Mapped[str] = mapped_column(LongText)
    peer: Mapped[str] = mapped_column(String(200))
    seated_at_ms: Mapped[int]
    left_at_ms: Mapped[int | None]
    reason: Mapped[str] = mapped_column(LongText)


class IncidentRow(Model):
    """Something for the director's eyes, no call and no card; `text` holds the offending line or a sentence."""

    __tablename__ = "incidents"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), index=True)
    board: Mapped[int | None]
    attempt: Mapped[int | None]
    kind: Mapped[IncidentKind] = mapped_column(_enum(IncidentKind, "incident_kind"))
    seat: Mapped[str | None] = mapped_column(String(1))
    text: Mapped[str] = mapped_column(LongText)
    at_ms: Mapped[int]


class RulingRow(Model):
    """A ruling on a team, or on a board for both: by rule, or by the director. Withdrawn ones stay: when, who, why.

    `amount` is in IMPs for `penalty-imps` and `adjusted-score`, in hundredths of a victory point for `penalty-vp`,
    else 0; `terms` is what an `assigned-score` assigns, as JSON. `law` is a law or a clause of the protocol; `author`
    is "rule" where a rule gave it.
    """

    __tablename__ = "rulings"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"), index=True)
    table_id: Mapped[int | None] = mapped_column(ForeignKey("tables.id"))
    board: Mapped[int | None]
    attempt: Mapped[int | None]
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    kind: Mapped[RulingKind] = mapped_column(_enum(RulingKind, "ruling_kind"))
    amount: Mapped[int]
    terms: Mapped[str | None] = mapped_column(LongText)
    reason: Mapped[str] = mapped_column(LongText)
    law: Mapped[str] = mapped_column(String(100))
    author: Mapped[str] = mapped_column(String(100))
    at_ms: Mapped[int]
    withdrawn_at_ms: Mapped[int | None]
    withdrawn_by: Mapped[str | None] = mapped_column(String(100))
    withdrawn_reason: Mapped[str | None] = mapped_column(LongText)


class Finalisation(Model):
    """When the results of an event were made final, or opened again, by whom and why; the newest row says which."""

    __tablename__ = "finalisations"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    is_final: Mapped[bool]
    author: Mapped[str] = mapped_column(String(100))
    reason: Mapped[str] = mapped_column(LongText)
    at_ms: Mapped[int]


class BoardAnalysis(Model):
    """What a board is worth double dummy: `tricks` as `DoubleDummyTable` writes them, par for North-South."""

    __tablename__ = "board_analyses"
    __table_args__ = (
        ForeignKeyConstraint(("board_set_id", "board"), ("boards.board_set_id", "boards.number")),
        CheckConstraint("length(tricks) = 20", name="tricks"),
    )

    board_set_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    board: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tricks: Mapped[str] = mapped_column(String(20))
    par_ns: Mapped[int]
    par_contracts: Mapped[str] = mapped_column(LongText)


class PlayAnalysis(Model):
    """Declarer's tricks double dummy before the first card and after each one, a hexadecimal digit each."""

    __tablename__ = "play_analyses"
    __table_args__ = (ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY),)

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    board: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    attempt: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tricks: Mapped[str] = mapped_column(String(60))


class AlertQuestion(Model):
    """Whether a call is alertable, asked of the operator (BC-25). `answer` is null while it waits, "" for no."""

    __tablename__ = "alert_questions"
    __table_args__ = (ForeignKeyConstraint(_ATTEMPT, _ATTEMPT_KEY),)

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    board: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    attempt: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[str] = mapped_column(String(1))
    asked_at_ms: Mapped[int]
    answer: Mapped[str | None] = mapped_column(LongText)
    author: Mapped[str | None] = mapped_column(String(100))
    answered_at_ms: Mapped[int | None]


class Order(Model):
    """What a director asks of one table; its host acts on it and says what came of it."""

    __tablename__ = "orders"

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), index=True)
    kind: Mapped[OrderKind] = mapped_column(_enum(OrderKind, "order_kind"))
    seat: Mapped[str | None] = mapped_column(String(1))
    board: Mapped[int | None]
    seq: Mapped[int | None]
    text: Mapped[str] = mapped_column(LongText)
    author: Mapped[str] = mapped_column(String(100))
    created_at_ms: Mapped[int]
    acted_at_ms: Mapped[int | None]
    outcome: Mapped[str | None] = mapped_column(LongText)
