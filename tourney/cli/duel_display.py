"""How a duel is shown: plain lines every so many boards, or a live display in a terminal (`duel_live`)."""

import sys

from tourney.cli.run_display import PlainDisplay
from tourney.coordinator.run_context import (
    MatchFinished,
    RoundStarted,
    RunEvent,
    RunStarted,
    TableFailed,
    TableProgressed,
    TablesOpened,
)
from tourney.lab.duel_watch import STOPPED
from tourney.report.duel import DuelStanding
from tourney.terminal import make_rich_console


class DuelDisplay(PlainDisplay):
    """Prints how the duel stands, and what goes wrong; not what every table does."""

    def show(self, report: DuelStanding) -> None:
        """Show how the duel stands after some more boards."""
        for line in report.progress():
            self.notify(line)

    def refresh(self, report: DuelStanding) -> None:
        """Do nothing: lines are printed after some boards, not at each look at the record."""

    def report(self, event: RunEvent) -> None:
        """Print what goes wrong; what is played is known, and the duel may stop a table itself."""
        match event:
            case RunStarted() | RoundStarted() | TablesOpened() | TableProgressed() | MatchFinished():
                return
            case TableFailed(_, table) if table.reason.startswith(STOPPED):
                return
        super().report(event)


class _QuietDisplay(DuelDisplay):
    """Prints nothing."""

    def notify(self, text: str) -> None:
        pass


def duel_display(*, is_quiet: bool) -> DuelDisplay:
    """Return what shows a duel: nothing, a live display in a terminal, else lines."""
    if is_quiet:
        return _QuietDisplay()
    if not sys.stdout.isatty():
        return DuelDisplay()
    from tourney.cli.duel_live import LiveDuelDisplay

    console = make_rich_console()
    return LiveDuelDisplay(console) if console.is_terminal else DuelDisplay()
