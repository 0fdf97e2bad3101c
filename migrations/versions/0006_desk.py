"""the director's desk: users, their sessions, the log of what they did; frozen rounds that were published

Revises 0005. Must leave every row in place, and run while an older program still reads.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def _integer() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("event_id", _integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column(
            "role",
            sa.Enum(
                "organiser",
                "director",
                "operator",
                name=op.f("ck_users_user_role"),
                native_enum=False,
                create_constraint=True,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("team_id", _integer(), nullable=True),
        sa.Column("phrase_hash", sa.String(length=200), nullable=False),
        sa.Column("created_at_ms", _integer(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_users_event_id_events")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_users_team_id_teams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("event_id", "name", name=op.f("uq_users_event_id_name")),
    )
    op.create_table(
        "sessions",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("user_id", _integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("address", sa.String(length=100), nullable=False),
        sa.Column("created_at_ms", _integer(), nullable=False),
        sa.Column("seen_at_ms", _integer(), nullable=False),
        sa.Column("ended_at_ms", _integer(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sessions_token_hash")),
    )
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "desk_log",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("event_id", _integer(), nullable=False),
        sa.Column("at_ms", _integer(), nullable=False),
        sa.Column("user_name", sa.String(length=40), nullable=False),
        sa.Column("address", sa.String(length=100), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("request_id", sa.String(length=64), nullable=True),
        sa.Column("order_ids", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("done_at_ms", _integer(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_desk_log_event_id_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_desk_log")),
        sa.UniqueConstraint("request_id", name=op.f("uq_desk_log_request_id")),
    )
    op.create_index(op.f("ix_desk_log_event_id"), "desk_log", ["event_id"], unique=False)
    op.create_table(
        "publications",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("event_id", _integer(), nullable=False),
        sa.Column("author", sa.String(length=100), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at_ms", _integer(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_publications_event_id_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publications")),
    )
    op.create_index(op.f("ix_publications_event_id"), "publications", ["event_id"], unique=False)


def downgrade() -> None:
    """Takes the desk's users, sessions and log away; orders and rulings keep the names of who gave them.

    Rounds that were published are frozen again until the results are final.
    """
    op.drop_index(op.f("ix_publications_event_id"), table_name="publications")
    op.drop_table("publications")
    op.drop_index(op.f("ix_desk_log_event_id"), table_name="desk_log")
    op.drop_table("desk_log")
    op.drop_index(op.f("ix_sessions_user_id"), table_name="sessions")
    op.drop_table("sessions")
    op.drop_table("users")
