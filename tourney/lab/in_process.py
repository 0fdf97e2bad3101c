"""Boards without sockets: `play` has players of this process play boards, by the rules and the law of any table."""

import pickle
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from tourney.bridge import SEATS, Board, Seat, Side, board_from_seed
from tourney.errors import UsageError
from tourney.lab.player_table import FailureLog
from tourney.lab.players import PlayerMaker, PlayerSource
from tourney.lab.results import PlayedBoards, TableResult, read_records
from tourney.lab.table_pool import PlayedTable, TablePool, TableTask, play_tables
from tourney.movement.seating import Room
from tourney.protocol.session.records import Ruled
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.table import TableSettings

TABLE_BOARDS: Final = 8
"""How many boards a table plays with the same players: then others are made. So what is played does not depend on how
the boards are shared among processes."""

USUAL_RULES: Final = TableRules()

DEAL_SET: Final = "lab"
"""The set of boards that a seed deals."""


def play(
    deals: int | Sequence[Board] | Path | str,
    players: Mapping[str, PlayerSource],
    *,
    rooms: int = 1,
    seed: int = 1,
    rules: TableRules = USUAL_RULES,
    scoring: str = "imps",
    jobs: int = 1,
    concurrent: int = 1,
) -> PlayedBoards:
    """Play boards in this process: no sockets, no files, the same rules, clocks and adjudication as at any table.

    Illegal calls and cards, exceptions and limits of time lead to the same rulings as in an event. So does
    `sys.exit()`, and a player that never answers, which is interrupted; with more than one job, also whatever else
    ends a process or holds it up.

    Args:
        deals: the boards; or how many are dealt from `seed`, numbered from 1; or the path of a PBN file with them.
        players: who plays `NS` and `EW`, or each of `N`, `E`, `S` and `W`: a `Player` class, its name such as
            `my_bot:MyBot`, a function that makes a player, or `basic` or `random` for the reference players. Each
            seat of each table has a player of its own, a new one after every 8 boards; what a class loads is loaded
            once in a process.
        rooms: 2 to play each board in a second room as well, with the sides exchanged, for IMPs.
        seed: what boards are dealt from, and by which the reference players vary.
        rules: the limits of time and the remedies, those of an event by default.
        scoring: what players are told about the scoring.
        jobs: how many processes share the work; what is played is the same for any number. With more than 1 they
            import the players, which have to be in a module.
        concurrent: how many tables are played at once in a process, so that `Player.act` is asked for up to as many
            seats together.

    Raises:
        UsageError: an argument is none of these.
        ConfigError: the file cannot be read.
        FormatError: it is no PBN file.
        PlayerError: there is no such class, or a player cannot be made.
    """
    if type(seed) is not int:
        raise UsageError(f"seed is a whole number, got {seed!r}")
    if rooms not in (1, 2) or jobs < 1 or concurrent < 1:
        raise UsageError(f"rooms is 1 or 2, jobs and concurrent at least 1: got {rooms}, {jobs} and {concurrent}")
    boards = _boards_of(deals, seed)
    makers = _makers_of(players, seed, scoring)
    batches = [
        (range(start, min(start + TABLE_BOARDS, len(boards))), room)
        for start in range(0, len(boards), TABLE_BOARDS)
        for room in list(Room)[:rooms]
    ]
    tasks = [_task([boards[place] for place in places], makers, room, rules) for places, room in batches]
    played: Iterable[PlayedTable]
    if jobs == 1:
        played = play_tables(tasks, concurrent)
    else:
        _check_importable(makers)
        played = _play_elsewhere(tasks, concurrent, jobs)
    results: list[TableResult] = []
    rulings: list[tuple[Room, Ruled]] = []
    failures = FailureLog(partial(print, file=sys.stderr))
    for (places, room), task, table in zip(batches, tasks, played, strict=True):
        placed = list(zip(places, task.settings.boards, strict=True))
        north, east, south, west = (task.players[seat].name for seat in SEATS)
        results += read_records(table.records, room, placed, (north, east, south, west))
        rulings += [(room, record) for record in table.records if isinstance(record, Ruled)]
        failures.note(table.failures)
    failures.summarize()
    results.sort(key=lambda result: (result.place, result.room is Room.CLOSED))
    return PlayedBoards(results, rulings, rooms)


def _play_elsewhere(tasks: Sequence[TableTask], concurrent: int, jobs: int) -> list[PlayedTable]:
    """Play tables in other processes."""
    starts = range(0, len(tasks), concurrent)
    waiting = iter(starts)
    found: dict[int, list[PlayedTable]] = {}
    with TablePool(min(jobs, len(starts))) as pool:
        while len(found) < len(starts):
            for start in islice(waiting, pool.idle):
                pool.submit(tasks[start : start + concurrent], partial(found.__setitem__, start))
            pool.wait()
    return [table for start in starts for table in found[start]]


def _task(boards: Sequence[Board], makers: Mapping[Seat, PlayerMaker], room: Room, rules: TableRules) -> TableTask:
    seated = {seat: makers[seat if room is Room.OPEN else seat.next] for seat in SEATS}
    settings = TableSettings(
        ns_team=seated[Seat.NORTH].name,
        ew_team=seated[Seat.EAST].name,
        boards=tuple(boards),
        trick_pause_ms=0,
        rules=rules,
    )
    return TableTask(settings=settings, players=seated)


def _boards_of(deals: int | Sequence[Board] | Path | str, seed: int) -> Sequence[Board]:
    if isinstance(deals, int):
        boards: Sequence[Board] = [board_from_seed(seed, DEAL_SET, number) for number in range(1, deals + 1)]
    elif isinstance(deals, Path | str):
        from tourney.lab.event_files import read_boards  # noqa: PLC0415 # it loads all that events need

        boards = read_boards(Path(deals), None) or []
    else:
        boards = deals
    if not boards:
        raise UsageError("at least one board is played, got none")
    return boards


def _makers_of(players: Mapping[str, PlayerSource], seed: int, scoring: str) -> dict[Seat, PlayerMaker]:
    """Return who sits where in the open room; the reference players of two sides vary by different seeds."""
    seats = {Side.NS.value: Side.NS.seats, Side.EW.value: Side.EW.seats} | {seat.letter: (seat,) for seat in SEATS}
    makers: dict[Seat, PlayerMaker] = {}
    for key, source in players.items():
        if key not in seats:
            raise UsageError(f"players sit NS and EW, or N, E, S and W: got {key!r}")
        for seat in seats[key]:
            if seat in makers:
                raise UsageError(f"each seat has one player: {seat.title} has two")
            makers[seat] = PlayerMaker(source, 2 * seed + (seat.side is Side.EW), scoring)
    missing = [seat.title for seat in SEATS if seat not in makers]
    if missing:
        raise UsageError(f"each seat has one player: {', '.join(missing)} has none")
    return makers


def _check_importable(makers: Mapping[Seat, PlayerMaker]) -> None:
    """Check that other processes can be told who plays.

    Raises:
        UsageError: they cannot.
    """
    for maker in makers.values():
        try:
            pickle.dumps(maker)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"with several jobs {maker.name} has to be in a module that other processes import: {error}"
            ) from None
