"""consecutive stages, rounds that are drawn later, byes, segments, carry-over, second pairs

Revises 0004. Must leave every row in place, and run while an older program still reads.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_OLD_FORMATS = ("round-robin", "double-round-robin")
_NEW_FORMATS = (*_OLD_FORMATS, "swiss", "knockout", "gauntlet", "match")


def _integer() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _count(name: str, default: int | None = None) -> "sa.Column[int]":
    server_default = str(default) if default is not None else None
    return sa.Column(name, _integer(), nullable=default is None, server_default=server_default)


def _change_formats(formats: tuple[str, ...]) -> None:
    words = ", ".join(f"'{word}'" for word in formats)
    with op.batch_alter_table("stages", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_stages_stage_format"), type_="check")
        batch_op.create_check_constraint(op.f("ck_stages_stage_format"), f"format IN ({words})")


def upgrade() -> None:
    op.add_column("teams", sa.Column("second_command", sa.Text(), nullable=True))
    _change_formats(_NEW_FORMATS)
    with op.batch_alter_table("stages", schema=None) as batch_op:
        batch_op.add_column(_count("groups", 1))
        batch_op.add_column(_count("segments", 1))
        batch_op.add_column(sa.Column("seats", sa.String(length=20), nullable=False, server_default="fixed"))
        batch_op.add_column(_count("extra_boards", 0))
        batch_op.create_check_constraint(op.f("ck_stages_seats_rule"), "seats IN ('fixed', 'alternate', 'rights')")
    op.create_table(
        "stage_entries",
        sa.Column("stage_id", _integer(), autoincrement=False, nullable=False),
        sa.Column("team_id", _integer(), autoincrement=False, nullable=False),
        sa.Column("seed", _integer(), nullable=False),
        _count("group_number", 1),
        _count("rank", 0),
        _count("from_round", 1),
        _count("carry_vp", 0),
        sa.ForeignKeyConstraint(["stage_id"], ["stages.id"], name=op.f("fk_stage_entries_stage_id_stages")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_stage_entries_team_id_teams")),
        sa.PrimaryKeyConstraint("stage_id", "team_id", name=op.f("pk_stage_entries")),
        sa.UniqueConstraint("stage_id", "seed", name=op.f("uq_stage_entries_stage_id_seed")),
    )
    op.execute(
        "INSERT INTO stage_entries (stage_id, team_id, seed) "
        "SELECT stages.id, teams.id, teams.number FROM stages JOIN teams ON teams.event_id = stages.event_id"
    )
    _upgrade_rounds()
    _upgrade_matches()


def _upgrade_rounds() -> None:
    op.create_table(
        "byes",
        sa.Column("round_id", _integer(), autoincrement=False, nullable=False),
        sa.Column("team_id", _integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_byes_round_id_rounds")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_byes_team_id_teams")),
        sa.PrimaryKeyConstraint("round_id", "team_id", name=op.f("pk_byes")),
    )
    op.execute(
        "INSERT INTO byes (round_id, team_id) SELECT id, bye_team_id FROM rounds WHERE bye_team_id IS NOT NULL"
    )
    with op.batch_alter_table("rounds", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("fk_rounds_bye_team_id_teams"), type_="foreignkey")
        batch_op.drop_column("bye_team_id")
        batch_op.add_column(_count("drawn_at_ms"))
    op.execute(
        "UPDATE rounds SET drawn_at_ms = (SELECT events.created_at_ms FROM stages "
        "JOIN events ON events.id = stages.event_id WHERE stages.id = rounds.stage_id)"
    )


def _upgrade_matches() -> None:
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.add_column(_count("boards"))
        batch_op.add_column(_count("carry_home", 0))
        batch_op.add_column(_count("carry_away", 0))
        batch_op.add_column(sa.Column("third_place", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(
        "UPDATE matches SET boards = (SELECT count(*) FROM boards WHERE boards.board_set_id = matches.board_set_id)"
    )
    with op.batch_alter_table("matches", schema=None) as batch_op:
        batch_op.alter_column("boards", existing_type=_integer(), nullable=False)
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.add_column(_count("segment", 1))
        batch_op.add_column(_count("first_position", 0))
        batch_op.add_column(_count("boards"))
        batch_op.add_column(_count("ns_pair", 1))
        batch_op.add_column(_count("ew_pair", 1))
    op.execute("UPDATE tables SET boards = (SELECT matches.boards FROM matches WHERE matches.id = tables.match_id)")
    op.execute("UPDATE tables SET ns_pair = 2, ew_pair = 2 WHERE room = 'closed'")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.alter_column("boards", existing_type=_integer(), nullable=False)
        batch_op.drop_constraint(op.f("uq_tables_match_id_room"), type_="unique")
        batch_op.create_unique_constraint(op.f("uq_tables_match_id_segment_room"), ["match_id", "segment", "room"])


def downgrade() -> None:
    """Events of one stage that use nothing of this schema stay as they are; others cannot be kept before it."""
    found = op.get_bind().execute(
        sa.text(
            "SELECT events.name FROM events JOIN stages ON stages.event_id = events.id WHERE stages.number > 1 "
            "OR stages.groups > 1 OR stages.segments > 1 "
            "OR stages.format NOT IN ('round-robin', 'double-round-robin')"
        )
    )
    name = found.scalar()
    if name is not None:
        raise ValueError(f"schema 0004 has no place for the stages of event {name!r}")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("uq_tables_match_id_segment_room"), type_="unique")
        batch_op.create_unique_constraint(op.f("uq_tables_match_id_room"), ["match_id", "room"])
        for name in ("ew_pair", "ns_pair", "boards", "first_position", "segment"):
            batch_op.drop_column(name)
    with op.batch_alter_table("matches", schema=None) as batch_op:
        for name in ("third_place", "carry_away", "carry_home", "boards"):
            batch_op.drop_column(name)
    with op.batch_alter_table("rounds", schema=None) as batch_op:
        batch_op.add_column(_count("bye_team_id"))
        batch_op.drop_column("drawn_at_ms")
        batch_op.create_foreign_key(op.f("fk_rounds_bye_team_id_teams"), "teams", ["bye_team_id"], ["id"])
    op.execute("UPDATE rounds SET bye_team_id = (SELECT team_id FROM byes WHERE byes.round_id = rounds.id)")
    op.drop_table("byes")
    op.drop_table("stage_entries")
    with op.batch_alter_table("stages", schema=None) as batch_op:
        batch_op.drop_constraint(op.f("ck_stages_seats_rule"), type_="check")
        for name in ("extra_boards", "seats", "segments", "groups"):
            batch_op.drop_column(name)
    _change_formats(_OLD_FORMATS)
    op.drop_column("teams", "second_command")
