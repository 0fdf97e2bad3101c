"""Double dummy figures of boards as JSON."""

from collections.abc import Iterable

from tourney.report.rulings import Document
from tourney.results.analysis import AnalysedBoard
from tourney.scoring.double_dummy import DECLARERS, STRAINS


def analysis_document(match: int, boards: Iterable[AnalysedBoard]) -> Document:
    """A match as JSON.

    Shape: {"match": N, "boards": [{"board": N, ...}]}, each board with the fields of `worth_document`.
    """
    return {"match": match, "boards": [{"board": board.number, **worth_document(board)} for board in boards]}


def worth_document(board: AnalysedBoard) -> Document:
    """A board as JSON.

    Shape: {"tricks": {"N": {"NT": N, "S": N, "H": N, "D": N, "C": N}, "S", "E", "W"}, "par": N,
    "par_contracts": [text], "plays": [{"room", "possible": N, "made": N, "costs": [{"number": N, "seat", "card",
    "tricks": N}]}]}. `par` is North-South's; `possible` is what declarer could make before the lead, `number` 1 is
    the lead.
    """
    return {
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
