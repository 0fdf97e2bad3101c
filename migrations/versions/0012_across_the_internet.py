"""programs across the internet: keys, links, tunnels, delays, calls for the director; and alarms

Revises 0011. Must leave every row in place, and run while an older program still reads.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


_OLD_ASKED = (
    *("illegal-call", "illegal-card", "call-out-of-turn", "card-out-of-turn", "over-time", "substituted"),
    *("claim", "claim-accepted", "claim-rejected", "undo", "undo-accepted", "undo-rejected", "explained"),
)
_OLD_REST = (
    *("stand-in", "paused", "resumed", "kicked", "crash", "disconnect", "rejoined", "diverged", "restarted"),
    "taken-up",
)


def _change_incidents(*kinds: str) -> None:
    """The check on the kind of an incident, by its name; the column itself stays a text of 20 characters."""
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_incidents_incident_kind"), type_="check")
        batch_op.create_check_constraint(op.f("ck_incidents_incident_kind"), f"kind IN ({listed})")


def _integer() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _number(name: str, *, is_null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, _integer(), nullable=is_null)


def _text(name: str, length: int | None = None) -> sa.Column[Any]:
    return sa.Column(name, sa.String(length=length) if length else sa.Text(), nullable=False)


def _words(check: str, *words: str) -> sa.Enum:
    return sa.Enum(*words, name=check, native_enum=False, create_constraint=True, length=20)


def _seat(*, is_null: bool = False) -> sa.Column[Any]:
    return sa.Column("seat", sa.Enum("N", "E", "S", "W", name="seat", native_enum=False, length=1), nullable=is_null)


def _create_of_event(name: str, unique: tuple[str, ...], *columns: sa.Column[Any], of_team: bool = True) -> None:
    """A table whose rows belong to an event, most of them to a team of it."""
    team = [_number("team_id")] if of_team else []
    keys = [sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f(f"fk_{name}_event_id_events"))]
    if of_team:
        keys.append(sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f(f"fk_{name}_team_id_teams")))
    op.create_table(
        name,
        _number("id"),
        _number("event_id"),
        *team,
        *columns,
        *keys,
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
        sa.UniqueConstraint(*unique, name=op.f(f"uq_{name}_{'_'.join(unique)}")),
    )
    if of_team:
        op.create_index(op.f(f"ix_{name}_team_id"), name, ["team_id"], unique=False)


def upgrade() -> None:
    _change_incidents(*_OLD_ASKED, "director-called", *_OLD_REST)
    attempt = ["table_id", "board", "attempt"]
    op.create_table(
        "network_delays",
        *(_number(name) for name in attempt),
        sa.Column("is_card", sa.Boolean(), nullable=False),
        _number("seq"),
        _seat(),
        _number("own_ms"),
        _number("delay_ms"),
        _number("allowed_ms"),
        sa.ForeignKeyConstraint(
            attempt,
            [f"board_attempts.{name}" for name in attempt],
            name=op.f("fk_network_delays_table_id_board_attempt_board_attempts"),
        ),
        sa.PrimaryKeyConstraint(*attempt, "is_card", "seq", name=op.f("pk_network_delays")),
    )
    _create_of_event(
        "team_keys",
        ("key_hash",),
        _text("key_hash", 64),
        _number("created_at_ms"),
        _number("revoked_at_ms", is_null=True),
    )
    _create_of_event(
        "team_links",
        ("token_hash",),
        sa.Column("purpose", _words("link_purpose", "key", "seat"), nullable=False),
        _seat(is_null=True),
        _text("token_hash", 64),
        _number("created_at_ms"),
        _number("expires_at_ms"),
        _number("used_at_ms", is_null=True),
    )
    _create_of_event(
        "tunnels",
        ("session_hash",),
        _text("session_hash", 64),
        _text("address", 200),
        _number("opened_at_ms"),
        _number("seen_at_ms"),
        _number("ended_at_ms", is_null=True),
        _text("reason"),
        _number("resumes"),
        _number("bytes_up"),
        _number("bytes_down"),
    )
    _create_of_event(
        "alarms",
        ("event_id", "key"),
        _text("key", 300),
        _text("kind", 40),
        _text("subject", 200),
        _text("text"),
        sa.Column("state", _words("alarm_state", "due", "sent", "given-up"), nullable=False),
        _number("raised_at_ms"),
        _number("ended_at_ms", is_null=True),
        _number("due_at_ms"),
        _number("claimed_until_ms", is_null=True),
        _number("tries"),
        _number("sent_at_ms", is_null=True),
        sa.Column("error", sa.Text(), nullable=True),
        of_team=False,
    )


def downgrade() -> None:
    """Drops what the older schema cannot have: nobody comes through a tunnel, and nothing raises an alarm."""
    for name in ("alarms", "tunnels", "team_links", "team_keys", "network_delays"):
        op.drop_table(name)
    op.execute("DELETE FROM incidents WHERE kind = 'director-called'")
    _change_incidents(*_OLD_ASKED, *_OLD_REST)
