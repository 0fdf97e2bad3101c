"""several machines: workers, where each host can be reached, logs that hosts hand in

Revises 0006. Must leave every row in place, and run while an older program still reads.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def _integer() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("hosts", sa.Column("address", sa.String(length=200), nullable=True))
    op.add_column("hosts", sa.Column("worker", sa.String(length=100), nullable=True))
    op.add_column("hosts", sa.Column("is_draining", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "workers",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("event_id", _integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("address", sa.String(length=200), nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("tables", _integer(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "working",
                "gone",
                name=op.f("ck_workers_worker_state"),
                native_enum=False,
                create_constraint=True,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("load_percent", _integer(), nullable=True),
        sa.Column("heard_at_ms", _integer(), nullable=False),
        sa.Column("is_draining", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_workers_event_id_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
        sa.UniqueConstraint("event_id", "name", name=op.f("uq_workers_event_id_name")),
    )
    op.create_table(
        "log_parts",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("event_id", _integer(), nullable=False),
        sa.Column("path", sa.String(length=400), nullable=False),
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("host", sa.String(length=100), nullable=False),
        sa.Column("table_id", _integer(), nullable=True),
        sa.Column("size_bytes", _integer(), nullable=False),
        sa.Column("at_ms", _integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_log_parts_event_id_events")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_log_parts_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log_parts")),
        sa.UniqueConstraint("event_id", "path", "mark", name=op.f("uq_log_parts_event_id_path_mark")),
    )
    op.create_index(op.f("ix_log_parts_table_id"), "log_parts", ["table_id"], unique=False)


def downgrade() -> None:
    """Takes the logs in the record away, and what is known of workers."""
    op.drop_index(op.f("ix_log_parts_table_id"), table_name="log_parts")
    op.drop_table("log_parts")
    op.drop_table("workers")
    op.drop_column("hosts", "is_draining")
    op.drop_column("hosts", "worker")
    op.drop_column("hosts", "address")
