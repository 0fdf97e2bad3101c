"""Which page of the system speaks of a situation. Where none does, `basic_bidding_judgement` decides."""

from collections.abc import Iterable

from tourney.bots.basic.bidding.advances import after_overcall, after_takeout
from tourney.bots.basic.bidding.contested import after_negative_double, over_double, over_overcall, reopenings
from tourney.bots.basic.bidding.meaning import Meaning, Tag
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
from tourney.bots.basic.bidding.situation import Made, Situation
from tourney.bots.basic.bidding.strong import ace_answers, strong_rebids, strong_responses, strong_second_responses
from tourney.bridge import DOUBLE, PASS, Bid


def book(situation: Situation) -> list[Meaning]:
    """The legal calls the system gives a meaning here, in the order of preference; empty when it is silent."""
    return situation.legal(_page(situation))


def _page(situation: Situation) -> Iterable[Meaning]:
    if situation.last_bid is None:
        return openings(situation)
    last = situation.partner_last
    if not situation.own and not situation.partners:
        return overcalls(situation)
    if last is None or last.call is PASS:
        return _after_partner_passed(situation)
    if last.tag is Tag.ASK_ACES:
        return ace_answers(situation)
    if not situation.own:
        return _first_answer(situation, last) if len(situation.partners) == 1 else ()
    return _second_round(situation, last)


def _after_partner_passed(situation: Situation) -> Iterable[Meaning]:
    own = situation.own
    opened = len(own) == 1 and own[0].tag is Tag.OPENING and not situation.partners
    if opened and situation.is_balancing and not situation.ours:
        return reopenings(situation)
    return ()


def _first_answer(situation: Situation, last: Made) -> Iterable[Meaning]:
    if last.tag is Tag.OPENING:
        if situation.right is PASS:
            return responses(situation)
        return over_double(situation) if situation.right is DOUBLE else over_overcall(situation)
    if last.tag in (Tag.NOTRUMP, Tag.NOTRUMP_OVERCALL):
        return notrump_responses(situation)
    if last.tag is Tag.STRONG:
        return strong_responses(situation)
    if last.tag is Tag.OVERCALL:
        return after_overcall(situation)
    if last.tag is Tag.TAKEOUT:
        return after_takeout(situation)
    return ()


def _second_round(situation: Situation, last: Made) -> Iterable[Meaning]:
    """Both of the side have called; partner's last call was no pass."""
    if isinstance(situation.right, Bid):
        return ()
    own = situation.own[-1]
    match (own.tag, last.tag):
        case (_, Tag.STAYMAN):
            return major_answers(situation)
        case (_, Tag.TRANSFER):
            return transfer_completions(situation)
        case (Tag.STAYMAN, Tag.STAYMAN_ANSWER):
            return after_major_answer(situation)
        case (Tag.TRANSFER, Tag.TRANSFER_DONE):
            return after_transfer(situation)
        case (Tag.TRANSFER_DONE, Tag.NATURAL | Tag.LIMIT_RAISE) if not situation.theirs:
            return after_transfer_answer(situation)
        case (Tag.STRONG, Tag.WAITING):
            return strong_rebids(situation)
        case (Tag.WAITING, Tag.NOTRUMP):
            return notrump_responses(situation)
        case (Tag.WAITING, Tag.OPENING):
            return strong_second_responses(situation)
        case (Tag.OPENING, Tag.NEGATIVE):
            return after_negative_double(situation)
        case _:
            return _rebid(situation)


def _rebid(situation: Situation) -> Iterable[Meaning]:
    own = situation.own[-1]
    has_opened_and_heard = own.tag is Tag.OPENING and len(situation.own) == len(situation.partners) == 1
    if has_opened_and_heard and situation.right is PASS:
        return rebids(situation)
    return ()
