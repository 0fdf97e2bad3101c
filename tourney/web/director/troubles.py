"""What needs the director, as the desk shows it: a line for each table, or for many tables with the same trouble."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from tourney.report.status import Trouble, TroubleKind, format_empty_seats
from tourney.web.director.actions import DeskAction
from tourney.web.director.registry import ACTIONS
from tourney.web.director.request import DeskRequest

APART_MAX: Final = 12
"""So many tables that are stopped, paused or lack players have a line each; more of them share one."""

_SHARED: Final = {
    TroubleKind.STOPPED: "tables are stopped",
    TroubleKind.PAUSED: "tables are paused",
    TroubleKind.EMPTY: "tables have empty seats",
}

_OFFERED: Final = {
    TroubleKind.FAILED: ("resume", "stop"),
    TroubleKind.HOST: ("pause",),
    TroubleKind.STOPPED: ("resume",),
    TroubleKind.PAUSED: ("resume",),
    TroubleKind.ALERT: ("alert",),
    TroubleKind.OWES: ("kick", "pause"),
    TroubleKind.EMPTY: ("pause",),
}


@dataclass(frozen=True, slots=True)
class ShownTrouble:
    """A trouble of one table, or of several that share it."""

    kind: TroubleKind
    tables: tuple[tuple[str, str], ...]
    """The places of its tables, such as 3-open, and where they share a line the letters of empty seats."""
    words: str
    offers: tuple[tuple[DeskAction, Mapping[str, str]], ...]
    """What can be done about it, with what the forms find filled in."""

    @property
    def is_shared(self) -> bool:
        return len(self.tables) > 1


def show_troubles(request: DeskRequest, troubles: Iterable[Trouble], *, is_whole: bool = False) -> list[ShownTrouble]:
    """Return the troubles, sorted by kind, as lines of the desk.

    Args:
        request: of whom they are shown to.
        troubles: those of the event, or of a table.
        is_whole: whether all tables are paused, or all stopped, which is one trouble.
    """
    return [
        shown
        for kind, each in groupby(troubles, lambda trouble: trouble.kind)
        for shown in _of_kind(request, kind, each, is_whole=is_whole)
    ]


def _of_kind(
    request: DeskRequest, kind: TroubleKind, troubles: Iterable[Trouble], *, is_whole: bool
) -> Iterator[ShownTrouble]:
    if kind not in _SHARED:
        for trouble in troubles:
            seat = {"seat": trouble.seat.letter} if trouble.seat is not None else {}
            offers = _offers(request, kind, {"table": trouble.table.place} | seat)
            yield ShownTrouble(kind, ((trouble.table.place, ""),), _describe(request, trouble), offers)
        return
    at_table: dict[str, list[Trouble]] = {}
    for trouble in troubles:
        at_table.setdefault(trouble.table.place, []).append(trouble)
    is_one = is_whole and kind in (TroubleKind.STOPPED, TroubleKind.PAUSED) and len(at_table) > 1
    if is_one or len(at_table) > APART_MAX:
        tables = tuple(
            (place, " ".join(trouble.seat.letter for trouble in found if trouble.seat is not None))
            for place, found in at_table.items()
        )
        whole = "the whole event: " if is_one else ""
        yield ShownTrouble(kind, tables, f"{whole}{len(tables)} {_SHARED[kind]}", _offers(request, kind, {}))
        return
    for place, found in at_table.items():
        words = f"nobody sits {format_empty_seats(found)}" if kind is TroubleKind.EMPTY else found[0].text
        yield ShownTrouble(kind, ((place, ""),), words, _offers(request, kind, {"table": place}))


def _describe(request: DeskRequest, trouble: Trouble) -> str:
    """Describe a trouble; a question names a call, which a user with a team may not see at other people's tables."""
    if trouble.kind is TroubleKind.ALERT and request.user.team is not None:
        return "a question waits for somebody who belongs to no team"
    return trouble.text


def _offers(
    request: DeskRequest, kind: TroubleKind, given: Mapping[str, str]
) -> tuple[tuple[DeskAction, Mapping[str, str]], ...]:
    return tuple(
        (ACTIONS[name], given) for name in _OFFERED[kind] if name in ACTIONS and request.may(ACTIONS[name].right)
    )
