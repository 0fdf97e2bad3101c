"""Duplicate score (Laws 2017, Law 77)."""

from tourney.bridge.auction import Contract
from tourney.bridge.cards import Strain
from tourney.bridge.seats import Side, Vulnerability

_TRICK = {Strain.CLUBS: 20, Strain.DIAMONDS: 20, Strain.HEARTS: 30, Strain.SPADES: 30, Strain.NOTRUMP: 30}


def declarer_score(contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """The score of declarer's side in points, negative when the contract fails.

    Args:
        contract: what was played.
        tricks: tricks won by declarer's side, 0..13.
        vulnerable: whether declarer's side is.
    """
    assert 0 <= tricks <= 13, tricks
    over = tricks - contract.tricks_needed
    if over < 0:
        return -_undertricks(-over, contract.doubled, vulnerable=vulnerable)
    factor = 1 << contract.doubled
    trick = _TRICK[contract.strain]
    trick_score = (trick * contract.level + (10 if contract.strain is Strain.NOTRUMP else 0)) * factor
    score = trick_score
    if trick_score >= 100:
        score += 500 if vulnerable else 300
    else:
        score += 50
    if contract.level == 6:
        score += 750 if vulnerable else 500
    elif contract.level == 7:
        score += 1500 if vulnerable else 1000
    score += 50 * contract.doubled
    overtrick = (100 if vulnerable else 50) * factor if contract.doubled else trick
    return score + over * overtrick


def _undertricks(down: int, doubled: int, *, vulnerable: bool) -> int:
    if doubled == 0:
        return down * (100 if vulnerable else 50)
    if vulnerable:
        points = 200 + 300 * (down - 1)
    else:
        points = 100 + 200 * min(down - 1, 2) + 300 * max(down - 3, 0)
    return points * doubled


def score_ns(contract: Contract | None, tricks: int, vulnerability: Vulnerability) -> int:
    """North-South's score of a board in points; 0 when `contract` is None (passed out)."""
    if contract is None:
        return 0
    side = contract.declarer.side
    score = declarer_score(contract, tricks, vulnerable=vulnerability.includes(side))
    return score if side is Side.NS else -score
