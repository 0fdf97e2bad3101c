"""Opening bids: five-card majors, better minor, 1NT of 15 to 17, weak twos, an artificial 2C for strong hands."""

from collections.abc import Iterator

from tourney.bots.basic.bidding.meaning import CallKind, Condition, Force, Meaning, PointCount, both, meaning
from tourney.bots.basic.bidding.situation import Situation
from tourney.bots.basic.evaluation import Evaluation
from tourney.bridge import PASS, Bid, Strain, Suit

C, D, H, S = Suit
_NT = Strain.NOTRUMP


def openings(situation: Situation) -> Iterator[Meaning]:
    """List the opening bids, and the pass."""
    position = len(situation.calls) + 1
    yield meaning(Bid(2, _NT), (20, 21), balanced=True, kind=CallKind.NOTRUMP)
    yield meaning(
        Bid(2, Strain.CLUBS), (22, 37), count=PointCount.HCP, kind=CallKind.STRONG, force=Force.ROUND, alerted=True
    )
    yield meaning(Bid(1, _NT), (15, 17), balanced=True, kind=CallKind.NOTRUMP)
    yield from _one_of_a_suit(position)
    if position < 4:
        yield from _preempts(position, vulnerable=situation.is_vulnerable)
    yield meaning(PASS, (0, 12), kind=CallKind.PASS)
    yield meaning(PASS, kind=CallKind.PASS, exceptional=True)


def _one_of_a_suit(position: int) -> Iterator[Meaning]:
    opens = _strong_enough(position)
    for suit, other in ((S, H), (H, S)):
        yield meaning(
            Bid(1, Strain(suit)),
            (11, 25),
            suits={suit: (5, 13)},
            condition=both(opens, _is_first(suit, (other, D, C))),
            kind=CallKind.OPENING,
        )
    yield meaning(
        Bid(1, Strain.DIAMONDS),
        (11, 25),
        suits={D: (3, 13)},
        condition=both(opens, _prefers_diamonds),
        kind=CallKind.OPENING,
    )
    yield meaning(Bid(1, Strain.CLUBS), (11, 25), suits={C: (3, 13)}, condition=opens, kind=CallKind.OPENING)


def _is_first(suit: Suit, others: tuple[Suit, ...]) -> Condition:
    """Require the longest suit, or the highest of equally long ones."""
    return lambda hand: all((hand.lengths[suit], suit) > (hand.lengths[other], other) for other in others)


def _prefers_diamonds(hand: Evaluation) -> bool:
    clubs, diamonds = hand.lengths[C], hand.lengths[D]
    return diamonds > clubs or (diamonds == clubs and diamonds >= 4)


def _strong_enough(position: int) -> Condition:
    def opens(hand: Evaluation) -> bool:
        if hand.hcp >= 13:
            return True
        first, second = sorted(hand.lengths, reverse=True)[:2]
        if (
            position == 4
        ):  # The side with the spades can outbid the other: high-card points and spades must make fifteen.
            return hand.hcp + hand.lengths[S] >= 15 and hand.hcp >= 10
        if hand.hcp == 12:
            return not (hand.is_balanced and first == 4 and second == 3)
        if position == 3 and hand.hcp >= 10 and hand.is_good_suit(hand.longest) and first >= 5:
            return hand.hcp + first + second >= 18
        return hand.hcp >= 10 and hand.hcp + first + second >= 20

    return opens


def _preempts(position: int, *, vulnerable: bool) -> Iterator[Meaning]:
    def sound(suit: Suit) -> Condition:
        def test(hand: Evaluation) -> bool:
            honours = hand.top_honours(suit, 11)
            if any(hand.lengths[major] >= 4 for major in (H, S) if major is not suit):
                return False
            return honours >= (2 if vulnerable or position == 2 else 1)

        return test

    for suit in (S, H):
        yield _preempt(Bid(4, Strain(suit)), suit, (8, 13), (5, 11), sound(suit))
    for suit in (S, H, D, C):
        yield _preempt(Bid(3, Strain(suit)), suit, (7, 13), (5, 10), sound(suit))
    for suit in (S, H, D):
        yield meaning(
            Bid(2, Strain(suit)),
            (6 if vulnerable else 5, 10),
            suits={suit: (6, 6)},
            count=PointCount.HCP,
            condition=sound(suit),
            kind=CallKind.WEAK_TWO,
        )


def _preempt(bid: Bid, suit: Suit, length: tuple[int, int], hcp: tuple[int, int], sound: Condition) -> Meaning:
    return meaning(bid, hcp, suits={suit: length}, count=PointCount.HCP, condition=sound, kind=CallKind.PREEMPT)
