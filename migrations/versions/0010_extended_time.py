"""thinking time that directors give beyond the limits: orders to tables, and rows for rounds

Revises 0009. Must leave every row in place, and run while an older program still reads.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_OLD_KINDS = ("pause", "resume", "stop", "kick", "replay", "alert")
_NEW_KINDS = (*_OLD_KINDS, "extend")


def _integer() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _change_kinds(kinds: tuple[str, ...]) -> None:
    """The check on the kind of an order, by its name; the column itself stays a text of 20 characters."""
    words = ", ".join(f"'{kind}'" for kind in kinds)
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_orders_order_kind"), type_="check")
        batch_op.create_check_constraint(op.f("ck_orders_order_kind"), f"kind IN ({words})")


def upgrade() -> None:
    _change_kinds(_NEW_KINDS)
    op.create_table(
        "round_extensions",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("event_id", _integer(), nullable=False),
        sa.Column("author", sa.String(length=100), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at_ms", _integer(), nullable=False),
        sa.Column("round_id", _integer(), nullable=False),
        sa.Column("seconds", _integer(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_round_extensions_event_id_events")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_round_extensions_round_id_rounds")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round_extensions")),
    )
    op.create_index(op.f("ix_round_extensions_event_id"), "round_extensions", ["event_id"], unique=False)
    op.create_index(op.f("ix_round_extensions_round_id"), "round_extensions", ["round_id"], unique=False)


def downgrade() -> None:
    """Drops what the older schema cannot have: tables go by the limits of the event file."""
    op.drop_index(op.f("ix_round_extensions_round_id"), table_name="round_extensions")
    op.drop_index(op.f("ix_round_extensions_event_id"), table_name="round_extensions")
    op.drop_table("round_extensions")
    op.execute("DELETE FROM orders WHERE kind = 'extend'")
    _change_kinds(_OLD_KINDS)
