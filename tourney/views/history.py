"""The history of programs: the duels that their versions have played, one after the other, and what came of it.

A version is a program of a name whose files were the same. Versions that duels join, directly or through others, are
rated together, so that the strength of each can be seen beside that of the first.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from tourney.output.content import Title
from tourney.output.rows import Cell, Row, Unit
from tourney.output.tables import CsvTable, Parts, csv_table, text_table
from tourney.output.units import BoardCount, ImpsABoard, Moment, Probability
from tourney.plurals import count
from tourney.scoring.strength.estimate import QUANTILE_95, running_estimate, superiority
from tourney.scoring.strength.ratings import PairedSwing, rate_programs
from tourney.times import format_date
from tourney.views.duel import OUTCOMES, DuelReport
from tourney.views.report import Report
from tourney.views.sequential_test import EstimateDocument, VerdictName, estimate_row


@dataclass(frozen=True, slots=True)
class HistoricDuel:
    """A duel that has begun, with what tells its programs apart from those of other duels."""

    report: DuelReport
    began_at_ms: int
    """When its first board began."""
    programs: Mapping[str, str]
    """The hash of the files of each program, by its name; without those that nobody has noted."""


class DuelOfHistoryDocument(Row, kw_only=True):
    """A duel of two versions."""

    number: Annotated[int, Cell(">#")]
    """The number of the duel, from 1, in the order of time."""
    began: Annotated[Moment, Cell("Date", lambda duel: format_date(duel.began))]
    """When its first board began."""
    event: str
    """The name of its event."""
    first: Annotated[str, Cell("New")]
    """The first version."""
    second: Annotated[str, Cell("Old")]
    """The other version."""
    boards: BoardCount
    """Boards that count."""
    estimate: EstimateDocument
    """IMPs a board to the first, with the interval of 95 %: it allows for the stop of a test that has stopped."""
    los: Annotated[Probability, Cell(">LOS")]
    """The probability that the first is better."""
    verdict: VerdictName
    """What the boards say: `H1` the first is better, or with `d0` below 0 that it is not worse by as much; `H0` it is
    not better by `d1`, or with `d1` not above 0 that it is worse; `H2` the second one is better."""
    outcome: Annotated[str, Cell("Verdict"), Unit(enum=OUTCOMES)]
    """The same in a word: what the first is."""


class VersionDocument(Row, kw_only=True):
    """A version, beside the first of all that duels join with it."""

    number: Annotated[int, Cell(">#")]
    """The number of the version, from 1, in the order of its first duel."""
    version: Annotated[str, Cell("Version")]
    """The name of the program, with a number if its files were others under this name before."""
    since: Annotated[Moment, Cell("Date", lambda version: format_date(version.since))]
    """When its first duel began."""
    against: Annotated[str, Cell("Against")]
    """The first version of those that duels join."""
    rating: Annotated[ImpsABoard, Cell(">IMPs/board")]
    """IMPs a board against that."""
    error: Annotated[ImpsABoard, Cell(">+-", lambda version: f"{version.half_width:.2f}")]
    """The standard error of the rating."""
    boards: BoardCount
    """Boards that count, in all its duels."""

    @property
    def half_width(self) -> float:
        """Half the width of the interval of 95 %."""
        return QUANTILE_95 * self.error


class HistoryReport(Report):
    """The duels of versions of programs."""

    name: str
    """The name of the folder."""
    duels: tuple[DuelOfHistoryDocument, ...]
    """The duels that have a board, the oldest first."""
    versions: tuple[VersionDocument, ...]
    """The versions, those that duels join together, the oldest first."""

    def joined(self) -> list[list[VersionDocument]]:
        """Return the versions, a list for each set that duels join."""
        lists: defaultdict[str, list[VersionDocument]] = defaultdict(list)
        for version in self.versions:
            lists[version.against].append(version)
        return list(lists.values())

    def csv(self) -> CsvTable:
        """Return a row for each duel."""
        return csv_table(DuelOfHistoryDocument, self.duels)

    def text(self) -> Parts:
        """Yield a table of the duels, and one of the versions."""
        yield Title(self.name, f"{count(len(self.duels), 'duel')} of {count(len(self.versions), 'version')}")
        yield text_table(DuelOfHistoryDocument, self.duels)
        yield ""
        yield "Versions, by IMPs a board against the first of those that duels join"
        yield text_table(VersionDocument, self.versions)
        yield "+- is half of an interval of 95 %"


def make_history(name: str, duels: Iterable[HistoricDuel]) -> HistoryReport:
    """Make the history of duels that have a board.

    Args:
        name: what it is called.
        duels: the duels in any order.
    """
    played = sorted(duels, key=lambda duel: (duel.began_at_ms, duel.report.event))
    versions = _Versions()
    rows: list[DuelOfHistoryDocument] = []
    swings: list[PairedSwing] = []
    for number, duel in enumerate(played, 1):
        second = versions.find(duel.report.second, duel)  # of the two it has been there longer
        first = versions.find(duel.report.first, duel)
        report, tally = duel.report, duel.report.result.tally
        rows.append(
            DuelOfHistoryDocument.from_attributes(
                report,
                number=number,
                began=duel.began_at_ms,
                first=first,
                second=second,
                boards=tally.boards,
                estimate=estimate_row(report.result.final or running_estimate(tally)),
                los=superiority(tally, report.result.error),
                verdict=report.verdict.value,
            )
        )
        boards = zip(report.deals, report.result.swings, strict=True)
        swings += [PairedSwing(deal, first, second, swing) for deal, swing in boards]
    return HistoryReport(name, tuple(rows), tuple(_rate(versions.began_at_ms, swings)))


class _Versions:
    """The versions that have been found, in the order of time."""

    def __init__(self) -> None:
        self._labels: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """The label of each version by its hash, by the name of the program."""
        self.began_at_ms: dict[str, int] = {}
        """When the first duel of each version began, by its label."""

    def find(self, team: str, duel: HistoricDuel) -> str:
        """Return the label of the version that a team was in a duel, which is later than those before."""
        labels = self._labels[team]
        newest = next(reversed(labels), "")
        mark = duel.programs.get(team, newest)  # what nobody has noted is taken for the one before
        if mark not in labels:
            labels[mark] = team if not labels else f"{team} ({len(labels) + 1})"
            self.began_at_ms[labels[mark]] = duel.began_at_ms
        return labels[mark]


def _rate(began_at_ms: Mapping[str, int], swings: Sequence[PairedSwing]) -> Iterator[VersionDocument]:
    """Yield the versions with their ratings against the first of those that duels join."""
    order = {version: place for place, version in enumerate(began_at_ms)}
    for joined in rate_programs(swings):
        names = sorted((rating.name for rating in joined.ratings), key=order.__getitem__)
        boards = {rating.name: rating.boards for rating in joined.ratings}
        for name in names:
            rating, error = joined.difference(name, names[0]) if name != names[0] else (0.0, 0.0)
            yield VersionDocument(
                number=order[name] + 1,
                version=name,
                since=began_at_ms[name],
                against=names[0],
                rating=rating,
                error=error,
                boards=boards[name],
            )
