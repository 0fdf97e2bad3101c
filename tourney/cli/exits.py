"""What `tourney` exits with besides 0, 1 (refused) and 2 (usage)."""

from typing import Final

EXIT_BUG: Final = 70
"""A bug of ours, shown with its traceback."""

EXIT_INTERRUPTED: Final = 130
"""Stopped with Ctrl-C: 128 and the number of the signal, as shells have it."""
