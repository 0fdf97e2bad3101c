"""a table has one attempt under way, at most

Revises 0007. Must leave every row in place, and run while an older program still reads.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_CLOSE_ALL_BUT_THE_NEWEST = """
UPDATE board_attempts SET ended = 'void', ended_at_ms = began_at_ms, reason = 'its end was lost'
WHERE ended IS NULL AND EXISTS (
    SELECT 1 FROM board_attempts AS other
    WHERE other.table_id = board_attempts.table_id AND other.ended IS NULL AND (
        other.began_at_ms > board_attempts.began_at_ms
        OR (other.began_at_ms = board_attempts.began_at_ms AND (
            other.board > board_attempts.board
            OR (other.board = board_attempts.board AND other.attempt > board_attempts.attempt)
        ))
    )
)
"""


def upgrade() -> None:
    op.execute(_CLOSE_ALL_BUT_THE_NEWEST)
    op.create_index(
        "uq_board_attempts_open",
        "board_attempts",
        ["table_id"],
        unique=True,
        sqlite_where=sa.text("ended IS NULL"),
        postgresql_where=sa.text("ended IS NULL"),
    )


def downgrade() -> None:
    op.drop_index("uq_board_attempts_open", "board_attempts")
