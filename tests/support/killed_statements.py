"""A process that dies after one of the statements of its work: what it has not committed is lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event, text

from tourney.errors import StoreUnavailable
from tourney.store.db.database import Database

DECIDED = (
    "boards",
    "board_attempts",
    "decisions",
    "events",
    "finalisations",
    "match_results",
    "matches",
    "orders",
    "publications",
    "results",
    "rulings",
    "tables",
    "teams",
)
"""The tables that decisions change."""


class KilledError(Exception):
    """The process is dead: nothing catches this but the test."""


@contextmanager
def killed_after(database: Database, statements: int) -> Iterator[None]:
    """Let nothing reach this database after so many statements, the commit included."""
    left = statements
    engine = database._pool.engine

    def before(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if left <= 0 and not statement.startswith("ROLLBACK"):
            raise KilledError  # of a `finally` that a dead process would not come to

    def after(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KilledError

    event.listen(engine, "before_cursor_execute", before)
    event.listen(engine, "after_cursor_execute", after)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", before)
        event.remove(engine, "after_cursor_execute", after)


def kill_after_each_statement(database: Database, work: Callable[[], object], *, seen: Callable[[], object]) -> int:
    """Kill `work` after its first statement, do it again and kill it after the second, until it comes to its end.

    Each time it has had no effect, as `seen` tells. Returns after how many statements it was killed.
    """
    untouched = seen()
    statements = 0
    while True:
        statements += 1
        try:
            with killed_after(database, statements):
                work()
        except KilledError:
            pass
        else:
            return statements - 1
        assert seen() == untouched, f"a part is on record after statement {statements}"


def decided_rows(database: Database) -> list[list[tuple[object, ...]]]:
    """Every row that a decision may change, to see whether one has."""
    with database.read() as connection:
        rows = (connection.execute(text(f"SELECT * FROM {name}")) for name in DECIDED)  # our names
        return [sorted(map(tuple, each), key=repr) for each in rows]


@contextmanager
def unheard_commit(database: Database, monkeypatch: Any) -> Iterator[list[int]]:
    """Lose the word that the next transaction that writes is on record; yields how many have been begun."""
    begun: list[int] = []
    write = Database.write

    @contextmanager
    def written(self: Database, *, synced: bool = True) -> Iterator[Any]:
        if not self.is_joined:
            begun.append(1)
        with write(self, synced=synced) as connection:
            yield connection
        if self is database and len(begun) == 1:
            raise StoreUnavailable("the connection was lost during the commit")

    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", written)
        yield begun
