"""Double dummy figures of boards, as documents and compared with par in a scorecard.

Only boards that have already been solved and may be shown appear here; this module solves nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from tourney.bridge import DECLARERS, STRAINS, Seat, Strain
from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room
from tourney.output.content import Heading
from tourney.output.rows import INLINE, Cell, Row, Unit
from tourney.output.tables import Parts, make_table
from tourney.output.units import ByRoom, CardUnit, RoomName, SeatUnit, Tricks
from tourney.results.played import AnalysedBoard
from tourney.results.scorecard import Scorecard
from tourney.scoring.double_dummy import BoardWorth, double_dummy_score
from tourney.scoring.imps import imps
from tourney.scoring.strength.estimate import Estimate, running_estimate
from tourney.scoring.strength.sequential import Tally, tally_swings
from tourney.views.report import Report
from tourney.views.sequential_test import EstimateDocument, estimate_row


class MakeableDocument(Row):
    """The tricks that a declarer makes in each denomination."""

    NT: Tricks
    """Tricks in notrump."""
    S: Tricks
    """Tricks in spades."""
    H: Tricks
    """Tricks in hearts."""
    D: Tricks
    """Tricks in diamonds."""
    C: Tricks
    """Tricks in clubs."""


class DeclarersDocument(Row):
    """The tricks that each declarer makes in each denomination."""

    N: MakeableDocument
    """Tricks that North makes as declarer."""
    S: MakeableDocument
    """Tricks that South makes as declarer."""
    E: MakeableDocument
    """Tricks that East makes as declarer."""
    W: MakeableDocument
    """Tricks that West makes as declarer."""


class CostDocument(Row):
    """A card that cost its side tricks."""

    number: int
    """The number of the card in the play of the board, from 1, the opening lead."""
    seat: SeatUnit
    """The hand the card came from."""
    card: CardUnit
    """The card: rank, then suit, such as QD."""
    tricks: Annotated[int, Unit("The tricks that the card cost.", minimum=1)]
    """The tricks that it cost its side, at least 1."""


class AnalysedPlayDocument(Row):
    """The play of a board in one room."""

    room: RoomName
    """The room in which the board was played."""
    possible: Tricks
    """The tricks that declarer could make before the opening lead."""
    made: Tricks
    """The tricks that declarer made."""
    costs: list[CostDocument]
    """The cards that cost their side tricks, in the order of play."""


class AnalysisDocument(Row):
    """What a board is worth when everybody sees all cards, and what the cards that were played cost."""

    tricks: DeclarersDocument
    """The tricks of each declarer in each denomination, double dummy."""
    par: int
    """The score of North-South when both sides bid and play as well as possible."""
    par_contracts: Sequence[str]
    """The contracts that reach par, such as 4SX E -1; empty when nobody can make anything."""
    plays: list[AnalysedPlayDocument]
    """The rooms in which cards were played to a result, as far as they have been solved."""


class AnalysedBoardDocument(Row):
    """A board with its number."""

    board: int
    """The number of the board."""
    analysis: Annotated[AnalysisDocument, INLINE]


class AnalysedMatchDocument(Row):
    """The boards of a match that have been solved."""

    match: int
    """The number of the match."""
    boards: list[AnalysedBoardDocument]
    """The boards that have been solved, in the order of play."""


class AnalysedEventDocument(Row):
    """What `tourney analyse --json` prints."""

    event: str
    """The name of the event."""
    matches: list[AnalysedMatchDocument]
    """The matches in which a board is finished in both rooms, by number."""


def analysed_match(match: int, boards: Iterable[AnalysedBoard]) -> AnalysedMatchDocument:
    """Return the solved boards of a match as rows."""
    return AnalysedMatchDocument(
        match, [AnalysedBoardDocument(board.number, analysis_row(board)) for board in boards]
    )


def analysis_row(board: AnalysedBoard) -> AnalysisDocument:
    """Return the double dummy value of a board and the tricks that the play gave away."""
    made = board.worth.table.tricks
    return AnalysisDocument(
        tricks=DeclarersDocument(
            **{
                seat.letter: MakeableDocument(**{strain.letters: made[seat, strain] for strain in STRAINS})
                for seat in DECLARERS
            }
        ),
        par=board.worth.par_ns,
        par_contracts=board.worth.par_contracts,
        plays=[
            AnalysedPlayDocument.from_attributes(play, costs=list(map(CostDocument.from_attributes, play.costs)))
            for play in board.plays
        ],
    )


class AnalysedEvent(Report):
    """The boards of an event that have been solved."""

    event: str
    """The name of the event."""
    matches: Sequence[tuple[MatchInfo, Sequence[AnalysedBoard]]]
    """The matches in which a board is finished in both rooms, each with its boards."""

    def content(self) -> AnalysedEventDocument:
        """Return the figures of each board."""
        return AnalysedEventDocument(
            self.event, [analysed_match(match.number, boards) for match, boards in self.matches]
        )

    def text(self) -> Parts:
        """Yield a table of each match."""
        columns = [
            Cell(">Board", "number"),
            *map(_made_by, DECLARERS),
            Cell(">Par", "worth.par_ns"),
            Cell("Par contracts", lambda board: ", ".join(board.worth.par_contracts)),
            *(Cell(room.value.title(), partial(_describe_play, room=room)) for room in Room),
        ]
        for match, boards in self.matches:
            yield f"match {match.number}: {match.home} - {match.away}; tricks in NT, S, H, D and C by declarer"
            yield make_table(columns, boards)
            yield ""
        if not self.matches:
            yield "no board is finished in both rooms yet"


def _made_by(seat: Seat) -> Cell:
    return Cell(seat.title, lambda board: " ".join(str(board.worth.table.tricks[seat, strain]) for strain in STRAINS))


def _describe_play(board: AnalysedBoard, room: Room) -> str:
    """Format a play: `9 of 10: lead S2 -1, W HA -1` is tricks made and possible, and the cards that cost tricks."""
    play = board.play(room)
    if play is None:
        return ""
    costs = [f"{'lead' if cost.number == 1 else cost.seat.letter} {cost.card} -{cost.tricks}" for cost in play.costs]
    return f"{play.made} of {play.possible}{': ' if costs else ''}{', '.join(costs)}"


def describe_worth(worth: BoardWorth, par: "BoardPar | None") -> Parts:
    """Yield what a board is worth double dummy, and what was won against par in each room."""
    yield Heading("Double dummy")

    def made(strain: Strain) -> Cell:
        return Cell(f">{strain.letters}", lambda seat: worth.table.tricks[seat, strain], worth=1)

    columns = [Cell("Declarer", "title", worth=1), *map(made, STRAINS)]
    yield make_table(columns, DECLARERS, caption="Tricks that each declarer can make")
    contracts = f" by {', '.join(worth.par_contracts)}" if worth.par_contracts else ""
    yield f"Par: North-South {worth.par_ns}{contracts}."
    won = par.par_imps if par is not None else {}
    if won:
        rooms = ", ".join(f"{imps:+} in the {room.value} room" for room, imps in won.items())
        yield f"IMPs of North-South against par: {rooms}."


# Against par


class BoardPar(Row):
    """A board that has been solved, compared with par."""

    par: int
    """The score of North-South when both sides bid and play as well as possible; only where `tourney analyse` has
    solved the board, like the next two."""
    par_contracts: Annotated[Sequence[str], Unit(csv=", ".join)]
    """The contracts that come to par, such as 4S E =."""
    par_imps: Annotated[
        Mapping[Room, int],
        Unit(form=ByRoom[int | None], json=lambda won: {room: won.get(room) for room in Room}, keys=tuple(Room)),
    ]
    """IMPs that North-South won against par in each room, negative when they lost; null where there is no result."""


def compare_with_par(card: Scorecard, worths: Mapping[int, BoardWorth]) -> dict[int, BoardPar]:
    """Compare with par the boards that the scorecard shows and that have been solved; by number."""
    pars = {}
    for line in card.boards:
        if line.imps is not None and (worth := worths.get(line.number)) is not None:
            played = {room: line.results[room].result.score for room in Room if room in line.results}
            won = {room: imps(score - worth.par_ns) for room, score in played.items()}
            pars[line.number] = BoardPar(worth.par_ns, worth.par_contracts, won)
    return pars


# The auction and the play


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
        parts = (f"{name} {found.mean:+.2f} +- {found.half_width:.2f}" for name, _, found in self.parts)
        return f"{' '.join(parts)} IMPs/board on {self.boards} solved"


def split_swings(cards: Iterable[tuple[Scorecard, Mapping[int, BoardWorth]]]) -> BiddingAndPlay | None:
    """Divide the swings of solved boards into what was won in the auction and in the play, to the home team.

    Boards that were not played to a result in both rooms, or that a ruling has changed, are left out.

    Args:
        cards: the scorecards, each with the boards of its match that have been solved, by number.

    Returns:
        None if no board is left.
    """
    parts = []
    for card, worths in cards:
        for line in card.boards:
            if line.number not in worths or line.imps is None or line.rulings or set(line.results) != set(Room):
                continue
            scores = {
                room: double_dummy_score(worths[line.number].table, found.result.contract, line.vulnerability)
                for room, found in line.results.items()
            }
            won = imps(scores[Room.OPEN] - scores[Room.CLOSED])
            bidding = won if line.tables[Room.OPEN].ns_team == card.match.home else -won
            parts.append((bidding, line.imps - bidding))
    if not parts:
        return None
    return BiddingAndPlay(*map(tally_swings, zip(*parts, strict=True)))


def _part(tally: Tally) -> PartDocument:
    return PartDocument(float(tally.imps), estimate_row(running_estimate(tally)))
