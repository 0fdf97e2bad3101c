"""Score sheets as players draw them: for each rubber or chicago a sheet, with points above and below the line."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.bridge import Side
from tourney.scoring.ledger import NO_POINTS, LedgerEntry, LedgerKind, SidePoints

UNFINISHED: Final = "unfinished"
"""What the premium for a game or a part score is for that was unfinished when play stopped."""


@dataclass(frozen=True, slots=True)
class SheetPoints:
    """Points written on a sheet."""

    points: int
    deal: int | None
    """The number of the deal that gave them; None for a premium for what was unfinished."""
    what: str
    """What they are for: the value of a `LedgerKind`, or `UNFINISHED`."""


SheetColumns: TypeAlias = Mapping[Side, Sequence[SheetPoints]]
"""What both sides wrote in one part of a sheet, the first points first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSheet:
    """The sheet of one rubber or chicago."""

    number: int
    """Its number in the match, from 1."""
    deals: tuple[int, ...]
    """The numbers of its deals."""
    above: SheetColumns
    """Above the line. On paper the first points stand lowest, right above it."""
    games: tuple[SheetColumns, ...]
    """Below the line, a part for each game that somebody scored towards; a rule is drawn between them."""
    games_won: SidePoints
    """How many games each side has won."""
    totals: SidePoints
    """Everything on the sheet, in points or, where the game is scored in them, in IMPs."""
    is_finished: bool
    """Whether the rubber has two games of one side, the chicago its four hands."""
    winner: Side | None
    """Who won the rubber, which may be the side with fewer points; at Chicago the side that is ahead. None if it is
    unfinished, or level."""


def draw_up_sheets(entries: Iterable[tuple[int, LedgerEntry]], *, is_over: bool = False) -> list[GameSheet]:
    """Return the sheets of a game.

    Args:
        entries: the deals in the order of play, each with its number.
        is_over: whether play has stopped for good, so that the premiums for what is unfinished are written.
    """
    found = list(entries)
    sheets: list[GameSheet] = []
    begin, before = 0, NO_POINTS
    for index, (_, entry) in enumerate(found, 1):
        is_last = index == len(found)
        if entry.after.is_between or is_last:
            sheets.append(_sheet(len(sheets) + 1, found[begin:index], before, is_over=is_over and is_last))
            begin, before = index, entry.after.totals
    return sheets


def _sheet(number: int, entries: list[tuple[int, LedgerEntry]], before: SidePoints, *, is_over: bool) -> GameSheet:
    """Return the sheet of these deals; `before` is what is on the sheets before it."""
    above, games, games_won = _empty(), [_empty()], NO_POINTS
    for deal, entry in entries:
        for item in entry.items:
            part = games[-1] if item.kind is LedgerKind.TRICKS else above
            part[item.side].append(SheetPoints(item.points, deal, item.kind.value))
        if entry.game_won is not None:
            games_won += SidePoints.of(entry.game_won, 1)
            games.append(_empty())
    last = entries[-1][1]
    totals = last.after.totals - before
    if is_over:
        premiums = last.if_stopped - last.after.totals
        totals += premiums
        for side in Side:
            if premiums[side]:
                above[side].append(SheetPoints(premiums[side], None, UNFINISHED))
    return GameSheet(
        number=number,
        deals=tuple(deal for deal, _ in entries),
        above=above,
        games=tuple(game for game in games if any(game.values())),
        games_won=games_won,
        totals=totals,
        is_finished=last.after.is_between,
        winner=_winner(last, totals),
    )


def _empty() -> dict[Side, list[SheetPoints]]:
    return {side: [] for side in Side}


def _winner(last: LedgerEntry, totals: SidePoints) -> Side | None:
    """Return the side that won a rubber or a chicago, given the last deal of its sheet."""
    if not last.after.is_between:
        return None
    rubber = next((item.side for item in last.items if item.kind is LedgerKind.RUBBER), None)
    if rubber is not None or totals.ns == totals.ew:
        return rubber
    return Side.NS if totals.ns > totals.ew else Side.EW
