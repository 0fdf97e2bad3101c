"""How a duel is shown: plain lines every so many boards, or a live display in a terminal (`duel_live`)."""

import sys

from tourney.cli.run_display import PlainDisplay
from tourney.coordinator.listener import SeatPlace
from tourney.lab.duel_watch import STOPPED
from tourney.report.duel import DuelStanding
from tourney.scoring.match import MatchScore
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, Sitting, TableInfo
from tourney.terminal import make_rich_console


class DuelDisplay(PlainDisplay):
    """Prints how the duel stands, and what goes wrong; not what every table does."""

    def show(self, report: DuelStanding) -> None:
        """Show how the duel stands after some more boards."""
        for line in report.progress():
            self.say(line)

    def refresh(self, report: DuelStanding) -> None:
        """Do nothing: lines are printed after some boards, not at each look at the record."""

    def run_started(self, event: EventInfo, matches_left: int) -> None:
        """Say nothing: what is played is known."""

    def round_started(self, round_: RoundInfo, sittings: list[Sitting]) -> None:
        """Say nothing, as at `run_started`."""

    def tables_opened(self, places: list[SeatPlace]) -> None:
        """Say nothing: all programs are started here."""

    def table_progressed(self, match: MatchInfo, table: TableInfo, boards_finished: int) -> None:
        """Say nothing: boards count in the order of their deals, not of the tables."""

    def table_failed(self, match: MatchInfo, table: TableInfo, reason: str) -> None:
        """Show why a table cannot go on, unless the duel itself has stopped it."""
        if not reason.startswith(STOPPED):
            super().table_failed(match, table, reason)

    def match_finished(self, match: MatchInfo, score: MatchScore) -> None:
        """Say nothing: a match is a part of the duel."""


class _QuietDisplay(DuelDisplay):
    """Prints nothing."""

    def say(self, text: str) -> None:
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
