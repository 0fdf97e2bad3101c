"""Double dummy figures as rows of a CSV table: a row a board that has been solved."""

from collections.abc import Iterator
from typing import Final

from tourney.report.par import PAR_COLUMNS, compare_with_par, par_row
from tourney.report.rulings import Document
from tourney.results.played import PlayedMatch
from tourney.scoring.double_dummy import DECLARERS, STRAINS

_MAKEABLE: Final = {
    (seat, strain): f"{seat.letter}_{strain.letters}".lower() for seat in DECLARERS for strain in STRAINS
}

ANALYSIS: Final = (*("match", "round", "board"), *PAR_COLUMNS, *_MAKEABLE.values())


def analysis_rows(played: PlayedMatch) -> Iterator[Document]:
    """The boards of a match that have been solved; `n_nt` is what North makes in notrump."""
    solved = {board.board.number: board.analysis.worth for board in played.boards if board.analysis is not None}
    pars = compare_with_par(played.card, solved)
    for number, worth in solved.items():
        yield {
            "match": played.match.number,
            "round": played.match.round,
            "board": number,
            **par_row(pars[number]),
            **{name: worth.table.tricks[place] for place, name in _MAKEABLE.items()},
        }
