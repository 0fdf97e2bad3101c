"""The schema. Nothing outside `store` sees these classes; migrations build what they describe.

Times named `*_at_ms` are milliseconds since 1970-01-01 UTC. Victory points are whole hundredths. Seats are
N, E, S, W. The natural key of a call or card is (table, board, attempt, seq): the database refuses a second one.
"""

import enum
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    CheckConstraint,
    ColumnClause,
    ColumnElement,
    Connection,
    ForeignKeyConstraint,
    Index,
    Table,
    UniqueConstraint,
    and_,
    event,
    false,
    text,
)

from tourney.bridge import Seat, Vulnerability
from tourney.movement.seating import Room, SeatsRule, TableState
from tourney.protocol.session.records import BoardEnd, IncidentKind, RulingKind
from tourney.store.db.declaring import (
    Bool,
    Int,
    Numbered,
    OptionalInt,
    OptionalText,
    Text,
    column,
    key_part,
)
from tourney.store.db.declaring import Model as Model  # noqa: PLC0414 # the base of all tables, for those who want every one

# Enumerations that the database stores


class OrderKind(enum.StrEnum):
    """A director's order to a running table."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    """End the table's session; the current board stays unfinished."""
    KICK = "kick"
    """End the connection of one seat."""
    REPLAY = "replay"
    """Play a board again under its number; its former result stays on record."""
    ALERT = "alert"
    """The operator's answer to whether a call is alertable (BC-27)."""
    EXTEND = "extend"
    """Move a limit of thinking time, of a board or of the match."""


class WorkerState(enum.StrEnum):
    """The state of a worker of a cluster."""

    WORKING = "working"
    GONE = "gone"
    """It has left, or the scheduler has lost it; hosts that it started may play on."""


class LinkPurpose(enum.StrEnum):
    """What a one-time link of a team is for."""

    KEY = "key"
    """It makes the key with which the team's programs come through a tunnel, and shows it once."""
    SEAT = "seat"
    """Whoever opens it sits down in the browser."""


class AlarmState(enum.StrEnum):
    """The state of an alarm, and so of the message about it."""

    DUE = "due"
    SENT = "sent"
    GIVEN_UP = "given-up"
    """It could not be sent, and is on the console only."""


class UserRole(enum.StrEnum):
    """What a user of the director's console may do."""

    ORGANISER = "organiser"
    """Everything: also users, and making results final."""
    DIRECTOR = "director"
    """Tables, orders, rulings and alert answers."""
    OPERATOR = "operator"
    """Alert answers, pausing and resuming; sees no hands."""


# What is drawn: the event, who plays, rounds and matches, their boards, and what matches came to


class Event(Numbered):
    """One competition. `settings` is what table hosts need of the event file, `plan` what the draw depends on.

    `run_holder` is who runs the event, `run_beat_at_ms` when that was last heard of; both null when nobody does.
    """

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("name_key"),)

    name: Text
    # A letter may become three when case is set aside.
    name_key: Text
    seed: Text
    plan: Text
    settings: Text
    created_at_ms: Int
    run_holder: OptionalText
    run_beat_at_ms: OptionalInt


class OfEvent(Numbered):
    """Base of tables whose rows belong to an event."""

    event_id: Int = column("events.id")


class Host(OfEvent):
    """A process that plays tables. `beat_at_ms` is when it was last heard of, null `ended_at_ms` means it goes on.

    `written` is the number of the last of its transactions that it counted (`Recorder`), so that one whose outcome
    got lost with the connection is not written twice.
    `pid_start` tells the process from a later one with its id. `address` is where players find its tables, null for
    that of the event file; `worker` is the worker of a cluster that it was started on, null without one. A draining
    host finishes the boards in play, releases its tables, and ends.
    """

    __tablename__ = "hosts"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    name: Text
    machine: Text
    pid: Int
    pid_start: Text
    started_at_ms: Int
    beat_at_ms: Int
    written: Int
    ended_at_ms: OptionalInt
    reason: Text
    address: OptionalText
    worker: OptionalText
    is_draining: Bool = column(server_default=false())


class Team(OfEvent):
    """A team under its locked name (BC-09); `number` is its place in the draw.

    `wire` holds the wire settings, as JSON.
    """

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("event_id", "number"), UniqueConstraint("event_id", "name_key"))

    number: Int
    name: Text
    name_key: Text
    command: OptionalText
    profile: Text
    wire: Text


class StageRow(OfEvent):
    """A part of the event with one format and one VP scale."""

    __tablename__ = "stages"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    number: Int
    name: Text
    format: Text
    boards_per_match: Int
    vp_scale: Text
    groups: Int
    segments: Int
    seats: ColumnClause[SeatsRule]
    extra_boards: Int


class StageEntry(Model):
    """A team in a stage. There are none before it is known who goes on into the stage.

    `seed` is its place among them, from 1; `rank` that in its group of the stage before, 0 in the first stage;
    `from_round` the first round in which it plays; `carry_vp` hundredths of victory points carried over.
    """

    __tablename__ = "stage_entries"
    __table_args__ = (UniqueConstraint("stage_id", "seed"),)

    stage_id: Int = key_part("stages.id")
    team_id: Int = key_part("teams.id")
    seed: Int
    group_number: Int
    rank: Int
    from_round: Int
    carry_vp: Int


class Round(Numbered):
    """Matches that are played side by side. `drawn_at_ms` is null until the round is drawn."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("stage_id", "number"),)

    stage_id: Int = column("stages.id")
    number: Int
    starts_at_ms: OptionalInt
    drawn_at_ms: OptionalInt


class Bye(Model):
    """A team that sits out in a round."""

    __tablename__ = "byes"

    round_id: Int = key_part("rounds.id")
    team_id: Int = key_part("teams.id")


class BoardSet(OfEvent):
    """Boards that belong together: those of a round, or of one match; extra ones for tied matches come last."""

    __tablename__ = "board_sets"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    name: Text


class DealRow(OfEvent):
    """Four hands, as the value of a PBN Deal tag from North.

    `makes` is what each declarer makes of them, as `DoubleDummyTable` writes it, if no cards are played, else null.
    """

    __tablename__ = "deals"

    hands: Text
    makes: OptionalText


class BoardRow(Model):
    """A board of a set; `position` is its place in the order of play, from 0."""

    __tablename__ = "boards"
    __table_args__ = (UniqueConstraint("board_set_id", "position"),)

    board_set_id: Int = key_part("board_sets.id")
    number: Int = key_part()
    position: Int
    dealer: ColumnClause[Seat]
    vulnerability: ColumnClause[Vulnerability]
    deal_id: Int = column("deals.id")


class Match(OfEvent):
    """Two teams over the first `boards` of a set; `number` counts through the event and is what commands name.

    `carry_home`, `carry_away`: hundredths of IMPs carried over from the previous stage.
    """

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    round_id: Int = column("rounds.id", index=True)
    number: Int
    home_team_id: Int = column("teams.id")
    away_team_id: Int = column("teams.id")
    board_set_id: Int = column("board_sets.id")
    boards: Int
    carry_home: Int = column(server_default="0")
    carry_away: Int = column(server_default="0")
    third_place: Bool = column(server_default=false())


class MatchResult(Model):
    """The score of a finished match, written after its last board and again when a ruling changes it.

    `lost_home`, `lost_away`: how many more IMPs the opponents of a team lost than it has
    (`tourney.scoring.match.ImpTotals`).
    """

    __tablename__ = "match_results"

    match_id: Int = key_part("matches.id")
    boards: Int
    imps_home: Int
    imps_away: Int
    vp_home: Int = column(name="vp_home_hundredths")
    vp_away: Int = column(name="vp_away_hundredths")
    lost_home: Int
    lost_away: Int


# What happens where boards are played


class TableRow(Numbered):
    """One room of a segment of a match, which is `boards` of its boards from `first_position` on.

    Seating is stored, never inferred: the teams, and which pair of each sits here.
    `store.control.table_state` alone writes `state`, `host`, `attempt`, `taken` and `reason`. `attempt` counts how
    often the table has been given to a host or taken from one, `taken` says whether the host has taken it up; a host
    writes only while its attempt is the newest. `doing` is the host's word on what goes on, as JSON, for those who
    watch; nothing is decided by it.
    """

    __tablename__ = "tables"
    __table_args__ = (UniqueConstraint("match_id", "segment", "room"),)

    match_id: Int = column("matches.id")
    segment: Int = column(server_default="1")
    room: ColumnClause[Room]
    first_position: Int = column(server_default="0")
    boards: Int
    ns_team_id: Int = column("teams.id")
    ew_team_id: Int = column("teams.id")
    ns_pair: Int = column(server_default="1")
    ew_pair: Int = column(server_default="1")
    state: ColumnClause[TableState]
    reason: Text
    host: OptionalText = column(index=True)
    attempt: Int
    taken: Bool
    port_north: OptionalInt
    port_east: OptionalInt
    port_south: OptionalInt
    port_west: OptionalInt
    changed_at_ms: Int
    doing: OptionalText


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

    table_id: Int = key_part("tables.id")
    board: Int = key_part()
    attempt: Int = key_part()
    table_attempt: Int
    began_at_ms: Int
    ended_at_ms: OptionalInt
    ended: ColumnClause[BoardEnd | None]
    reason: Text
    final: Bool
    fault: ColumnClause[Seat | None]
    chain: OptionalText


@event.listens_for(BoardAttempt.__table__, "before_create")
def _write_conditions_on_postgresql(table: Table, connection: Connection, **_: Any) -> None:  # SQLAlchemy's
    # Said with the indexes, this would load the whole of the dialect in every process that reads an SQLite file.
    if connection.dialect.name == "postgresql":
        for index in table.indexes:
            index.dialect_kwargs["postgresql_where"] = index.dialect_kwargs["sqlite_where"]


ATTEMPT = ("table_id", "board", "attempt")
WITHOUT_ROWID: Final = {"sqlite_with_rowid": False}
ATTEMPT_KEY = ("board_attempts.table_id", "board_attempts.board", "board_attempts.attempt")

AttemptKey: TypeAlias = tuple[int, int, int]
"""Table, board and attempt."""


class OfAttempt(Model):
    """Base of tables whose rows belong to one try at a board."""

    table_id: Int = key_part()
    board: Int = key_part()
    attempt: Int = key_part()

    def __init_subclass__(cls) -> None:
        """Refer to the row of the attempt."""
        cls.__table_args__ = (ForeignKeyConstraint(ATTEMPT, ATTEMPT_KEY),)
        super().__init_subclass__()


class OfAction(OfAttempt):
    """Base of tables whose rows are calls or cards, or belong to one; `seat` is whose it is."""

    seq: Int = key_part()
    seat: ColumnClause[Seat]


class CallRow(OfAction):
    """A call. `alert` is the information as sent, `meaning` the same parsed (JSON), `findings` its faults.

    `substituted`: the table made it in the player's place. `chain` is a hash over this row and the row before.
    """

    __tablename__ = "calls"
    __table_options__ = WITHOUT_ROWID

    call: Text
    alerted: Bool
    alert: OptionalText
    meaning: OptionalText
    findings: OptionalText
    thinking_ms: Int
    at_ms: Int
    substituted: Bool
    chain: Text


class CardRow(OfAction):
    """A card; `seat` is the hand it came from, dummy's for dummy's cards."""

    __tablename__ = "cards"
    __table_options__ = WITHOUT_ROWID

    card: Text
    thinking_ms: Int
    at_ms: Int
    substituted: Bool
    chain: Text


class NetworkDelay(OfAttempt):
    """What a call or card has lost on its way through a tunnel, as the client of its team says (`connect`).

    `seq` is that of the call or card, `is_card` says of which. `own_ms` is what the program took by the client's
    clock, `delay_ms` what the table measured beyond that, `allowed_ms` how much of it the side is not charged.
    """

    __tablename__ = "network_delays"

    is_card: Bool = column(primary_key=True)
    seq: Int = key_part()
    seat: ColumnClause[Seat]
    own_ms: Int
    delay_ms: Int
    allowed_ms: Int


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

    table_id: Int = key_part()
    board: Int = key_part()
    attempt: Int
    contract: Text
    declarer: ColumnClause[Seat | None]
    tricks: OptionalInt
    score_ns: Int
    ns_ms: Int
    ew_ms: Int
    at_ms: Int
    tm_ms: Int


def of_attempt(key: AttemptKey) -> dict[str, int]:
    """Return what the rows of an attempt have in their columns `ATTEMPT`."""
    return dict(zip(ATTEMPT, key, strict=True))


def same_attempt(one: type[Model], other: type[Model]) -> ColumnElement[bool]:
    """Return the condition that rows of two tables belong to the same try at a board."""
    return and_(*(one.__table__.c[name] == other.__table__.c[name] for name in ATTEMPT))


class ConnectionRow(Model):
    """A program that was seated: its name, its address, and from when to when."""

    __tablename__ = "connections"

    table_id: Int = key_part("tables.id")
    table_attempt: Int = key_part()
    connection: Int = key_part()
    seat: ColumnClause[Seat]
    team: Text
    version: Int
    system: Text
    peer: Text
    seated_at_ms: Int
    left_at_ms: OptionalInt
    reason: Text


class IncidentRow(Numbered):
    """Something the director should see; `text` is the offending line or a sentence.

    `made` is how many calls and cards of the attempt were on record before it; `about` is the limit that was
    exceeded with its milliseconds, or the call that a question is about, else null.
    """

    __tablename__ = "incidents"

    table_id: Int = column("tables.id", index=True)
    board: OptionalInt
    attempt: OptionalInt
    kind: ColumnClause[IncidentKind]
    seat: ColumnClause[Seat | None]
    text: Text
    at_ms: Int
    made: Int = column(server_default="0")
    about: OptionalText


# The director's decisions, questions to the operator, and orders to running tables


class Decided(Numbered):
    """Base of tables of decisions on an event: who has made them, why and when."""

    event_id: Int = column("events.id", index=True)
    author: Text
    reason: Text
    at_ms: Int


class RulingRow(Decided):
    """A ruling on a team, or on a board for both: by rule, or by the director. Withdrawn ones stay: when, who, why.

    `amount` is in IMPs for `penalty-imps` and `adjusted-score`, in hundredths of a victory point for `penalty-vp`,
    else 0; `terms` is what an `assigned-score` assigns, as JSON. `law` is a law or a clause of the protocol; `author`
    is "rule" where a rule gave it.
    """

    __tablename__ = "rulings"

    match_id: OptionalInt = column("matches.id", index=True)
    table_id: OptionalInt = column("tables.id")
    board: OptionalInt
    attempt: OptionalInt
    team_id: OptionalInt = column("teams.id")
    kind: ColumnClause[RulingKind]
    amount: Int
    terms: OptionalText
    law: Text
    withdrawn_at_ms: OptionalInt
    withdrawn_by: OptionalText
    withdrawn_reason: OptionalText


class Finalisation(Decided):
    """When the results of an event were made final, or opened again, by whom and why; the newest row says which."""

    __tablename__ = "finalisations"

    is_final: Bool


class Publication(Decided):
    """When the results of rounds that are frozen were published before they were final, by whom and why."""

    __tablename__ = "publications"


class DecisionRow(OfEvent):
    """A decision of a director that has been carried out, under the number of the request for it.

    `outcome` is what came of it, as JSON: sentences, and the ids of the orders that it gave.
    """

    __tablename__ = "decisions"
    __table_args__ = (UniqueConstraint("event_id", "request_id"),)

    request_id: Text
    at_ms: Int
    outcome: Text


class AlertQuestion(OfAction):
    """Whether a call is alertable, asked of the operator (BC-25). `answer` is null while it waits, "" for no."""

    __tablename__ = "alert_questions"

    asked_at_ms: Int
    answer: OptionalText
    author: OptionalText
    answered_at_ms: OptionalInt


class Order(Numbered):
    """A director's order to one table; its host acts on it and reports the outcome."""

    __tablename__ = "orders"

    table_id: Int = column("tables.id", index=True)
    kind: ColumnClause[OrderKind]
    seat: ColumnClause[Seat | None]
    board: OptionalInt
    call: OptionalInt
    seconds: OptionalInt
    no_forfeit: Bool = column(server_default=false())
    after_board: Bool = column(server_default=false())
    whole_event: Bool = column(server_default=false())
    text: Text
    author: Text
    created_at_ms: Int
    acted_at_ms: OptionalInt
    outcome: OptionalText


# Double dummy analyses of finished boards


class BoardAnalysis(Model):
    """What a board is worth double dummy: `tricks` as `DoubleDummyTable` writes them, par for North-South."""

    __tablename__ = "board_analyses"
    __table_args__ = (
        ForeignKeyConstraint(("board_set_id", "board"), ("boards.board_set_id", "boards.number")),
        CheckConstraint("length(tricks) = 20", name="tricks"),
    )

    board_set_id: Int = key_part()
    board: Int = key_part()
    tricks: Text
    par_ns: Int
    par_contracts: Text


class PlayAnalysis(OfAttempt):
    """Declarer's tricks double dummy before the first card and after each one, a hexadecimal digit each."""

    __tablename__ = "play_analyses"

    tricks: Text


# The director's console: who may use it, who is logged in, and what was done or looked at there


class UserRow(OfEvent):
    """A user of the console of an event. `team_id` is the team that the user belongs to, if any."""

    __tablename__ = "users"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    name: Text
    role: ColumnClause[UserRole]
    team_id: OptionalInt = column("teams.id")
    phrase_hash: Text
    created_at_ms: Int


class SessionRow(Numbered):
    """A log-in. The token itself is in the user's browser only; here is its SHA-256."""

    __tablename__ = "sessions"
    __table_args__ = (UniqueConstraint("token_hash"),)

    user_id: Int = column("users.id", index=True)
    token_hash: Text
    address: Text
    created_at_ms: Int
    seen_at_ms: Int
    ended_at_ms: OptionalInt


class ConsoleLogRow(Numbered):
    """What a user did or looked at. Written before it is done; `outcome` is null until it is, or if that failed.

    `request_id` is that of the form, so that a form sent twice is done once. `order_ids` are the orders that it
    gave, as a JSON array; their outcomes are in `orders`.
    """

    __tablename__ = "console_log"
    __table_args__ = (UniqueConstraint("request_id"),)

    event_id: Int = column("events.id", index=True)
    at_ms: Int
    user_name: Text
    address: Text
    action: Text
    subject: Text
    reason: Text
    request_id: OptionalText
    order_ids: OptionalText
    outcome: OptionalText
    done_at_ms: OptionalInt


# Programs that come across the internet: what shows who they are, and their tunnels; alarms


class OfTeam(OfEvent):
    """Base of tables whose rows belong to a team."""

    team_id: Int = column("teams.id", index=True)


class TeamKey(OfTeam):
    """A key with which a team's programs come through a tunnel; only its SHA-256 is here."""

    __tablename__ = "team_keys"
    __table_args__ = (UniqueConstraint("key_hash"),)

    key_hash: Text
    created_at_ms: Int
    revoked_at_ms: OptionalInt


class TeamLink(OfTeam):
    """A link that one person of a team may use once. Its token is in the link only; here is its SHA-256.

    `seat` is the seat that a link for a seat leads to, null for any of the team's.
    """

    __tablename__ = "team_links"
    __table_args__ = (UniqueConstraint("token_hash"),)

    purpose: ColumnClause[LinkPurpose]
    seat: ColumnClause[Seat | None]
    token_hash: Text
    created_at_ms: Int
    expires_at_ms: Int
    used_at_ms: OptionalInt


class TunnelRow(OfTeam):
    """A session of a team's client (`tourney connect`), with all the connections that it was carried by.

    `address` is where the last of them came from, `resumes` how many there were after the first, `bytes_up` and
    `bytes_down` what the programs have said and were told. Null `ended_at_ms` means that it goes on.
    """

    __tablename__ = "tunnels"
    __table_args__ = (UniqueConstraint("session_hash"),)

    session_hash: Text
    address: Text
    opened_at_ms: Int
    seen_at_ms: Int
    ended_at_ms: OptionalInt
    reason: Text
    resumes: Int
    bytes_up: Int
    bytes_down: Int


class AlarmRow(OfEvent):
    """Something that an organiser has to know of though nobody looks, once for each episode of it.

    `key` is its kind, its subject and the episode. `state` is that of the message about it: whoever sends it claims
    it until `claimed_until_ms`; `tries` counts, `due_at_ms` is when the next one is due, `error` why the last failed.
    Null `ended_at_ms` means that the episode goes on.
    """

    __tablename__ = "alarms"
    __table_args__ = (UniqueConstraint("event_id", "key"),)

    key: Text
    kind: Text
    subject: Text
    text: Text
    state: ColumnClause[AlarmState]
    raised_at_ms: Int
    ended_at_ms: OptionalInt
    due_at_ms: Int
    claimed_until_ms: OptionalInt
    tries: Int
    sent_at_ms: OptionalInt
    error: OptionalText


# The machines that an event is played on


class WorkerRow(OfEvent):
    """A worker of a cluster, as the run has last heard of it. `address` is where players find tables on it.

    `tables` is how many tables it takes at once. `load_percent` is how busy its
    machine is, null while nobody knows. `heard_at_ms` is by the clock of the run.
    """

    __tablename__ = "workers"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    name: Text
    address: Text
    tables: Int
    state: ColumnClause[WorkerState]
    load_percent: OptionalInt
    heard_at_ms: Int
    is_draining: Bool


class LogPart(OfEvent):
    """A log file that a host has handed in, or a part of one; its parts are in the order of `at_ms` and `id`.

    `path` is where it belongs below the results folder. `mark` is chosen once for a file that is handed in, so that
    it is stored once. `at_ms` is when it was last written to, `size_bytes` its size; `data` is the file, gzipped.
    """

    __tablename__ = "log_parts"
    __table_args__ = (UniqueConstraint("event_id", "path", "mark"),)

    path: Text
    mark: Text
    host: Text
    table_id: OptionalInt = column("tables.id", index=True)
    size_bytes: Int
    at_ms: Int
    data: ColumnClause[bytes]
