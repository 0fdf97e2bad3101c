"""The cross-table of an event with team and pairs stages: cross-tables, then the recapitulation."""

from collections.abc import Iterator
from itertools import chain

from tourney.event.drawn import DrawnEvent
from tourney.output.rows import Row
from tourney.output.tables import CsvTable, TextTable
from tourney.report import crosstable, recap
from tourney.report.crosstable import CrosstableReport, CrosstableRow
from tourney.report.recap import RecapReport, RecapRowDocument
from tourney.report.report import Report


class CrosstableAndRecapDocument(Row):
    """The cross-tables of the team stages, and the recapitulation of those of pairs."""

    event: str
    """The name of the event."""
    teams: list[CrosstableRow]
    """The rows of teams, stage by stage."""
    pairs: list[RecapRowDocument]
    """A row for each pair of each stage, in the order of the draw."""


class CrosstableAndRecap(Report):
    """Both as they are shown."""

    crosstable: CrosstableReport
    recap: RecapReport

    def content(self) -> CrosstableAndRecapDocument:
        """Return a row for each team of each team stage, and for each pair of each pairs stage."""
        return CrosstableAndRecapDocument(self.recap.event, self.crosstable.rows, self.recap.content().pairs)

    def csv(self) -> CsvTable:
        """Return a row for each team and match, then one for each pair and round."""
        tables = (self.crosstable.csv(), self.recap.csv())
        columns = dict.fromkeys(chain.from_iterable(table.columns for table in tables))
        return CsvTable(tuple(columns), chain.from_iterable(table.rows for table in tables))

    def text(self) -> Iterator[str | TextTable]:
        """Yield the cross-tables, then the recapitulation of the pairs stages that have begun."""
        yield from self.crosstable.text()
        for part in self.recap.text():
            if isinstance(part, str) and part.startswith(self.recap.event):
                yield ""
            yield part


def load(drawn: DrawnEvent, *, only_imps: bool = False) -> CrosstableAndRecap:
    """Load both; with `only_imps` the text of the cross-tables has IMPs only.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams and pairs are ranked.
        StoreError: the database cannot be used.
    """
    return CrosstableAndRecap(crosstable.load(drawn, only_imps=only_imps), recap.load(drawn))
