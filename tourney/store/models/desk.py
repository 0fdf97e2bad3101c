"""Tables of the director's desk: who may use it, who is logged in, and what was done or looked at there."""

from sqlalchemy import ColumnClause, ForeignKey, String, UniqueConstraint
from sqlalchemy import Text as LongText

from tourney.store.db.declaring import Model, column
from tourney.store.models.kinds import UserRole, stored_enum


class UserRow(Model):
    """A user of the desk of an event. `team_id` is the team that the user belongs to, if any."""

    __tablename__ = "users"
    __table_args__ = (UniqueConstraint("event_id", "name"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"))
    name: ColumnClause[str] = column(String(40))
    role: ColumnClause[UserRole] = column(stored_enum(UserRole, "user_role"))
    team_id: ColumnClause[int | None] = column(ForeignKey("teams.id"))
    phrase_hash: ColumnClause[str] = column(String(200))
    created_at_ms: ColumnClause[int]


class SessionRow(Model):
    """A log-in. The token itself is in the user's browser only; here is its SHA-256."""

    __tablename__ = "sessions"
    __table_args__ = (UniqueConstraint("token_hash"),)

    id: ColumnClause[int] = column(primary_key=True)
    user_id: ColumnClause[int] = column(ForeignKey("users.id"), index=True)
    token_hash: ColumnClause[str] = column(String(64))
    address: ColumnClause[str] = column(String(100))
    created_at_ms: ColumnClause[int]
    seen_at_ms: ColumnClause[int]
    ended_at_ms: ColumnClause[int | None]


class DeskLogRow(Model):
    """What a user did or looked at. Written before it is done; `outcome` is null until it is, or if that failed.

    `request_id` is that of the form, so that a form sent twice is done once. `order_ids` are the orders that it
    gave, as a JSON array; their outcomes are in `orders`.
    """

    __tablename__ = "desk_log"
    __table_args__ = (UniqueConstraint("request_id"),)

    id: ColumnClause[int] = column(primary_key=True)
    event_id: ColumnClause[int] = column(ForeignKey("events.id"), index=True)
    at_ms: ColumnClause[int]
    user_name: ColumnClause[str] = column(String(40))
    address: ColumnClause[str] = column(String(100))
    action: ColumnClause[str] = column(String(40))
    subject: ColumnClause[str] = column(String(200))
    reason: ColumnClause[str] = column(LongText)
    request_id: ColumnClause[str | None] = column(String(64))
    order_ids: ColumnClause[str | None] = column(LongText)
    outcome: ColumnClause[str | None] = column(LongText)
    done_at_ms: ColumnClause[int | None]
