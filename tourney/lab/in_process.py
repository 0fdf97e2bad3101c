"""Boards without sockets: `play` has players of this process play boards, by the rules and the law of any table."""

import pickle
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from tourney.bridge import SEATS, Board, Seat, Side, board_from_seed
from tourney.errors import UsageError
from tourney.lab.player_table import PlayerTable
from tourney.lab.players import PlayerMaker, PlayerSource, answer_questions
from tourney.lab.results import PlayedBoards, TableResult, read_records
from tourney.movement.seating import Room
from tourney.protocol.session.memory_table import START_MS
from tourney.protocol.session.records import Ruled, TableRecord
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.table import TableSettings
from tourney.runtime.parallel import side_by_side

TABLE_BOARDS: Final = 8
"""How many boards a table plays with the same players: then others are made. So what is played does not depend on how
the boards are shared among processes."""

USUAL_RULES: Final = TableRules()

DEAL_SET: Final = "lab"
"""The set of boards that a seed deals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTask:
    """A table to be played in this process or another."""

    settings: TableSettings
    players: Mapping[Seat, PlayerMaker]
    room: Room = Room.OPEN
    places: tuple[int, ...] = ()
    """The place of each of its boards among the deals that are played."""
    start_ms: int = START_MS
    links_before: int = 0
    """How many connections the table has had in earlier sessions, at most."""

    def open(self) -> PlayerTable:
        """Seat the players.

        Raises:
            PlayerError: one of them cannot be made.
        """
        return PlayerTable(self.settings, self.players, self.start_ms, self.links_before)


def play_tables(tasks: Iterable[TableTask], concurrent: int = 1) -> Iterator[list[TableRecord]]:
    """Play tables to their ends; yield what each has put on record, in the order of the tables.

    Args:
        tasks: the tables.
        concurrent: how many are played at once: the players of a class that are due there are asked together.

    Raises:
        PlayerError: a player cannot be made.
    """
    waiting = iter(tasks)
    opened: deque[PlayerTable] = deque()
    """In their order; those too that have ended while an earlier one goes on."""
    playing: list[PlayerTable] = []
    while True:
        playing = [table for table in playing if table.question is not None]
        while len(playing) < concurrent and (task := next(waiting, None)) is not None:
            opened.append(task.open())
            playing.append(opened[-1])
        if not opened:
            return
        while all(table.question is not None for table in playing):
            answer_questions(playing)
        while opened and opened[0].question is None:
            yield opened.popleft().records


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

    Illegal calls and cards, exceptions and limits of time lead to the same rulings as in an event. A player that
    never answers is waited for: nothing can interrupt it here.

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
        LaunchError: a process has died.
    """
    if rooms not in (1, 2) or jobs < 1 or concurrent < 1:
        raise UsageError(f"rooms is 1 or 2, jobs and concurrent at least 1: got {rooms}, {jobs} and {concurrent}")
    boards = _boards_of(deals, seed)
    makers = _makers_of(players, seed, scoring)
    tasks = [
        _task(boards, range(start, min(start + TABLE_BOARDS, len(boards))), makers, room, rules)
        for start in range(0, len(boards), TABLE_BOARDS)
        for room in list(Room)[:rooms]
    ]
    groups = [tasks[start : start + concurrent] for start in range(0, len(tasks), concurrent)]
    results: list[TableResult] = []
    rulings: list[tuple[Room, Ruled]] = []
    if jobs == 1:
        played = _play_group(tasks, concurrent)
    else:
        _check_importable(makers)
        found = side_by_side(partial(_play_groups, concurrent=concurrent), groups, jobs)
        played = (table for group in found for table in group)
    for room, of_table, ruled in played:
        results += of_table
        rulings += [(room, ruling) for ruling in ruled]
    results.sort(key=lambda result: (result.place, result.room is Room.CLOSED))
    return PlayedBoards(results, rulings, rooms)


_Played: TypeAlias = tuple[Room, list[TableResult], list[Ruled]]
"""What has become of a table: its room, its boards, and what was ruled there."""


def _play_groups(groups: Sequence[Sequence[TableTask]], concurrent: int) -> Iterator[list[_Played]]:
    """Play groups of tables, in a process that shares the work."""
    for group in groups:
        yield list(_play_group(group, concurrent))


def _play_group(tasks: Sequence[TableTask], concurrent: int) -> Iterator[_Played]:
    for task, records in zip(tasks, play_tables(tasks, concurrent), strict=True):
        boards = list(zip(task.places, task.settings.boards, strict=True))
        north, east, south, west = (task.players[seat].name for seat in SEATS)
        results = read_records(records, task.room, boards, (north, east, south, west))
        yield task.room, results, [record for record in records if isinstance(record, Ruled)]


def _task(
    boards: Sequence[Board], places: Sequence[int], makers: Mapping[Seat, PlayerMaker], room: Room, rules: TableRules
) -> TableTask:
    seated = {seat: makers[seat if room is Room.OPEN else seat.next] for seat in SEATS}
    settings = TableSettings(
        ns_team=seated[Seat.NORTH].name,
        ew_team=seated[Seat.EAST].name,
        boards=tuple(boards[place] for place in places),
        trick_pause_ms=0,
        rules=rules,
    )
    return TableTask(settings=settings, players=seated, room=room, places=tuple(places))


def _boards_of(deals: int | Sequence[Board] | Path | str, seed: int) -> Sequence[Board]:
    if isinstance(deals, int):
        boards: Sequence[Board] = [board_from_seed(seed, DEAL_SET, number) for number in range(1, deals + 1)]
    elif isinstance(deals, Path | str):
        from tourney.lab.event_files import read_boards  # noqa: PLC0415 # it loads all that events need

        boards = read_boards(Path(deals), 1, None) or []
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
