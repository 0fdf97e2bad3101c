"""How a run, and a duel, is shown in a terminal. In a module of its own, since importing Rich takes 0.1 s."""

import time
from collections.abc import Iterator
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from tourney.cli.displays import DuelDisplay, PlainDisplay
from tourney.coordinator.run_context import MatchFinished, RunEvent, TableFailed, TableProgressed
from tourney.report.duel import DuelReport
from tourney.store.draw.objects import MatchInfo, TableInfo
from tourney.store.models import TableState

BAR_CELLS: Final = 40
_S_OF_HOUR: Final = 3600


class LiveDisplay(PlainDisplay):
    """Prints the same lines, above a bar for each table in play."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("boards"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._bars: dict[int, TaskID] = {}
        self._progress.start()

    def notify(self, text: str) -> None:
        self._progress.console.print(text, highlight=False, markup=False, soft_wrap=True)

    def close(self) -> None:
        self._progress.stop()

    def report(self, event: RunEvent) -> None:
        if isinstance(event, TableProgressed):
            self._draw_bar(*event)
            return
        super().report(event)
        if isinstance(event, TableFailed | MatchFinished):
            self._drop_bars(event.match)

    def _draw_bar(self, match: MatchInfo, table: TableInfo, boards_finished: int) -> None:
        bar = self._bars.get(table.id)
        if bar is None:
            name = f"{self.describe_table(table)}: {table.ns_team} - {table.ew_team}"
            bar = self._bars[table.id] = self._progress.add_task(name, total=match.boards_known)
        self._progress.update(bar, completed=max(0, boards_finished))
        if table.state in (TableState.FINISHED, TableState.FAILED):
            self._progress.remove_task(self._bars.pop(table.id))

    def _drop_bars(self, match: MatchInfo) -> None:
        for table in match.tables:
            bar = self._bars.pop(table.id, None)
            if bar is not None:
                self._progress.remove_task(bar)


class LiveDuelDisplay(DuelDisplay):
    """Keeps how the duel stands at the bottom of the terminal, with a bar; what goes wrong is printed above it."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._report: DuelReport | None = None
        self._began = time.monotonic()
        self._looked_first: tuple[float, int] | None = None
        """The time of the first look at the record, and the boards then: the pace leaves out the start."""
        self._live = Live(
            console=console, get_renderable=self._render, refresh_per_second=2, transient=True, auto_refresh=True
        )
        self._live.start(refresh=True)

    def notify(self, text: str) -> None:
        self._live.console.print(text, highlight=False, markup=False, soft_wrap=True)

    def show(self, report: DuelReport) -> None:
        """Bring the display up to date."""
        if self._looked_first is None:
            self._looked_first = time.monotonic(), report.result.tally.boards
        self._report = report
        self._live.refresh()

    def close(self) -> None:
        self._live.stop()

    def _render(self) -> RenderableType:
        return Group(*(Text(line) for line in self._lines()))

    def _lines(self) -> Iterator[str]:
        now = time.monotonic()
        elapsed_s = int(now - self._began)
        clock = f"{elapsed_s // _S_OF_HOUR}:{elapsed_s // 60 % 60:02}:{elapsed_s % 60:02}"
        report = self._report
        if report is None or self._looked_first is None:
            yield f"the programs are being started  {clock}"
            return
        yield from report.progress()
        began, before = self._looked_first
        played = report.result.tally.boards - before
        pace = f"  {round(played / (now - began) * _S_OF_HOUR)} boards/hour" if played else ""
        yield f"{format_bar(report)}  {clock}{pace}"


def format_bar(report: DuelReport) -> str:
    """Format where the duel stands: the LLR between its bounds, or the boards of those that are to be played."""
    result = report.result
    test = result.test
    if not report.is_tested:
        done = BAR_CELLS * result.tally.boards // test.boards_max
        return f"[{'=' * done}{'-' * (BAR_CELLS - done)}] {result.tally.boards}/{test.boards_max}"
    llr = result.leading_llr if result.tally.boards else 0.0
    share = (llr - test.lower) / (test.upper - test.lower)
    place = min(max(round(share * (BAR_CELLS - 1)), 0), BAR_CELLS - 1)
    middle = round(-test.lower / (test.upper - test.lower) * (BAR_CELLS - 1))
    cells = ["-"] * BAR_CELLS
    cells[middle] = "|"
    cells[place] = "#"
    return f"H0 [{''.join(cells)}] H1"
