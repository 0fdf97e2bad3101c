"""After a notrump bid that shows a balanced hand: the asking 2C, transfers to the majors, raises.

The same answers serve 1NT and 2NT openings, notrump overcalls, and 2NT after the strong 2C: all that changes is
how many points make game.
"""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import Force, Meaning, Tag, meaning
from tourney.bots.basic.bidding.needs import at_least_as_long, is_shapely
from tourney.bots.basic.bidding.situation import Made, Situation
from tourney.bots.evaluation import Evaluation
from tourney.bridge import DOUBLE, PASS, REDOUBLE, Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP
_GAME: Final = 25
"""Points of both hands for 3NT or four of a major."""
_SLAM: Final = 33
_ASK: Final = "Asking for a four-card major suit"


def notrump_responses(situation: Situation) -> Iterator[Meaning]:
    """Answers to partner's natural notrump bid, while right-hand opponent has passed or doubled."""
    bid = situation.partners[-1]
    assert bid.bid is not None
    if isinstance(situation.right, Bid):
        yield from _contested_responses(situation)
        return
    level = bid.bid.level
    low, high = bid.meaning.points
    game = _GAME - low
    yield meaning(Bid(6, _NT), (_SLAM - low, 37), needs=lambda hand: hand.is_balanced and not _has_major(hand, 4))
    if level <= 2:
        yield from _asks(level, game)
    if level == 1:
        yield meaning(REDOUBLE, (game - 2, 37), tag=Tag.PENALTY)
    yield meaning(Bid(4, _NT), (_SLAM - high, _SLAM - low - 1), balanced=True, tag=Tag.QUANTITATIVE)
    if level <= 2:
        yield meaning(Bid(3, _NT), (game, 37))
    if level == 1:
        yield meaning(Bid(2, _NT), (game - 2, game - 1), needs=lambda hand: hand.is_semi_balanced)
        for suit in (C, D):
            yield meaning(Bid(3, Strain(suit)), (0, game - 1), suits={suit: (6, 13)}, tag=Tag.SIGN_OFF)
    yield meaning(PASS, (0, game - 1), tag=Tag.PASS)
    yield meaning(PASS, tag=Tag.PASS, aside=True)


def _asks(level: int, game: int) -> Iterator[Meaning]:
    worth_asking = game - 2 if level == 1 else game
    yield meaning(
        Bid(level + 1, Strain.CLUBS),
        (worth_asking, 37),
        needs=_wants_to_ask,
        force=Force.ROUND,
        tag=Tag.STAYMAN,
        phrase=_ASK,
    )
    for shown in (S, H):
        yield meaning(
            Bid(level + 1, Strain(shown - 1)),
            suits={shown: (5, 13)},
            needs=at_least_as_long(shown, S if shown is H else H),
            force=Force.ROUND,
            tag=Tag.TRANSFER,
            alerted=True,
        )


def _wants_to_ask(hand: Evaluation) -> bool:
    longer, shorter = sorted((hand.lengths[H], hand.lengths[S]), reverse=True)
    if longer == 4:
        return min(hand.lengths) < 3
    return longer == 5 and shorter == 4


def _has_major(hand: Evaluation, length: int) -> bool:
    return max(hand.lengths[H], hand.lengths[S]) >= length


def _contested_responses(situation: Situation) -> Iterator[Meaning]:
    """Over an overcall: natural, a double for penalties, their suit to ask for a major."""
    last, low = situation.last_bid, situation.partners[-1].meaning.points.low
    assert last is not None
    game, suit = _GAME - low, last.strain.trumps
    if suit is None:
        return
    yield meaning(
        situation.cheapest(suit),
        (game, 37),
        needs=lambda hand: _has_major(hand, 4) and hand.lengths[suit] <= 3 and not _has_major(hand, 5),
        force=Force.ROUND,
        tag=Tag.STAYMAN,
        phrase=_ASK,
    )
    yield meaning(
        DOUBLE,
        (game - 1, 37),
        suits={suit: (4, 13)},
        needs=lambda hand: hand.suit_hcp(suit) >= 3,
        tag=Tag.PENALTY,
    )
    for other in (S, H, D, C):
        if other is suit:
            continue
        bid = situation.cheapest(other)
        if bid.level == 2:
            yield meaning(bid, (game - 5, game - 1), suits={other: (5, 13)}, tag=Tag.SIGN_OFF)
        if bid.level <= 3:
            jump = Bid(3, bid.strain)
            yield meaning(jump, (game, 37), suits={other: (5, 13)}, force=Force.GAME, tag=Tag.RESPONSE)
    yield meaning(Bid(3, _NT), (game, 37), needs=lambda hand: hand.stops(suit))
    yield meaning(Bid(2, _NT), (game - 2, game - 1), needs=lambda hand: hand.stops(suit))
    yield meaning(DOUBLE, (game - 1, 37), needs=lambda hand: hand.lengths[suit] >= 2, tag=Tag.PENALTY)
    yield meaning(Bid(3, _NT), (game, 37))
    yield meaning(PASS, (0, game - 1), tag=Tag.PASS)


def major_answers(situation: Situation) -> Iterator[Meaning]:
    """Answers to the question for a four-card major."""
    ask = situation.partners[-1].bid
    assert ask is not None
    base = situation.own[-1].meaning.points
    for suit in (H, S):
        if suit not in situation.their_suits:
            yield meaning(situation.cheapest(suit), base, suits={suit: (4, 5)}, tag=Tag.STAYMAN_ANSWER)
    if ask.strain is Strain.CLUBS:
        denial = situation.cheapest(D)
        yield meaning(denial, base, suits={H: (2, 3), S: (2, 3)}, tag=Tag.STAYMAN_ANSWER, alerted=True)
    else:
        yield meaning(Bid(3, _NT), base, suits={H: (2, 3), S: (2, 3)}, tag=Tag.SIGN_OFF)


def after_major_answer(situation: Situation) -> Iterator[Meaning]:
    """What the hand that asked does with the answer. Slam tries are left to judgement."""
    answer = situation.partners[-1]
    assert answer.bid is not None
    low, high = answer.meaning.points
    level, game, slam = answer.bid.level, _GAME - low, _SLAM - high
    found = answer.suit if answer.suit in (H, S) else None
    if found is not None:
        strain = Strain(found)
        yield meaning(Bid(4, strain), (game, slam + 1), suits={found: (4, 13)}, trumps=found, tag=Tag.RAISE)
        if level == 2:
            yield meaning(Bid(3, strain), (0, game - 1), suits={found: (4, 13)}, trumps=found, tag=Tag.LIMIT_RAISE)
    else:
        for suit in (S, H):
            bid = Bid(3, Strain(suit))
            yield meaning(bid, (game, 37), suits={suit: (5, 5)}, force=Force.GAME, tag=Tag.RESPONSE)
            if level == 2:
                yield meaning(Bid(2, Strain(suit)), (game - 2, game - 1), suits={suit: (5, 5)}, tag=Tag.LIMIT_RAISE)
    other = {S: (4, 13), H: (0, 3)} if found is H else {H: (4, 13), S: (0, 3)} if found is S else {}
    fallen_short = {H: (0, 4), S: (0, 4)} if found is None else other
    yield meaning(Bid(6, _NT), (_SLAM - low, 37), suits=fallen_short)
    yield meaning(Bid(4, _NT), (slam, _SLAM - low - 1), suits=fallen_short, tag=Tag.QUANTITATIVE)
    yield meaning(Bid(3, _NT), (game, slam - 1), suits=fallen_short)
    if level == 2:
        yield meaning(Bid(2, _NT), (0, game - 1), suits=fallen_short)


def transfer_completions(situation: Situation) -> Iterator[Meaning]:
    """Opener bids the suit partner holds: one higher with four cards and the most points."""
    suit = transferred_suit(situation.partners[-1])
    base = situation.own[-1].meaning.points
    done = situation.cheapest(suit)
    if done.level == 2:
        jump = Bid(3, done.strain)
        yield meaning(jump, (base.high, 20), suits={suit: (4, 5)}, balanced=True, tag=Tag.TRANSFER_DONE)
    yield meaning(done, base, tag=Tag.TRANSFER_DONE, alerted=True)
    yield meaning(done, tag=Tag.TRANSFER_DONE, aside=True, alerted=True)


def transferred_suit(transfer: Made) -> Suit:
    """The suit a transfer shows."""
    assert transfer.suit is not None
    return Suit(transfer.suit + 1)


def after_transfer(situation: Situation) -> Iterator[Meaning]:
    """What the hand that transferred does next."""
    done = situation.partners[-1]
    assert done.bid is not None
    suit = done.suit
    assert suit is not None
    strain, level = Strain(suit), done.bid.level
    # partner's range is that of the notrump bid, not of the completion, which says nothing
    notrump = next(made for made in reversed(situation.partners) if made.tag in (Tag.NOTRUMP, Tag.NOTRUMP_OVERCALL))
    low, high = notrump.meaning.points
    game, slam = _GAME - low, _SLAM - high
    if level == 3 and notrump.bid == Bid(1, _NT):
        return
    yield meaning(Bid(4, strain), (game, slam + 1), suits={suit: (6, 13)}, tag=Tag.SIGN_OFF)
    if level == 2:
        yield meaning(PASS, (0, game - 3), tag=Tag.PASS)
        yield meaning(Bid(3, strain), (game - 2, game - 1), suits={suit: (6, 13)}, tag=Tag.LIMIT_RAISE)
        for other in (H, D, C):
            if other is not suit:
                yield meaning(
                    situation.cheapest(other),
                    (game, 37),
                    suits={suit: (5, 13), other: (4, 13)},
                    needs=is_shapely,
                    force=Force.GAME,
                    tag=Tag.RESPONSE,
                )
        yield meaning(Bid(2, _NT), (game - 2, game - 1), suits={suit: (5, 5)})
    yield meaning(Bid(4, _NT), (slam, _SLAM - low - 1), suits={suit: (5, 5)}, tag=Tag.QUANTITATIVE)
    yield meaning(Bid(3, _NT), (game, slam - 1), suits={suit: (5, 5)})
    if level == 3:
        yield meaning(PASS, (0, game - 1), tag=Tag.PASS)


def after_transfer_answer(situation: Situation) -> Iterator[Meaning]:
    """Opener once partner has shown five cards of a major and its strength: the major with three, else notrump."""
    suit, last = transferred_suit(situation.partners[0]), situation.partners[-1].bid
    base = situation.shown[situation.me].points
    if last is None or situation.partners[0].tag is not Tag.TRANSFER:
        return
    strain, upper = Strain(suit), (base.low + base.high + 1) // 2
    if last == Bid(3, _NT):
        yield meaning(Bid(4, strain), base, suits={suit: (3, 5)}, tag=Tag.SIGN_OFF)
        yield meaning(PASS, base, suits={suit: (2, 2)}, tag=Tag.PASS)
    elif last == Bid(2, _NT):
        yield meaning(Bid(4, strain), (upper, 37), suits={suit: (3, 5)}, tag=Tag.SIGN_OFF)
        yield meaning(Bid(3, _NT), (upper, 37), suits={suit: (2, 2)}, tag=Tag.SIGN_OFF)
        yield meaning(Bid(3, strain), (0, upper - 1), suits={suit: (3, 5)}, tag=Tag.SIGN_OFF)
        yield meaning(PASS, (0, upper - 1), suits={suit: (2, 2)}, tag=Tag.PASS)
    elif last == Bid(3, strain):
        yield meaning(Bid(4, strain), (upper, 37), tag=Tag.SIGN_OFF)
        yield meaning(PASS, (0, upper - 1), tag=Tag.PASS)
