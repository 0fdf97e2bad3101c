"""How a run is shown in a terminal. In a module of its own, since importing Rich takes 0.1 s."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from tourney.cli.run_display import PlainDisplay
from tourney.coordinator.run_context import MatchFinished, RunEvent, TableFailed, TableProgressed
from tourney.store.draw.objects import MatchInfo, TableInfo
from tourney.store.models import TableState


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
