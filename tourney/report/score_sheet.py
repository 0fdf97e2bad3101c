"""Score sheets of rubber bridge and Chicago, above and below the line, as players draw them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from typing_extensions import TypedDict

from tourney.bridge import Side
from tourney.contest.games import count_deal, keep_score
from tourney.contest.record import SeatedBoard
from tourney.results.scorecard import Scorecard
from tourney.scoring.chicago import ChicagoScoring
from tourney.scoring.ledger import LedgerEntry, LedgerKind, SidePoints
from tourney.store.db.database import Database
from tourney.store.results.matches import load_match_boards

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

    board: int
    """The number of the board."""
    below: SideFigures
    """Points below the line."""
    above: SideFigures
    """Points above the line, premiums included."""
    totals: SideFigures
    """The totals if play stopped after the deal, with premiums for what is unfinished; IMPs at Russian scoring."""


class SheetDocument(TypedDict):
    """The score sheet of a match of rubber bridge or Chicago."""

    game: str
    """rubber or chicago."""
    deals: list[SheetDealDocument]
    """The deals that are finished, in the order of play."""
    totals: SideFigures
    """The points written so far, without premiums for what is unfinished; IMPs at Russian scoring."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score sheet of a match of a game: its finished boards, each with its entry."""

    game: str
    unit: str
    """`points` or `IMPs`."""
    has_line: bool
    """Whether the game is scored above and below a line."""
    entries: tuple[tuple[int, LedgerEntry], ...]
    """The entries with the numbers of their boards, in the order of play."""

    def document(self) -> SheetDocument:
        """Return the sheet as a document."""
        return {
            "game": self.game,
            "deals": [
                {
                    "board": number,
                    "below": side_figures(entry.below),
                    "above": side_figures(entry.above),
                    "totals": side_figures(entry.if_stopped),
                }
                for number, entry in self.entries
            ],
            "totals": side_figures(self.entries[-1][1].after.totals if self.entries else SidePoints()),
        }

    def draw(self, ns: str, ew: str) -> list[str]:
        """Return the lines of the sheets, one for each rubber or chicago; none for a game without a line."""
        return draw_sheets(self.entries, ns, ew) if self.has_line else []


def load_sheet(database: Database, card: Scorecard) -> ScoreSheet | None:
    """Load the score sheet of a match as far as it may be shown; None for a match of teams.

    Raises:
        StoreError: the database cannot be used.
    """
    settings = card.match.game
    if settings is None:
        return None
    deals = []
    for board, line in zip(load_match_boards(database, card.match), card.boards, strict=False):
        results = {room: found.result for room, found in line.results.items()}
        rulings = line.rulings
        counted = count_deal(card.match, SeatedBoard(board, line.tables, results, rulings))
        if line.imps is None or counted is None:
            break
        deals.append(counted)
    entries = keep_score(settings, deals)
    return ScoreSheet(
        game=settings.kind.value,
        unit="IMPs" if settings.scoring is ChicagoScoring.RUSSIAN else "points",
        has_line=settings.scoring is ChicagoScoring.PLAIN,
        entries=tuple((deal.board.number, entry) for deal, entry in zip(deals, entries, strict=True)),
    )


def side_figures(points: SidePoints) -> SideFigures:
    """Return points as documents have them."""
    return {"NS": points.ns, "EW": points.ew}


# Text


def draw_sheets(entries: Iterable[tuple[int, LedgerEntry]], ns: str = "NS", ew: str = "EW") -> list[str]:
    """Return the lines of the sheets of a game, one for each rubber or chicago, as on paper.

    Above the line the first points stand lowest; below it a rule ends each game. The number in parentheses is that
    of the deal.
    """
    lines: list[str] = []
    sheet = _Sheet(ns, ew)
    for number, entry in entries:
        sheet.add(number, entry)
        if entry.after.is_between:
            lines += [*sheet.draw(), ""]
            sheet = _Sheet(ns, ew)
    if not sheet.is_empty:
        lines += [*sheet.draw(), ""]
    return lines


class _Sheet:
    """One sheet of paper: two columns, each with points above and below the line."""

    def __init__(self, ns: str, ew: str) -> None:
        self.is_empty = True
        self._names = (ns, ew)
        self._above: dict[Side, list[str]] = {side: [] for side in Side}
        self._games: list[dict[Side, list[str]]] = [{side: [] for side in Side}]

    def add(self, number: int, entry: LedgerEntry) -> None:
        self.is_empty = False
        for item in entry.items:
            text = f"{item.points} ({number})"
            if item.kind is LedgerKind.TRICKS:
                self._games[-1][item.side].append(text)
            else:
                self._above[item.side].append(text)
        if entry.game_won is not None:
            self._games.append({side: [] for side in Side})

    def draw(self) -> list[str]:
        rule = "-" * (_COLUMN + 1) + "+" + "-" * (_COLUMN + 1)
        height = max(len(column) for column in self._above.values())
        lines = [_row(*(name[:_COLUMN] for name in self._names))]
        lines += [_row(*(_at(self._above[side], index) for side in Side)) for index in reversed(range(height))]
        lines.append(rule.replace("-", "="))
        for number, game in enumerate(self._games):
            if not any(game.values()):
                continue
            if number:
                lines.append(rule)
            depth = max(len(column) for column in game.values())
            lines += [_row(*(_at(game[side], index) for side in Side)) for index in range(depth)]
        return lines


def _at(column: Sequence[str], index: int) -> str:
    return column[index] if index < len(column) else ""


def _row(ns: str, ew: str) -> str:
    return f"{ns:>{_COLUMN}} | {ew:<{_COLUMN}}".rstrip()
