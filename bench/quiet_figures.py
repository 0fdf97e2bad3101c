"""What quiet tables notice of an attack, beside the calm phases of the same run, and whether that is allowed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import text

from bench.figures import percentile
from tourney.movement.seating import TableInfo
from tourney.store.db.database import Database

P50_RATIO_MAX: Final = 2
P99_RATIO_MAX: Final = 5
"""How much longer turns at quiet tables may take under an attack than without one. Attackers and quiet players have
the machine's cores, too."""

TURNS_MIN: Final = 300
"""With fewer, the 99th percentile would be little but the slowest of them."""

CHARGED_MS_MAX: Final = 100
"""How much longer the longest time on record may be than the longest that a quiet player has thought."""

GROWS_MB_MAX: Final = 100.0
"""A process that grows by more under an attack keeps what it is sent."""

LOG_KB_PER_S_MAX: Final = 1000
"""Growth of all logs a second: what the quiet tables play is the most of it."""

COLUMNS: Final = (
    *("turns", "quiet p50", "p99", "max (ms)", "p50 beside calm", "p99 beside calm"),
    *("disconnected", "charged beyond thought (ms)"),
)


@dataclass(frozen=True, slots=True)
class QuietPhase:
    """What quiet players have noticed in one phase of a run."""

    attack: str
    """The name of the attack; empty while nobody attacks."""
    times_ns: Sequence[int]
    """From each call or card until another player, or the one who has said it, has been told."""
    disconnected: int = 0
    charged_ms: int = 0
    """How much longer the longest time on record is than the longest thought."""


@dataclass(frozen=True, slots=True)
class QuietFigures:
    """The figures of a phase. Times are milliseconds."""

    turns: int
    p50: float
    p99: float
    max: float
    p50_ratio: float
    """The median beside that of the calm phases together."""
    p99_ratio: float
    """The same of the 99th percentile."""
    disconnected: int
    charged_ms: int

    @property
    def failures(self) -> list[str]:
        """What does not hold that is to hold under an attack, a few words each."""
        return self.failures_of(TURNS_MIN)

    def failures_of(self, turns_min: int) -> list[str]:
        """Return what does not hold, the 99th percentile apart if there are fewer than `TURNS_MIN` turns."""
        held = {
            f"fewer than {turns_min} turns": self.turns >= turns_min,
            f"p50 more than {P50_RATIO_MAX} times calm": self.p50_ratio <= P50_RATIO_MAX,
            f"p99 more than {P99_RATIO_MAX} times calm": self.p99_ratio <= P99_RATIO_MAX or self.turns < TURNS_MIN,
            "a quiet player was disconnected": not self.disconnected,
            f"charged more than {CHARGED_MS_MAX} ms beyond what was thought": self.charged_ms <= CHARGED_MS_MAX,
        }
        return [what for what, holds in held.items() if not holds]

    @property
    def cells(self) -> list[str]:
        """The values of `COLUMNS`."""
        times = self.turns, self.p50, self.p99, self.max, self.p50_ratio, self.p99_ratio
        return [str(value) for value in (*times, self.disconnected, self.charged_ms)]


def compare_with_calm(phases: Sequence[QuietPhase]) -> list[QuietFigures]:
    """Compute the figures of each phase beside those of the calm ones together."""
    calm = sorted(time for each in phases if not each.attack for time in each.times_ns)
    calm_p50, calm_p99 = (max(1, percentile(calm, share)) for share in (0.5, 0.99))
    found = []
    for each in phases:
        times = sorted(each.times_ns)
        p50, p99, most = (percentile(times, share) for share in (0.5, 0.99, 1.0))
        found.append(
            QuietFigures(
                turns=len(times),
                p50=round(p50 / 1e6, 2),
                p99=round(p99 / 1e6, 2),
                max=round(most / 1e6, 2),
                p50_ratio=round(p50 / calm_p50, 2),
                p99_ratio=round(p99 / calm_p99, 2),
                disconnected=each.disconnected,
                charged_ms=each.charged_ms,
            )
        )
    return found


def format_attack(attack: str) -> str:
    """Return the name of an attack as the pages show it."""
    return attack.replace("_", " ") or "none"


def format_verdict(attack: str, failures: Iterable[str]) -> str:
    """Return a line that says whether all holds that is to hold under an attack."""
    failed = ", ".join(failures)
    return f"- {format_attack(attack)}: " + (f"FAILED: {failed}" if failed else "holds")


class ChargedTimes:
    """Reads from the record what was charged at tables since the last time."""

    def __init__(self, database: Database, tables: Sequence[TableInfo]) -> None:
        self._database = database
        self._tables = ", ".join(str(table.id) for table in tables)
        self._since_ms = 0

    def load_longest_ms(self) -> int:
        """Return the longest time of a call or card since this was called before; 0 if there is none."""
        rows = " UNION ALL ".join(
            f"SELECT max(at_ms), max(thinking_ms) FROM {kind} "  # noqa: S608 # numbers and our own names
            f"WHERE table_id IN ({self._tables}) AND at_ms > {self._since_ms}"
            for kind in ("calls", "cards")
        )
        with self._database.read() as connection:
            found = connection.execute(text(rows)).all()
        self._since_ms = max([self._since_ms, *(row[0] for row in found if row[0] is not None)])
        return max((int(row[1]) for row in found if row[1] is not None), default=0)


def memory_kb(pid: int) -> int:
    """Return how much memory a process has; 0 once it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return int(next((line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")), 0))
