"""What has changed at tables since the last look, for a run that looks several times a second at many of them.

A look reads five numbers for each table, and everything about those tables alone at which one of them differs.
"""

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import Text, bindparam, func, select, type_coerce

from tourney.store.control.table_state import IsListed
from tourney.store.control.tables import TableProgress, load_progress
from tourney.store.db.database import Database
from tourney.store.db.prepared import Prepared, runner_of
from tourney.store.models import BoardAttempt, TableRow

_OVER: Final = (
    select(func.count())
    .where((BoardAttempt.table_id == TableRow.id) & BoardAttempt.final)
    .correlate(TableRow)
    .scalar_subquery()
)

# Every change of the state, the ports or the reason of a table has a time, and the host another attempt.
_MARKS: Final = Prepared(
    select(TableRow.id, TableRow.attempt, type_coerce(TableRow.state, Text), TableRow.changed_at_ms, _OVER).where(
        IsListed(bindparam("table_ids", type_=Text()))
    ),
    ("table_ids",),
)


class ProgressWatch:
    """Looks at tables again and again."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._marks: dict[int, tuple[Any, ...]] = {}

    def look(self, table_ids: Collection[int]) -> dict[int, TableProgress]:
        """Load the progress of the tables that have changed since the last look, or were not part of it.

        Raises:
            StoreError: the database cannot be used; nothing counts as seen.
        """
        if not table_ids:
            self._marks = {}
            return {}
        with self._database.read() as connection:
            rows = [tuple(row) for row in _MARKS.run(runner_of(connection), (str([*table_ids]),))]
        changed = [row[0] for row in rows if self._marks.get(row[0]) != row]
        progress = load_progress(self._database, changed) if changed else {}
        self._marks = {row[0]: row for row in rows}
        return progress

    def forget(self) -> None:
        """Have the next look return all tables: what this one has returned could not be acted on."""
        self._marks = {}
