"""The recapitulation of a pairs event: what each pair has won in each round. `tourney crosstable` shows it."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES
from tourney.output.rows import INLINE, NOTHING, Row
from tourney.output.tables import CsvTable, Part, TextTable, csv_table
from tourney.output.units import GroupLetter
from tourney.report import crosstable
from tourney.report.crosstable import CrosstableReport, CrosstableRow
from tourney.report.pair import RoundOfPairDocument, round_row
from tourney.report.pair_figures import (
    PairInRankingDocument,
    PairsUnit,
    pair_in_ranking,
    pairs_unit,
)
from tourney.report.report import Report
from tourney.report.rulings import CountedRulings, explain_stars
from tourney.report.standings import format_team
from tourney.report.travellers import SCORING_NAMES
from tourney.results.standings import Standings
from tourney.results.travellers import PairRound, StageTravellers, load_travellers
from tourney.scoring.pairs.field import PairsScoring


class RecapRowDocument(Row, kw_only=True):
    """A pair in a stage, with its rounds."""

    number: int
    """The number of the pair in the draw."""
    stage: str
    """The name of the stage."""
    scoring: PairsScoring
    """How results are compared."""
    group: GroupLetter | None
    """The letter of the list in which the pair is ranked; null where there is one of all."""
    rank: int | None
    """The rank in the list, from 1; equal pairs share it; null before a board counts."""
    figures: Annotated[PairInRankingDocument, INLINE]
    withdrawn: bool
    """Whether the pair has left the event."""
    rulings: CountedRulings
    """The rulings that count against the pair."""
    rounds: list[RoundOfPairDocument]
    """The rounds of the pair, without penalties."""


class RecapDocument(Row):
    """What each pair has won in each round."""

    event: str
    """The name of the event."""
    pairs: list[RecapRowDocument]
    """A row for each pair of each stage, in the order of the draw."""


class RecapRound(Row):
    """A round of a pair, in CSV."""

    stage: str
    """The name of the stage."""
    number: int
    """The number of the pair in the draw."""
    pair: str
    """The name of the pair."""
    rank: int | None
    """Its rank."""
    of_round: Annotated[RoundOfPairDocument, INLINE]


class RecapReport(Report):
    """The recapitulation as it is shown."""

    event: str
    stages: tuple[StageTravellers, ...]
    numbers: dict[str, int]
    """The numbers of the pairs in the draw."""
    event_path: Path
    has_several_stages: bool
    """Whether the event has other stages than the one that is shown."""

    def content(self) -> RecapDocument:
        """Return a row for each pair."""
        return RecapDocument(self.event, list(self._rows()))

    def _rows(self) -> Iterator[RecapRowDocument]:
        for stage in self.stages:
            for ranking in stage.rankings:
                yield from (self._row(stage, ranking, pair) for pair in _pairs_of(stage, ranking))

    def _row(self, stage: StageTravellers, ranking: Standings, pair: str) -> RecapRowDocument:
        unit, row = pairs_unit(stage.scoring), ranking.row_of(pair)
        return RecapRowDocument(
            number=self.numbers[pair],
            stage=stage.stage.name,
            scoring=stage.scoring,
            group=ranking.group,
            rank=ranking.rank_of(row),
            figures=pair_in_ranking(pair, ranking.direction, row.pairs or NO_FIGURES),
            withdrawn=ranking.is_withdrawn(pair),
            rulings=ranking.rulings_on(pair),
            rounds=[round_row(found, pair, unit) for found in stage.rounds_of(pair)],
        )

    def csv(self) -> CsvTable:
        """Return a row for each round of each pair."""
        rows = (
            RecapRound(row.stage, row.number, row.figures.pair, row.rank, of_round)
            for row in self._rows()
            for of_round in row.rounds
        )
        return csv_table(RecapRound, rows)

    def text(self) -> Iterator[Part]:
        """Yield a table for each list, with a column for each round."""
        for stage in self.stages:
            name = f"{self.event}, {stage.stage.name}" if self.has_several_stages else self.event
            is_percent = pairs_unit(stage.scoring).has_percentages
            unit = "percent of the matchpoints" if is_percent else SCORING_NAMES[stage.scoring]
            of = f" of {len(stage.numbers)}" if stage.hidden else ""
            yield f"{name}: {unit} in each round, over {len(stage.travellers)}{of} boards"
            for ranking in stage.rankings:
                if len(stage.rankings) > 1:
                    yield ""
                    yield ranking.title
                yield self._table(stage, ranking)
            rulings = [ruling for ranking in stage.rankings for ruling in ranking.rulings]
            yield from explain_stars(rulings, self.event_path)

    def _table(self, stage: StageTravellers, ranking: Standings) -> TextTable:
        rounds = [round_.number for round_ in stage.stage.rounds]
        unit = pairs_unit(stage.scoring)
        name = ranking.entrant.title()
        carries_over = ranking.carries_over
        headings = [unit.level_heading, *(("Carried over", "Result") if carries_over else ()), "Rank"]
        table = TextTable(
            ">No", name, *(f">{number}" for number in rounds), *(f">{heading}" for heading in headings), keys=2
        )
        for pair in _pairs_of(stage, ranking):
            found = {each.round.number: each for each in stage.rounds_of(pair)}
            cells = [_format_round(found.get(number), unit) for number in rounds]
            rulings = ranking.rulings_on(pair)
            name = format_team(pair, rulings, is_withdrawn=ranking.is_withdrawn(pair))
            row = ranking.row_of(pair)
            cells += unit.levels(row.pairs or NO_FIGURES, carries_over=carries_over)
            table.add_row(str(self.numbers[pair]), name, *cells, ranking.format_rank(row))
        return table


def load(drawn: DrawnEvent, *, only_imps: bool = False) -> RecapReport:
    """Load the recapitulation of a pairs event.

    Raises:
        ConfigError: something is wrong with the event file, which says how pairs are ranked.
        StoreError: the database cannot be used.
        UsageError: IMPs were asked for, as for matches of teams.
    """
    if only_imps:
        raise UsageError("--imps-only: it is for matches of teams, a pairs stage is shown as it is scored")
    stages = load_travellers(drawn)
    numbers = {team.name: team.number for team in drawn.event.teams}
    return RecapReport(drawn.event.name, stages, numbers, drawn.path, len(drawn.event.stages) > 1)


def _pairs_of(stage: StageTravellers, ranking: Standings) -> list[str]:
    """Return the pairs of a list, in the order of the draw."""
    ranked = {row.team for row in ranking.rows}
    return [pair for pair in stage.pairs if pair in ranked]


def _format_round(found: PairRound | None, unit: PairsUnit) -> str:
    """Format what a pair has won in a round; a dash where it sits out, nothing as long as no board counts."""
    if found is None or found.match is None or found.is_missed:
        return NOTHING
    return unit.level(found.total.level) if found.total.level is not None else ""


# With the cross-tables of the team stages


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

    def text(self) -> Iterator[Part]:
        """Yield the cross-tables, then the recapitulation of the pairs stages that have begun."""
        yield from self.crosstable.text()
        for part in self.recap.text():
            if isinstance(part, str) and part.startswith(self.recap.event):
                yield ""
            yield part


def load_with_matches(drawn: DrawnEvent, *, only_imps: bool = False) -> CrosstableAndRecap:
    """Load both; with `only_imps` the text of the cross-tables has IMPs only.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams and pairs are ranked.
        StoreError: the database cannot be used.
    """
    return CrosstableAndRecap(crosstable.load(drawn, only_imps=only_imps), load(drawn))
