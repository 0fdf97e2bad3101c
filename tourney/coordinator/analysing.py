"""Double dummy analysis of an event's finished boards: whatever has not been solved yet is solved and stored."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tourney.bridge import format_deal
from tourney.coordinator.solving import PlayToSolve, Solver, solve_board, solve_play
from tourney.results.played import PlayedMatch
from tourney.scoring.double_dummy import BoardWorth, DoubleDummyTable
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardRecord
from tourney.store.results.matches import load_board_worths, load_play_tricks, save_board_worth, save_play_tricks


@dataclass(slots=True)
class _Left:
    """Boards (hands, dealer, vulnerability) and plays still to be solved, each with the keys of its results."""

    boards: defaultdict[tuple[str, str, str], list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Keys of a result: the set and the number of the board."""
    plays: defaultdict[PlayToSolve, list[tuple[int, int, int]]] = field(default_factory=lambda: defaultdict(list))
    """Keys of a result: the table, the board and the attempt."""

    @property
    def count(self) -> int:
        return len(self.boards) + len(self.plays)


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
    # A board that several matches play belongs to one set.
    for places in left.boards.values():
        places[:] = dict.fromkeys(places)
    return left


def _play_of(record: BoardRecord) -> PlayToSolve | None:
    """Return the play of a board; None if no card was played to a result."""
    contract = record.result.result.contract if record.result is not None else None
    if contract is None or not record.cards:
        return None
    return PlayToSolve(
        format_deal(record.board.deal),
        contract.strain.letters,
        contract.leader.letter,
        tuple(card.card.pbn for card in record.cards),
    )
