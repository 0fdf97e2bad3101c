"""Score sheets of rubber bridge and Chicago, above and below the line, as players draw them and as documents."""

from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias

from tourney.bridge import Side
from tourney.contest.games import CountedDeal
from tourney.output.rows import ABSENT, CSV_ONLY, INLINE, NOT_IN_CSV, Row, Unit
from tourney.output.units import SeatUnit, Tricks
from tourney.report.outcome import contract_of
from tourney.results.score_sheet import ScoreSheet
from tourney.scoring.games import GameKind
from tourney.scoring.ledger import LedgerEntry, SidePoints
from tourney.scoring.score_sheet import UNFINISHED, GameColumns, GameSheet, SheetPoints

_COLUMN: Final = 14
"""The width of a side's column on a sheet, in characters."""


class SideFigures(Row):
    """Points of both sides."""

    NS: int
    """Points of North-South."""
    EW: int
    """Points of East-West."""


FiguresOfSides: TypeAlias = Annotated[
    SidePoints, Unit(form=SideFigures, json=lambda points: {"NS": points.ns, "EW": points.ew}), NOT_IN_CSV
]


class LineFigures(Row):
    """Points of a deal below and above the line, in CSV."""

    ns_below: int
    """Those of North-South below the line."""
    ns_above: int
    """Those of North-South above the line."""
    ew_below: int
    """Those of East-West below the line."""
    ew_above: int
    """Those of East-West above the line."""


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
    below: FiguresOfSides
    """Points below the line."""
    above: FiguresOfSides
    """Points above the line, premiums included."""
    lines: Annotated[LineFigures, CSV_ONLY, INLINE]
    totals: FiguresOfSides
    """The totals if play stopped after the deal, with premiums for what is unfinished; IMPs at Russian or Estonian
    scoring."""
    ns_total: Annotated[int, CSV_ONLY]
    """That of North-South."""
    ew_total: Annotated[int, CSV_ONLY]
    """That of East-West."""


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
    return SheetDocument.from_attributes(
        sheet,
        game=sheet.settings.kind.value,
        finished=sheet.is_over,
        deals=[_deal_row(number, *deal) for number, deal in enumerate(sheet.deals, 1)],
        sheets=[_part_row(sheet, part) for part in sheet.sheets],
    )


def _deal_row(number: int, counted: CountedDeal, entry: LedgerEntry) -> SheetDealDocument:
    contract, by, tricks = contract_of(counted.result) if counted.result is not None else (None, None, None)
    return SheetDealDocument.from_attributes(
        entry,
        number=number,
        board=counted.board.number,
        by=by,
        contract=contract,
        tricks=tricks,
        lines=line_figures(entry),
        totals=entry.if_stopped,
        ns_total=entry.if_stopped.ns,
        ew_total=entry.if_stopped.ew,
    )


def line_figures(entry: LedgerEntry) -> LineFigures:
    """Return the points of a deal below and above the line, for CSV."""
    return LineFigures(entry.below.ns, entry.above.ns, entry.below.ew, entry.above.ew)


def _part_row(sheet: ScoreSheet, part: GameSheet) -> GameSheetDocument:
    return GameSheetDocument.from_attributes(
        part,
        boards=part.deals,
        finished=part.is_finished,
        games=part.games_won if sheet.settings.kind is GameKind.RUBBER else ABSENT,
    )


# Text


def draw_sheets(sheets: Sequence[GameSheet], title: str, ns: str = "NS", ew: str = "EW") -> list[str]:
    """Return the lines of sheets as on paper, each followed by an empty one.

    Above the line the first points stand lowest; below it a rule ends each game, and the totals stand last. The
    number in parentheses is that of the deal. If there are several sheets, each is headed by its number.

    Args:
        sheets: those of a match, in the order of play.
        title: what each of them is, such as `Rubber`.
        ns: the name over North-South's column.
        ew: the name over East-West's column.
    """
    lines: list[str] = []
    for sheet in sheets:
        if len(sheets) > 1:
            lines.append(f"{title} {sheet.number}")
        lines += [*_draw(sheet, ns, ew), ""]
    return lines


def _draw(sheet: GameSheet, ns: str, ew: str) -> list[str]:
    rule = "-" * (_COLUMN + 1) + "+" + "-" * (_COLUMN + 1)
    above = _rows(sheet.above)
    lines = [_row(*(name[:_COLUMN].rstrip() for name in (ns, ew))), *reversed(above), rule.replace("-", "=")]
    for number, game in enumerate(sheet.games):
        lines += [*([rule] if number else []), *_rows(game)]
    if not sheet.games:
        lines.append(_row("", ""))
    return [*lines, rule.replace("-", "="), _row(str(sheet.totals.ns), str(sheet.totals.ew))]


def _rows(columns: GameColumns) -> list[str]:
    return [_row(*(_cell(columns[side], index) for side in Side)) for index in range(columns.height)]


def _cell(column: Sequence[SheetPoints], index: int) -> str:
    return format_sheet_points(column[index]) if index < len(column) else ""


def format_sheet_points(written: SheetPoints) -> str:
    """Format points as on a sheet: `300 (2)` with the number of the deal, `300 unfinished`."""
    return f"{written.points} {UNFINISHED if written.deal is None else f'({written.deal})'}"


def _row(ns: str, ew: str) -> str:
    return f"{ns:>{_COLUMN}} | {ew:<{_COLUMN}}".rstrip()
