"""The race: what every team or pair of a list ranked by after each round."""

from collections.abc import Iterator, Mapping
from functools import cache, partial

from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import StandingRow
from tourney.output.content import EntrantLink, Heading
from tourney.output.rows import Cell, Row
from tourney.output.tables import Part, TextTable, make_table
from tourney.results.load import EventResults, load_results
from tourney.results.standings import Standings, rank_event
from tourney.views.ranking import ranked_figure, ranking_title
from tourney.views.report import Report


class Race(Row):
    """The race of a list."""

    ranking: Standings
    """The list as it is now."""
    heading: str
    """The heading of what it ranks by: `VP`."""
    rounds: Mapping[int, Mapping[str, StandingRow]]
    """The rows by name after each round in which everybody had something to rank by."""

    def table(self) -> TextTable:
        """Return what each had after each round."""
        columns = [
            Cell(">Rank", self.ranking.format_rank, tone="rank"),
            Cell(self.ranking.entrant.title(), lambda row: row.team, to=lambda row: EntrantLink(row.team)),
            *(Cell(f">{number}", partial(self._figure, number)) for number in self.rounds),
        ]
        return make_table(columns, self.ranking.rows, caption=f"{self.heading} after each round", keys=2)

    def _figure(self, number: int, row: StandingRow) -> str:
        return ranked_figure(self.ranking, self.rounds[number][row.team])


class RaceReport(Report):
    """The race of each list of an event that has one."""

    races: tuple[Race, ...]
    """The newest stage first."""

    def text(self) -> Iterator[Part]:
        """Yield a table for each list."""
        if not self.races:
            yield "There is one after two rounds."
        for race in self.races:
            yield Heading(race.ranking.title)
            yield race.table()


def load(drawn: DrawnEvent) -> RaceReport:
    """Load the race of an event.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams are ranked.
        StoreError: the database cannot be used.
    """
    return report_of(load_results(drawn.database, drawn.event, drawn.ranking_rules))


def report_of(results: EventResults) -> RaceReport:
    """Return the race of results that have been loaded; a list has one once it has been ranked after two rounds."""
    standings, after = rank_event(results), cache(partial(rank_event, results))
    played_in = {match.number: match.round for match in results.event.matches}
    races = []
    for field in reversed(standings.fields or (standings,)):
        scale, rounds = field.ranking_scale, {}
        for number in sorted({played_in[match.number] for match in field.counted}):
            lists = after(number).fields or (after(number),)
            rows = next(each.rows for each in lists if ranking_title(each) == field.title)
            if all(row.counts for row in rows):
                rounds[number] = {row.team: row for row in rows}
        if scale is not None and len(rounds) > 1:
            races.append(Race(field, scale.ranking_heading, rounds))
    return RaceReport(tuple(races))
