"""Double dummy figures put on record as `tourney analyse` does, made up instead of solved, for tests of what shows
them.
"""

from collections.abc import Mapping, Sequence

from tests.support.played_event import PlayedEvent
from tourney.bridge import DoubleDummyTable, Seat, Strain
from tourney.movement.seating import Room
from tourney.scoring.double_dummy import BoardWorth
from tourney.store.results.matches import load_board_records, save_board_worth, save_play_tricks

TRICKS = "89587895874365643656"
"""Board 1 of the ACBL Common Game of 21 February 2020: North makes 8 in notrump, 9 in spades, 5 in hearts."""
PAR_NS = 140
PAR_CONTRACTS = ("1S N +2", "1S S +2")


def put_worth(
    played: PlayedEvent, number: int, board: int, par_ns: int = PAR_NS, contracts: Sequence[str] = PAR_CONTRACTS
) -> None:
    """What a board of a match is worth: `TRICKS`, and this par."""
    worth = BoardWorth(DoubleDummyTable.parse(TRICKS), par_ns, tuple(contracts))
    save_board_worth(played.database, played.match(number).board_set_id, board, worth)


def put_costs(played: PlayedEvent, number: int, room: Room, board: int, costs: Mapping[int, int]) -> None:
    """The play of a board: these cards, by their number, have cost their side so many tricks, the others none."""
    match = played.match(number)
    record = next(r for r in load_board_records(played.database, match) if (r.room, r.board.number) == (room, board))
    assert record.result is not None
    contract = record.result.result.contract
    assert contract is not None
    tricks = [7]
    for card_number, card in enumerate(record.cards, 1):
        lost = costs.get(card_number, 0)
        tricks.append(tricks[-1] - lost if card.seat.side is contract.declarer.side else tricks[-1] + lost)
    save_play_tricks(played.database, match.tables_at(0)[room].id, board, record.attempt, tricks)


def makeable(seat: Seat, strain: Strain) -> int:
    """What `TRICKS` says."""
    return DoubleDummyTable.parse(TRICKS).tricks[seat, strain]
