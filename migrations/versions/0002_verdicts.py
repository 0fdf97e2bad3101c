"""verdicts, incidents, rulings, orders

Revises 0001. Must leave every row in place, and run while an older program still reads.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_OLD_ENDS = ("played", "passed-out", "abandoned")
_NEW_ENDS = (
    "played",
    "passed-out",
    "claimed",
    "time",
    "illegal",
    "disconnect",
    "stall",
    "crash",
    "abandoned",
    "void",
)


def _change_ends(ends: tuple[str, ...]) -> None:
    """The check on how an attempt may end, by its name; the column itself stays a text of 20 characters."""
    words = ", ".join(f"'{end}'" for end in ends)
    with op.batch_alter_table("board_attempts", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_board_attempts_board_end"), type_="check")
        batch_op.create_check_constraint(op.f("ck_board_attempts_board_end"), f"ended IN ({words})")


def upgrade() -> None:
    op.create_table(
        "incidents",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("attempt", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column(
            "kind",
            sa.Enum(
                "illegal-call",
                "illegal-card",
                "call-out-of-turn",
                "card-out-of-turn",
                "over-time",
                "substituted",
                "claim",
                "claim-accepted",
                "claim-rejected",
                "stand-in",
                "paused",
                "resumed",
                "kicked",
                name="incident_kind",
                native_enum=False,
                create_constraint=True,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("seat", sa.String(length=1), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_incidents_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incidents")),
    )
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_incidents_table_id"), ["table_id"], unique=False)

    op.create_table(
        "orders",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "pause",
                "resume",
                "stop",
                "kick",
                "replay",
                "alert",
                name="order_kind",
                native_enum=False,
                create_constraint=True,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("seat", sa.String(length=1), nullable=True),
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.String(length=100), nullable=False),
        sa.Column("created_at_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("acted_at_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_orders_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
    )
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_orders_table_id"), ["table_id"], unique=False)

    op.create_table(
        "rulings",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("event_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("attempt", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("team_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "kind",
            sa.Enum(
                "warning",
                "penalty-imps",
                "penalty-vp",
                "board-forfeit",
                "match-forfeit",
                "withdrawal",
                name="ruling_kind",
                native_enum=False,
                create_constraint=True,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("amount", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("law", sa.String(length=100), nullable=False),
        sa.Column("author", sa.String(length=100), nullable=False),
        sa.Column("at_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("withdrawn_at_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("withdrawn_by", sa.String(length=100), nullable=True),
        sa.Column("withdrawn_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_rulings_event_id_events")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_rulings_match_id_matches")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_rulings_table_id_tables")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_rulings_team_id_teams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rulings")),
    )
    with op.batch_alter_table("rulings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rulings_event_id"), ["event_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_rulings_match_id"), ["match_id"], unique=False)

    op.create_table(
        "alert_questions",
        sa.Column(
            "table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("board", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column(
            "attempt", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("seat", sa.String(length=1), nullable=False),
        sa.Column("asked_at_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("author", sa.String(length=100), nullable=True),
        sa.Column("answered_at_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id", "board", "attempt"],
            ["board_attempts.table_id", "board_attempts.board", "board_attempts.attempt"],
            name=op.f("fk_alert_questions_table_id_board_attempt_board_attempts"),
        ),
        sa.PrimaryKeyConstraint("table_id", "board", "attempt", "seq", name=op.f("pk_alert_questions")),
    )
    _change_ends(_NEW_ENDS)
    with op.batch_alter_table("board_attempts", schema=None) as batch_op:
        batch_op.add_column(sa.Column("final", sa.Boolean(), server_default=sa.false(), nullable=False))
        batch_op.add_column(sa.Column("fault", sa.String(length=1), nullable=True))
    op.execute("UPDATE board_attempts SET final = true WHERE ended IN ('played', 'passed-out')")
    op.create_index(
        "uq_board_attempts_final",
        "board_attempts",
        ["table_id", "board"],
        unique=True,
        sqlite_where=sa.text("final"),
        postgresql_where=sa.text("final"),
    )
    op.add_column("calls", sa.Column("substituted", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("cards", sa.Column("substituted", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column(
        "results",
        sa.Column("tm_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), server_default="0", nullable=False),
    )
    op.add_column("tables", sa.Column("doing", sa.Text(), nullable=True))
    op.add_column("teams", sa.Column("wire", sa.Text(), server_default="{}", nullable=False))


def downgrade() -> None:
    op.drop_column("teams", "wire")
    op.drop_column("tables", "doing")
    op.drop_column("results", "tm_ms")
    op.drop_column("cards", "substituted")
    op.drop_column("calls", "substituted")
    op.drop_index("uq_board_attempts_final", "board_attempts")
    # What the first schema cannot express was not played to a result either.
    op.execute("UPDATE board_attempts SET ended = 'abandoned' WHERE ended NOT IN ('played', 'passed-out')")
    with op.batch_alter_table("board_attempts", schema=None) as batch_op:
        batch_op.drop_column("fault")
        batch_op.drop_column("final")
    _change_ends(_OLD_ENDS)
    for table in ("alert_questions", "rulings", "orders", "incidents"):
        op.drop_table(table)
