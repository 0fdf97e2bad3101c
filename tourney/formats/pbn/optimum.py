r"""Double dummy figures as tables: OptimumResultTable (PBN 2.1 section 5.7), and CardCostTable, one of our own.

What each declarer can make in each denomination has a table in the standard. For the play the standard has
OptimumPlayTable (section 5.6), which wants all cards that were best at each turn: of those nothing is known here but
whether the one that was played is among them. Notes on cards of the play are taken for notes on calls by readers in
use. So the cards that cost their side tricks have a table of another name, which readers pass over or keep as rows:
`1 W S2 1` is the first card, of West, the two of spades, which cost a trick.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from tourney.bridge import SEATS, Card, Seat, Strain
from tourney.errors import FormatError
from tourney.formats.pbn.tables import column_names
from tourney.scoring.double_dummy import DECLARERS, STRAINS, CardCost, DoubleDummyTable

RESULTS: Final = "OptimumResultTable"
RESULT_COLUMNS: Final = r"Declarer;Denomination\2R;Result\2R"
COSTS: Final = "CardCostTable"
COST_COLUMNS: Final = "Number;Seat;Card;Tricks"

_SEATS: Final = {seat.letter: seat for seat in SEATS}
_STRAINS: Final = {strain.letters: strain for strain in Strain}
_RESULTS: Final = {str(tricks): tricks for tricks in range(14)}


def format_results(table: DoubleDummyTable) -> Iterator[str]:
    """The 20 rows: declarers N, S, E, W, of each NT, S, H, D, C, the tricks of declarer."""
    for seat in DECLARERS:
        for strain in STRAINS:
            yield f"{seat.letter} {strain.letters:>2} {table.tricks[seat, strain]:>2}"


def parse_results(columns: str, rows: Sequence[Sequence[str]]) -> DoubleDummyTable:
    """What a table of results says, its columns and rows in any order.

    Args:
        columns: the value of the tag.
        rows: the words of each line.

    Raises:
        FormatError: a column is missing, a word is none of its column's, or not every declarer has every
            denomination once.
    """
    names = column_names(columns)
    wanted = column_names(RESULT_COLUMNS)
    if not set(wanted) <= set(names):
        raise FormatError(f"a table of results has the columns {', '.join(wanted)}, got the columns {columns!r}")
    tricks: dict[tuple[Seat, Strain], int] = {}
    for row in rows:
        words = dict(zip(names, row, strict=False))
        seat, strain, result = (words.get(name, "") for name in wanted)
        if len(row) != len(names) or seat not in _SEATS or strain not in _STRAINS or result not in _RESULTS:
            raise FormatError(f"a row of results is such as 'N NT 9', 0 to 13 tricks, got {' '.join(row)[:40]!r}")
        if (_SEATS[seat], _STRAINS[strain]) in tricks:
            raise FormatError(f"a table of results has each declarer and strain once, got {seat} {strain} again")
        tricks[_SEATS[seat], _STRAINS[strain]] = _RESULTS[result]
    if len(tricks) < len(DECLARERS) * len(STRAINS):
        raise FormatError(f"a table of results has 20 rows, got {len(rows)}")
    return DoubleDummyTable(tricks)


def format_costs(costs: Sequence[CardCost], cards: Sequence[tuple[Seat, Card]]) -> Iterator[str]:
    """A row for each card that cost tricks; `cards` are all of the board in the order of play."""
    for cost in costs:
        seat, card = cards[cost.number - 1]
        yield f"{cost.number} {seat.letter} {card.pbn} {cost.tricks}"


def parse_costs(columns: str, rows: Sequence[Sequence[str]], cards: Sequence[tuple[Seat, Card]]) -> list[CardCost]:
    """What `format_costs` gives, read back.

    Args:
        columns: the value of the tag.
        rows: the words of each line.
        cards: those of the board, which the rows must name.

    Raises:
        FormatError: the columns are others, or a row is not of a card that was played.
    """
    if columns != COST_COLUMNS:
        raise FormatError(f"a table of costs has the columns {COST_COLUMNS!r}, got {columns!r}")
    numbers: dict[tuple[str, ...], int] = {
        (str(number), seat.letter, card.pbn): number for number, (seat, card) in enumerate(cards, start=1)
    }
    costs: list[CardCost] = []
    for row in rows:
        *played, tricks = row
        number = numbers.get(tuple(played))
        if number is None or _RESULTS.get(tricks, 0) < 1:
            raise FormatError(
                "a row of costs is number, seat and card as they were played, and 1 to 13 tricks, "
                f"got {' '.join(row)[:40]!r}"
            )
        if costs and number <= costs[-1].number:
            raise FormatError(f"costs are in the order of play, got card {number} after card {costs[-1].number}")
        costs.append(CardCost(number, _RESULTS[tricks]))
    return costs
