"""Score sheets of rubber bridge and Chicago, above and below the line, as players draw them and as documents."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Annotated, NamedTuple, TypeAlias

from tourney.bridge import Side
from tourney.output.content import Content, Heading, Link, linked
from tourney.output.rows import ABSENT, INLINE, Cell, Row, Unit
from tourney.output.tables import Parts, make_table
from tourney.output.units import SeatUnit, Tricks
from tourney.results.score_sheet import ScoreSheet
from tourney.scoring.games import GameKind
from tourney.scoring.ledger import SidePoints
from tourney.scoring.score_sheet import GameSheet, SheetColumns, SheetPoints
from tourney.views.outcome import contract_of


class SideFigures(Row):
    """Points of both sides."""

    NS: int
    """Points of North-South."""
    EW: int
    """Points of East-West."""


FiguresOfSides: TypeAlias = Annotated[
    SidePoints,
    Unit(form=SideFigures, json=lambda points: {"NS": points.ns, "EW": points.ew}, keys=("NS", "EW")),
]


class LineFigures(Row):
    """Points of a deal below and above the line."""

    below: FiguresOfSides
    """Points below the line."""
    above: FiguresOfSides
    """Points above the line, premiums included."""


class SheetDealDocument(Row, kw_only=True):
    """A deal on the score sheet of a match."""

    number: int
    """The number of the deal in the match, from 1."""
    board: int
    """The number of the board."""
    by: SeatUnit | None
    """The declarer; null if it was passed out, or a ruling gave points in place of a result."""
    contract: str | None
    """The contract, such as 4SX, or Pass; null if a ruling gave points in place of a result."""
    tricks: Tricks | None
    """Tricks won by declarer's side; null where there is no declarer."""
    line: Annotated[LineFigures, INLINE]
    totals: FiguresOfSides
    """The totals if play stopped after the deal, with premiums for what is unfinished; IMPs at Russian or Estonian
    scoring."""


class GameSheetDocument(Row, kw_only=True):
    """The sheet of one rubber or chicago."""

    number: int
    """Its number in the match, from 1."""
    boards: Sequence[int]
    """The numbers of its boards, in the order of play."""
    finished: bool
    """Whether it is finished."""
    games: FiguresOfSides = ABSENT
    """How many games each side has won; at rubber bridge."""
    winner: str | None
    """NS or EW: the side that won the rubber, which may have fewer points, or is ahead in the chicago; null if it is
    unfinished, or level."""
    totals: FiguresOfSides
    """Everything on the sheet; IMPs at Russian or Estonian scoring."""


class SheetDocument(Row):
    """The score sheet of a match of rubber bridge or Chicago."""

    game: str
    """`rubber`, `chicago` or `minibridge`."""
    finished: bool
    """Whether the match has finished."""
    deals: list[SheetDealDocument]
    """The deals that are finished, in the order of play."""
    sheets: list[GameSheetDocument]
    """The rubbers or chicagos, in the order of play; none at Minibridge."""
    won: FiguresOfSides
    """How many rubbers or chicagos each side has won."""
    totals: FiguresOfSides
    """The points written so far; once the match has finished, with premiums for what is unfinished. IMPs at Russian
    or Estonian scoring."""


def sheet_row(sheet: ScoreSheet) -> SheetDocument:
    """Return the score sheet of a match as a row."""
    deals = []
    for number, (counted, entry) in enumerate(sheet.deals, 1):
        contract, by, tricks = contract_of(counted.result) if counted.result is not None else (None, None, None)
        deals.append(
            SheetDealDocument.from_attributes(
                entry,
                number=number,
                board=counted.board.number,
                by=by,
                contract=contract,
                tricks=tricks,
                line=LineFigures.from_attributes(entry),
                totals=entry.if_stopped,
            )
        )
    return SheetDocument.from_attributes(
        sheet,
        game=sheet.settings.kind.value,
        finished=sheet.is_over,
        deals=deals,
        sheets=[
            GameSheetDocument.from_attributes(
                part,
                boards=part.deals,
                finished=part.is_finished,
                games=part.games_won if sheet.settings.kind is GameKind.RUBBER else ABSENT,
            )
            for part in sheet.sheets
        ],
    )


# Text


class _SheetLine(NamedTuple):
    """A line of a sheet: what both sides wrote in it."""

    part: str
    ns: Content = ""
    ew: Content = ""


def draw_sheets(
    sheets: Sequence[GameSheet],
    title: str,
    ns: str = "NS",
    ew: str = "EW",
    to: Callable[[int], Link | None] = lambda _: None,
) -> Parts:
    """Yield sheets as on paper, each under its number and who has won it.

    Above the line the first points stand lowest, below it game by game, and the totals stand last. The number in
    parentheses is that of the deal.

    Args:
        sheets: those of a match, in the order of play.
        title: what each of them is, such as `Rubber`.
        ns: the name over North-South's column.
        ew: the name over East-West's column.
        to: returns where the number of a deal leads.
    """
    for sheet in sheets:
        outcome = "level" if sheet.is_finished else "unfinished"
        if sheet.winner is not None:
            outcome = f"won by {ns if sheet.winner is Side.NS else ew}"
        yield Heading(f"{title} {sheet.number}, {outcome}")
        lines = [*reversed(_lines("above", sheet.above, to))]
        for number, game in enumerate(sheet.games, 1):
            lines += _lines(f"game {number}", game, to)
        yield make_table(
            [
                Cell("Line", "part"),
                Cell(f">{ns}", "ns", worth=1),
                Cell(f">{ew}", "ew", worth=1),
            ],
            lines,
            [_SheetLine("total", str(sheet.totals.ns), str(sheet.totals.ew))],
            caption="Points and what they are for, with the number of the deal; the first are lowest above the line",
            section_of=lambda line: line.part,
        )


def _lines(part: str, columns: SheetColumns, to: Callable[[int], Link | None]) -> list[_SheetLine]:
    return [
        _SheetLine(part, *(_written(points, to) if points is not None else "" for points in both))
        for both in zip_longest(*map(columns.__getitem__, Side))
    ]


def _written(points: SheetPoints, to: Callable[[int], Link | None]) -> Content:
    """Return points as on a sheet: `300 overtricks (2)` with the number of the deal, `300 unfinished`."""
    said = f"{points.points} {points.what}"
    return said if points.deal is None else (said, linked(f"({points.deal})", to(points.deal)))
