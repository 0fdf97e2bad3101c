"""Double dummy figures of a match's boards: what could be made, par, and which cards cost tricks."""

from collections.abc import Iterator
from dataclasses import dataclass

from tourney.bridge import Card, Seat
from tourney.movement.seating import Room
from tourney.report.played import PlayedMatch
from tourney.report.rulings import Document
from tourney.scoring.double_dummy import DECLARERS, STRAINS, BoardWorth, card_costs
from tourney.store.analyses import load_board_worths, load_play_tricks
from tourney.store.database import Database
from tourney.store.objects import BoardRecord


@dataclass(frozen=True, slots=True)
class CostlyCard:
    """A card that cost its side tricks; `number` counts the cards of the board from 1, 1 is the lead."""

    number: int
    seat: Seat
    card: Card
    tricks: int


@dataclass(frozen=True, slots=True)
class AnalysedPlay:
    """A board's play at one table: the tricks that declarer could have made, and what was given away."""

    room: Room
    possible: int
    made: int
    costs: tuple[CostlyCard, ...]


@dataclass(frozen=True, slots=True)
class AnalysedBoard:
    number: int
    worth: BoardWorth
    plays: tuple[AnalysedPlay, ...]
    """Of the rooms where cards were played to a result, as far as they have been solved."""


def load_analysis(database: Database, played: PlayedMatch) -> Iterator[AnalysedBoard]:
    """The boards of a match that have been solved, in the order of play.

    Raises:
        StoreError: the database cannot be used.
    """
    worths = load_board_worths(database, played.match.board_set_id)
    tricks = load_play_tricks(database, played.match)
    for board in played.boards:
        number = board.board.number
        if number in worths:
            plays = tuple(
                _analysed(room, record, tricks[room, number])
                for room, record in board.records.items()
                if (room, number) in tricks
            )
            yield AnalysedBoard(number, worths[number], plays)


def _analysed(room: Room, record: BoardRecord, tricks: tuple[int, ...]) -> AnalysedPlay:
    assert record.result is not None  # what was solved has a contract
    contract = record.result.result.contract
    assert contract is not None
    by_declarer = [card.seat.side is contract.declarer.side for card in record.cards]
    costs = tuple(
        CostlyCard(cost.number, record.cards[cost.number - 1].seat, record.cards[cost.number - 1].card, cost.tricks)
        for cost in card_costs(tricks, by_declarer)
    )
    return AnalysedPlay(room, tricks[0], record.result.result.tricks, costs)


def analysis_document(match: int, boards: Iterator[AnalysedBoard]) -> Document:
    """A match as JSON.

    Shape: {"match": N, "boards": [{"board": N, "tricks": {"N": {"NT": N, "S": N, "H": N, "D": N, "C": N}, "S", "E",
    "W"}, "par": N, "par_contracts": [text], "plays": [{"room", "possible": N, "made": N, "costs": [{"number": N,
    "seat", "card", "tricks": N}]}]}]}. `par` is North-South's; `possible` is what declarer could make before the
    lead, `number` 1 is the lead.
    """
    return {
        "match": match,
        "boards": [
            {
                "board": board.number,
                "tricks": {
                    seat.letter: {strain.letters: board.worth.table.tricks[seat, strain] for strain in STRAINS}
                    for seat in DECLARERS
                },
                "par": board.worth.par_ns,
                "par_contracts": list(board.worth.par_contracts),
                "plays": [
                    {
                        "room": play.room.value,
                        "possible": play.possible,
                        "made": play.made,
                        "costs": [
                            {
                                "number": cost.number,
                                "seat": cost.seat.letter,
                                "card": str(cost.card),
                                "tricks": cost.tricks,
                            }
                            for cost in play.costs
                        ],
                    }
                    for play in board.plays
                ],
            }
            for board in boards
        ],
    }
