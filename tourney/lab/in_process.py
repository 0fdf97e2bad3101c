"""Boards without sockets: `play` has players of this process play boards, by the rules and the law of any table.

What they have come to is in `PlayedBoards`: auctions, cards, results, rulings, IMPs, PBN.
"""

import pickle
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tourney.bridge import SEATS, Board, Card, Contract, Result, Seat, Side, boards_from_seed
from tourney.config.suites import DealSource
from tourney.errors import UsageError
from tourney.formats.pbn.writer import PbnRecord, both_sides, format_records
from tourney.lab.player_table import FailureLog
from tourney.lab.players import PlayedTable, PlayerMaker, PlayerSource, TablePool, TableTask, play_tables
from tourney.movement.seating import Room
from tourney.player.view import AuctionCall
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnd,
    BoardEnded,
    CallMade,
    CardPlayed,
    Incident,
    Ruled,
    RulingKind,
    TableRecord,
)
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.table import TableSettings
from tourney.runtime.solver import with_tables
from tourney.scoring.adjusted import adjust_board
from tourney.scoring.imps import imps
from tourney.scoring.match import BoardComparison, Fines, total_imps


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """A board as it was played at one table. Two are equal if the same was called, played and scored."""

    place: int
    """Its place among the deals that were played, from 0."""
    board: Board
    """The deal, with its number, dealer and vulnerability."""
    room: Room
    """The table: the open room, where those sit North-South who were given as `NS`, or the closed room."""
    names: tuple[str, ...]
    """Who sat North, East, South and West."""
    calls: tuple[AuctionCall, ...]
    """The auction: seat, call and explanation."""
    cards: tuple[tuple[Seat, Card], ...]
    """The cards in the order of play, each with the hand it came from."""
    end: BoardEnd
    """How it ended: played, passed out, or forfeited, and by what."""
    result: Result | None
    """Contract, tricks and score; None if it was forfeited."""
    reason: str = field(compare=False)
    """Why it was forfeited, in a sentence; else empty."""
    fault: Seat | None
    """Whose fault that was."""
    incidents: tuple[Incident, ...] = field(compare=False)
    """What a director would look at, such as illegal calls and cards."""
    rulings: tuple[Ruled, ...] = field(compare=False)
    """What was ruled on this board."""
    call_ms: tuple[int, ...] = field(compare=False)
    """The thinking time of each call, in milliseconds."""
    card_ms: tuple[int, ...] = field(compare=False)
    """That of each card."""

    def __str__(self) -> str:
        """Return the board in a line: `board 1, open room: 1NT by North, 6 tricks, -50`."""
        where = f"board {self.board.number}, {self.room.value} room"
        if self.result is None:
            return f"{where}: {self.reason}"
        if self.contract is None:
            return f"{where}: passed out"
        score = f"{self.result.score:+}" if self.result.score else "0"
        return f"{where}: {self.contract} by {self.contract.declarer.title}, {self.result.tricks} tricks, {score}"

    @property
    def contract(self) -> Contract | None:
        """The contract, with its declarer; None if the board was passed out, or forfeited."""
        return self.result.contract if self.result is not None else None

    @property
    def declarer(self) -> Seat | None:
        """Who played the contract; None without one."""
        return self.contract.declarer if self.contract is not None else None

    @property
    def tricks(self) -> int | None:
        """The tricks of declarer's side, 0..13; None without a contract."""
        return self.result.tricks if self.result is not None and self.contract is not None else None

    @property
    def score(self) -> int | None:
        """The points of North-South; None if the board was forfeited."""
        return self.result.score if self.result is not None else None


def read_records(
    records: Sequence[TableRecord], room: Room, boards: Sequence[tuple[int, Board]], names: tuple[str, ...]
) -> list[TableResult]:
    """Return the boards that a table has finished, in the order of play.

    Args:
        records: what the table has put on record.
        room: its room.
        boards: what it was to play, in that order, each with its place among the deals.
        names: who sits North, East, South and West.
    """
    found: list[TableResult] = []
    rulings = [record for record in records if isinstance(record, Ruled)]
    made: defaultdict[type, list[Any]] = defaultdict(list)
    for record in records:
        if isinstance(record, BoardBegan):
            made.clear()
        made[type(record)].append(record)
        if isinstance(record, BoardEnded) and record.end.is_final:
            calls, cards = made[CallMade], made[CardPlayed]
            place, board = boards[len(found)]
            found.append(
                TableResult(
                    place=place,
                    board=board,
                    room=room,
                    names=names,
                    calls=tuple([AuctionCall(call.seat, call.call, call.alert) for call in calls]),
                    cards=tuple([(card.seat, card.card) for card in cards]),
                    end=record.end,
                    result=record.result,
                    reason=record.reason,
                    fault=record.fault,
                    incidents=tuple(made[Incident]),
                    rulings=tuple([ruling for ruling in rulings if ruling.board == record.board]),
                    call_ms=tuple([call.thinking_ms for call in calls]),
                    card_ms=tuple([card.thinking_ms for card in cards]),
                )
            )
    return found


class PlayedBoards(tuple[TableResult, ...]):
    """The results of boards, a sequence: board by board, the open room's first."""

    def __new__(cls, results: Iterable[TableResult], *_: object) -> "PlayedBoards":
        return super().__new__(cls, results)

    def __init__(self, _: object, rulings: Sequence[tuple[Room, Ruled]], rooms: int) -> None:
        self._rooms = rooms
        self.rulings: tuple[Ruled, ...] = tuple(ruling for _, ruling in rulings)
        """All rulings, those too that are on no board, such as that a side has forfeited all that was left."""
        self._fines = Counter[bool]()
        """The IMPs that were taken from those who were given as `NS`, and from the others."""
        for room, ruling in rulings:
            if ruling.kind is RulingKind.PENALTY_IMPS:
                self._fines[_is_first(room, ruling.side)] += ruling.amount

    @cached_property
    def comparisons(self) -> dict[int, BoardComparison]:
        """The boards that both rooms have finished, compared, by their places among the deals.

        The home team are those who were given as `NS`.
        """
        closed = {result.place: result for result in self if result.room is Room.CLOSED}
        compared: dict[int, BoardComparison] = {}
        for result in self:
            other = closed.get(result.place) if result.room is Room.OPEN else None
            comparison = _compare(result, other) if other is not None else None
            if comparison is not None:
                compared[result.place] = comparison
        return compared

    @property
    def imps(self) -> list[int]:
        """The IMPs of each of those boards for those who were given as `NS`; below zero where they lost."""
        return [board.imps_home for board in self.comparisons.values()]

    @property
    def total_imps(self) -> int:
        """The IMPs by which those given as `NS` have won, fines included; below zero if they have lost."""
        totals = total_imps(self.comparisons.values(), Fines(self._fines[True]), Fines(self._fines[False]))
        return totals.home - totals.away

    def write_pbn(self, path: Path | str) -> None:
        """Write all boards as a PBN file, as `tourney export` does.

        Raises:
            LaunchError: it cannot be written.
        """
        # What exports needs the store, which takes longer to load than some boards to play.
        from tourney.export.files import PROGRAM, write_file  # noqa: PLC0415
        from tourney.export.pbn import TERMINATIONS  # noqa: PLC0415

        records = (self._record(result, TERMINATIONS.get(result.end, "normal")) for result in self)
        write_file(Path(path), format_records(records, PROGRAM))

    def _record(self, result: TableResult, termination: str) -> PbnRecord:
        compared = self.comparisons.get(result.place) if result.room is Room.CLOSED else None
        is_ruled = any(ruling.kind is RulingKind.BOARD_FORFEIT for ruling in result.rulings)
        return PbnRecord(
            board=result.board,
            names=result.names,
            calls=tuple((made.call, made.explanation or None) for made in result.calls),
            cards=result.cards,
            result=result.result,
            room=result.room.value.title() if self._rooms == 2 else None,
            tags=(("ScoreIMP", both_sides(compared.imps_away, compared.imps_home if is_ruled else None)),)
            if compared is not None
            else (),
            ruling="; ".join(ruling.reason for ruling in result.rulings),
            termination=termination,
            call_ms=result.call_ms,
            card_ms=result.card_ms,
        )


def _compare(opened: TableResult, closed: TableResult) -> BoardComparison | None:
    """Compare a board that both rooms have finished; None if that cannot be."""
    at_fault = {
        _is_first(result.room, ruling.side)
        for result in (opened, closed)
        for ruling in result.rulings
        if ruling.kind is RulingKind.BOARD_FORFEIT
    }
    number = opened.board.number
    if at_fault:
        return adjust_board(number, home_at_fault=True in at_fault, away_at_fault=False in at_fault)
    if opened.score is None or closed.score is None:
        return None
    won = imps(opened.score - closed.score)
    return BoardComparison(number, won, -won)


def _is_first(room: Room, side: Side) -> bool:
    """Return whether those who were given as `NS` sit on a side in a room."""
    return (side is Side.NS) is (room is Room.OPEN)


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
    auctions: bool = False,
) -> PlayedBoards:
    """Play boards in this process: no sockets, no files, the same rules, clocks and adjudication as at any table.

    Illegal calls and cards, exceptions and limits of time lead to the same rulings as in an event. So does
    `sys.exit()`, and a player that never answers, which is interrupted; with more than one job, also whatever else
    ends a process or holds it up.

    Args:
        deals: the boards; or how many are dealt from `seed`, numbered from 1; or the path of a file with them,
            or the name of a suite, with the dealers and vulnerabilities that it has in a duel.
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
        auctions: whether no cards are played, and contracts make what the double-dummy tables of the deals say.
            Boards without a table are solved first, which takes the extra `dd`.

    Raises:
        UsageError: an argument is none of these.
        ConfigError: the file cannot be read.
        FormatError: it is no PBN file.
        LaunchError: boards have to be solved, and there is no solver.
        PlayerError: there is no such class, or a player cannot be made.
    """
    if type(seed) is not int:
        raise UsageError(f"seed is a whole number, got {seed!r}")
    if rooms not in (1, 2) or jobs < 1 or concurrent < 1:
        raise UsageError(f"rooms is 1 or 2, jobs and concurrent at least 1: got {rooms}, {jobs} and {concurrent}")
    boards = _boards_of(deals, seed, auctions=auctions)
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
        names = tuple(task.players[seat].name for seat in SEATS)
        results += read_records(table.records, room, placed, names)
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


def _boards_of(deals: int | Sequence[Board] | Path | str, seed: int, *, auctions: bool) -> Sequence[Board]:
    if isinstance(deals, int):
        boards: Sequence[Board] = boards_from_seed(seed, DEAL_SET, deals)
    elif isinstance(deals, Path | str):
        from tourney.lab.event_files import read_boards  # noqa: PLC0415 # it loads all that events need

        source = DealSource.parse(str(deals))
        boards = read_boards(source, None, auctions=auctions, variants=source.is_varied) or []
    else:
        boards = deals
    if not boards:
        raise UsageError("at least one board is played, got none")
    return with_tables(boards) if auctions else boards


def _makers_of(players: Mapping[str, PlayerSource], seed: int, scoring: str) -> dict[Seat, PlayerMaker]:
    """Return who sits where in the open room; the reference players of two sides vary by different seeds."""
    seats = {side.value: side.seats for side in Side} | {seat.letter: (seat,) for seat in SEATS}
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
