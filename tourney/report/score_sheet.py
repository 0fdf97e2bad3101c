"""Score sheets of rubber bridge and Chicago, above and below the line, as players draw them and as documents."""

from collections.abc import Sequence
from typing import Final, NotRequired

from typing_extensions import TypedDict

from tourney.bridge import Side
from tourney.output.units import Tricks
from tourney.results.score_sheet import ScoreSheet
from tourney.scoring.games import GameKind
from tourney.scoring.ledger import SidePoints
from tourney.scoring.score_sheet import UNFINISHED, GameColumns, GameSheet, SheetPoints

_COLUMN: Final = 14
"""The width of a side's column on a sheet, in characters."""


class SideFigures(TypedDict):
    """Points of both sides."""

    NS: int
    """Points of North-South."""
    EW: int
    """Points of East-West."""


class SheetDealDocument(TypedDict):
    """A deal on the score sheet of a match."""

    number: int
    """The number of the deal in the match, from 1."""
    board: int
    """The number of the board."""
    by: str | None
    """The declarer; null if it was passed out, or a ruling gave points in place of a result."""
    contract: str | None
    """The contract, such as 4SX, or Pass; null if a ruling gave points in place of a result."""
    tricks: Tricks | None
    """Tricks won by declarer's side; null where there is no declarer."""
    below: SideFigures
    """Points below the line."""
    above: SideFigures
    """Points above the line, premiums included."""
    totals: SideFigures
    """The totals if play stopped after the deal, with premiums for what is unfinished; IMPs at Russian scoring."""


class GameSheetDocument(TypedDict):
    """The sheet of one rubber or chicago."""

    number: int
    """Its number in the match, from 1."""
    boards: list[int]
    """The numbers of its boards, in the order of play."""
    finished: bool
    """Whether it is finished."""
    games: NotRequired[SideFigures]
    """How many games each side has won; at rubber bridge."""
    winner: str | None
    """NS or EW: the side that won the rubber, which may have fewer points, or is ahead in the chicago; null if it is
    unfinished, or level."""
    totals: SideFigures
    """Everything on the sheet; IMPs at Russian scoring."""


class SheetDocument(TypedDict):
    """The score sheet of a match of rubber bridge or Chicago."""

    game: str
    """rubber, chicago or minibridge."""
    finished: bool
    """Whether the match has finished."""
    deals: list[SheetDealDocument]
    """The deals that are finished, in the order of play."""
    sheets: list[GameSheetDocument]
    """The rubbers or chicagos, in the order of play; none at Minibridge."""
    won: SideFigures
    """How many rubbers or chicagos each side has won."""
    totals: SideFigures
    """The points written so far; once the match has finished, with premiums for what is unfinished. IMPs at Russian
    scoring."""


def sheet_document(sheet: ScoreSheet) -> SheetDocument:
    """Return the score sheet of a match as a document."""
    return {
        "game": sheet.settings.kind.value,
        "finished": sheet.is_over,
        "deals": [_deal_document(sheet, index) for index in range(len(sheet.deals))],
        "sheets": [_part_document(sheet, part) for part in sheet.sheets],
        "won": side_figures(sheet.won),
        "totals": side_figures(sheet.totals),
    }


def _deal_document(sheet: ScoreSheet, index: int) -> SheetDealDocument:
    counted, entry = sheet.deals[index]
    contract = counted.result.contract if counted.result is not None else None
    return {
        "number": index + 1,
        "board": counted.board.number,
        "by": contract.declarer.letter if contract is not None else None,
        "contract": str(contract) if contract is not None else "Pass" if counted.result is not None else None,
        "tricks": counted.result.tricks if counted.result is not None and contract is not None else None,
        "below": side_figures(entry.below),
        "above": side_figures(entry.above),
        "totals": side_figures(entry.if_stopped),
    }


def _part_document(sheet: ScoreSheet, part: GameSheet) -> GameSheetDocument:
    document: GameSheetDocument = {
        "number": part.number,
        "boards": list(part.deals),
        "finished": part.is_finished,
        "winner": part.winner.value if part.winner is not None else None,
        "totals": side_figures(part.totals),
    }
    if sheet.settings.kind is GameKind.RUBBER:
        document["games"] = side_figures(part.games_won)
    return document


def side_figures(points: SidePoints) -> SideFigures:
    """Return points as documents have them."""
    return {"NS": points.ns, "EW": points.ew}


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
