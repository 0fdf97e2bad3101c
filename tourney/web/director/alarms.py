"""What needs the director, as the console shows it: the lines of a status, and what can be done about each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.director.orders import EVERYWHERE
from tourney.report.status import Alarm, AlarmKind, AlarmLine, alarm_lines
from tourney.web.director.actions import ACTIONS, ConsoleAction
from tourney.web.director.request import ConsoleRequest

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
    """A line of alarms, and what can be done about them, with what the forms find filled in."""

    line: AlarmLine
    text: str
    offers: Sequence[tuple[ConsoleAction, Mapping[str, str]]]


def show_alarms(request: ConsoleRequest, alarms: Iterable[Alarm], *, is_whole: bool = False) -> list[ShownAlarm]:
    """Return the lines of alarms as a user sees them; a table that is paused is not to be paused again.

    Args:
        request: of whom they are shown to.
        alarms: those of the event, or of a table, sorted by kind.
        is_whole: whether all tables are paused, or all stopped.
    """
    alarms = list(alarms)
    paused = {alarm.table.place for alarm in alarms if alarm.kind is AlarmKind.PAUSED}
    return [_show(request, line, paused) for line in alarm_lines(alarms, is_whole=is_whole)]


def _show(request: ConsoleRequest, line: AlarmLine, paused: set[str]) -> ShownAlarm:
    given: dict[str, str] = {}
    if len(line.tables) < 2:
        given["table"] = next(iter(line.tables), EVERYWHERE)
    if line.seat is not None:
        given["seat"] = line.seat.letter
    offers = [
        (ACTIONS[name], given)
        for name in _OFFERED[line.kind]
        if name in ACTIONS
        and request.may(ACTIONS[name].offer.right)
        and not (name == "pause" and line.tables.keys() <= paused)
    ]
    # A question names a call, which a user with a team may not see at other people's tables.
    is_hidden = line.kind is AlarmKind.ALERT and request.user.team is not None
    text = "a question waits for somebody who belongs to no team" if is_hidden else line.text
    return ShownAlarm(line, text, offers)
