"""What a deal is worth: trick points and premiums (Law 77), and the duplicate score made of them.

Rubber bridge and Chicago use the same points, and differ from duplicate in the premiums for games and part scores.
Old records are scored by the laws of their time (`Laws`).
"""

import enum
from typing import Final, NamedTuple

from tourney.bridge.auction import Contract
from tourney.bridge.cards import Strain
from tourney.bridge.seats import Side, Vulnerability

TRICK_POINTS: Final = (20, 20, 30, 30, 30)
"""The points of a trick by its `Strain`, clubs first, undoubled; the first at notrump is worth `FIRST_NOTRUMP_EXTRA`
more."""

FIRST_NOTRUMP_EXTRA: Final = 10

GAME_POINTS: Final = 100
"""The trick points that make a game."""

DOUBLED_INSULT: Final = 50
"""The premium for making a doubled contract."""


class Laws(enum.Enum):
    """The laws that a deal is scored by (pagat.com, Contract Bridge)."""

    CURRENT = 300, 100, 100
    OLDER = 200, 50, 50
    """Those of duplicate before 1987, of rubber bridge and Chicago before 1993."""

    def __init__(self, fourth_undertrick: int, redoubled_insult: int, unfinished_part_score: int) -> None:
        self.fourth_undertrick = fourth_undertrick
        """What each doubled undertrick from the fourth on costs a side that is not vulnerable, in points."""
        self.redoubled_insult = redoubled_insult
        """The premium for making a redoubled contract, in points."""
        self.unfinished_part_score = unfinished_part_score
        """The premium for a part score in a rubber that is broken off, in points."""


class DealPoints(NamedTuple):
    """The points of one deal by what they are for, without premiums for a game or a part score.

    `penalty` goes to the defenders, everything else to declarer's side; one of the two is always zero.
    """

    tricks: int
    """The tricks contracted for: points below the line."""
    overtricks: int
    slam: int
    insult: int
    """For making a doubled or redoubled contract."""
    penalty: int
    """For undertricks."""


def deal_points(contract: Contract, tricks: int, *, vulnerable: bool, laws: Laws = Laws.CURRENT) -> DealPoints:
    """Return the points for a contract.

    Args:
        contract: what was played.
        tricks: tricks won by declarer's side, 0..13.
        vulnerable: whether declarer's side is.
        laws: those it is scored by.
    """
    assert 0 <= tricks <= 13, tricks
    over = tricks - contract.tricks_needed
    if over < 0:
        return DealPoints(0, 0, 0, 0, _undertricks(-over, contract.doubled, vulnerable=vulnerable, laws=laws))
    factor = 1 << contract.doubled
    slam = 0
    if contract.level == 6:
        slam = 750 if vulnerable else 500
    elif contract.level == 7:
        slam = 1500 if vulnerable else 1000
    overtrick = (100 if vulnerable else 50) * factor if contract.doubled else TRICK_POINTS[contract.strain]
    insult = (0, DOUBLED_INSULT, laws.redoubled_insult)[contract.doubled]
    return DealPoints(trick_points(contract.strain, contract.level) * factor, over * overtrick, slam, insult, 0)


def trick_points(strain: Strain, tricks: int) -> int:
    """Return what so many tricks above six are worth, undoubled."""
    return TRICK_POINTS[strain] * tricks + (FIRST_NOTRUMP_EXTRA if strain is Strain.NOTRUMP else 0)


def game_premium(trick_points: int, *, vulnerable: bool) -> int:
    """Return the duplicate premium of a contract that was made: 300 or 500 for a game, 50 for a part score."""
    if trick_points < GAME_POINTS:
        return 50
    return 500 if vulnerable else 300


def declarer_score(contract: Contract, tricks: int, *, vulnerable: bool, laws: Laws = Laws.CURRENT) -> int:
    """Return the duplicate score of declarer's side in points, negative when the contract fails.

    Args:
        contract: what was played.
        tricks: tricks won by declarer's side, 0..13.
        vulnerable: whether declarer's side is.
        laws: those it is scored by.
    """
    points = deal_points(contract, tricks, vulnerable=vulnerable, laws=laws)
    if points.penalty:
        return -points.penalty
    premium = game_premium(points.tricks, vulnerable=vulnerable)
    return points.tricks + points.overtricks + points.slam + points.insult + premium


def _undertricks(down: int, doubled: int, *, vulnerable: bool, laws: Laws) -> int:
    if doubled == 0:
        return down * (100 if vulnerable else 50)
    if vulnerable:
        points = 200 + 300 * (down - 1)
    else:
        points = 100 + 200 * min(down - 1, 2) + laws.fourth_undertrick * max(down - 3, 0)
    return points * doubled


def score_ns(contract: Contract | None, tricks: int, vulnerability: Vulnerability, laws: Laws = Laws.CURRENT) -> int:
    """Return North-South's score of a board in points; 0 when `contract` is None (passed out)."""
    if contract is None:
        return 0
    side = contract.declarer.side
    score = declarer_score(contract, tricks, vulnerable=vulnerability.includes(side), laws=laws)
    return score if side is Side.NS else -score
