"""The recapitulation of a pairs event: what each pair has won in each round. `tourney crosstable` shows it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated

from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES, StandingRow
from tourney.output.content import Content, Heading, Linked, MatchLink, Title
from tourney.output.rows import INLINE, NOTHING, Cell, Row
from tourney.output.tables import CsvTable, Parts, TextTable, csv_values, make_table
from tourney.output.units import GroupLetter
from tourney.results.standings import Standings
from tourney.results.travellers import StageTravellers, name_tables
from tourney.scoring.pairs.field import PairsScoring
from tourney.views.pair import RoundOfPairDocument, round_row
from tourney.views.pair_figures import (
    PairInRankingDocument,
    pair_in_ranking,
    pairs_unit,
)
from tourney.views.ranking import entrant_content
from tourney.views.rulings import CountedRulings, explain_stars


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


@dataclass(frozen=True)
class Recap:
    """What each pair has won in each round."""

    drawn: DrawnEvent
    stages: tuple[StageTravellers, ...]
    """The pairs stages that have begun."""

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of the pairs in the draw."""
        return {team.name: team.number for team in self.drawn.event.teams}

    def rows(self) -> Iterator[RecapRowDocument]:
        """Yield a row for each pair of each stage, in the order of the draw."""
        for stage in self.stages:
            for ranking in stage.rankings:
                for row in sorted(ranking.rows, key=lambda row: self.numbers[row.team]):
                    yield RecapRowDocument(
                        number=self.numbers[row.team],
                        stage=stage.stage.name,
                        scoring=stage.scoring,
                        group=ranking.group,
                        rank=ranking.rank_of(row),
                        figures=pair_in_ranking(row.team, ranking.direction, row.pairs or NO_FIGURES),
                        withdrawn=ranking.is_withdrawn(row.team),
                        rulings=ranking.rulings_on(row.team),
                        rounds=[round_row(found, pairs_unit(stage.scoring)) for found in stage.rounds_of(row.team)],
                    )

    def csv(self) -> CsvTable:
        """Return a row for each round of each pair."""
        columns = ("stage", "number", "pair", "rank", *RoundOfPairDocument.csv_columns())
        rows = (csv_values(columns, of_round, row) for row in self.rows() for of_round in row.rounds)
        return CsvTable(columns, rows)

    def parts(self) -> Parts:
        """Yield a table for each list, with a column for each round."""
        has_titles = len(self.drawn.event.stages) > 1
        if not self.stages:
            yield Title(self.drawn.event.name, "there is a recapitulation as soon as it is known who meets whom")
        for stage in self.stages:
            if not has_titles:
                yield Title(self.drawn.event.name, _describe_unit(stage))
            for ranking in stage.rankings:
                if has_titles:
                    yield Heading(f"{ranking.title}: {_describe_unit(stage)}")
                elif len(stage.rankings) > 1:
                    yield Heading(ranking.title)
                yield self._table(stage, ranking)
            rulings = [ruling for ranking in stage.rankings for ruling in ranking.rulings]
            yield from explain_stars(rulings, self.drawn.path, name_tables(self.drawn))

    def _table(self, stage: StageTravellers, ranking: Standings) -> TextTable:
        unit = pairs_unit(stage.scoring)
        carries_over = ranking.carries_over
        headings = [unit.level_heading, *(("Carried over", "Result") if carries_over else ())]
        played = {(row.team, each.round.number): each for row in ranking.rows for each in stage.rounds_of(row.team)}

        def level(place: int, row: StandingRow) -> str:
            return unit.levels(row.pairs or NO_FIGURES, carries_over=carries_over)[place]

        def show_round(number: int, row: StandingRow) -> Content:
            """Show what a pair has won; a dash where it sits out, nothing as long as no board counts."""
            found = played.get((row.team, number))
            if found is None or found.match is None or found.is_missed:
                return NOTHING
            won = unit.level(found.total.level) if found.total.level is not None else ""
            return Linked(won, MatchLink(found.match.number), f"against {found.opponents}")

        columns = [
            Cell(">No", lambda row: self.numbers[row.team]),
            Cell(ranking.entrant.title(), lambda row: entrant_content(ranking, row.team)),
            *(Cell(f">{round_.number}", partial(show_round, round_.number)) for round_ in stage.stage.rounds),
            *(
                Cell(f">{heading}", partial(level, place), tone="" if place else "first kept")
                for place, heading in enumerate(headings)
            ),
            Cell(">Rank", ranking.format_rank),
        ]
        return make_table(columns, ranking.rows, keys=2)


def _describe_unit(stage: StageTravellers) -> str:
    """Describe what a recapitulation has: `percent of the matchpoints in each round, over 12 of 24 boards`."""
    of = f" of {len(stage.numbers)}" if stage.hidden else ""
    return f"{pairs_unit(stage.scoring).level_words} in each round, over {len(stage.travellers)}{of} boards"
