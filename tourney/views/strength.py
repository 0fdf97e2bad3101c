"""The strength of the teams of an event: ratings in IMPs a board with their errors, and how much may be luck."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from math import sqrt
from typing import Annotated

from tourney.event.drawn import DrawnEvent
from tourney.output.content import EntrantLink, Title
from tourney.output.rows import Cell, Row
from tourney.output.tables import CsvTable, Parts, csv_table, text_table
from tourney.output.units import BoardCount, ImpsABoard, Probability, TeamName
from tourney.plurals import count
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.scoring.board_scale import IMPS
from tourney.scoring.strength.estimate import QUANTILE_95, error_by_deal, running_estimate, superiority
from tourney.scoring.strength.ratings import PairedSwing, RatingList, chance_of_luck, rate_programs
from tourney.scoring.strength.sequential import tally_swings
from tourney.store.results.event_results import MatchFilter
from tourney.views.report import Report
from tourney.views.sequential_test import EstimateDocument, estimate_row


class TeamRatingDocument(Row):
    """The rating of a team."""

    rank: Annotated[int, Cell(">Rank")]
    """The rank from 1 within its list."""
    team: Annotated[str, Cell("Team", to=(EntrantLink, "team"))]
    """The name of the team."""
    rating: Annotated[ImpsABoard, Cell(">IMPs/board")]
    """IMPs a board against the mean of the list."""
    error: Annotated[ImpsABoard, Cell(">+-", lambda team: f"{team.half_width:.2f}")]
    """The standard error of the rating."""
    boards: BoardCount
    """Boards that count."""
    opponents: Annotated[int, Cell(">Opponents")]
    """Teams that it has met."""
    los: Annotated[Probability | None, Cell(">LOS", words="The probability of being better than the next")]
    """The probability of being better than the next team; null for the last."""

    @property
    def half_width(self) -> float:
        """Half the width of the interval of 95 %."""
        return QUANTILE_95 * self.error


class RatedTeamsDocument(Row):
    """Teams that matches join, directly or through others."""

    teams: list[TeamRatingDocument]
    """The teams, best first."""
    chance_of_luck: float
    """How often equal teams would have ratings at least this far apart."""


class TeamsComparedDocument(Row):
    """Two teams that have met."""

    team: TeamName
    """The team that is rated better."""
    opponent: Annotated[str, Cell("Opponent")]
    """The other team."""
    boards: BoardCount
    """Boards that they have played against each other."""
    won: Annotated[int, Cell(">Won")]
    """Boards won by the first."""
    lost: Annotated[int, Cell(">Lost")]
    """Boards lost by it."""
    estimate: EstimateDocument
    """IMPs a board to the first, with the interval of 95 %."""
    los: Annotated[Probability, Cell(">LOS")]
    """The probability that the first is better, from these boards alone."""


class StrengthDocument(Row):
    """The strength of the teams of an event."""

    event: str
    """The name of the event."""
    boards: int
    """Boards compared."""
    deals: int
    """Deals that they were played with."""
    sd: float | None
    """The standard deviation of a board in IMPs, around the difference of the two ratings; null without a board."""
    lists: list[RatedTeamsDocument]
    """The teams, a list for each set that no chain of matches joins with the others."""
    pairs: list[TeamsComparedDocument]
    """Each two teams that have met."""


class StrengthReport(Report):
    """The strength of the teams of an event."""

    event: str
    swings: tuple[PairedSwing, ...]
    lists: tuple[RatingList, ...]

    @property
    def sd(self) -> float | None:
        """The standard deviation of a board in IMPs, around the difference of the two ratings."""
        rated = {rating.name: rating.rating for ratings in self.lists for rating in ratings.ratings}
        freedom = len(self.swings) - len(rated) + len(self.lists)
        if freedom <= 0:
            return None
        residuals = (float(s.swing) - rated[s.first] + rated[s.second] for s in self.swings)
        return sqrt(sum(residual * residual for residual in residuals) / freedom)

    def rated(self, ratings: RatingList) -> Iterator[TeamRatingDocument]:
        """Yield the teams of a list with their ranks, best first."""
        for rank, rating in enumerate(ratings.ratings, 1):
            yield TeamRatingDocument.from_attributes(rating, rank=rank, team=rating.name, los=rating.superiority)

    def luck(self, ratings: RatingList) -> float:
        """Return how often equal teams would have ratings at least as far apart as those of a list."""
        names = {rating.name for rating in ratings.ratings}
        return chance_of_luck(swing for swing in self.swings if swing.first in names)

    def _compared(self) -> Iterator[TeamsComparedDocument]:
        """Yield each two teams that have met, the better rated one first, in the order of the ratings."""
        order = {r.name: place for place, r in enumerate(r for ratings in self.lists for r in ratings.ratings)}
        met = swings_between(self.swings)
        for team, opponent in sorted(met, key=lambda teams: [order[name] for name in teams]):
            if order[team] > order[opponent]:
                continue
            swings, deals = met[team, opponent]
            tally, error = tally_swings(swings), error_by_deal(swings, deals)
            yield TeamsComparedDocument(
                team=team,
                opponent=opponent,
                boards=tally.boards,
                won=sum(swing > 0 for swing in swings),
                lost=sum(swing < 0 for swing in swings),
                estimate=estimate_row(running_estimate(tally, error)),
                los=superiority(tally, error),
            )

    def content(self) -> StrengthDocument:
        """Return the ratings and each two teams that have met."""
        return StrengthDocument.from_attributes(
            self,
            boards=len(self.swings),
            deals=len({swing.deal for swing in self.swings}),
            lists=[RatedTeamsDocument(list(self.rated(each)), self.luck(each)) for each in self.lists],
            pairs=list(self._compared()),
        )

    def csv(self) -> CsvTable:
        """Return a row per team."""
        return csv_table(TeamRatingDocument, (row for ratings in self.lists for row in self.rated(ratings)))

    def ratings_text(self) -> Parts:
        """Yield a table of ratings for each list, and how much of it may be luck."""
        deals = len({swing.deal for swing in self.swings})
        sd = f", standard deviation {self.sd:.1f} IMPs" if self.sd is not None else ""
        yield Title(self.event, f"strength from {count(len(self.swings), 'board')} of {count(deals, 'deal')}{sd}")
        for ratings in self.lists:
            yield text_table(TeamRatingDocument, self.rated(ratings))
            yield (
                f"Equal teams would lie at least this far apart in {100 * self.luck(ratings):.0f} % of such events; "
                "+- is half of an interval of 95 %, LOS the probability of being better than the next team"
            )

    def text(self) -> Parts:
        """Yield the ratings, then each two teams that have met."""
        yield from self.ratings_text()
        if not self.lists:
            yield "No board has been played in both rooms so far"
            return
        yield ""
        yield "Teams that have met"
        yield text_table(TeamsComparedDocument, self._compared())


def swings_between(swings: Iterable[PairedSwing]) -> dict[tuple[str, str], tuple[list[Fraction], list[Hashable]]]:
    """Return what each team has won on each board against each other one, and the deals of these, by both names."""
    met = defaultdict[tuple[str, str], tuple[list[Fraction], list[Hashable]]](lambda: ([], []))
    for swing in swings:
        won = Fraction(swing.swing)
        for teams, own in (((swing.first, swing.second), won), ((swing.second, swing.first), -won)):
            met[teams][0].append(own)
            met[teams][1].append(swing.deal)
    return met


def load(drawn: DrawnEvent) -> StrengthReport:
    """Load the strength report of an event.

    Raises:
        StoreError: the database cannot be used.
    """
    cards = iter_scorecards(drawn.database, drawn.event, {}, MatchFilter(drawn.event.id))
    swings = tuple(paired_swings(cards))
    return StrengthReport(drawn.event.name, swings, tuple(rate_programs(swings)))


def paired_swings(cards: Iterable[Scorecard]) -> Iterator[PairedSwing]:
    """Yield the boards that are scored in IMPs over two rooms, to the home team; cancelled ones do not count."""
    for card in cards:
        match = card.match
        if match.board_scale is not IMPS:
            continue
        for board in card.boards:
            if board.imps is None or board.imps_away is None or board.is_cancelled:
                continue
            yield PairedSwing(board.deal, match.home, match.away, Fraction(board.imps - board.imps_away, 2))
