"""What happens in an event and what is then told of it, as people write it down; see `converse`."""

import csv
import json
import re
import shlex
from collections.abc import Sequence
from typing import Any

from tests.support.commands import NOTE, run
from tests.support.conversation import steps_of
from tests.support.live_event import HOST, set_state, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tourney.bridge import Seat
from tourney.coordinator.draw import draw_next
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.session.records import RulingKind
from tourney.store.control.orders import give_orders, pending_orders
from tourney.store.models import OrderKind


def converse(played: PlayedEvent, script: str) -> None:
    """Let things happen in an event, and check what is told; the steps:

    match 1 board 2: 4S N 10, Pass        results on record, the open room's first
    1-open board 2: 4S N 10 in 100 20 ms  of one room; what North-South, East-West and the table took
    1-open board 2: E forfeits            by rule, for a stall
    1-open board 2: 3 calls               the board goes on
    match 1 is played, match 1 boards 1 2 are played    at random; 1-open is played, all is played
    scored                                the matches that are over have their scores
    0 IMPs in match 3                     it is over like that: nothing is left to play in it
    rule 1-open board 2 board-forfeit Beta: saw the hands    where, what, whom and why
    Jane rules 1 penalty-imps Beta 2: slow     by whom, and how much
    ruling 1 is withdrawn
    drawn -> 4                            the rounds that can be drawn are
    round 4 -> Ants - Cats -> Bees - Dogs    its matches, then who has a bye
    1-open opens                          a host has taken it
    1-open is finished: it was broken off
    Ada: pause 1-open                     an order
    orders -> pause 1-open by Ada         those that the host has not acted on
    $ standings EVENT -> ...              what a command prints, and says to people in brackets; EVENT is the file
    $ table kick EVENT 1-open E << y      what is typed
    $ standings OTHER -> refused: there is no OTHER    with exit status 1, `refused 2` with 2; `status 1` for others
    $ match EVENT 1 --json | boards[board=2]: imps imps_away -> 10 -10    what a document has, a line for each object

    Blank lines of output are left out, as runs of blanks; FOLDER is where the event file is.
    """
    for step in steps_of(script):
        step.check(_take_step(played, step.what))


_BOARD = re.compile(r"(?:match (\d+)|(\d+)-(open|closed)) board (\d+): (.+)")
_PLAYED = re.compile(r"(?:match (\d+)|(\d+)-(open|closed))(?: boards? ([\d ]+))? (?:is|are) played")
_RULE = re.compile(
    r"(?:rule|(\w+) rules)(?: (\d+)(?:-(open|closed))?)?(?: board (\d+))? ([a-z]+-?[a-z]+)"
    r"(?: ([A-Z][^:\d]*?))?(?: (-?\d+))?(?:: (.+))?"
)


def _take_step(played: PlayedEvent, step: str) -> list[str]:
    """Take a step; return what is told."""
    if step.startswith("$ "):
        return _tell(played, step.removeprefix("$ "))
    if found := _BOARD.fullmatch(step):
        both, match, room, board, made = found.groups()
        if both is not None:
            for each, result in zip(Room, made.split(", "), strict=True):
                _put_board(played, int(both), each, int(board), result)
        else:
            _put_board(played, int(match), Room(room), int(board), made)
    elif found := _PLAYED.fullmatch(step):
        both, match, room, numbers = found.groups()
        boards = [int(number) for number in numbers.split()] if numbers is not None else None
        played.play(int(both or match), [Room(room)] if room is not None else Room, boards)
    elif found := _RULE.fullmatch(step):
        author, match, room, board, kind, team, amount, reason = found.groups()
        played.rule(
            int(match) if match is not None else None,
            team or "",
            RulingKind(kind),
            reason or "",
            room=Room(room) if room is not None else None,
            board=int(board) if board is not None else None,
            amount=int(amount or 0),
            author=author or "rule",
            law="" if author is not None else "BC-45",
        )
    else:
        return _happen(played, step)
    return []


def _put_board(played: PlayedEvent, match: int, room: Room, board: int, made: str) -> None:
    """Put a board on record: its result, that it was forfeited, or how far it has come."""
    match made.split():
        case [letter, "forfeits"]:
            played.forfeit(match, room, board, Seat.from_letter(letter))
        case [calls, "calls" | "call"]:
            played.begin(match, room, board, int(calls))
        case ["Pass"]:
            played.record(match, room, board, "Pass")
        case [bid, declarer, tricks, *spent]:
            times = dict(zip(("ns_ms", "ew_ms", "tm_ms"), map(int, spent[1:-1]), strict=False))
            played.record(match, room, board, f"{bid} {declarer}", int(tricks), **times)
        case _:
            raise AssertionError(f"a board has no end {made!r}")


def _table(played: PlayedEvent, place: str) -> TableInfo:
    match, _, room = place.partition("-")
    return played.match(int(match)).tables_at(0)[Room(room)]


def _happen(played: PlayedEvent, step: str) -> list[str]:
    """Take a step that is a few words."""
    words, _, more = step.partition(": ")
    match [*words.split(), *more.split()]:
        case ["all", "is", "played"]:
            played.play_all(scored=False)
        case ["scored"]:
            played.reload()
            played.score()
        case ["0", "IMPs", "in", "match" | "matches", *numbers]:
            played.leave_aside(*map(int, numbers))
        case ["ruling", number, "is", "withdrawn"]:
            played.withdraw(int(number))
        case ["drawn"]:
            rounds = draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS)
            played.reload()
            return [str(number) for number in rounds]
        case ["round", number]:
            round_ = played.event.rounds[int(number) - 1]
            return [*(f"{match.home} - {match.away}" for match in round_.matches), *round_.byes]
        case [place, "opens"]:
            number, _, room = place.partition("-")
            take_up(played, int(number), Room(room))
        case [place, "is", state, *_]:
            set_state(played, _table(played, place), TableState(state), more)
            played.reload()
        case [author, kind, *places]:
            tables = [_table(played, place).id for place in places]
            give_orders(played.database, tables, OrderKind(kind), author=author.rstrip(":"), now_ms=BEGINS_AT_MS)
        case ["orders"]:
            places_of = {table.id: table.place for match in played.event.matches for table in match.tables}
            orders = pending_orders(played.database, HOST)
            return [f"{order.kind.value} {places_of[order.table_id]} by {order.author}" for order in orders]
        case _:
            raise AssertionError(f"a conversation about an event has no step {step!r}")
    return []


def _tell(played: PlayedEvent, line: str) -> list[str]:
    """What a command tells, or what of its document is asked for."""
    command, _, asked = line.partition(" | ")
    command, is_typed, typed = command.partition(" <<")
    words = [word.replace("EVENT", str(played.path)) for word in shlex.split(command)]
    result = run(*words, given=f"{typed.strip()}\n" if is_typed else "")
    said, _, refused = f"\n{result.stderr}".partition("\nError: ")
    assert "Traceback" not in result.output, result.output
    told = [f"({each})" for each in said.splitlines() if each and f"{each}\n" != NOTE]
    if refused or (result.exit_code and not asked):
        told = [each for each in told if not each.startswith(("(Usage: ", "(Try "))]
        number = "" if result.exit_code == 1 else f" {result.exit_code}"
        told += f"refused{number}: {refused}".splitlines() if refused else [f"status {result.exit_code}"]
    if asked:
        assert not refused, refused
        is_table = "--csv" in words
        return told + _pick(
            [*csv.DictReader(result.stdout.splitlines())] if is_table else json.loads(result.stdout), asked
        )
    lines = [*told, *result.stdout.splitlines()]
    named = (each.replace(str(played.path), "EVENT").replace(str(played.path.parent), "FOLDER") for each in lines)
    return [" ".join(each.split()) for each in named if each.strip()]


def _pick(document: Any, asked: str) -> list[str]:  # what json.loads gives
    """The values under some keys, of each object at a place in a document; of the place itself if none is named."""
    place, _, keys = asked.partition(":")
    for part in re.findall(r"[^.\[\]]+=[^\]]+|[^.\[\]]+", place.strip()):
        key, is_filter, value = part.partition("=")
        if is_filter:
            document = [each for each in document if _text(each[key]) == value]
        elif key.isdecimal():
            document = document[int(key)]
        elif isinstance(document, list):
            document = [found for each in document for found in _listed(each[key])]
        else:
            document = document[key]
    values = [[_under(each, key) for key in keys.split()] if keys.strip() else [each] for each in _listed(document)]
    return [" ".join(map(_text, each)) for each in values]


def _listed(value: Any) -> Sequence[Any]:  # part of a document
    return value if isinstance(value, list) else [value]


def _under(value: Any, key: str) -> Any:  # part of a document
    for part in key.split("."):
        value = value[int(part)] if part.isdecimal() else None if value is None else value[part]
    return value


def _text(value: Any) -> str:  # part of a document
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return ",".join(map(_text, value)) or "none"
        case dict():
            return " ".join(f"{key}={_text(each)}" for key, each in value.items())
        case _:
            return str(value)
