"""What happens in an event and what is told then, as people write it down; see `converse`."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import select

from tests.support.commands import tell
from tests.support.conversation import steps_of
from tests.support.live_event import HOST, ask, say_doing, set_state, sit, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tourney.bridge import Seat
from tourney.coordinator.draw import draw_next
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.session.records import RulingKind
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.control.orders import give_orders, give_replay, load_holds, pending_orders, settle_replays
from tourney.store.control.tables import Wait
from tourney.store.models import Order, OrderKind
from tourney.store.results.matches import save_match_score


def converse(played: PlayedEvent, script: str, **own: Callable[..., list[str] | None]) -> None:
    """Let things happen in an event, and check what is told; the steps, `own` ones by their first word before them:

    match 1 board 2: 4S N 10, Pass        results on record, the open room's first
    1-open board 2: 4S N 10 in 100 20 ms  of one room; what North-South, East-West and the table took
    1-open board 2: E forfeits            by rule, for a stall; `E forfeits after 5 cards`
    1-open board 2: 3 calls               the board goes on
    match 1 ends 20 - 5, 15.00 - 5.00 VP  its score, and nothing else
    match 1 is played, match 1 boards 1 3-5 are played    at random; 1-open is played, all is played
    scored                                the matches that are over have their scores
    0 IMPs in match 3                     it is over like that: nothing is left to play in it
    rule 1-open board 2 board-forfeit Beta: saw the hands    where, what, whom and why
    Jane rules 1 penalty-imps Beta 2: slow (Law 74)     by whom, how much, and by which law
    ruling 1 is withdrawn
    drawn -> 4                            the rounds that can be drawn are
    round 4 -> Ants - Cats -> Bees - Dogs    its matches, then who has a bye
    1-open opens                          a host has taken it; `host-2 opens 1-open` names another
    1-open is finished: it was broken off
    N E sit at 1-open
    N E S sit at 1-open
    1-open says E owes call since 40 s; last North bids 1NT; problem it hangs; paused; at 9 s
                                          what goes on there: a host's word; times are since the event began
    1-open asks about call 0 of board 1   whether it is alertable; the operator is to say; `at 9 s`
    Ada: pause 1-open                     an order; `at 9 s`
    orders -> pause 1-open by Ada         those that the host has not acted on; `of host-2` those of another
    holds -> stop 1-open                  the newest of pause, resume and stop, where it holds a table
    Ada: replay 1-open board 2            because of a wrong deal
    replays are settled                   where no host is at the table
    outcomes -> it starts paused -> -     what has come of all orders
    $ standings EVENT -> ...              a command, see `commands.tell`; EVENT is the file, FOLDER where it is
    """
    for step in steps_of(script):
        name, *words = step.what.split()
        told = own[name](played, *words) if name in own else _take_step(played, step.what)
        step.check(told or [])


_BOARD = re.compile(r"(?:match (\d+)|(\d+)-(open|closed)) boards? ([\d -]+): (.+)")
_PLAYED = re.compile(r"(?:match (\d+)|(\d+)-(open|closed))(?: boards? ([\d -]+))? (?:is|are) played")
_SCORE = re.compile(r"match (\d+) ends (\d+) - (\d+), ([\d.]+) - ([\d.]+) VP")
_RULE = re.compile(
    r"(?:rule|(\w+) rules)(?: (\d+)(?:-(open|closed))?)?(?: boards? ([\d -]+?))? ([a-z]+-?[a-z]+)"
    r"(?: ([A-Z][^:\d]*?))?(?: (-?\d+))?(?:: (.+?))?(?: \((.+)\))?"
)


def _take_step(played: PlayedEvent, step: str) -> list[str]:
    """Take a step; return what is told."""
    if step.startswith("$ "):
        return _tell(played, step.removeprefix("$ "))
    if found := _BOARD.fullmatch(step):
        both, match, room, boards, made = found.groups()
        for board in _numbers(boards):
            if both is not None:
                for each, result in zip(Room, made.split(", "), strict=True):
                    _put_board(played, int(both), each, board, result)
            else:
                _put_board(played, int(match), Room(room), board, made)
    elif found := _PLAYED.fullmatch(step):
        both, match, room, boards = found.groups()
        played.play(
            int(both or match), [Room(room)] if room is not None else Room, _numbers(boards) if boards else None
        )
    elif found := _SCORE.fullmatch(step):
        match_ = played.match(int(found[1]))
        home, away = (VpHundredths(round(100 * float(each))) for each in found.group(4, 5))
        score = MatchScore(match_.boards, int(found[2]), int(found[3]), home, away)
        save_match_score(played.database, match_, score)
    elif found := _RULE.fullmatch(step):
        author, match, room, boards, kind, team, amount, reason, law = found.groups()
        for each_board in _numbers(boards) if boards is not None else [None]:
            played.rule(
                int(match) if match is not None else None,
                team or "",
                RulingKind(kind),
                reason or "",
                room=Room(room) if room is not None else None,
                board=each_board,
                amount=int(amount or 0),
                author=author or "rule",
                law=law or ("" if author is not None else "BC-45"),
            )
    else:
        return _happen(played, step)
    return []


def _numbers(text: str) -> list[int]:
    """The numbers of `1 3 5-8`."""
    parts = [part.partition("-") for part in text.split()]
    return [number for first, _, last in parts for number in range(int(first), int(last or first) + 1)]


def _put_board(played: PlayedEvent, match: int, room: Room, board: int, made: str) -> None:
    """Put a board on record: its result, that it was forfeited, or how far it has come."""
    match made.split():
        case [letter, "forfeits", *after]:
            played.forfeit(match, room, board, Seat.from_letter(letter), cards=int(after[1]) if after else 0)
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


def _happen(played: PlayedEvent, step: str) -> list[str]:  # noqa: PLR0912 # a case for each step
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
        case [place, "opens"] | [_, "opens", place]:
            number, _, room = place.partition("-")
            take_up(played, int(number), Room(room), host=HOST if words.startswith(place) else words.split()[0])
        case [*letters, "sit" | "sits", "at", place]:
            sit(played, _table(played, place), *map(Seat.from_letter, letters))
        case [place, "says", *_]:
            say_doing(played, _table(played, place), **_doing(words.partition(" says ")[2] + step[len(words) :]))
        case [place, "asks", "about", "call", seq, "of", "board", board, *at]:
            seat = played.boards(int(place.partition("-")[0]))[int(board) - 1].dealer.plus(int(seq))
            ask(played, _table(played, place), int(board), int(seq), seat, at_ms=_ms(at))
        case [place, "is", state, *_]:
            set_state(played, _table(played, place), TableState(state), more)
            played.reload()
        case [author, "replay", place, "board", board]:
            table = _table(played, place).id
            give_replay(played.database, table, int(board), author=author, reason="a wrong deal", now_ms=BEGINS_AT_MS)
        case ["replays", "are", "settled"]:
            settle_replays(played.database, played.event.id, BEGINS_AT_MS)
        case ["orders", *_] | ["holds"] | ["outcomes"]:
            return _ordered(played, words)
        case [author, kind, *places]:
            at = places[places.index("at") :] if "at" in places else []
            tables = [_table(played, place).id for place in places[: len(places) - len(at)]]
            give_orders(played.database, tables, OrderKind(kind), author=author, now_ms=_ms(at))
        case _:
            raise AssertionError(f"a conversation about an event has no step {step!r}")
    return []


def _ordered(played: PlayedEvent, words: str) -> list[str]:
    """What is on record of orders."""
    places = {table.id: table.place for match in played.event.matches for table in match.tables}
    match words.split():
        case ["holds"]:
            return [
                f"{kind.value} {places[table_id]}" for table_id, kind in load_holds(played.database, places).items()
            ]
        case ["outcomes"]:
            with played.database.read() as connection:
                rows = connection.execute(select(Order.outcome).order_by(Order.id))
                return [row.outcome or "-" for row in rows]
        case [_, *of]:
            orders = pending_orders(played.database, of[1] if of else HOST)
            return [f"{order.kind.value} {places[order.table_id]} by {order.author}" for order in orders]
        case _:
            raise AssertionError(words)


def _ms(at: Sequence[str]) -> int:
    """The time of `at 9 s`, in seconds of the event; its beginning if none is said."""
    return BEGINS_AT_MS + (int(1000 * float(at[1])) if at else 0)


def _doing(said: str) -> dict[str, Any]:  # of what a host says of a table
    doing: dict[str, Any] = {"waits": []}
    for part in said.split("; "):
        name, _, value = part.partition(" ")
        match name:
            case "at":
                doing["at_ms"] = _ms(part.split())
            case "paused":
                doing["paused"] = True
            case "nothing":
                pass
            case "last" | "problem":
                doing[name] = value
            case _:
                what, _, since = value.removeprefix("owes ").partition(" since ")
                doing["waits"].append(Wait(Seat.from_letter(name), what, _ms(["since", *since.split()])))
    return doing


def _tell(played: PlayedEvent, line: str) -> list[str]:
    return tell(line, {"EVENT": str(played.path), "FOLDER": str(played.path.parent)})
