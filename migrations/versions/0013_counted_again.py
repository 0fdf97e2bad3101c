"""what a table host that takes a table up counts on from: when in a board an incident was, which limit was exceeded

Revises 0012. Must leave every row in place, and run while an older program still reads.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_KINDS = (
    *("illegal-call", "illegal-card", "call-out-of-turn", "card-out-of-turn", "over-time", "substituted"),
    *("claim", "claim-accepted", "claim-rejected", "consent", "undo", "undo-accepted", "undo-rejected", "explained"),
    *("director-called", "stand-in", "paused", "resumed", "kicked", "crash", "disconnect", "outage", "rejoined"),
    *("diverged", "restarted", "taken-up"),
)
_NEW_KINDS = ("consent", "outage")


def upgrade() -> None:
    """The check on the kind is changed by its name; the column itself stays a text of 20 characters."""
    listed = ", ".join(f"'{kind}'" for kind in _KINDS)
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_incidents_incident_kind"), type_="check")
        batch_op.create_check_constraint(op.f("ck_incidents_incident_kind"), f"kind IN ({listed})")
        batch_op.add_column(sa.Column("made", number, server_default="0", nullable=False))
        batch_op.add_column(sa.Column("limit", sa.String(length=40), nullable=True))
    with op.batch_alter_table("workers", schema=None) as batch_op:
        batch_op.drop_column("labels")


def downgrade() -> None:
    """An older program counts from nothing, and knows an outage as lost connections."""
    listed = ", ".join(f"'{kind}'" for kind in _KINDS if kind not in _NEW_KINDS)
    op.execute("DELETE FROM incidents WHERE kind = 'consent'")
    op.execute("UPDATE incidents SET kind = 'disconnect' WHERE kind = 'outage'")
    with op.batch_alter_table("workers", schema=None) as batch_op:
        batch_op.add_column(sa.Column("labels", sa.Text(), server_default="[]", nullable=False))
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.drop_column("limit")
        batch_op.drop_column("made")
        batch_op.drop_constraint(op.f("ck_incidents_incident_kind"), type_="check")
        batch_op.create_check_constraint(op.f("ck_incidents_incident_kind"), f"kind IN ({listed})")
