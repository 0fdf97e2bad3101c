"""orders that extend the time of a board or a match

Revises 0009. Must leave every row in place, and run while an older program still reads.
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_OLD_KINDS = ("pause", "resume", "stop", "kick", "replay", "alert")
_NEW_KINDS = (*_OLD_KINDS, "extend")


def _change_kinds(kinds: tuple[str, ...]) -> None:
    """The check on the kind of an order, by its name; the column itself stays a text of 20 characters."""
    words = ", ".join(f"'{kind}'" for kind in kinds)
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_orders_order_kind"), type_="check")
        batch_op.create_check_constraint(op.f("ck_orders_order_kind"), f"kind IN ({words})")


def upgrade() -> None:
    _change_kinds(_NEW_KINDS)


def downgrade() -> None:
    """Drops the orders that the older schema cannot have: their tables go by the limits of the event file."""
    op.execute("DELETE FROM orders WHERE kind = 'extend'")
    _change_kinds(_OLD_KINDS)
