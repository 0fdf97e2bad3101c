"""What the director and the rules decide, and what a director may look at.

It holds rulings, which affect scores; incidents at tables; whether the results of an event are final; and the
decisions of directors, each of which may be all of this and orders to tables in one transaction.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import bindparam, insert, select, update

from tourney.bridge import Seat
from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.errors import RuleError, StoreError
from tourney.movement.seating import Room
from tourney.protocol.session.records import IncidentKind, RulingKind
from tourney.scoring.assigned import AssignedResult, parse_assigned
from tourney.scoring.board_scale import IMPS
from tourney.store.db.database import Database
from tourney.store.db.queries import (
    AnyRow,
    AnySelect,
    change_rows,
    has_rows,
    load_row,
    load_rows,
    load_value,
    make_object,
)
from tourney.store.db.transactions import lock, one_transaction, transact
from tourney.store.draw.tables import SEATED_TABLES, TABLE_PLACE, board_scale_of, stage_plan, team_at
from tourney.store.models import (
    BoardAttempt,
    DecisionRow,
    Event,
    Finalisation,
    IncidentRow,
    Match,
    Publication,
    Round,
    RulingRow,
    StageRow,
    TableRow,
    Team,
    same_attempt,
)


@dataclass(frozen=True, slots=True)
class IncidentInfo:
    """Something the director should see; `text` is the offending line or a sentence."""

    id: int
    table_id: int
    match: int
    room: Room
    board: int | None
    attempt: int | None
    kind: IncidentKind
    seat: Seat | None
    team: str | None
    """The team of the seat."""
    text: str
    at_ms: int

    @property
    def is_for_director(self) -> bool:
        """Whether it is for the director alone: players call the director in words that nobody has checked."""
        return self.kind is IncidentKind.DIRECTOR_CALLED


# Rulings


PENALTIES: Final = (RulingKind.PENALTY_IMPS, RulingKind.PENALTY_VP)


def load_rulings(database: Database, event_id: int) -> list[Ruling]:
    """Load all rulings of an event, the oldest first; withdrawn ones included (`is_live`)."""
    with database.read() as connection:
        rows = connection.execute(_RULINGS_OF_EVENT, {"event_id": event_id}).all()
        plan = connection.scalar(select(Event.plan).where(Event.id == event_id)) if rows else None
    scales = {
        number: board_scale_of(stage_plan(plan or "", number))
        for number in {row.stage_number for row in rows} - {None}
    }
    return [read_ruling(row, board_scale=scales.get(row.stage_number, IMPS)) for row in rows]


def load_match_rulings(database: Database, match: MatchInfo) -> list[Ruling]:
    """Load all rulings given in a match; withdrawals, which are from the event, are not included."""
    rows = load_rows(database, _RULINGS_OF_MATCH, {"match_id": match.id})
    return [read_ruling(row, board_scale=match.board_scale) for row in rows]


_RULINGS: Final[AnySelect] = (
    select(
        RulingRow,
        Team.name.label("team"),
        Match.number.label("match"),
        StageRow.number.label("stage_number"),
        TableRow.room,
        BoardAttempt.ended,
    )
    .outerjoin(Team, Team.id == RulingRow.team_id)
    .outerjoin(Match, Match.id == RulingRow.match_id)
    .outerjoin(Round, Round.id == Match.round_id)
    .outerjoin(StageRow, StageRow.id == Round.stage_id)
    .outerjoin(TableRow, TableRow.id == RulingRow.table_id)
    .outerjoin(BoardAttempt, same_attempt(BoardAttempt, RulingRow))
    .order_by(RulingRow.at_ms, RulingRow.id)
)
_RULINGS_OF_EVENT: Final = _RULINGS.where(RulingRow.event_id == bindparam("event_id"))
_RULINGS_OF_MATCH: Final = _RULINGS.where(RulingRow.match_id == bindparam("match_id"))


def read_ruling(row: AnyRow, **more: object) -> Ruling:
    """Return the ruling of a row of rulings with the name of the team; `more` has what the row does not have."""
    return make_object(Ruling, row, team=row.team or "", assigned=_read_terms(row.terms), **more)


def _read_terms(terms: str | None) -> tuple[AssignedResult, ...]:
    """Parse the stored terms of an assigned score.

    Raises:
        StoreError: the text cannot be parsed.
    """
    if terms is None:
        return ()
    try:
        return tuple(parse_assigned(f"{weight}: {text}") for weight, text in json.loads(terms))
    except (ValueError, TypeError, RuleError) as error:
        raise StoreError(f"the terms of an assigned score cannot be read: {terms!r}: {error}") from None


def withdraw_ruling(database: Database, event_id: int, ruling: int, *, author: str, reason: str, now_ms: int) -> None:
    """Withdraw a ruling; it stays on record.

    The score of its match must be computed again afterwards.

    Raises:
        RuleError: there is no such ruling, or it was withdrawn before.
    """
    change = (
        update(RulingRow)
        .where(RulingRow.id == ruling, RulingRow.event_id == event_id, RulingRow.withdrawn_at_ms.is_(None))
        .values(withdrawn_at_ms=now_ms, withdrawn_by=author, withdrawn_reason=reason)
    )
    if not change_rows(database, change):
        raise RuleError(f"ruling {ruling} is not in force")


def load_incidents(
    database: Database, event_id: int, match: MatchInfo | None = None, kind: IncidentKind | None = None
) -> list[IncidentInfo]:
    """Load the incidents of an event, or of one of its matches, or of one kind, the oldest first."""
    query = _INCIDENTS if match is None else _INCIDENTS.where(Match.id == match.id)
    if kind is not None:
        query = query.where(IncidentRow.kind == kind)
    rows = load_rows(database, query, {"event_id": event_id})
    return [make_object(IncidentInfo, row, team=team_at(row.seat, row.ns_team, row.ew_team)) for row in rows]


_INCIDENTS: Final = (
    select(IncidentRow, *TABLE_PLACE)
    .select_from(SEATED_TABLES.join(IncidentRow))
    .where(Match.event_id == bindparam("event_id"))
    .order_by(IncidentRow.at_ms, IncidentRow.id)
)


# Finalisation: each change is a row of its own, and the newest counts


@dataclass(frozen=True, slots=True)
class FinalisationInfo:
    """When, by whom and why results were made final, or were opened again."""

    is_final: bool
    author: str
    reason: str
    at_ms: int


def load_finalisation(database: Database, event_id: int) -> FinalisationInfo | None:
    """Load the newest decision on the results of an event; None if there is none, so that they are provisional."""
    of_event = select(Finalisation).where(Finalisation.event_id == event_id)
    row = load_row(database, of_event.order_by(Finalisation.id.desc()))
    return make_object(FinalisationInfo, row) if row is not None else None


def save_finalisation(database: Database, event_id: int, word: FinalisationInfo) -> None:
    """Put a decision on the results of an event on record."""
    change_rows(database, insert(Finalisation).values(event_id=event_id, **asdict(word)))


# Publication of rounds that are frozen


def is_published(database: Database, event_id: int) -> bool:
    """Return whether the results of rounds that are frozen were published before they were final."""
    return has_rows(database, select(Publication.id).where(Publication.event_id == event_id))


def save_publication(database: Database, event_id: int, author: str, reason: str, now_ms: int) -> None:
    """Put on record that the results of rounds that are frozen are published."""
    change_rows(database, insert(Publication).values(event_id=event_id, author=author, reason=reason, at_ms=now_ms))


# Decisions of directors: one at a time in an event, each one transaction with the check that it is possible
#
# A decision with a key is on record under it, with what came of it. Whoever asks for it again with the same key, as
# after a lost connection, is given what came of it, and nothing is done twice.


_DECISION_LOCK: Final = 0x72756C65
"""Who decides holds this advisory lock of PostgreSQL with the id of the event: the letters of `rule`.

A row lock on the event would hold up its run, which renews its lease there.
"""


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """What came of a decision: sentences, and the ids of the orders to tables that it led to."""

    lines: tuple[str, ...]
    orders: tuple[int, ...] = ()


@contextmanager
def deciding(database: Database, event_id: int) -> Iterator[Database]:
    """Begin the transaction of a decision; yield the database that is in it.

    Nobody else decides anything in the event until its end: what is found possible stays possible.

    Raises:
        StoreError: the database cannot be used; so the block.
    """
    with one_transaction(database) as joined:
        with joined.read() as connection:
            lock(joined, connection, _DECISION_LOCK, event_id)
        yield joined


def decide(
    database: Database, event_id: int, key: str, now_ms: int, work: Callable[[Database], DecisionOutcome]
) -> DecisionOutcome:
    """Do what a director has decided, in one transaction; without effect if the decision of this key is on record.

    Args:
        database: the record.
        event_id: the event.
        key: tells this decision from all others; empty for one that nobody asks for again.
        now_ms: when it was made.
        work: is given the database that is in the transaction; what it raises undoes everything.

    Raises:
        StoreError: the database cannot be used; so `work`.
    """

    def decide_once(joined: Database) -> DecisionOutcome:
        with deciding(joined, event_id) as within:
            known = load_decision(within, event_id, key) if key else None
            if known is not None:
                return known
            outcome = work(within)
            if key:
                stored = json.dumps({"lines": outcome.lines, "orders": outcome.orders})
                row = {"event_id": event_id, "request_id": key, "at_ms": now_ms, "outcome": stored}
                change_rows(within, insert(DecisionRow).values(row))
            return outcome

    return transact(database, decide_once) if key else decide_once(database)


def load_decision(database: Database, event_id: int, key: str) -> DecisionOutcome | None:
    """Load what came of a decision; None if it is not on record."""
    query = select(DecisionRow.outcome).where(DecisionRow.event_id == event_id, DecisionRow.request_id == key)
    stored = load_value(database, query)
    if stored is None:
        return None
    found = json.loads(stored)
    return DecisionOutcome(tuple(found["lines"]), tuple(found["orders"]))
