"""Scorecards and cross-tables as rows of one table, for CSV; fields with the names of `documents` are those.

A board of a scorecard that is not over in both rooms has its number, dealer and vulnerability alone; `adjusted` says
whether a ruling makes its score, `cancelled` whether that is to count for nobody: its IMPs are 0 then. A match of the
cross-table has two rows, one from the side of each team.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from tourney.movement.seating import Room
from tourney.report.crosstable import Crosstable
from tourney.report.documents import crosstable_document, result_document
from tourney.report.par import BoardPar, par_row
from tourney.report.rulings import Document
from tourney.results.scorecard import Scorecard

SCORECARD: Final = (
    *("board", "dealer", "vulnerable"),
    *(
        f"{room.value}_{name}"
        for room in Room
        for name in ("contract", "declarer", "tricks", "score", "ns_ms", "ew_ms", "tm_ms")
    ),
    *("imps_home", "imps_away", "adjusted", "cancelled"),
)
CROSSTABLE: Final = ("number", "team", "opponent", "match", "round", "home", "imps_for", "imps_against", "vp")


def scorecard_rows(card: Scorecard, pars: Mapping[int, BoardPar]) -> Iterator[Document]:
    """A row a board, those of `pars` with the fields of `PAR_COLUMNS` too."""
    for board in card.boards:
        results = {
            f"{room.value}_{name}": value
            for room, found in board.results.items()
            for name, value in result_document(found).items()
        }
        yield {
            "board": board.number,
            "dealer": board.dealer.letter,
            "vulnerable": board.vulnerability.value,
            **results,
            "imps_home": board.imps,
            "imps_away": board.imps_away,
            "adjusted": bool(board.rulings),
            "cancelled": board.is_cancelled,
            **par_row(pars.get(board.number)),
        }


def crosstable_rows(table: Crosstable) -> Iterator[Document]:
    """A row a team and match."""
    for row in crosstable_document(table)["teams"]:
        for match in row["matches"]:
            yield {"number": row["number"], "team": row["team"], **match}
