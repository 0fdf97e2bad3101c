"""Double dummy analysis of an event's finished boards: whatever has not been solved yet is solved and stored."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from tourney.bridge import format_deal
from tourney.lab.solving import PART_MAX, PlayToSolve, check_solver, solve_boards, solve_plays
from tourney.results.played import PlayedMatch
from tourney.runtime.parallel import side_by_side
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardRecord
from tourney.store.results.matches import load_board_worths, load_play_tricks, save_board_worth, save_play_tricks


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
    boards: defaultdict[tuple[str, str, str], list[tuple[int, int]]] = defaultdict(list)
    plays: defaultdict[PlayToSolve, list[tuple[int, int, int]]] = defaultdict(list)
    for played in matches:
        match = played.match
        worths = load_board_worths(database, match.board_set_id)
        tricks = load_play_tricks(database, match)
        for board in played.boards:
            number = board.board.number
            key = format_deal(board.board.deal), board.board.dealer.letter, board.board.vulnerability.value
            place = match.board_set_id, number  # which several matches may play
            if number not in worths and place not in boards[key]:
                boards[key].append(place)
            for room, record in board.records.items():
                play = _play_of(record)
                if play is not None and (room, number) not in tricks:
                    plays[play].append((record.table.id, number, record.attempt))
    count = len(boards) + len(plays)
    if not count:
        return 0
    check_solver()
    solved_boards = zip(boards.values(), side_by_side(solve_boards, list(boards), jobs, PART_MAX), strict=True)
    for done, (played_at, worth) in enumerate(solved_boards, 1):
        for set_id, number in played_at:
            save_board_worth(database, set_id, number, worth)
        on_progress(done, count)
    solved_plays = zip(plays.values(), side_by_side(solve_plays, list(plays), jobs, PART_MAX), strict=True)
    for done, (tables, followed) in enumerate(solved_plays, len(boards) + 1):
        for table_id, number, attempt in tables:
            save_play_tricks(database, table_id, number, attempt, tricks=followed)
        on_progress(done, count)
    return count


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
