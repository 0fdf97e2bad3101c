"""Bidding after a natural notrump bid: Stayman, transfers to the majors, and raises.

The same responses serve 1NT and 2NT openings, notrump overcalls, and 2NT after the strong 2C; only the points
needed for game differ.
"""

from collections.abc import Iterator
from typing import Final

from tourney.bots.basic.bidding.meaning import CallKind, Force, Meaning, at_least_as_long, is_shapely, meaning
from tourney.bots.basic.bidding.situation import InterpretedCall, Situation
from tourney.bots.basic.evaluation import Evaluation
from tourney.bridge import DOUBLE, PASS, REDOUBLE, Bid, Strain, Suit

C, D, H, S = Suit
_NT: Final = Strain.NOTRUMP
_GAME: Final = 25
"""Points of both hands for 3NT or four of a major."""
_SLAM: Final = 33
_ASK: Final = "Asking for a four-card major suit"


def notrump_responses(situation: Situation) -> Iterator[Meaning]:
    """List the responses to partner's natural notrump bid."""
    bid = situation.partner_calls[-1]
    assert bid.bid is not None
    if isinstance(situation.right_call, Bid):
        yield from _contested_responses(situation)
        return
    level = bid.bid.level
    low, high = bid.meaning.points
    game = _GAME - low
    yield meaning(Bid(6, _NT), (_SLAM - low, 37), condition=lambda hand: hand.is_balanced and not _has_major(hand, 4))
    if level <= 2:
        yield from _asking_bids(level, game)
    if level == 1:
        yield meaning(REDOUBLE, (game - 2, 37), kind=CallKind.PENALTY)
    yield meaning(Bid(4, _NT), (_SLAM - high, _SLAM - low - 1), balanced=True, kind=CallKind.QUANTITATIVE)
    if level <= 2:
        yield meaning(Bid(3, _NT), (game, 37))
    if level == 1:
        yield meaning(Bid(2, _NT), (game - 2, game - 1), condition=lambda hand: hand.is_semi_balanced)
        for suit in (C, D):
            yield meaning(Bid(3, Strain(suit)), (0, game - 1), suits={suit: (6, 13)}, kind=CallKind.SIGN_OFF)
    yield meaning(PASS, (0, game - 1), kind=CallKind.PASS)
    yield meaning(PASS, kind=CallKind.PASS, exceptional=True)


def _asking_bids(level: int, game: int) -> Iterator[Meaning]:
    points_to_ask = game - 2 if level == 1 else game
    yield meaning(
        Bid(level + 1, Strain.CLUBS),
        (points_to_ask, 37),
        condition=_wants_to_ask,
        force=Force.ROUND,
        kind=CallKind.STAYMAN,
        phrase=_ASK,
    )
    for shown in (S, H):
        yield meaning(
            Bid(level + 1, Strain(shown - 1)),
            suits={shown: (5, 13)},
            condition=at_least_as_long(shown, S if shown is H else H),
            force=Force.ROUND,
            kind=CallKind.TRANSFER,
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
    """List the responses over an overcall: natural bids, a penalty double, a cue bid that asks for a major."""
    last, low = situation.last_bid, situation.partner_calls[-1].meaning.points.low
    assert last is not None
    game, suit = _GAME - low, last.strain.trumps
    if suit is None:
        return
    yield meaning(
        situation.cheapest(suit),
        (game, 37),
        condition=lambda hand: _has_major(hand, 4) and hand.lengths[suit] <= 3 and not _has_major(hand, 5),
        force=Force.ROUND,
        kind=CallKind.STAYMAN,
        phrase=_ASK,
    )
    yield meaning(
        DOUBLE,
        (game - 1, 37),
        suits={suit: (4, 13)},
        condition=lambda hand: hand.suit_hcp(suit) >= 3,
        kind=CallKind.PENALTY,
    )
    for other in (S, H, D, C):
        if other is suit:
            continue
        bid = situation.cheapest(other)
        if bid.level == 2:
            yield meaning(bid, (game - 5, game - 1), suits={other: (5, 13)}, kind=CallKind.SIGN_OFF)
        if bid.level <= 3:
            jump = Bid(3, bid.strain)
            yield meaning(jump, (game, 37), suits={other: (5, 13)}, force=Force.GAME, kind=CallKind.RESPONSE)
    yield meaning(Bid(3, _NT), (game, 37), condition=lambda hand: hand.stops(suit))
    yield meaning(Bid(2, _NT), (game - 2, game - 1), condition=lambda hand: hand.stops(suit))
    yield meaning(DOUBLE, (game - 1, 37), condition=lambda hand: hand.lengths[suit] >= 2, kind=CallKind.PENALTY)
    yield meaning(Bid(3, _NT), (game, 37))
    yield meaning(PASS, (0, game - 1), kind=CallKind.PASS)


def major_answers(situation: Situation) -> Iterator[Meaning]:
    """List the answers to Stayman."""
    ask = situation.partner_calls[-1].bid
    assert ask is not None
    base = situation.own_calls[-1].meaning.points
    for suit in (H, S):
        if suit not in situation.their_suits:
            yield meaning(situation.cheapest(suit), base, suits={suit: (4, 5)}, kind=CallKind.STAYMAN_ANSWER)
    if ask.strain is Strain.CLUBS:
        denial = situation.cheapest(D)
        yield meaning(denial, base, suits={H: (2, 3), S: (2, 3)}, kind=CallKind.STAYMAN_ANSWER, alerted=True)
    else:
        yield meaning(Bid(3, _NT), base, suits={H: (2, 3), S: (2, 3)}, kind=CallKind.SIGN_OFF)


def after_major_answer(situation: Situation) -> Iterator[Meaning]:
    """List the calls of the hand that asked, after the answer; slam tries are left to judgement."""
    answer = situation.partner_calls[-1]
    assert answer.bid is not None
    low, high = answer.meaning.points
    level, game, slam = answer.bid.level, _GAME - low, _SLAM - high
    found = answer.suit if answer.suit in (H, S) else None
    if found is not None:
        strain = Strain(found)
        yield meaning(Bid(4, strain), (game, slam + 1), suits={found: (4, 13)}, trumps=found, kind=CallKind.RAISE)
        if level == 2:
            yield meaning(
                Bid(3, strain), (0, game - 1), suits={found: (4, 13)}, trumps=found, kind=CallKind.LIMIT_RAISE
            )
    else:
        for suit in (S, H):
            bid = Bid(3, Strain(suit))
            yield meaning(bid, (game, 37), suits={suit: (5, 5)}, force=Force.GAME, kind=CallKind.RESPONSE)
            if level == 2:
                yield meaning(
                    Bid(2, Strain(suit)), (game - 2, game - 1), suits={suit: (5, 5)}, kind=CallKind.LIMIT_RAISE
                )
    other = {S: (4, 13), H: (0, 3)} if found is H else {H: (4, 13), S: (0, 3)} if found is S else {}
    fallen_short = {H: (0, 4), S: (0, 4)} if found is None else other
    yield meaning(Bid(6, _NT), (_SLAM - low, 37), suits=fallen_short)
    yield meaning(Bid(4, _NT), (slam, _SLAM - low - 1), suits=fallen_short, kind=CallKind.QUANTITATIVE)
    yield meaning(Bid(3, _NT), (game, slam - 1), suits=fallen_short)
    if level == 2:
        yield meaning(Bid(2, _NT), (0, game - 1), suits=fallen_short)


def transfer_completions(situation: Situation) -> Iterator[Meaning]:
    """List the completions of a transfer: the suit partner holds, with a jump on four cards and a maximum."""
    suit = transferred_suit(situation.partner_calls[-1])
    base = situation.own_calls[-1].meaning.points
    done = situation.cheapest(suit)
    if done.level == 2:
        jump = Bid(3, done.strain)
        yield meaning(jump, (base.high, 20), suits={suit: (4, 5)}, balanced=True, kind=CallKind.TRANSFER_DONE)
    yield meaning(done, base, kind=CallKind.TRANSFER_DONE, alerted=True)
    yield meaning(done, kind=CallKind.TRANSFER_DONE, exceptional=True, alerted=True)


def transferred_suit(transfer: InterpretedCall) -> Suit:
    """Return the suit that a transfer shows."""
    assert transfer.suit is not None
    return Suit(transfer.suit + 1)


def after_transfer(situation: Situation) -> Iterator[Meaning]:
    """List the calls of the hand that transferred, once the transfer has been completed."""
    done = situation.partner_calls[-1]
    assert done.bid is not None
    suit = done.suit
    assert suit is not None
    strain, level = Strain(suit), done.bid.level
    # Partner's range is that of its notrump bid: the completion says nothing about it.
    notrump = next(
        call
        for call in reversed(situation.partner_calls)
        if call.kind in (CallKind.NOTRUMP, CallKind.NOTRUMP_OVERCALL)
    )
    low, high = notrump.meaning.points
    game, slam = _GAME - low, _SLAM - high
    if level == 3 and notrump.bid == Bid(1, _NT):
        return
    yield meaning(Bid(4, strain), (game, slam + 1), suits={suit: (6, 13)}, kind=CallKind.SIGN_OFF)
    if level == 2:
        yield meaning(PASS, (0, game - 3), kind=CallKind.PASS)
        yield meaning(Bid(3, strain), (game - 2, game - 1), suits={suit: (6, 13)}, kind=CallKind.LIMIT_RAISE)
        for other in (H, D, C):
            if other is not suit:
                yield meaning(
                    situation.cheapest(other),
                    (game, 37),
                    suits={suit: (5, 13), other: (4, 13)},
                    condition=is_shapely,
                    force=Force.GAME,
                    kind=CallKind.RESPONSE,
                )
        yield meaning(Bid(2, _NT), (game - 2, game - 1), suits={suit: (5, 5)})
    yield meaning(Bid(4, _NT), (slam, _SLAM - low - 1), suits={suit: (5, 5)}, kind=CallKind.QUANTITATIVE)
    yield meaning(Bid(3, _NT), (game, slam - 1), suits={suit: (5, 5)})
    if level == 3:
        yield meaning(PASS, (0, game - 1), kind=CallKind.PASS)


def after_transfer_answer(situation: Situation) -> Iterator[Meaning]:
    """List opener's calls once partner has shown a five-card major and its strength: the major with three cards."""
    suit, last = transferred_suit(situation.partner_calls[0]), situation.partner_calls[-1].bid
    base = situation.shown[situation.me].points
    if last is None or situation.partner_calls[0].kind is not CallKind.TRANSFER:
        return
    strain, upper = Strain(suit), (base.low + base.high + 1) // 2
    if last == Bid(3, _NT):
        yield meaning(Bid(4, strain), base, suits={suit: (3, 5)}, kind=CallKind.SIGN_OFF)
        yield meaning(PASS, base, suits={suit: (2, 2)}, kind=CallKind.PASS)
    elif last == Bid(2, _NT):
        yield meaning(Bid(4, strain), (upper, 37), suits={suit: (3, 5)}, kind=CallKind.SIGN_OFF)
        yield meaning(Bid(3, _NT), (upper, 37), suits={suit: (2, 2)}, kind=CallKind.SIGN_OFF)
        yield meaning(Bid(3, strain), (0, upper - 1), suits={suit: (3, 5)}, kind=CallKind.SIGN_OFF)
        yield meaning(PASS, (0, upper - 1), suits={suit: (2, 2)}, kind=CallKind.PASS)
    elif last == Bid(3, strain):
        yield meaning(Bid(4, strain), (upper, 37), kind=CallKind.SIGN_OFF)
        yield meaning(PASS, (0, upper - 1), kind=CallKind.PASS)
