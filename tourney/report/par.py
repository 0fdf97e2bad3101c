"""Boards of a scorecard against par: what both sides could have scored double dummy, and what each room made of it.

Of boards that have been solved and may be shown; nothing is solved here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tourney.movement.seating import Room
from tourney.report.rulings import Document
from tourney.results.scorecard import Scorecard
from tourney.scoring.double_dummy import BoardWorth
from tourney.scoring.imps import imps
from tourney.store.db.database import Database
from tourney.store.results.analyses import load_board_worths

PAR_COLUMNS: Final = ("par", "par_contracts", *(f"{room.value}_par_imps" for room in Room))
"""What a CSV table has of a board against par."""


@dataclass(frozen=True, slots=True)
class BoardPar:
    """A board against par."""

    score_ns: int
    """North-South's score when both sides bid and play as well as can be."""
    contracts: tuple[str, ...]
    """Those that come to it, such as `4S E =`."""
    imps: Mapping[Room, int]
    """What North-South won there against par, negative when they lost; of the rooms in which it came to a result."""


def load_pars(database: Database, card: Scorecard) -> dict[int, BoardPar]:
    """The boards of a match that have been solved, by number; none that the scorecard does not show.

    Raises:
        StoreError: the database cannot be used, or what it has is no analysis.
    """
    return compare_with_par(card, load_board_worths(database, card.match.board_set_id))


def compare_with_par(card: Scorecard, worths: Mapping[int, BoardWorth]) -> dict[int, BoardPar]:
    """The boards that the scorecard shows and of which it is known what they are worth, by number."""
    return {
        line.number: BoardPar(
            worths[line.number].par_ns,
            worths[line.number].par_contracts,
            {
                room: imps(line.results[room].result.score - worths[line.number].par_ns)
                for room in Room
                if room in line.results
            },
        )
        for line in card.boards
        if line.imps is not None and line.number in worths
    }


def par_document(par: BoardPar | None) -> Document:
    """PAR of the scorecard; nothing for a board that has not been solved."""
    if par is None:
        return {}
    return {
        "par": par.score_ns,
        "par_contracts": list(par.contracts),
        "par_imps": {room.value: par.imps.get(room) for room in Room},
    }


def par_row(par: BoardPar | None) -> Document:
    """The fields of `PAR_COLUMNS`; nothing for a board that has not been solved."""
    if par is None:
        return {}
    won = {f"{room.value}_par_imps": amount for room, amount in par.imps.items()}
    return {"par": par.score_ns, "par_contracts": ", ".join(par.contracts), **won}
