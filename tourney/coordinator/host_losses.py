"""The table hosts that a run has lost, and which tables may be the cause.

A host that dies takes all its tables with it, and nobody sees which of them has killed it. So each counts as lost
once more, until it finishes a board. A table that is lost for the second time in a row is a suspect: suspects play
apart from other tables, and with few of their own kind, so that each death leaves fewer of them. One that has lost
its host `ATTEMPTS_MAX` times in a row, the last time alone, is not tried again.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

SUSPECT_AFTER: Final = 2
"""Losses in a row after which a table is a suspect: one may have any cause."""

ATTEMPTS_MAX: Final = 5
"""Losses in a row after which a table is not tried again."""

SUSPECT_HOSTS_MAX: Final = 4
"""Hosts that suspects with the same number of losses share, beside those of other tables. Of 256 tables that lost
their host together, four more deaths single one out."""

LOST_WITHIN_MS: Final = 60_000
"""How long the death of a host is remembered among those that make a run give up, in ms."""


@dataclass(slots=True)
class _Run:
    """The losses of a table in a row, without a finished board in between."""

    losses: int
    first_at_ms: int
    was_alone: bool
    """Whether no other table was at its host when it was last lost."""


class HostLosses:
    """Counts how often each table has lost its host in a row, and how many causes the deaths of hosts must have."""

    def __init__(self) -> None:
        self._runs: dict[int, _Run] = {}
        self._deaths: deque[tuple[int, frozenset[int]]] = deque()
        """When hosts died, and their tables; no tables for a host that died before it had begun."""

    def note_death(self, tables: Collection[int], now_ms: int, *, has_begun: bool) -> None:
        """Count the death of a host with these tables, by id; they had nothing to do with it if it had not begun."""
        self._deaths.append((now_ms, frozenset(tables) if has_begun else frozenset()))
        if not has_begun:
            return
        for table_id in tables:
            run = self._runs.setdefault(table_id, _Run(0, now_ms, was_alone=False))
            run.losses += 1
            run.was_alone = len(tables) == 1

    def forget(self, table_ids: Iterable[int]) -> None:
        """Count the losses of these tables from zero: they have finished a board, or are over."""
        for table_id in table_ids:
            self._runs.pop(table_id, None)

    def suspicion(self, table_id: int) -> int:
        """Return how often a suspect has been lost in a row; 0 for a table that is none."""
        run = self._runs.get(table_id)
        return run.losses if run is not None and run.losses >= SUSPECT_AFTER else 0

    def may_share(self, table_id: int, others: Collection[int]) -> bool:
        """Whether a table may be played by the host of these others: suspects only with their like."""
        suspects = {each: run.losses for each, run in self._runs.items() if run.losses >= SUSPECT_AFTER}
        if not suspects:
            return True
        return {suspects.get(other, 0) for other in others if other != table_id} <= {suspects.get(table_id, 0)}

    def is_given_up(self, table_id: int) -> bool:
        """Whether a table is not tried again."""
        run = self._runs.get(table_id)
        return run is not None and run.losses >= ATTEMPTS_MAX and run.was_alone

    def times(self, table_id: int) -> int:
        """Return how often a table has been lost in a row."""
        run = self._runs.get(table_id)
        return run.losses if run is not None else 0

    def lost_since_ms(self, table_id: int) -> int:
        """Return when the first of its losses in a row was; `KeyError` for a table without one."""
        return self._runs[table_id].first_at_ms

    # Causes

    def count_deaths(self, now_ms: int) -> int:
        """Return how many hosts have died within the last minute."""
        while self._deaths and now_ms - self._deaths[0][0] > LOST_WITHIN_MS:
            self._deaths.popleft()
        return len(self._deaths)

    def count_causes(self, now_ms: int) -> int:
        """Return how many causes these deaths have at least, if a table can kill hosts and nothing else can.

        One table accounts for the deaths of all hosts that had it; those that died before they began have each a
        cause of their own. The tables are taken greedily, the one with the most deaths first.
        """
        self.count_deaths(now_ms)
        left = [tables for _, tables in self._deaths if tables]
        causes = len(self._deaths) - len(left)
        while left:
            table_id, _ = Counter(each for tables in left for each in tables).most_common(1)[0]
            left = [tables for tables in left if table_id not in tables]
            causes += 1
        return causes
