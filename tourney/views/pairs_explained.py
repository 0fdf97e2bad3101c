"""What the standings of pairs are made of besides results: fewer results than others, adjusted boards, penalties."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tourney.bridge import Side
from tourney.output.rows import Row
from tourney.output.units import SideLetters
from tourney.plurals import plural
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedLine, PlayedTraveller, StageTravellers
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.views.pair_figures import (
    PairsUnit,
    RoundedFigure,
    average_of,
    describe_counted,
    describe_unequal,
    format_counted,
    line_points,
    pairs_unit,
    round_figure,
)
from tourney.views.schedule import format_ranges


class UnequalBoardDocument(Row):
    """A board with fewer results than others, whose matchpoints were brought to the same top."""

    board: int
    """The number of the board."""
    results_compared: int
    """How many results are compared."""
    results_expected: int
    """How many the top is made of."""
    side: SideLetters | None
    """Whose results they are, where a ruling counts for one side alone; null for both."""


class AdjustedBoardDocument(Row, kw_only=True):
    """A board at a table at which another score counts than was made there, or none."""

    board: int
    """The number of the board."""
    match: int
    """The number of the match."""
    ns: str
    """The North-South pair."""
    ew: str
    """The East-West pair."""
    adjusted_ns: str | None
    """What counts for North-South: a score, A+, A or A- for an average plus, an average or an average minus, or a
    weighted score such as 60:420/40:-50; null if nothing counts."""
    adjusted_ew: str | None
    """The same for East-West, also with North-South's points."""
    ns_points: RoundedFigure | None
    """Matchpoints or IMPs of North-South; null if nothing counts."""
    ew_points: RoundedFigure | None
    """Matchpoints or IMPs of East-West; null if nothing counts."""


class PairPenaltyDocument(Row):
    """What penalties have taken from a pair."""

    pair: str
    """The name of the pair."""
    penalties: RoundedFigure
    """Matchpoints or IMPs."""
    total_before: RoundedFigure
    """The total of the pair without them."""


class PairsExplanationDocument(Row):
    """What the standings of pairs are made of besides results at the table."""

    unequal_boards: list[UnequalBoardDocument]
    """The boards of the stage with fewer results than others."""
    adjusted_boards: list[AdjustedBoardDocument]
    """The boards of the stage on which rulings changed what counts."""
    penalties: list[PairPenaltyDocument]
    """The pairs of the list from which penalties were taken."""


@dataclass(frozen=True, slots=True)
class PairsExplanation:
    """An explanation of a list of pairs."""

    of_stage: StageTravellers
    ranking: Standings

    def content(self) -> PairsExplanationDocument:
        """Return it as a row."""
        return PairsExplanationDocument(
            unequal_boards=[
                UnequalBoardDocument(traveller.board.number, results, expected, side)
                for traveller in self.of_stage.travellers
                for results, expected, side in traveller.unequal
            ],
            adjusted_boards=[_adjusted_row(*found) for found in self._adjusted],
            penalties=[
                PairPenaltyDocument(pair, round_figure(fine), round_figure(before, average_of(available)))
                for pair, fine, before, available in self._fined
            ],
        )

    def text(self, scale: MatchpointScale) -> Iterator[str]:
        """Yield a line for each kind of unequal board, adjusted board and penalty."""
        unit = pairs_unit(self.of_stage.scoring, scale)
        alike: defaultdict[str, list[int]] = defaultdict(list)
        for traveller in self.of_stage.travellers:
            if traveller.unequal:
                alike[describe_unequal(traveller)].append(traveller.board.number)
        for how, boards in alike.items():
            yield f"{plural(len(boards), 'Board')} {format_ranges(boards)}: {how}"
        for traveller, line in self._adjusted:
            yield f"Board {traveller.board.number}, {line.ns} - {line.ew}: {_describe_adjusted(line, unit)}"
        for pair, fine, before, available in self._fined:
            left, whole = (unit.points(points, available) for points in (before - fine, before))
            yield f"{pair}: penalties of {unit.fine(fine)}, which leave {left} of {whole}"

    @property
    def _adjusted(self) -> list[tuple[PlayedTraveller, PlayedLine]]:
        return [
            (traveller, line)
            for traveller in self.of_stage.travellers
            for line in traveller.lines
            if line.rulings or line.scored is None
        ]

    @property
    def _fined(self) -> list[tuple[str, Fraction, Fraction, int]]:
        """Each pair with its penalties, its total before them, and the most it could have won."""
        found = []
        for row in self.ranking.rows:
            fine = self.of_stage.fines.get(row.team)
            if fine:
                total = self.of_stage.totals[row.team]
                found.append((row.team, fine, total.points + fine, total.available))
        return found


def _describe_adjusted(line: PlayedLine, unit: PairsUnit) -> str:
    if line.scored is None:
        return "cancelled, counts for neither pair" if line.is_cancelled else "not played, counts for neither pair"
    sides = []
    for side in Side:
        share = unit.share_on_board(line, side)
        more = f" ({share} %)" if share else ""
        sides.append(f"{describe_counted(line, side)} for {line.pair(side)}, {unit.on_board(line, side)}{more}")
    return "; ".join(sides)


def _adjusted_row(traveller: PlayedTraveller, line: PlayedLine) -> AdjustedBoardDocument:
    return AdjustedBoardDocument.from_attributes(
        line,
        board=traveller.board.number,
        match=line.match.number,
        adjusted_ns=format_counted(line, Side.NS) or None,
        adjusted_ew=format_counted(line, Side.EW) or None,
        ns_points=line_points(line, Side.NS),
        ew_points=line_points(line, Side.EW),
    )
