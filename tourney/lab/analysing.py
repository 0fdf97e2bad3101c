"""Double dummy analysis of finished boards: whatever has not been solved yet is solved and stored.

The solver is endplay, an extra, in separate processes: never in one that plays tables. A solve takes about a quarter
of a second of one core; results are not computed again.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from itertools import starmap
from typing import Any, Final, NamedTuple

from tourney.bridge import SEATS, Strain, format_deal
from tourney.errors import LaunchError
from tourney.extras import check_extra, has_extra, install_command
from tourney.results.played import PlayedMatch
from tourney.runtime.parallel import side_by_side
from tourney.scoring.double_dummy import BoardWorth, DoubleDummyTable
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardRecord
from tourney.store.results.matches import load_board_worths, load_play_tricks, save_board_worth, save_play_tricks

SOLVED_BEFORE: Final = (3, 14)
"""The first Python that endplay has no package for; the extra `dd` of pyproject.toml says so too."""

PART_MAX: Final = 4
"""How many solves a process is given at once: what it has not finished when it is interrupted is solved again."""

_DENOMS: Final = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)
"""Denominations in endplay's order."""


class PlayToSolve(NamedTuple):
    """The play of a board: the deal as a PBN Deal tag from North, the cards as `SA`."""

    hands: str
    strain: str
    leader: str
    cards: tuple[str, ...]


def check_solver() -> None:
    """Check that the solver is installed.

    Raises:
        LaunchError: endplay is not installed.
    """
    if has_extra("dd") or sys.version_info[:2] < SOLVED_BEFORE:
        check_extra("dd", "double dummy analysis")
        return
    python, before = ".".join(map(str, sys.version_info[:2])), ".".join(map(str, SOLVED_BEFORE))
    raise LaunchError(
        f"double dummy analysis needs endplay, which has no package for Python {python}: analyse the event with a "
        f"Python before {before} and {install_command('dd')}"
    )


def solve_board(hands: str, dealer: str, vulnerability: str) -> BoardWorth:
    """Solve a board for every declarer and strain, and find its par."""
    from endplay.dds import calc_dd_table, par  # noqa: PLC0415 # takes a second, and an extra
    from endplay.types import Deal, Player, Vul  # noqa: PLC0415

    table = calc_dd_table(Deal(hands))
    rows = table.to_list()
    tricks = {(seat, strain): rows[_DENOMS.index(strain)][seat] for seat in SEATS for strain in Strain}
    vul = {"None": Vul.none, "NS": Vul.ns, "EW": Vul.ew, "All": Vul.both}[vulnerability]
    best = par(table, vul, list(Player)["NESW".index(dealer)])
    contracts = tuple(sorted(_contract(contract) for contract in best))
    return BoardWorth(DoubleDummyTable(tricks), best.score, contracts)


def _contract(contract: Any) -> str:  # endplay's
    over = contract.result
    strain = _DENOMS[int(contract.denom)].letters
    doubles = "X" * (int(contract.penalty.value) // 2)
    return f"{contract.level}{strain}{doubles} {contract.declarer.abbr} {f'{over:+}' if over else '='}"


def solve_play(play: PlayToSolve) -> list[int]:
    """Return declarer's tricks before the first card and after each card."""
    from endplay.dds import analyse_play  # noqa: PLC0415 # as above
    from endplay.types import Deal, Denom, Player  # noqa: PLC0415

    deal = Deal(play.hands)
    deal.trump = list(Denom)[_DENOMS.index(next(strain for strain in Strain if strain.letters == play.strain))]
    deal.first = list(Player)["NESW".index(play.leader)]
    return list(analyse_play(deal, play.cards))


# What is left to solve


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
    done = 0
    work: Any = (
        (partial(starmap, solve_board), boards, save_board_worth),
        (partial(map, solve_play), plays, save_play_tricks),
    )
    for solve, places, save in work:
        solved = side_by_side(solve, list(places), jobs, PART_MAX)
        for played_at, found in zip(places.values(), solved, strict=True):
            for place in played_at:
                save(database, *place, found)
            done += 1
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
