"""What two teams won in the auction and what in the play, on boards that have been solved double dummy.

A board is worth to the auction what it would be worth if every contract were played double dummy; the rest of its
swing was won in the play. Both add up to the IMPs of the board.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room
from tourney.output.rows import Row
from tourney.results.scorecard import Scorecard, ScorecardBoard
from tourney.scoring.double_dummy import BoardWorth, double_dummy_score
from tourney.scoring.imps import imps
from tourney.scoring.strength.estimate import Estimate, running_estimate
from tourney.scoring.strength.sequential import Tally, tally_swings
from tourney.views.sequential_test import EstimateDocument, estimate_row


class PartDocument(Row):
    """What was won in the auction, or in the play."""

    imps: float
    """IMPs to the first team."""
    estimate: EstimateDocument
    """The same a board, with the interval of 95 %."""


class BiddingAndPlayDocument(Row):
    """The boards that have been solved double dummy, as they were won in the auction and in the play."""

    boards: int
    """Boards that have been solved; those that a ruling has changed are left out."""
    bidding: PartDocument
    """If all contracts were played double dummy."""
    play: PartDocument
    """The rest of each board, which was won or lost in the play."""


@dataclass(frozen=True, slots=True)
class BiddingAndPlay:
    """The boards that have been solved, at least one."""

    bidding: Tally
    """IMPs to the first team if all contracts were played double dummy."""
    play: Tally
    """The rest of the same boards."""

    @property
    def boards(self) -> int:
        """How many boards have been solved."""
        return self.bidding.boards

    @property
    def parts(self) -> tuple[tuple[str, Tally, Estimate], ...]:
        """Both parts by name, with IMPs a board."""
        named = (("bidding", self.bidding), ("play", self.play))
        return tuple((name, tally, running_estimate(tally)) for name, tally in named)

    def content(self) -> BiddingAndPlayDocument:
        """Return the figures of both parts."""
        return BiddingAndPlayDocument(self.boards, _part(self.bidding), _part(self.play))

    def text(self) -> str:
        """Return both parts in a line."""
        parts = (f"{name} {found.mean:+.2f} +- {(found.high - found.low) / 2:.2f}" for name, _, found in self.parts)
        return f"{' '.join(parts)} IMPs/board on {self.boards} solved"


def split_swings(boards: Iterable[tuple[MatchInfo, ScorecardBoard, BoardWorth]]) -> BiddingAndPlay | None:
    """Divide the swings of solved boards into what was won in the auction and in the play, to the home team.

    Boards that were not played to a result in both rooms, or that a ruling has changed, are left out.

    Returns:
        None if no board is left.
    """
    parts = [split for match, line, worth in boards if (split := split_board(match, line, worth)) is not None]
    if not parts:
        return None
    bidding, play = zip(*parts, strict=True)
    return BiddingAndPlay(tally_swings(bidding), tally_swings(play))


def split_board(match: MatchInfo, line: ScorecardBoard, worth: BoardWorth) -> tuple[int, int] | None:
    """Divide the IMPs of a solved board into those won in the auction and those won in the play, to the home team.

    Returns:
        None of a board that was not played to a result in both rooms, or that a ruling has changed.
    """
    if line.imps is None or line.rulings or set(line.results) != set(Room):
        return None
    scores = {
        room: double_dummy_score(worth.table, found.result.contract, line.vulnerability)
        for room, found in line.results.items()
    }
    won = imps(scores[Room.OPEN] - scores[Room.CLOSED])
    bidding = won if line.tables[Room.OPEN].ns_team == match.home else -won
    return bidding, line.imps - bidding


def iter_solved(
    card: Scorecard, worths: Mapping[int, BoardWorth]
) -> Iterable[tuple[MatchInfo, ScorecardBoard, BoardWorth]]:
    """Iterate over the boards of a scorecard that have been solved."""
    return ((card.match, line, worths[line.number]) for line in card.boards if line.number in worths)


def _part(tally: Tally) -> PartDocument:
    return PartDocument(float(tally.imps), estimate_row(running_estimate(tally)))
