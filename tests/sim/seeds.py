"""Seeds of campaigns: where they begin, and those that have failed once."""

from pathlib import Path
from random import SystemRandom

FAILED = Path(__file__).with_name("failed_seeds.txt")
FIRST_MAX = 10**9


def draw_first() -> int:
    """Draw the first seed of a campaign: seeds that were run before prove nothing new."""
    return SystemRandom().randrange(FIRST_MAX)


def load_failed() -> list[int]:
    """Load the seeds that have failed once."""
    lines = FAILED.read_text(encoding="utf-8").splitlines()
    return [int(line.partition(" ")[0]) for line in lines if line and not line.startswith("#")]
