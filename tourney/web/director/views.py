"""Pages of the console that are read: alarms first, tables, hosts, the log, users, covered and uncovered hands."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from starlette.responses import Response

from tourney.bridge import SUITS_DOWN
from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.director.action import Level, Right
from tourney.director.orders import EVERYWHERE
from tourney.errors import RuleError, UsageError
from tourney.results.travellers import name_tables
from tourney.site.pages.frame import COMPASS_ORDER
from tourney.store.alarms import load_shown_alarms
from tourney.store.console_log import VIEW_HANDS, NewEntry, begin_entry, end_entry, load_entries, load_entry
from tourney.store.results.matches import load_board_numbers, load_match_boards
from tourney.store.results.secrecy import load_shown_rulings, load_tables_to_play
from tourney.store.rulings import load_rulings
from tourney.store.users import load_sessions, load_users
from tourney.views.rulings import describe_author, describe_cause, describe_kind, describe_place
from tourney.views.status import Alarm, AlarmKind, AlarmLine, EventStatus, alarm_lines
from tourney.views.status_tables import host_table, seat_table, tunnel_table, worker_table
from tourney.web.director.access import NotAllowed, check_right
from tourney.web.director.action_forms import as_seen, may_read, request_id_of
from tourney.web.director.actions import ACTIONS, ConsoleAction
from tourney.web.director.grid import load_grid, rounds_in_play
from tourney.web.director.request import ConsoleRequest, see_other

RECENT: Final = 8
"""How many rows of the log the first page has."""

LOG_ROWS: Final = 100
"""How many a page of the log has."""

LOOK_MS: Final = 15 * 60_000
"""For so long hands that were uncovered can be seen again without another row in the log."""

_LOOKED_AT: Final = re.compile(r"match ([0-9]{1,9}), board ([0-9]{1,9})")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


_OFFERED: Final = {
    AlarmKind.FAILED: ("resume", "stop"),
    AlarmKind.HOST: ("pause",),
    AlarmKind.STOPPED: ("resume",),
    AlarmKind.PAUSED: ("resume",),
    AlarmKind.ALERT: ("alert",),
    AlarmKind.OWES: ("pause", "kick"),
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
    alarms, shown = list(alarms), []
    paused = {alarm.table.place for alarm in alarms if alarm.kind is AlarmKind.PAUSED}
    for line in alarm_lines(alarms, is_whole=is_whole):
        given: dict[str, str] = {}
        if len(line.tables) < 2:
            given["table"] = next(iter(line.tables), EVERYWHERE)
        if line.seat is not None:
            given["seat"] = line.seat.letter
        offers = [
            (ACTIONS[name], given)
            for name in _OFFERED[line.kind]
            if request.may(ACTIONS[name].offer.right) and not (name == "pause" and line.tables.keys() <= paused)
        ]
        # A question names a call, which a user with a team may not see at other people's tables.
        is_hidden = line.kind is AlarmKind.ALERT and request.user.team is not None
        text = "a question waits for somebody who belongs to no team" if is_hidden else line.text
        shown.append(ShownAlarm(line, text, offers))
    return shown


def show_console(request: ConsoleRequest) -> Response:
    """Show what needs the director first, then the tables of a round, then what was done last."""
    now = request.load_status()
    rounds = sorted({each.round for each in now.tables})
    asked = _number(request.query.get("round", ""))
    chosen = [asked] if asked in rounds else rounds_in_play(now)
    shown = show_alarms(request, now.alarms, is_whole=now.is_all_held)
    shown.sort(key=lambda each: each.line.since_ms or now.at_ms)
    alarms = [each for each in shown if each.line.kind is not AlarmKind.PAUSED]
    unfinished = {each.round for each in now.unfinished}
    recorded = load_shown_alarms(*request.record, now.at_ms)
    needed = len(recorded) + len(alarms)
    user = None if request.may(Right.SEE_LOG) else request.user.name
    return request.page(
        "console.html",
        f"({needed}) Console" if needed else "Console",
        now=now,
        alarms=alarms,
        paused=[each for each in shown if each.line.kind is AlarmKind.PAUSED],
        everywhere=EVERYWHERE,
        recorded=recorded,
        grids=[load_grid(request.database, request.drawn.event, now, number) for number in chosen],
        rounds=rounds,
        chosen=chosen,
        recent=[as_seen(request, each) for each in load_entries(*request.record, limit=RECENT, user=user)],
        actions=ACTIONS,
        of_whole_event=_of_whole_event(request, now),
        offered=[
            *((action, {}) for action in _allowed(request, Level.EVENT)),
            *(
                (action, {"round": number})
                for number in chosen
                for level in (Level.TABLE, Level.MATCH)
                for action in _allowed(request, level)
                if any(field.name == "round" for field in action.fields)
                and (number in unfinished or action.offer.tells_results)
            ),
        ],
    )


def show_table(request: ConsoleRequest, place: str) -> Response | None:
    """Show a table: who sits there, what it waits for, its boards, what can be done."""
    now = request.load_status()
    found = next((each for each in now.tables if each.table.place == place), None)
    if found is None:
        return None
    match = request.drawn.match(found.table.match)
    grid = load_grid(request.database, request.drawn.event, now, found.round)
    row = next(each for each in grid.rows if each.status.table.id == found.table.id)
    entries = load_entries(*request.record, limit=LOG_ROWS)
    numbers = _board_numbers(request, match)
    return request.page(
        "table.html",
        f"Table {found.table.place}",
        now=now,
        found=found,
        seats=[replace(seat_table(now, [found]), caption="Seats")] if found.seats else [],
        match=match,
        row=row,
        median_ms=grid.median_ms,
        numbers=numbers[: match.boards],
        sees_play=request.may(Right.SEE_HANDS) and request.user.team is None,
        alarms=show_alarms(request, [each for each in now.alarms if each.table.id == found.table.id]),
        offered=[
            *((action, {"table": place}) for action in _allowed(request, Level.TABLE)),
            *((action, {"match": str(match.number)}) for action in _allowed(request, Level.MATCH)),
        ],
        done_here=[
            as_seen(request, entry)
            for entry in entries
            if entry.subject.startswith(place) and may_read(request, entry)
        ][:RECENT],
        actions=ACTIONS,
    )


def show_hosts(request: ConsoleRequest) -> Response:
    """Show the processes that play: table hosts, the tunnels of remote teams, and the programs at their tables."""
    now = request.load_status()
    tables = [
        *([worker_table(now)] if now.workers else []),
        *([host_table(now)] if now.hosts else []),
        # A team need not know where others are.
        *([tunnel_table(now)] if now.tunnels and request.user.team is None else []),
        *([seat_table(now, now.live)] if now.live else []),
    ]
    return request.page("hosts.html", "Hosts and programs", now=now, tables=tables)


def show_log(request: ConsoleRequest) -> Response:
    """Show who did or looked at what."""
    user = None if request.may(Right.SEE_LOG) else request.user.name
    before = _number(request.query.get("before", ""))
    entries = load_entries(*request.record, limit=LOG_ROWS + 1, before=before, user=user)
    return request.page(
        "log.html",
        "Log of the console",
        entries_of_log=[as_seen(request, entry) for entry in entries[:LOG_ROWS]],
        older=entries[LOG_ROWS - 1].id if len(entries) > LOG_ROWS else None,
        is_own=user is not None,
        actions=ACTIONS,
        is_live=before is None,
    )


def show_rulings(request: ConsoleRequest) -> Response:
    """Show the rulings, the newest first, each with a way to withdraw it; of hidden boards to directors alone."""
    drawn = request.drawn
    rulings = load_rulings(*drawn.record)
    if not (request.may(Right.CONDUCT) and request.user.team is None):
        rulings = load_shown_rulings(drawn.database, drawn.event, rulings)
    withdraw = ACTIONS["withdraw"]
    is_offered = request.may(withdraw.offer.right) and withdraw.action.is_offered(drawn)

    def may_withdraw(ruling: Ruling) -> bool:
        teams = drawn.match(ruling.match).teams if ruling.match is not None else (ruling.team,)
        return is_offered and request.user.team not in teams

    before = _number(request.query.get("before", ""))
    found = sorted((each for each in rulings if before is None or each.id < before), key=lambda each: -each.id)
    return request.page(
        "rulings.html",
        "Rulings",
        rulings=found[:LOG_ROWS],
        describe_place=partial(describe_place, tables=name_tables(drawn)),
        describe_kind=describe_kind,
        describe_cause=describe_cause,
        describe_author=describe_author,
        may_withdraw=may_withdraw,
        older=found[LOG_ROWS - 1].id if len(found) > LOG_ROWS else None,
        is_older=before is not None,
        withdraw=withdraw,
        is_live=before is None,
    )


def show_users(request: ConsoleRequest) -> Response:
    """Show the users and who is logged in; only their organiser may."""
    check_right(request.user, Right.ADMINISTER)
    return request.page(
        "users.html",
        "Users",
        users=load_users(*request.record),
        sessions=load_sessions(*request.record, request.now_ms),
        offered=_allowed(request, Level.USER),
        offered_here=_allowed(request, Level.USERS),
    )


def show_account(request: ConsoleRequest) -> Response:
    """Show the user's own sessions, and the ways out."""
    sessions = load_sessions(*request.record, request.now_ms)
    own = [each for each in sessions if each.user.id == request.user.id]
    return request.page("account.html", "Your sessions", sessions=own, rights=[r for r in Right if request.may(r)])


# Hands


def begin_look(request: ConsoleRequest) -> Response:
    """Put on record that a user looks at the hands of a board, and lead to them.

    Raises:
        NotAllowed: the user may not see them.
        UsageError: there is no such board.
    """
    match, number = _board_named(request, request.form.get("match", ""), request.form.get("board", ""))
    _check_look(request, match, number)
    request_id = request_id_of(request)
    entry = NewEntry(
        request.user.name,
        request.address,
        VIEW_HANDS,
        f"match {match.number}, board {number}",
        request_id=request_id,
    )
    begun = begin_entry(*request.record, entry, request.now_ms)
    if begun is not None:
        left = len(load_tables_to_play(request.database, match, number))
        end_entry(request.database, begun, f"uncovered while {left} had it to play", (), request.now_ms)
    return see_other(f"/director/hands/{request_id}")


def show_hands(request: ConsoleRequest, request_id: str) -> Response | None:
    """Show the hands of a board that the user has uncovered."""
    entry = load_entry(*request.record, request_id)
    found = _LOOKED_AT.fullmatch(entry.subject) if entry is not None else None
    if entry is None or found is None or entry.action != VIEW_HANDS or entry.user != request.user.name:
        return None
    if request.now_ms - entry.at_ms > LOOK_MS:
        raise RuleError("these hands are covered again: uncover them at the table, which goes on record")
    match, number = _board_named(request, found[1], found[2])
    _check_look(request, match, number)
    board = next(board for board in load_match_boards(request.database, match) if board.number == number)
    to_play = load_tables_to_play(request.database, match, number)
    own = {table.id: table for each in request.drawn.event.matches for table in each.tables}
    return request.page(
        "hands-shown.html",
        f"Match {match.number}, board {number}: hands",
        is_live=False,
        match=match,
        board=board,
        compass_order=COMPASS_ORDER,
        suits=SUITS_DOWN,
        left=len(to_play),
        places=[own[table_id].place for table_id in sorted(filter(None, to_play)) if table_id in own],
    )


def _board_numbers(request: ConsoleRequest, match: MatchInfo) -> list[int]:
    """Return the numbers of all boards of the set of a match, in the order of play."""
    drawn, set_id = request.drawn, match.board_set_id
    return load_board_numbers(*drawn.record, [set_id])[set_id]


def _board_named(request: ConsoleRequest, match: str, board: str) -> tuple[MatchInfo, int]:
    numbers = _number(match), _number(board)
    if numbers[0] is None or numbers[1] is None:
        raise UsageError("name a match and a board by their numbers")
    found = request.drawn.match(numbers[0])
    if numbers[1] not in _board_numbers(request, found)[: found.boards]:
        raise UsageError(f"match {found.number} has no board {numbers[1]}")
    return found, numbers[1]


def _check_look(request: ConsoleRequest, match: MatchInfo, number: int) -> None:
    """Check that the user may see the hands of a board.

    Raises:
        NotAllowed: the role does not allow it, or the user's team still has it to play.
    """
    check_right(request.user, Right.SEE_HANDS)
    team = request.user.team
    if team is None:
        return
    to_play = load_tables_to_play(request.database, match, number)
    teams = {
        table.id: (table.ns_team, table.ew_team) for each in request.drawn.event.matches for table in each.tables
    }
    if any(table_id is None or team in teams.get(table_id, (team,)) for table_id in to_play):
        raise NotAllowed(f"{team} still has the hands of board {number} to play, or may have to")


# Parts


def _allowed(request: ConsoleRequest, level: Level) -> list[ConsoleAction]:
    return [
        action
        for action in ACTIONS.values()
        if action.offer.level is level and request.may(action.offer.right) and action.action.is_offered(request.drawn)
    ]


def _of_whole_event(request: ConsoleRequest, now: EventStatus) -> list[ConsoleAction]:
    """Return what can be done to all tables at once: to pause them unless all are held, to resume them if any is."""
    if now.is_over:
        return []
    is_any_held = any(status.hold for status in now.unfinished)
    names = (*(() if now.is_all_held else ("pause",)), *(("resume",) if is_any_held else ()))
    return [ACTIONS[name] for name in names if request.may(ACTIONS[name].offer.right)]


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None
