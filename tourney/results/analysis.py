"""Double dummy analyses of a match's boards: what could be made, par, and which cards cost tricks."""

from collections.abc import Mapping
from dataclasses import dataclass

from tourney.bridge import Card, Seat, Side
from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room
from tourney.scoring.double_dummy import BoardWorth, card_costs
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardRecord
from tourney.store.results.matches import load_board_worths, load_play_tricks


@dataclass(frozen=True, slots=True)
class CostlyCard:
    """A card that cost its side tricks; `number` counts the cards of the board from 1, the lead."""

    number: int
    seat: Seat
    card: Card
    tricks: int


@dataclass(frozen=True, slots=True)
class AnalysedPlay:
    """A board's play at one table: the tricks that declarer could have made, and those that were given away."""

    room: Room
    possible: int
    made: int
    costs: tuple[CostlyCard, ...]
    """Costly cards, in the order of play."""

    @property
    def cost_by_number(self) -> dict[int, int]:
        """Tricks that each card cost, by number of the card; cards that cost nothing are omitted."""
        return {cost.number: cost.tricks for cost in self.costs}

    def lost(self, side: Side) -> int:
        """Return how many tricks a side's cards cost it."""
        return sum(cost.tricks for cost in self.costs if cost.seat.side is side)


@dataclass(frozen=True, slots=True)
class AnalysedBoard:
    """A solved board with its plays."""

    number: int
    worth: BoardWorth
    plays: tuple[AnalysedPlay, ...]
    """One for each room in which cards were played to a result, as far as they have been solved."""

    def play(self, room: Room) -> AnalysedPlay | None:
        """Return the play in one room, or None."""
        return next((play for play in self.plays if play.room is room), None)


def load_analysis(
    database: Database, match: MatchInfo, records: Mapping[int, Mapping[Room, BoardRecord]]
) -> dict[int, AnalysedBoard]:
    """Load the analyses of a match's boards that have been solved, by number.

    Args:
        database: where analyses are kept.
        match: the match.
        records: the boards that may be shown, since an analysis reveals all hands: those that all tables have
            finished, in the order wanted.

    Raises:
        StoreError: the database cannot be used, or a stored analysis is malformed.
    """
    if not records:
        return {}
    worths = load_board_worths(database, match.board_set_id)
    if not worths:
        return {}
    tricks = load_play_tricks(database, match)
    return {
        number: AnalysedBoard(
            number,
            worths[number],
            tuple(
                _analysed(room, record, tricks[room, number])
                for room, record in rooms.items()
                if (room, number) in tricks
            ),
        )
        for number, rooms in records.items()
        if number in worths
    }


def _analysed(room: Room, record: BoardRecord, tricks: tuple[int, ...]) -> AnalysedPlay:
    assert record.result is not None  # what was solved has a contract
    contract = record.result.result.contract
    assert contract is not None
    by_declarer = [card.seat.side is contract.declarer.side for card in record.cards]
    costs = tuple(
        CostlyCard(number, record.cards[number - 1].seat, record.cards[number - 1].card, cost)
        for number, cost in card_costs(tricks, by_declarer)
    )
    return AnalysedPlay(room, tricks[0], record.result.result.tricks, costs)
