"""The report of a league: programs that play each other, or some of them, on the same deals.

A league is a folder with a duel of a fixed number of boards for each two programs that play each other.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import Annotated

from tourney.output.rows import NOTHING, Cell, Row
from tourney.output.tables import Parts, TextTable, make_table, text_table
from tourney.output.units import BoardCount, Probability
from tourney.plurals import count
from tourney.scoring.strength.estimate import QUANTILE_95, error_by_deal, normal_cdf, running_estimate
from tourney.scoring.strength.ratings import PairedSwing, rate_programs
from tourney.scoring.strength.sequential import tally_swings
from tourney.views.duel import DuelReport, ProgramDocument
from tourney.views.report import Report
from tourney.views.sequential_test import EstimateDocument
from tourney.views.strength import StrengthDocument, StrengthReport, swings_between


class PairingDocument(Row):
    """Two programs that play each other."""

    event: str
    """The name of their event."""
    first: str
    """The name of one."""
    second: str
    """The name of the other."""
    boards: int
    """Boards that count."""
    boards_max: int
    """Boards that are to be played."""


class CandidatesComparedDocument(Row):
    """Two programs that have not met and have opponents in common, compared by their ratings."""

    team: Annotated[str, Cell("Program")]
    """The name of the one that did better."""
    opponent: Annotated[str, Cell("Than")]
    """The name of the other."""
    common: Annotated[tuple[str, ...], Cell("Both against", lambda found: ", ".join(found.common))]
    """The opponents of both."""
    boards: BoardCount
    """Boards that the first has played against these."""
    estimate: EstimateDocument
    """IMPs a board by which the first did better, with the interval of 95 %."""
    los: Annotated[Probability, Cell(">LOS")]
    """The probability that the first is better."""


class LeagueDocument(Row):
    """A league."""

    name: str
    """The name of its folder."""
    pairings: list[PairingDocument]
    """The programs that play each other."""
    strength: StrengthDocument | None
    """The ratings, and each two programs that have met; null before the first board."""
    candidates: list[CandidatesComparedDocument]
    """Each two programs that have not met, and have opponents in common."""
    programs: list[ProgramDocument]
    """What the programs did, in all their duels."""


class LeagueReport(Report):
    """A league as far as it has been played."""

    name: str
    duels: tuple[DuelReport, ...]
    strength: StrengthReport | None
    """None before the first board."""

    @property
    def is_over(self) -> bool:
        """Whether all boards are played."""
        return all(duel.is_over for duel in self.duels)

    @property
    def teams(self) -> list[str]:
        """All programs, the best first, then those without a board."""
        lists = self.strength.lists if self.strength is not None else ()
        rated = [rating.name for ratings in lists for rating in ratings.ratings]
        return list(dict.fromkeys((*rated, *(team for duel in self.duels for team in (duel.first, duel.second)))))

    def content(self) -> LeagueDocument:
        """Return all figures."""
        return LeagueDocument(
            name=self.name,
            pairings=[
                PairingDocument.from_attributes(
                    duel, boards=duel.result.tally.boards, boards_max=duel.result.test.boards_max
                )
                for duel in self.duels
            ],
            strength=self.strength.content() if self.strength is not None else None,
            candidates=list(self.compared()),
            programs=self.programs(),
        )

    def compared(self) -> Iterator[CandidatesComparedDocument]:
        """Yield each two programs that have not met and have opponents in common, the one that did better first."""
        if self.strength is None:
            return
        met = swings_between(self.strength.swings)
        for ratings in self.strength.lists:
            for first, second in combinations([rating.name for rating in ratings.ratings], 2):
                common = [each for each in self.teams if (first, each) in met and (second, each) in met]
                if not common or (first, second) in met:
                    continue
                mean, error = ratings.difference(first, second)
                half_width = QUANTILE_95 * error
                yield CandidatesComparedDocument(
                    team=first,
                    opponent=second,
                    common=tuple(sorted(common)),
                    boards=sum(len(met[first, each][0]) for each in common),
                    estimate=EstimateDocument(mean, mean - half_width, mean + half_width),
                    los=normal_cdf(mean / error) if error else 0.5,
                )

    def programs(self) -> list[ProgramDocument]:
        """Return what the programs did, in all their duels."""
        programs: dict[str, ProgramDocument] = {}
        for duel in self.duels:
            for program in duel.programs:
                before = programs.get(program.team)
                programs[program.team] = program if before is None else before.plus(program)
        return [programs[team] for team in self.teams]

    def text(self) -> Parts:
        """Yield the ratings, the table of who won how much against whom, candidates, and what the programs did."""
        for duel in self.duels:
            if not duel.is_over:
                played, most = duel.result.tally.boards, duel.result.test.boards_max
                yield f"{duel.event} has played {played} of {count(most, 'board')}"
        if self.strength is None:
            yield f"no board of {self.name} has been played in both rooms so far"
            return
        yield from self.strength.ratings_text()
        yield ""
        yield "IMPs a board of the row against the column, with half of the interval of 95 %, * where it leaves out 0"
        yield self.crosstable()
        candidates = list(self.compared())
        if candidates:
            yield ""
            yield "Candidates that have not met, by the games against the same opponents on the same deals"
            yield text_table(CandidatesComparedDocument, candidates)
        yield ""
        yield "What the programs did besides"
        yield text_table(ProgramDocument, self.programs(), headings={"team": "Program"})

    def crosstable(self) -> TextTable:
        """Return who won how much against whom, in IMPs a board; there is a board."""
        assert self.strength is not None
        teams, met = self.teams, swings_between(self.strength.swings)

        def against(opponent: str, team: str) -> str:
            if (team, opponent) not in met:
                return NOTHING
            swings, deals = met[team, opponent]
            found = running_estimate(tally_swings(swings), error_by_deal(swings, deals))
            sure = "*" if found.low > 0 or found.high < 0 else ""
            return f"{found.mean:+.2f} +- {found.half_width:.2f}{sure}"

        columns = (Cell(f">{opponent}", partial(against, opponent)) for opponent in teams)
        return make_table([Cell("Team", str), *columns], teams)


def make_league(name: str, duels: Iterable[tuple[DuelReport, Iterable[PairedSwing]]]) -> LeagueReport:
    """Make the report of a league.

    Args:
        name: what it is called.
        duels: each two programs, with their boards as `tourney.views.strength.paired_swings` has them.
    """
    played = [(report, tuple(swings)) for report, swings in duels]
    swings = tuple(swing for _, each in played for swing in each)
    strength = StrengthReport(name, swings, tuple(rate_programs(swings))) if swings else None
    return LeagueReport(name, tuple(report for report, _ in played), strength)
