"""What a deal is worth: trick points and premiums (Law 77), and the duplicate score made of them.

Rubber bridge and Chicago use the same points, and differ from duplicate in the premiums for games and part scores.
Old records are scored by the laws of their time (`Laws`).
"""

import enum
from typing import Final, NamedTuple

from tourney.bridge.auction import Contract
from tourney.bridge.cards import Strain
from tourney.bridge.seats import Side, Vulnerability

TRICK_POINTS: Final = {
    Strain.CLUBS: 20,
    Strain.DIAMONDS: 20,
    Strain.HEARTS: 30,
    Strain.SPADES: 30,
    Strain.NOTRUMP: 30,
}
"""The points of a trick, undoubled; the first one at notrump is worth `FIRST_NOTRUMP_EXTRA` more."""

FIRST_NOTRUMP_EXTRA: Final = 10

GAME_POINTS: Final = 100
"""The trick points that make a game."""

DOUBLED_INSULT: Final = 50
"""The premium for making a doubled contract."""


class Laws(enum.Enum):
    """The laws that a deal is scored by (pagat.com, Contract Bridge)."""

    CURRENT = enum.auto()
    OLDER = enum.auto()
    """Those of duplicate before 1987, of rubber bridge and Chicago before 1993."""

    @property
    def fourth_undertrick(self) -> int:
        """What each doubled undertrick from the fourth on costs a side that is not vulnerable, in points."""
        return 300 if self is Laws.CURRENT else 200

    @property
    def redoubled_insult(self) -> int:
        """The premium for making a redoubled contract, in points."""
        return 100 if self is Laws.CURRENT else 50

    @property
    def unfinished_part_score(self) -> int:
        """The premium for a part score in a rubber that is broken off, in points."""
        return 100 if self is Laws.CURRENT else 50


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
    trick = TRICK_POINTS[contract.strain]
    first = FIRST_NOTRUMP_EXTRA if contract.strain is Strain.NOTRUMP else 0
    slam = 0
    if contract.level == 6:
        slam = 750 if vulnerable else 500
    elif contract.level == 7:
        slam = 1500 if vulnerable else 1000
    overtrick = (100 if vulnerable else 50) * factor if contract.doubled else trick
    insult = (0, DOUBLED_INSULT, laws.redoubled_insult)[contract.doubled]
    return DealPoints((trick * contract.level + first) * factor, over * overtrick, slam, insult, 0)


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
