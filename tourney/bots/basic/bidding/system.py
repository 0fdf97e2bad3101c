"""The bidding system: which of its parts gives meanings to calls in a situation. `judgement` decides elsewhere."""

from collections.abc import Iterable

from tourney.bots.basic.bidding.advances import after_overcall, after_takeout
from tourney.bots.basic.bidding.contested import after_negative_double, over_double, over_overcall, reopenings
from tourney.bots.basic.bidding.meaning import CallKind, Meaning
from tourney.bots.basic.bidding.notrump import (
    after_major_answer,
    after_transfer,
    after_transfer_answer,
    major_answers,
    notrump_responses,
    transfer_completions,
)
from tourney.bots.basic.bidding.openings import openings
from tourney.bots.basic.bidding.overcalls import overcalls
from tourney.bots.basic.bidding.rebids import rebids
from tourney.bots.basic.bidding.responses import responses
from tourney.bots.basic.bidding.situation import InterpretedCall, Situation
from tourney.bots.basic.bidding.strong import ace_answers, strong_rebids, strong_responses, strong_second_responses
from tourney.bridge import DOUBLE, PASS, Bid


def system_meanings(situation: Situation) -> list[Meaning]:
    """List what the system's legal calls mean here, in order of preference; empty where it has no calls."""
    return situation.legal(_meanings(situation))


def _meanings(situation: Situation) -> Iterable[Meaning]:
    if situation.last_bid is None:
        return openings(situation)
    last = situation.partner_last
    if not situation.own_calls and not situation.partner_calls:
        return overcalls(situation)
    if last is None or last.call is PASS:
        return _after_partner_passed(situation)
    if last.kind is CallKind.ASK_ACES:
        return ace_answers(situation)
    if not situation.own_calls:
        return _first_response(situation, last) if len(situation.partner_calls) == 1 else ()
    return _second_round(situation, last)


def _after_partner_passed(situation: Situation) -> Iterable[Meaning]:
    own = situation.own_calls
    opened = len(own) == 1 and own[0].kind is CallKind.OPENING and not situation.partner_calls
    if opened and situation.is_balancing and not situation.bid_is_ours:
        return reopenings(situation)
    return ()


def _first_response(situation: Situation, last: InterpretedCall) -> Iterable[Meaning]:
    if last.kind is CallKind.OPENING:
        if situation.right_call is PASS:
            return responses(situation)
        return over_double(situation) if situation.right_call is DOUBLE else over_overcall(situation)
    if last.kind in (CallKind.NOTRUMP, CallKind.NOTRUMP_OVERCALL):
        return notrump_responses(situation)
    if last.kind is CallKind.STRONG:
        return strong_responses(situation)
    if last.kind is CallKind.OVERCALL:
        return after_overcall(situation)
    if last.kind is CallKind.TAKEOUT:
        return after_takeout(situation)
    return ()


def _second_round(situation: Situation, last: InterpretedCall) -> Iterable[Meaning]:
    """Give the calls for a hand that has called before and whose partner did not pass last."""
    if isinstance(situation.right_call, Bid):
        return ()
    own = situation.own_calls[-1]
    match (own.kind, last.kind):
        case (_, CallKind.STAYMAN):
            return major_answers(situation)
        case (_, CallKind.TRANSFER):
            return transfer_completions(situation)
        case (CallKind.STAYMAN, CallKind.STAYMAN_ANSWER):
            return after_major_answer(situation)
        case (CallKind.TRANSFER, CallKind.TRANSFER_DONE):
            return after_transfer(situation)
        case (CallKind.TRANSFER_DONE, CallKind.NATURAL | CallKind.LIMIT_RAISE) if not situation.their_calls:
            return after_transfer_answer(situation)
        case (CallKind.STRONG, CallKind.WAITING):
            return strong_rebids(situation)
        case (CallKind.WAITING, CallKind.NOTRUMP):
            return notrump_responses(situation)
        case (CallKind.WAITING, CallKind.OPENING):
            return strong_second_responses(situation)
        case (CallKind.OPENING, CallKind.NEGATIVE):
            return after_negative_double(situation)
        case _:
            return _rebid(situation)


def _rebid(situation: Situation) -> Iterable[Meaning]:
    own = situation.own_calls[-1]
    has_had_response = own.kind is CallKind.OPENING and len(situation.own_calls) == len(situation.partner_calls) == 1
    if has_had_response and situation.right_call is PASS:
        return rebids(situation)
    return ()
