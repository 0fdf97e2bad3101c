"""How players have failed: the first failure of each kind is shown at once, and at the end how many there were."""

from collections.abc import Callable, Iterable

from tourney.lab.player_table import PlayerFailure
from tourney.plurals import count


class FailureLog:
    """Shows the failures of players in lines of text, each kind once."""

    def __init__(self, show: Callable[[str], object]) -> None:
        self._show = show
        self._found: dict[tuple[str, str], list[PlayerFailure]] = {}

    def note(self, failures: Iterable[PlayerFailure]) -> None:
        """Show those of a new kind: from another line of code, or without a traceback."""
        for failure in failures:
            frames = failure.traceback.rpartition("\n  ")[0]
            kind = failure.team, frames or failure.error.partition(", got ")[0]
            if kind not in self._found:
                self._show(f"{failure.traceback}{failure.team}, board {failure.board}: {failure.error}")
            self._found.setdefault(kind, []).append(failure)

    def summarize(self) -> None:
        """Show how often there has been more than one of a kind."""
        for first, *others in self._found.values():
            if others:
                boards = len({failure.board for failure in (first, *others)})
                times = f"{len(others) + 1} times on {count(boards, 'board')}"
                self._show(f"{first.team}, {times}, first on board {first.board}: {first.error}")
