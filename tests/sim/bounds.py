"""How long a board may last, whatever four programs do: bounds that follow from the rules of a table.

A board goes on by steps: a call, a card, the verdict on a player that is late or gone, its return. `step_limit_ms` is
the longest that the next one may be in coming, `verdicts_max` how many there may be besides calls and cards. The
program has no other limit on a board: together these are `board_limit_ms`.

A table that is paused, that waits for the director or the operator, or that cannot go on because the database or its
machine stands still, is not judged, and judges nobody.
"""

from dataclasses import dataclass

from tests.sim.store import MemoryStore
from tourney.bridge import SEATS, Side
from tourney.protocol.session.records import IncidentKind
from tourney.protocol.session.rejoin import LATE_TIMER_MS
from tourney.protocol.session.rules import IRREGULARITIES_END, TableRules
from tourney.protocol.session.state import LOST_WAIT_MS

ENTRIES_MAX = 319 + 52
"""Calls of the longest auction, and cards (Laws 17 and 44)."""

LINES_BEFORE_DEAL = 4
"""Lines that a program owes between its connection and the first call: its name, and that it is ready for the teams,
to start, for the deal and for cards; the first comes with the connection."""

LINES_OF_ENTRY = 2
"""Lines that a program owes at most for each call and card that it is told: that it is ready for it, and, where the
lead has shown dummy, that it is ready for that as well; or what it has said itself, again."""

SLACK_MS = 1000
"""How late a host may look, and a line and its answer may be under way; less than `LATE_TIMER_MS` on each look."""


def step_limit_ms(rules: TableRules, entries: int) -> int:
    """Return how long a table may be without a step, in ms, when a board has so many calls and cards.

    Between two boards it is the wait for a seat that is empty, whose program then has time to say that it is ready.
    In a board, the player in turn may be lost (which is judged a moment later), come back in the last moment, be led
    through the board with every line as late as it may be, and then think for as long as it may.
    """
    time = rules.time
    between_boards_ms = time.absence_ms + (1 + LINES_BEFORE_DEAL) * time.ready_ms
    led_ms = (LINES_BEFORE_DEAL + LINES_OF_ENTRY * entries) * time.ready_ms
    in_board_ms = LOST_WAIT_MS + time.rejoin_ms + led_ms + time.stall_ms
    return max(between_boards_ms, in_board_ms) + LATE_TIMER_MS + SLACK_MS


def verdicts_max(rules: TableRules) -> int:
    """Return how many steps other than calls and cards there may be in one attempt at a board.

    Each seat may be lost `rejoins_max` times by its own fault and as often with the other side, with a return after
    each, then once more, and be played for; each side may break rules so often until its program is sent away.
    """
    losses = len(SEATS) * (2 * rules.rejoins_max + 2)
    irregularities = len(Side) * 2 * (max(rules.irregularities_max, IRREGULARITIES_END) + 1)
    return 2 * losses + len(SEATS) + irregularities


def board_limit_ms(rules: TableRules) -> int:
    """Return how long one attempt at a board may last, in ms; there are `restarts_max` more for each side."""
    return (ENTRIES_MAX + verdicts_max(rules)) * step_limit_ms(rules, ENTRIES_MAX)


_TABLES = "SELECT id, state, attempt FROM tables"
_STEPS = """
WITH newest AS (SELECT table_id, board, attempt FROM board_attempts WHERE table_id = ?1 ORDER BY rowid DESC LIMIT 1)
SELECT (SELECT count(*) FROM calls WHERE table_id = ?1) + (SELECT count(*) FROM cards WHERE table_id = ?1),
    (SELECT count(*) FROM incidents WHERE table_id = ?1),
    (SELECT count(*) FROM board_attempts WHERE table_id = ?1),
    (SELECT count(*) FROM board_attempts WHERE table_id = ?1 AND ended IS NOT NULL),
    (SELECT count(*) FROM calls JOIN newest USING (table_id, board, attempt))
    + (SELECT count(*) FROM cards JOIN newest USING (table_id, board, attempt))
"""
_VERDICTS = f"""
SELECT board, attempt, count(*) FROM incidents
WHERE table_id = ? AND kind NOT IN ('{IncidentKind.PAUSED}', '{IncidentKind.RESUMED}', '{IncidentKind.KICKED}')
GROUP BY board, attempt ORDER BY 3 DESC LIMIT 1
"""  # no value
_PAUSE = f"""
SELECT kind FROM incidents WHERE table_id = ? AND kind IN ('{IncidentKind.PAUSED}', '{IncidentKind.RESUMED}')
ORDER BY id DESC LIMIT 1
"""  # no value


@dataclass(slots=True)
class _Progress:
    steps: tuple[object, ...]
    since_us: int


class ProgressChecker:
    """Looks again and again whether tables that are being played go on."""

    def __init__(self, store: MemoryStore, rules: TableRules) -> None:
        self._store = store
        self._rules = rules
        self._tables: dict[int, _Progress] = {}

    def find_faults(self, now_us: int, *, ignores_next_line: bool) -> list[str]:
        """Return a sentence for each table that stands still, or at which too much was judged; while a machine or the
        store stands still (`ignores_next_line`), none does."""
        if ignores_next_line:
            self._tables.clear()
            return []
        faults = []
        for table, state, attempt in self._store.query(_TABLES):
            assert isinstance(table, int)
            if state != "playing" or self._store.query(_PAUSE, table) == [(IncidentKind.PAUSED.value,)]:
                self._tables.pop(table, None)
                continue
            (counts,) = self._store.query(_STEPS, table)
            steps = (attempt, *counts)
            seen = self._tables.get(table)
            if seen is None or seen.steps != steps:
                self._tables[table] = _Progress(steps, now_us)
                faults += self._too_many_verdicts(table)
                continue
            entries, silent_ms = int(str(counts[4])), (now_us - seen.since_us) // 1000
            if silent_ms > step_limit_ms(self._rules, entries):
                faults.append(
                    f"nothing goes on at table {table} since {silent_ms / 1000:.1f} s, with {entries} entries"
                )
        return faults

    def _too_many_verdicts(self, table: int) -> list[str]:
        most = verdicts_max(self._rules)
        return [
            f"{count} verdicts in attempt {attempt} at board {board} of table {table}, {most} are possible"
            for board, attempt, count in self._store.query(_VERDICTS, table)
            if int(str(count)) > most
        ]
