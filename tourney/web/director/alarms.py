"""What needs the director, as the console shows it: a line for each table, or for many tables with the same alarm."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from tourney.director.orders import EVERYWHERE
from tourney.report.status import Alarm, AlarmKind, format_empty_seats
from tourney.web.director.actions import ACTIONS, ConsoleAction
from tourney.web.director.request import ConsoleRequest

APART_MAX: Final = 12
"""So many tables that are stopped, paused or lack players have a line each; more of them share one."""

_SHARED: Final = {
    AlarmKind.STOPPED: "tables are stopped",
    AlarmKind.PAUSED: "tables are paused",
    AlarmKind.EMPTY: "tables have empty seats",
}

_OFFERED: Final = {
    AlarmKind.FAILED: ("resume", "stop"),
    AlarmKind.HOST: ("pause",),
    AlarmKind.STOPPED: ("resume",),
    AlarmKind.PAUSED: ("resume",),
    AlarmKind.ALERT: ("alert",),
    AlarmKind.OWES: ("kick", "pause"),
    AlarmKind.EMPTY: ("pause",),
}


@dataclass(frozen=True, slots=True)
class ShownAlarm:
    """An alarm of one table, or of several that share it."""

    kind: AlarmKind
    tables: tuple[tuple[str, str], ...]
    """The places of its tables, such as 3-open, and where they share a line the letters of empty seats."""
    words: str
    offers: tuple[tuple[ConsoleAction, Mapping[str, str]], ...]
    """What can be done about it, with what the forms find filled in."""

    @property
    def is_shared(self) -> bool:
        return len(self.tables) > 1

    def without_pause(self) -> "ShownAlarm":
        """Return the same without the offer to pause its tables."""
        return replace(self, offers=tuple(each for each in self.offers if each[0].name != "pause"))


def show_alarms(request: ConsoleRequest, alarms: Iterable[Alarm], *, is_whole: bool = False) -> list[ShownAlarm]:
    """Return the alarms, sorted by kind, as lines of the console; a table that is paused is not to be paused again.

    Args:
        request: of whom they are shown to.
        alarms: those of the event, or of a table.
        is_whole: whether all tables are paused, or all stopped, which is one alarm.
    """
    alarms = tuple(alarms)
    paused = {alarm.table.place for alarm in alarms if alarm.kind is AlarmKind.PAUSED}
    found = [
        shown
        for kind, each in groupby(alarms, lambda alarm: alarm.kind)
        for shown in _of_kind(request, kind, each, is_whole=is_whole)
    ]
    return [each.without_pause() if {place for place, _ in each.tables} <= paused else each for each in found]


def _of_kind(
    request: ConsoleRequest, kind: AlarmKind, alarms: Iterable[Alarm], *, is_whole: bool
) -> Iterator[ShownAlarm]:
    if kind not in _SHARED:
        for alarm in alarms:
            seat = {"seat": alarm.seat.letter} if alarm.seat is not None else {}
            offers = _offers(request, kind, {"table": alarm.table.place} | seat)
            yield ShownAlarm(kind, ((alarm.table.place, ""),), _describe(request, alarm), offers)
        return
    at_table: dict[str, list[Alarm]] = {}
    for alarm in alarms:
        at_table.setdefault(alarm.table.place, []).append(alarm)
    is_one = is_whole and kind in (AlarmKind.STOPPED, AlarmKind.PAUSED) and len(at_table) > 1
    if is_one or len(at_table) > APART_MAX:
        tables = tuple(
            (place, " ".join(alarm.seat.letter for alarm in found if alarm.seat is not None))
            for place, found in at_table.items()
        )
        if is_one:
            offers = _offers(request, kind, {"table": EVERYWHERE})
            yield ShownAlarm(kind, (), f"{EVERYWHERE} is {kind.value}", offers)
        else:
            yield ShownAlarm(kind, tables, f"{len(tables)} {_SHARED[kind]}", _offers(request, kind, {}))
        return
    for place, found in at_table.items():
        words = f"nobody sits {format_empty_seats(found)}" if kind is AlarmKind.EMPTY else found[0].text
        yield ShownAlarm(kind, ((place, ""),), words, _offers(request, kind, {"table": place}))


def _describe(request: ConsoleRequest, alarm: Alarm) -> str:
    """Describe an alarm; a question names a call, which a user with a team may not see at other people's tables."""
    if alarm.kind is AlarmKind.ALERT and request.user.team is not None:
        return "a question waits for somebody who belongs to no team"
    return alarm.text


def _offers(
    request: ConsoleRequest, kind: AlarmKind, given: Mapping[str, str]
) -> tuple[tuple[ConsoleAction, Mapping[str, str]], ...]:
    return tuple(
        (ACTIONS[name], given)
        for name in _OFFERED[kind]
        if name in ACTIONS and request.may(ACTIONS[name].offer.right)
    )
