"""words for people: attempts of which something was taken back, and incidents of what players ask each other

Revises 0010. Must leave every row in place, and run while an older program still reads.
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_OLD_ENDS = (
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
_NEW_ENDS = (*_OLD_ENDS[:-1], "taken-back", "void")

_OLD_CLAIMS = (
    "illegal-call",
    "illegal-card",
    "call-out-of-turn",
    "card-out-of-turn",
    "over-time",
    "substituted",
    "claim",
    "claim-accepted",
    "claim-rejected",
)
_ASKED = ("undo", "undo-accepted", "undo-rejected", "explained")
_OLD_REST = (
    "stand-in",
    "paused",
    "resumed",
    "kicked",
    "crash",
    "disconnect",
    "rejoined",
    "diverged",
    "restarted",
    "taken-up",
)


def _change_checks(ends: tuple[str, ...], incidents: tuple[str, ...]) -> None:
    """The checks on how an attempt may end and on the kind of an incident, by their names; both stay texts of 20."""
    for table, check, column, words in (
        ("board_attempts", "ck_board_attempts_board_end", "ended", ends),
        ("incidents", "ck_incidents_incident_kind", "kind", incidents),
    ):
        listed = ", ".join(f"'{word}'" for word in words)
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_constraint(op.f(check), type_="check")
            batch_op.create_check_constraint(op.f(check), f"{column} IN ({listed})")


def upgrade() -> None:
    _change_checks(_NEW_ENDS, (*_OLD_CLAIMS, *_ASKED, *_OLD_REST))


def downgrade() -> None:
    """Drops what the older schema cannot have: attempts that were taken back are abandoned, as `verify` will say."""
    op.execute("UPDATE board_attempts SET ended = 'abandoned' WHERE ended = 'taken-back'")
    op.execute("DELETE FROM incidents WHERE kind IN ('undo', 'undo-accepted', 'undo-rejected', 'explained')")
    _change_checks(_OLD_ENDS, (*_OLD_CLAIMS, *_OLD_REST))
