"""leases, hosts, the holder of a run, chained records

Revises 0002. Must leave every row in place, and run while an older program still reads.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_OLD_INCIDENTS = (
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
)
_NEW_INCIDENTS = (*_OLD_INCIDENTS, "crash", "disconnect", "rejoined", "diverged", "restarted", "taken-up")


def _integer() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _change_incidents(kinds: tuple[str, ...]) -> None:
    """The check on the kind of an incident, by its name; the column itself stays a text of 20 characters."""
    words = ", ".join(f"'{kind}'" for kind in kinds)
    with op.batch_alter_table("incidents", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_incidents_incident_kind"), type_="check")
        batch_op.create_check_constraint(op.f("ck_incidents_incident_kind"), f"kind IN ({words})")


def upgrade() -> None:
    op.create_table(
        "hosts",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("event_id", _integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("machine", sa.String(length=200), nullable=False),
        sa.Column("pid", _integer(), nullable=False),
        sa.Column("pid_start", sa.String(length=100), nullable=False),
        sa.Column("started_at_ms", _integer(), nullable=False),
        sa.Column("beat_at_ms", _integer(), nullable=False),
        sa.Column("written", _integer(), nullable=False),
        sa.Column("ended_at_ms", _integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_hosts_event_id_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hosts")),
        sa.UniqueConstraint("event_id", "name", name=op.f("uq_hosts_event_id_name")),
    )
    op.add_column("tables", sa.Column("beat_at_ms", _integer(), nullable=True))
    op.add_column("events", sa.Column("run_holder", sa.Text(), nullable=True))
    op.add_column("events", sa.Column("run_beat_at_ms", _integer(), nullable=True))
    for table in ("calls", "cards", "board_attempts"):
        op.add_column(table, sa.Column("chain", sa.String(length=64), nullable=True))
    _change_incidents(_NEW_INCIDENTS)


def downgrade() -> None:
    # What the earlier schema cannot express is dropped; it is not part of a result.
    words = ", ".join(f"'{kind}'" for kind in _NEW_INCIDENTS if kind not in _OLD_INCIDENTS)
    op.execute(f"DELETE FROM incidents WHERE kind IN ({words})")  # noqa: S608 # words of ours
    _change_incidents(_OLD_INCIDENTS)
    for table in ("board_attempts", "cards", "calls"):
        op.drop_column(table, "chain")
    op.drop_column("events", "run_beat_at_ms")
    op.drop_column("events", "run_holder")
    op.drop_column("tables", "beat_at_ms")
    op.drop_table("hosts")
