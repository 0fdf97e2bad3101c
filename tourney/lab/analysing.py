"""Double dummy analysis of finished boards: whatever has not been solved yet is solved and stored.

The solver is endplay, an extra, in separate processes: never in one that plays tables. A solve takes about a quarter
of a second of one core; results are not computed again.
"""

import asyncio
import logging
import multiprocessing
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tourney.bridge import format_deal
from tourney.errors import StoreError, TourneyError
from tourney.event.drawn import DrawnEvent, open_event
from tourney.results.played import PlayedMatch, iter_played
from tourney.runtime.parallel import set_up_process, side_by_side, take_lowest_priority
from tourney.runtime.solver import PART_MAX, check_solver, solve_board, solve_play
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardRecord, EventInfo
from tourney.store.record.live import load_live_tables
from tourney.store.results.matches import load_board_worths, load_play_tricks, save_board_worth, save_play_tricks
from tourney.store.results.secrecy import load_hidden_boards

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LOGGER: Final = logging.getLogger(__name__)

LOOK_S: Final = 5
"""How often it is looked whether something is to be solved beside a run."""

WATCHED_S: Final = 0.5
"""For how long it is watched how much of the machine others use, before each solve beside a run."""

RESTS: Final = 40
"""How many times as long as a solve beside a run has taken none follows."""

# What is left to solve

_Unsolved: TypeAlias = tuple[Callable[..., Any], Mapping[tuple[Any, ...], list[tuple[int, ...]]], Callable[..., None]]
"""What solves, the places by what is solved, and what saves. A board is at a set of boards and a number there, in
several where matches play the same, a play at a table, a board and an attempt."""


def analyse(
    database: Database, matches: Iterable[PlayedMatch], jobs: int, on_progress: Callable[[int, int], None]
) -> int:
    """Solve the finished boards and plays of these matches that have not been solved; return how many there were.

    Args:
        database: where records are read from and analyses stored, each as soon as it is available.
        matches: the matches, with their records.
        jobs: the number of solver processes.
        on_progress: called with the numbers of boards and plays solved so far and in total.

    Raises:
        LaunchError: something is left to solve and there is no solver, or its processes have died.
        StoreError: the database cannot be used.
    """
    work = _find_unsolved(database, matches)
    count = sum(len(places) for _, places, _ in work)
    if not count:
        return 0
    check_solver()
    done = 0
    for solve, places, save in work:
        solved = side_by_side(partial(starmap, solve), list(places), jobs, PART_MAX)
        for played_at, found in zip(places.values(), solved, strict=True):
            for place in played_at:
                save(database, *place, found)
            done += 1
            on_progress(done, count)
    return count


def _find_unsolved(database: Database, matches: Iterable[PlayedMatch]) -> tuple[_Unsolved, _Unsolved]:
    boards: defaultdict[tuple[Any, ...], list[tuple[int, ...]]] = defaultdict(list)
    plays: defaultdict[tuple[Any, ...], list[tuple[int, ...]]] = defaultdict(list)
    for played in matches:
        match = played.match
        worths = load_board_worths(database, match.board_set_id)
        tricks = load_play_tricks(database, match)
        for board in played.boards:
            number, makes = board.board.number, str(board.board.makes or "")
            key = format_deal(board.board.deal), board.board.dealer.letter, board.board.vulnerability.value, makes
            place = match.board_set_id, number
            if number not in worths and place not in boards[key]:
                boards[key].append(place)
            for room, record in board.records.items():
                play = _play_of(record)
                if play is not None and (room, number) not in tricks:
                    plays[play].append((record.table.id, number, record.attempt))
    return (solve_board, boards, save_board_worth), (solve_play, plays, save_play_tricks)


def _play_of(record: BoardRecord) -> tuple[str, str, str, tuple[str, ...]] | None:
    """Return the play of a board, as `solve_play` takes it; None if no card was played to a result."""
    contract = record.result.result.contract if record.result is not None else None
    if contract is None or not record.cards:
        return None
    return (
        format_deal(record.board.deal),
        contract.strain.letters,
        contract.leader.letter,
        tuple(card.card.pbn for card in record.cards),
    )


# While an event is run


async def analyse_beside(path: Path, database: Database, _: EventInfo) -> None:
    """Solve the boards of an event as they become public, until cancelled; what cannot be solved stays unsolved.

    A process of the lowest priority reads and solves, one board after the other (`beside_tables`). What it finds is
    stored by this process: one that gets no time must not hold the lock of the record, for which tables would wait.
    """
    await asyncio.sleep(LOOK_S)
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    solver = context.Process(target=_solve_as_played, args=(path, sender), name="double dummy", daemon=True)
    solver.start()
    sender.close()
    try:
        while True:
            save, places, found = await asyncio.to_thread(receiver.recv)
            with suppress(StoreError):  # what is not stored is solved again
                for place in places:
                    save(database, *place, found)
    except EOFError:
        words = "boards are no longer solved beside the run: the solver has died"
        _LOGGER.warning(words, extra={"action": "analysis_ended"})
    finally:
        solver.kill()


def _solve_as_played(path: Path, sender: "Connection[Any, Any]") -> None:
    """Send what is solved, and where it belongs, until the process that has started this one ends."""
    set_up_process()
    take_lowest_priority()
    solved: dict[int, object] = {}
    while True:
        # Opened anew each time, as rounds are drawn meanwhile; an outage is over, or ends the run.
        with suppress(TourneyError), open_event(path, is_read_only=True) as drawn:
            _solve_public(drawn, solved, sender)
        time.sleep(LOOK_S)


def _solve_public(drawn: DrawnEvent, solved: dict[int, object], sender: "Connection[Any, Any]") -> None:
    """Solve what is public now; `solved` has how far each match had come when nothing of it was left to solve."""
    database, event = drawn.database, drawn.event
    hidden = load_hidden_boards(database, event)
    finished: Counter[int] = Counter()
    for live in load_live_tables(database, event.id):
        finished[live.table.match] += live.boards_finished
    for match in event.matches:
        far = finished[match.number], hidden.by_set.get(match.board_set_id)
        if not finished[match.number] or solved.get(match.number) == far:
            continue
        work = _find_unsolved(database, iter_played(database, event, [match], drawn.scales, hidden))
        if not any(unsolved for _, unsolved, _ in work):
            solved[match.number] = far
        for solve, unsolved, save in work:
            for key, places in unsolved.items():
                with beside_tables():
                    found = solve(*key)
                sender.send((save, places, found))


@contextmanager
def beside_tables() -> Iterator[None]:
    """Solve when a core is free, and rest afterwards: few turns at tables then fall into the time of a solve.

    A table that becomes ready while another process has its core waits for it, even for one of the lowest priority.
    """
    import psutil  # noqa: PLC0415 # an extra

    cores = psutil.cpu_count() or 1
    while psutil.cpu_percent(interval=WATCHED_S) / 100 * cores > cores - 1:
        pass
    started = time.monotonic()
    yield
    time.sleep(RESTS * (time.monotonic() - started))
