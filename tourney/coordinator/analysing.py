"""Double dummy of an event's boards that are over: what is not on record yet is solved and kept."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tourney.bridge import format_deal
from tourney.coordinator.solving import PlayToSolve, Solver, check_solver, solve_board, solve_play
from tourney.results.played import PlayedMatch
from tourney.scoring.double_dummy import BoardWorth, DoubleDummyTable
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardRecord
from tourney.store.results.analyses import load_board_worths, load_play_tricks, save_board_worth, save_play_tricks


@dataclass(slots=True)
class _Left:
    """What is to be solved: boards by hands, dealer and vulnerability, plays; each with where the answer belongs."""

    boards: defaultdict[tuple[str, str, str], list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Places: the set and the number."""
    plays: defaultdict[PlayToSolve, list[tuple[int, int, int]]] = field(default_factory=lambda: defaultdict(list))
    """Places: the table, the board and the attempt."""

    @property
    def count(self) -> int:
        return len(self.boards) + len(self.plays)


def analyse(
    database: Database, matches: Iterable[PlayedMatch], jobs: int, on_progress: Callable[[int, int], None]
) -> int:
    """Solve what these matches have finished and nobody has solved yet, in so many processes; how much that was.

    Args:
        database: where records are read and analyses kept, each as soon as it is there.
        matches: with their records.
        jobs: processes that solve side by side.
        on_progress: is told how many of how many boards and plays are solved.

    Raises:
        LaunchError: there is no solver, or its processes have died.
        StoreError: the database cannot be used.
    """
    check_solver()
    left = _find_left(database, matches)
    if not left.count:
        return 0
    done = 0
    with Solver.start(jobs) as solver:
        for arguments, solved in solver.solve(solve_board, list(left.boards)):
            worth = BoardWorth(DoubleDummyTable.parse(solved.tricks), solved.par_ns, solved.par_contracts)
            for set_id, number in left.boards[arguments]:
                save_board_worth(database, set_id, number, worth)
            done += 1
            on_progress(done, left.count)
        for (play,), digits in solver.solve(solve_play, [(play,) for play in left.plays]):
            for place in left.plays[play]:
                save_play_tricks(database, *place, tricks=[int(digit, 16) for digit in digits])
            done += 1
            on_progress(done, left.count)
    return done


def _find_left(database: Database, matches: Iterable[PlayedMatch]) -> _Left:
    left = _Left()
    for played in matches:
        match = played.match
        worths = load_board_worths(database, match.board_set_id)
        tricks = load_play_tricks(database, match)
        for board in played.boards:
            number = board.board.number
            if number not in worths:
                key = format_deal(board.board.deal), board.board.dealer.letter, board.board.vulnerability.value
                left.boards[key].append((match.board_set_id, number))
            for room, record in board.records.items():
                play = _play_of(record)
                if play is not None and (room, number) not in tricks:
                    left.plays[play].append((record.table.id, number, record.attempt))
    # One board of several matches is of one set.
    for places in left.boards.values():
        places[:] = dict.fromkeys(places)
    return left


def _play_of(record: BoardRecord) -> PlayToSolve | None:
    """The play of a board, when it has come to one."""
    contract = record.result.result.contract if record.result is not None else None
    if contract is None or not record.cards:
        return None
    return PlayToSolve(
        format_deal(record.board.deal),
        contract.strain.letters,
        contract.leader.letter,
        tuple(card.card.pbn for card in record.cards),
    )
