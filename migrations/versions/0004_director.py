"""the director's rulings: adjusted, assigned and cancelled scores, final results; double dummy analyses

Revises 0003. Must leave every row in place, and run while an older program still reads.
"""

from collections import Counter, defaultdict
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_OLD_KINDS = ("warning", "penalty-imps", "penalty-vp", "board-forfeit", "match-forfeit", "withdrawal")
_NEW_KINDS = (
    *_OLD_KINDS[:4],
    "adjusted-score",
    "assigned-score",
    "board-cancelled",
    "board-replay",
    *_OLD_KINDS[4:],
)

_FORFEITED_BOARD_IMPS = 3
"""What a team lost, before this migration, on a board that both had forfeited."""


def _integer() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _change_rulings(kinds: tuple[str, ...], *, needs_team: bool) -> None:
    """The check on the kind of a ruling, by its name; the column itself stays a text of 20 characters."""
    words = ", ".join(f"'{kind}'" for kind in kinds)
    with op.batch_alter_table("rulings", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_rulings_ruling_kind"), type_="check")
        batch_op.create_check_constraint(op.f("ck_rulings_ruling_kind"), f"kind IN ({words})")
        batch_op.alter_column("team_id", existing_type=_integer(), nullable=not needs_team)


def upgrade() -> None:
    _change_rulings(_NEW_KINDS, needs_team=False)
    op.add_column("rulings", sa.Column("terms", sa.Text(), nullable=True))
    for name in ("lost_home", "lost_away"):
        op.add_column("match_results", sa.Column(name, _integer(), server_default="0", nullable=False))
    _work_out_losses()
    op.create_table(
        "finalisations",
        sa.Column("id", _integer(), nullable=False),
        sa.Column("event_id", _integer(), nullable=False),
        sa.Column("is_final", sa.Boolean(), nullable=False),
        sa.Column("author", sa.String(length=100), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at_ms", _integer(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_finalisations_event_id_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finalisations")),
    )
    op.create_index(op.f("ix_finalisations_event_id"), "finalisations", ["event_id"], unique=False)
    _create_analyses()


def _create_analyses() -> None:
    op.create_table(
        "board_analyses",
        sa.Column("board_set_id", _integer(), autoincrement=False, nullable=False),
        sa.Column("board", _integer(), autoincrement=False, nullable=False),
        sa.Column("tricks", sa.String(length=20), nullable=False),
        sa.Column("par_ns", _integer(), nullable=False),
        sa.Column("par_contracts", sa.Text(), nullable=False),
        sa.CheckConstraint("length(tricks) = 20", name=op.f("ck_board_analyses_tricks")),
        sa.ForeignKeyConstraint(
            ["board_set_id", "board"],
            ["boards.board_set_id", "boards.number"],
            name=op.f("fk_board_analyses_board_set_id_board_boards"),
        ),
        sa.PrimaryKeyConstraint("board_set_id", "board", name=op.f("pk_board_analyses")),
    )
    op.create_table(
        "play_analyses",
        sa.Column("table_id", _integer(), autoincrement=False, nullable=False),
        sa.Column("board", _integer(), autoincrement=False, nullable=False),
        sa.Column("attempt", _integer(), autoincrement=False, nullable=False),
        sa.Column("tricks", sa.String(length=60), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "board", "attempt"],
            ["board_attempts.table_id", "board_attempts.board", "board_attempts.attempt"],
            name=op.f("fk_play_analyses_table_id_board_attempt_board_attempts"),
        ),
        sa.PrimaryKeyConstraint("table_id", "board", "attempt", name=op.f("pk_play_analyses")),
    )


def _work_out_losses() -> None:
    """The IMPs that teams lost and their opponents did not win used to be computed with the standings."""
    connection = op.get_bind()
    lost: Counter[tuple[int, int]] = Counter()
    forfeits: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    rows: Any = connection.execute(
        sa.text(
            "SELECT match_id, board, team_id, kind, amount FROM rulings WHERE withdrawn_at_ms IS NULL "
            "AND match_id IS NOT NULL AND kind IN ('penalty-imps', 'board-forfeit')"
        )
    )
    for row in rows:
        if row.kind == "penalty-imps":
            lost[row.match_id, row.team_id] += row.amount
        else:
            forfeits[row.match_id, row.board].add(row.team_id)
    for (match_id, _), teams in forfeits.items():
        if len(teams) == 2:
            for team_id in teams:
                lost[match_id, team_id] += _FORFEITED_BOARD_IMPS
    for (match_id, team_id), imps in lost.items():
        for side in ("home", "away"):
            connection.execute(
                sa.text(
                    f"UPDATE match_results SET lost_{side} = :imps WHERE match_id = :match AND boards > 0 "  # noqa: S608
                    f"AND (SELECT {side}_team_id FROM matches WHERE id = :match) = :team"
                ),
                {"imps": imps, "match": match_id, "team": team_id},
            )


def downgrade() -> None:
    op.drop_table("play_analyses")
    op.drop_table("board_analyses")
    op.drop_index(op.f("ix_finalisations_event_id"), "finalisations")
    op.drop_table("finalisations")
    for name in ("lost_away", "lost_home"):
        op.drop_column("match_results", name)
    op.drop_column("rulings", "terms")
    # What the earlier schema cannot express is dropped; scores that depend on it stay as they are.
    words = ", ".join(f"'{kind}'" for kind in _NEW_KINDS if kind not in _OLD_KINDS)
    op.execute(f"DELETE FROM rulings WHERE kind IN ({words})")  # noqa: S608 # words of ours
    _change_rulings(_OLD_KINDS, needs_team=True)
