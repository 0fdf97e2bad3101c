"""Score sheets of rubber bridge and Chicago, above and below the line, as players write them and as documents."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Annotated, TypeAlias

from tourney.bridge import Side
from tourney.contest.games import CountedDeal
from tourney.output.content import BoardLink, Content, Link, Linked
from tourney.output.rows import ABSENT, NOT_IN_CSV, Cell, Row, Unit
from tourney.output.tables import Part, make_table
from tourney.output.units import SeatUnit, Tricks
from tourney.report.outcome import contract_of
from tourney.results.score_sheet import ScoreSheet
from tourney.scoring.games import GameKind
from tourney.scoring.ledger import LedgerEntry, SidePoints
from tourney.scoring.score_sheet import GameColumns, GameSheet, SheetPoints
from tourney.store.draw.objects import MatchInfo


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
        totals=entry.if_stopped,
    )


def line_figures(entry: LedgerEntry | SheetDealDocument) -> LineFigures:
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

_Line: TypeAlias = tuple[str, str, Sequence[SheetPoints | None]]
"""A line of a sheet: the part that it is in, what stands before it, and the points of North-South and East-West."""


def sheet_text(
    sheets: Sequence[GameSheet],
    title: str,
    sides: Sequence[str] = tuple(Side),
    page_of: Callable[[int], Link] | None = None,
) -> Iterator[Part]:
    """Yield sheets as players write them, each after an empty line.

    Above the line the first points stand lowest; each game below it stands apart, and the totals are last. The number
    in parentheses is that of the deal.

    Args:
        sheets: those of a match, in the order of play.
        title: what each of them is, such as `Rubber`.
        sides: the names of North-South and East-West.
        page_of: returns where a deal leads; None where it leads nowhere.
    """
    columns = [Cell("Sheet", lambda line: line[1], worth=1)]
    columns += [Cell(f">{name}", partial(_points, place, page_of), worth=1) for place, name in enumerate(sides)]
    for sheet in sheets:
        result = "level" if sheet.is_finished else "unfinished"
        if sheet.winner is not None:
            result = f"won by {dict(zip(Side, sides, strict=True))[sheet.winner]}"
        yield ""
        yield f"{title} {sheet.number}, {result}"
        yield make_table(columns, _lines(sheet), section_of=lambda line: line[0])


def match_sheet_text(sheet: ScoreSheet, match: MatchInfo) -> Iterator[Part]:
    """Yield the sheets of a match; none of a game that is not scored above and below a line."""
    if sheet.has_line:
        title, sides = sheet.settings.kind.value.capitalize(), (match.home, match.away)
        yield from sheet_text(sheet.sheets, title, sides, partial(BoardLink, match.number))


def _lines(sheet: GameSheet) -> Iterator[_Line]:
    games = enumerate(sheet.games or (GameColumns(),), 1)
    for part, written in (("Above", sheet.above), *((f"Game {number}", game) for number, game in games)):
        lines = list(zip_longest(written.ns, written.ew)) or [(None, None)]
        for place, both in enumerate(reversed(lines) if written is sheet.above else lines):
            yield part, "" if place else part, both
    yield "Total", "Total", [SheetPoints(sheet.totals[side], None, "") for side in Side]


def _points(place: int, page_of: Callable[[int], Link] | None, line: _Line) -> Content:
    """Return points as on a sheet: `300 honours (2)` with the number of the deal, `300 unfinished`."""
    written = line[2][place]
    if written is None:
        return ""
    if written.deal is None:
        return f"{written.points} {written.what}".rstrip()
    what = f"{written.what} ({written.deal})"
    return str(written.points), Linked(what, page_of(written.deal)) if page_of is not None else what
