"""The race: what every team or pair of a list ranked by after each round."""

from collections.abc import Callable, Iterator

from tourney.event.drawn import DrawnEvent
from tourney.output.content import EntrantLink, Heading
from tourney.output.rows import Cell, Row
from tourney.output.tables import Part, TextTable, make_table
from tourney.report.ranking import ranking_title, ranking_unit
from tourney.report.report import Report
from tourney.results.load import EventResults, load_results
from tourney.results.standings import Standings, rank_event


class RaceLine(Row):
    """A team or pair in a race."""

    team: str
    rank: str
    """The rank as people read it."""
    figures: tuple[str, ...]
    """What it ranked by after each round: victory points so far, or the percentage of a pair."""
    leads: tuple[float, ...]
    """How far that was above the average of the list; below zero if it was below."""


class Race(Row):
    """The race of a list."""

    title: str
    """The stage, and its group if any."""
    heading: str
    """The unit of its figures: `VP`, `%`."""
    entrant: str
    """Who takes part: a team, a pair or a player."""
    rounds: tuple[int, ...]
    """The rounds after which everybody had something to rank by."""
    lines: tuple[RaceLine, ...]
    """The teams, best first."""

    def table(self) -> TextTable:
        """Return what each had after each round."""
        columns = [
            Cell(">Rank", lambda line: line.rank, tone="rank"),
            Cell(self.entrant.title(), lambda line: line.team, to=lambda line: EntrantLink(line.team)),
        ]
        columns += (Cell(f">{number}", _figure_after(place)) for place, number in enumerate(self.rounds))
        return make_table(columns, self.lines, caption=f"{self.heading} after each round", keys=2)


def _figure_after(place: int) -> Callable[[RaceLine], str]:
    return lambda line: line.figures[place]


class RaceReport(Report):
    """The race of each list of an event that has one."""

    races: tuple[Race, ...]
    """The newest stage first."""

    def text(self) -> Iterator[Part]:
        """Yield a table for each list."""
        if not self.races:
            yield "There is one after two rounds."
        for race in self.races:
            yield Heading(race.title)
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
    standings = rank_event(results)
    rounds = {match.number: match.round for match in results.event.matches}
    lists = [field for field in reversed(standings.fields or (standings,)) if ranking_unit(field).heading]
    played = {field.title: {rounds[match.number] for match in field.counted} for field in lists}
    after = {number: rank_event(results, number) for number in sorted(set().union(*played.values()))}
    races = (
        _race(field, {number: each for number, each in after.items() if number in played[field.title]})
        for field in lists
    )
    return RaceReport(tuple(race for race in races if len(race.rounds) > 1))


def _race(field: Standings, after: dict[int, Standings]) -> Race:
    """Return the race of a list, given the standings of the event after each round in which it has played."""
    courses = {}
    for number, standings in after.items():
        then = next(each for each in standings.fields or (standings,) if ranking_title(each) == field.title)
        unit = ranking_unit(then)
        course = {row.team: (level, unit.figure(row)) for row in then.rows if (level := unit.level(row)) is not None}
        if len(course) == len(field.rows):
            courses[number] = course
    averages = [sum(level for level, _ in course.values()) / len(course) for course in courses.values()]
    lines = []
    for row in field.rows:
        own = [course[row.team] for course in courses.values()]
        leads = (float(level - average) for (level, _), average in zip(own, averages, strict=True))
        lines.append(RaceLine(row.team, field.format_rank(row), tuple(figure for _, figure in own), tuple(leads)))
    return Race(field.title, ranking_unit(field).heading, field.entrant, tuple(courses), tuple(lines))
