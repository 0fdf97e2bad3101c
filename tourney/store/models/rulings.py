"""Tables of the director's decisions, questions to the operator, and orders to running tables."""

from sqlalchemy import ColumnClause, ForeignKey, ForeignKeyConstraint, String, UniqueConstraint
from sqlalchemy import Text as LongText

from tourney.protocol.session.records import RulingKind
from tourney.store.db.declaring import Model, column
from tourney.store.models.kinds import OrderKind, stored_enum
from tourney.store.models.play import ATTEMPT, ATTEMPT_KEY


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
    kind: ColumnClause[RulingKind] = column(stored_enum(RulingKind, "ruling_kind"))
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


class Publication(Model):
    """When the results of rounds that are frozen were published before they were final, by whom and why."""

    __tablename__ = "publications"

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"), index=True)
    author: ColumnClause[str] = column(String(100))
    reason: ColumnClause[str] = column(LongText)
    at_ms: ColumnClause[int]


class DecisionRow(Model):
    """A decision of a director that has been carried out, under the number of the request for it.

    `outcome` is what came of it, as JSON: sentences, and the ids of the orders that it gave.
    """

    __tablename__ = "decisions"
    __table_args__ = (UniqueConstraint("event_id", "request_id"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    request_id: ColumnClause[str] = column(String(64))
    at_ms: ColumnClause[int]
    outcome: ColumnClause[str] = column(LongText)


class AlertQuestion(Model):
    """Whether a call is alertable, asked of the operator (BC-25). `answer` is null while it waits, "" for no."""

    __tablename__ = "alert_questions"
    __table_args__ = (ForeignKeyConstraint(ATTEMPT, ATTEMPT_KEY),)

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
    """A director's order to one table; its host acts on it and reports the outcome."""

    __tablename__ = "orders"

    id: ColumnClause[int] = column(primary_key=True)
    table_id: ColumnClause[int] = column(ForeignKey("tables.id"), index=True)
    kind: ColumnClause[OrderKind] = column(stored_enum(OrderKind, "order_kind"))
    seat: ColumnClause[str | None] = column(String(1))
    board: ColumnClause[int | None]
    seq: ColumnClause[int | None]
    text: ColumnClause[str] = column(LongText)
    author: ColumnClause[str] = column(String(100))
    created_at_ms: ColumnClause[int]
    acted_at_ms: ColumnClause[int | None]
    outcome: ColumnClause[str | None] = column(LongText)
