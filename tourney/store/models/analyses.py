"""Tables of double dummy analyses of finished boards."""

from sqlalchemy import CheckConstraint, ColumnClause, ForeignKeyConstraint, String
from sqlalchemy import Text as LongText

from tourney.store.db.declaring import Model, column
from tourney.store.models.play import ATTEMPT, ATTEMPT_KEY


class BoardAnalysis(Model):
    """What a board is worth double dummy: `tricks` as `DoubleDummyTable` writes them, par for North-South."""

    __tablename__ = "board_analyses"
    __table_args__ = (
        ForeignKeyConstraint(("board_set_id", "board"), ("boards.board_set_id", "boards.number")),
        CheckConstraint("length(tricks) = 20", name="tricks"),
    )

    board_set_id: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    tricks: ColumnClause[str] = column(String(20))
    par_ns: ColumnClause[int]
    par_contracts: ColumnClause[str] = column(LongText)


class PlayAnalysis(Model):
    """Declarer's tricks double dummy before the first card and after each one, a hexadecimal digit each."""

    __tablename__ = "play_analyses"
    __table_args__ = (ForeignKeyConstraint(ATTEMPT, ATTEMPT_KEY),)

    table_id: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    board: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    attempt: ColumnClause[int] = column(primary_key=True, autoincrement=False)
    tricks: ColumnClause[str] = column(String(60))
