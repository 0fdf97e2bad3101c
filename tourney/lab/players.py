"""The players of boards in this process: how they are made, and asked; tables that are played to their ends.

That is done in this process, or by others that a player may end or hold up without harm. A process that has ended
while a player was asked is replaced by another, which plays the same tables again and does not ask the player that:
there it has crashed, or has taken so long.
"""

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from tourney.bots import STYLES, strategy_of
from tourney.bots.seated_player import SeatedPlayer, answers_together, ask_players, load_model, make_player_of
from tourney.bots.strategy import Strategy
from tourney.bridge import SEATS, Seat, Side
from tourney.errors import PlayerError
from tourney.lab.player_table import (
    Asked,
    Interrupted,
    Made,
    PlayerFailure,
    PlayerFault,
    PlayerTable,
    Question,
    interrupting,
)
from tourney.launch.program import describe_end
from tourney.player.loading import failed, guarded, load_player
from tourney.player.player import Player
from tourney.player.view import View
from tourney.protocol.seat_handover import TableTerms
from tourney.protocol.session.memory_table import START_MS
from tourney.protocol.session.records import TableRecord
from tourney.protocol.session.table import TableSettings
from tourney.runtime.parallel import set_up_process

PlayerSource: TypeAlias = str | Callable[[], Player]
"""What a seat is played by: a `Player` class, its name such as `my_bot:MyBot`, a function that makes a player, or
`basic` or `random` for the players that ship with tourney."""


@dataclass(frozen=True, slots=True)
class PlayerMaker:
    """Makes the player of a seat, again for each table and after each failure."""

    source: PlayerSource
    seed: int = 1
    """What the choices of the reference players vary by."""
    scoring: str = ""
    """What players are told about the scoring."""
    folder: Path = Path()
    """Where the module of a class that is named is looked for before the installed ones."""

    @property
    def name(self) -> str:
        """What it is called in results: the name of the class, or of the style."""
        if isinstance(self.source, str):
            return self.source.rpartition(":")[2]
        name: str = getattr(self.source, "__name__", type(self.source).__name__)
        return name

    def __call__(self) -> Strategy:
        """Make a player.

        Raises:
            PlayerError: there is no such class, or it raised.
        """
        if self.source in STYLES:
            assert isinstance(self.source, str)
            return strategy_of(self.source, self.seed)
        source = _find_class(self.source, self.folder) if isinstance(self.source, str) else self.source
        if isinstance(source, type):
            player = make_player_of(source, _load_model(source))
        else:
            player = guarded(f"{self.name}()", source)
            if not isinstance(player, Player):
                raise PlayerError(f"{self.name}() makes no Player, but {player!r:.100}")
        return SeatedPlayer(player, TableTerms(scoring=self.scoring))


@cache
def _find_class(name: str, folder: Path) -> type[Player]:
    """Return the class that is named, which is imported once in a process."""
    return load_player(name, folder.resolve())


_load_model: Final = cache(load_model)
"""Loads what a class needs, once in a process; a function that makes players has a model of its own."""


def answer_questions(tables: Iterable[PlayerTable]) -> None:
    """Have the players answer that are asked at tables, those of a class together (`Player.act`)."""
    of_class: dict[type[Player], list[PlayerTable]] = {}
    for table in tables:
        question = table.question
        assert question is not None
        strategy = question.link.strategy
        if isinstance(strategy, SeatedPlayer):
            of_class.setdefault(type(strategy.player), []).append(table)
        else:
            began_s = time.perf_counter()
            made = question.ask()
            table.answer(made, time.perf_counter() - began_s)
    for player_class, asked in of_class.items():
        for start in range(0, len(asked), player_class.batch):
            _answer_together(asked[start : start + player_class.batch])


def _answer_together(tables: Sequence[PlayerTable]) -> None:
    """Have players of one class answer; each is charged the time that they take together."""
    began_s = time.perf_counter()
    asked = [(table, table.question) for table in tables if table.question is not None]
    faults = [table.begin(question.link.seat) for table, question in asked]
    fault = next((fault for fault in faults if fault is not None), None)
    if fault is not None:
        made: Sequence[Made | PlayerError] = [PlayerError(fault.error)] * len(asked)
        began_s -= fault.seconds
    else:
        try:
            with interrupting(lambda seconds: sum(table.waits_for(each, seconds) for table, each in asked) > 0):
                made = _ask([question for _, question in asked])
        except Interrupted as error:
            made = [failed("thinking", error)] * len(asked)
    seconds = time.perf_counter() - began_s
    for (table, question), each in zip(asked, made, strict=True):
        table.answer(each, seconds, question)


def _best_at_once(table: PlayerTable) -> int:
    classes = {type(link.strategy.player) for link in table.seated if isinstance(link.strategy, SeatedPlayer)}
    if not all(map(answers_together, classes)):
        return 1  # whoever is asked one after the other is charged the time of all
    return sum(each.batch for each in classes) or 1


def end_boards(table: PlayerTable) -> None:
    """Tell the players of a table that has ended that their last board is over."""
    ready_s = table.core.state.settings.rules.time.ready_ms / 1000
    for link in table.seated:
        fault = table.begin(link.seat)
        if fault is not None:
            table.note_failure(link, PlayerError(fault.error))
            continue
        try:
            with interrupting(lambda seconds: seconds < ready_s):
                link.end_board()
        except PlayerError as error:
            table.note_failure(link, error)


def _ask(questions: Sequence[Question]) -> list[Made | PlayerError]:
    """Return what the players that are asked have decided, or how they have failed."""
    made: list[Made | PlayerError | None] = []
    views: list[View] = []
    players: list[SeatedPlayer] = []
    for question in questions:
        player = question.link.strategy
        assert isinstance(player, SeatedPlayer)
        try:
            views.append(player.begin_question(question.known, question.hand))
            players.append(player)
            made.append(None)
        except PlayerError as error:
            made.append(error)
    answers = iter(ask_players([each.player for each in players], views) if players else ())
    asked = zip(players, views, answers, strict=True)
    return [each if each is not None else _read(*next(asked)) for each in made]


def _read(player: SeatedPlayer, view: View, answer: object) -> Made | PlayerError:
    try:
        return player.read_call(view, answer) if view.asks_call else player.read_card(answer)
    except PlayerError as error:
        return error


OVERDUE_S: Final = 5.0
"""How long after the last limit a player is killed with its process, because it could not be interrupted."""

FAULTS_MAX: Final = 1000
"""How many processes may end over the same tables."""

POLL_S: Final = 1.0
"""How often it is looked whether a process hangs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTask:
    """A table to be played in this process or another."""

    settings: TableSettings
    players: Mapping[Seat, PlayerMaker]
    start_ms: int = START_MS
    links_before: int = 0
    """How many connections the table has had in earlier sessions, at most."""


class PlayedTable(NamedTuple):
    """What has become of a table."""

    records: Sequence[TableRecord]
    failures: Sequence[PlayerFailure]
    spent_ms: dict[Side, int]
    """The thinking time of each side on all boards, those of earlier sessions included."""
    at_once: int
    """How many tables its players are played at best: 1 unless all of them answer together."""


def play_tables(tasks: Iterable[TableTask], concurrent: int = 1, asked: Asked | None = None) -> Iterator[PlayedTable]:
    """Play tables to their ends in this process; yield them in their order.

    Args:
        tasks: the tables.
        concurrent: how many are played at once: the players of a class that are due there are asked together.
        asked: counts what players are asked.

    Raises:
        PlayerError: a player cannot be made.
    """
    waiting = enumerate(tasks)
    opened: deque[PlayerTable] = deque()
    """In their order; those too that have ended while an earlier one goes on."""
    playing: list[PlayerTable] = []
    while True:
        playing = [table for table in playing if table.question is not None]
        while len(playing) < concurrent and (due := next(waiting, None)) is not None:
            number, task = due
            table = PlayerTable(task.settings, task.players, task.start_ms, task.links_before, asked, number)
            opened.append(table)
            playing.append(table)
        if not opened:
            return
        while all(table.question is not None for table in playing):
            answer_questions(playing)
        while opened and opened[0].question is None:
            table = opened.popleft()
            end_boards(table)
            yield PlayedTable(table.records, table.failures, table.core.state.total_ms, _best_at_once(table))


def _work(connection: Connection, note: MutableSequence[float]) -> None:
    """Play what comes, in a process of the pool."""
    set_up_process()
    # A cluster sends it to all processes of a job: no player has crashed, and the pool ends this process.
    signal.signal(signal.SIGTERM, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    while True:
        tasks, faults = connection.recv()
        try:
            outcome: list[PlayedTable] | Exception = list(play_tables(tasks, len(tasks), Asked(note, faults)))
        except Exception as error:  # noqa: BLE001 # it is raised in the process of the pool
            outcome = error
        connection.send(outcome)


Done: TypeAlias = Callable[[list[PlayedTable]], None]


@dataclass(slots=True)
class _Job:
    """Tables that a process plays."""

    tasks: Sequence[TableTask]
    done: Done
    faults: list[PlayerFault] = field(default_factory=list)


class _Worker:
    """A process that plays tables, and is replaced when it has ended."""

    def __init__(self) -> None:
        self.job: _Job | None = None
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # see `tourney.runtime.parallel`
        self._note = RawArray("d", 5)
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._note))
        resource_tracker.ensure_running()  # which the first process would start, with no signal blocked any more
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])  # until the process has an answer to it (`_work`)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        theirs.close()

    def close(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join()
        self.connection.close()

    def give(self, job: _Job) -> None:
        """Have it play tables."""
        self.job = job
        self._note[0] = 0
        self.connection.send((job.tasks, job.faults))

    def receive(self) -> list[PlayedTable] | Exception | None:
        """Return what it has sent, if anything; if it has ended or hangs, another goes on in its place."""
        job = self.job
        assert job is not None
        try:
            if self.connection.poll():
                found: list[PlayedTable] | Exception = self.connection.recv()
                return found
        except (EOFError, OSError):
            self._process.join()
        number, table, board, seat = (int(each) for each in self._note[:4])
        stall_s = max(task.settings.rules.time.stall_ms for task in job.tasks) / 1000
        hangs = number > 0 and time.monotonic() - self._note[4] > stall_s + OVERDUE_S
        if self._process.is_alive() and not hangs:
            return None
        self.close()
        how = "was killed, as it hung" if hangs else describe_end(self._process.exitcode or 0, "")
        players = job.tasks[table].players
        if number == 0 or len(job.faults) >= FAULTS_MAX:
            names = " and ".join(dict.fromkeys(maker.name for maker in players.values()))
            return PlayerError(f"the process that plays {names} {how}")
        what = f"{players[SEATS[seat]].name}'s process {how}"
        job.faults.append(PlayerFault(number, (table, board, seat), what, stall_s if hangs else 0.0))
        self._start()
        self.give(job)
        return None


class TablePool:
    """Processes that play tables."""

    def __init__(self, jobs: int) -> None:
        """Start as many as there are jobs."""
        self._workers = [_Worker() for _ in range(jobs)]

    def __enter__(self) -> "TablePool":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.close()

    @property
    def idle(self) -> int:
        """How many have nothing to play."""
        return sum(worker.job is None for worker in self._workers)

    def submit(self, tasks: Sequence[TableTask], done: Done) -> None:
        """Have an idle process play tables at once; `done` is called with them by `wait`."""
        next(worker for worker in self._workers if worker.job is None).give(_Job(tasks, done))

    def wait(self) -> None:
        """Wait for a moment, and take what is done.

        Raises:
            PlayerError: a player cannot be made.
        """
        busy = [worker for worker in self._workers if worker.job is not None]
        wait([worker.connection for worker in busy], POLL_S)
        for worker in busy:
            found, job = worker.receive(), worker.job
            if isinstance(found, Exception):
                raise found
            if found is not None and job is not None:
                worker.job = None
                job.done(found)
