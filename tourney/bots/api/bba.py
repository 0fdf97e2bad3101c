"""BBA-Tools, which bids only: bridge-craftwork/BBA-Tools, `docs/api-contract.md` of 10 September 2026.

It continues the auction of a whole deal. The hands that the seat does not see are filled with the other cards at
random; the next call is that of the seat, whose engine sees its own hand alone.
"""

import random
import re
from typing import Final

from tourney.bots.api.dialect import (
    ApiAnswer,
    ApiDialect,
    ApiQuestion,
    ApiRequest,
    alert_text,
    parse_object,
    quote,
    read_call_text,
)
from tourney.bots.strategy import Decision
from tourney.bridge import DECK, SEATS, Deal, Hand, PlayerView, Vulnerability, format_deal
from tourney.config.api import DialectName
from tourney.errors import FormatError

_VULNERABILITIES: Final = {each: "Both" if each is Vulnerability.ALL else each.value for each in Vulnerability}

_CALL_AND_ALERT: Final = re.compile(r"\s*\S+ ALERT\.")
"""How the meaning of an alerted call begins: ` 2H ALERT. 8 to 21 total points`."""


def _write(question: ApiQuestion) -> ApiRequest:
    view, options = question.view, question.options
    body: dict[str, object] = {
        "deal": {
            "pbn": format_deal(_fill_deal(view)),
            "dealer": view.dealer.letter,
            "vulnerability": _VULNERABILITIES[view.vulnerability],
            "scoring": "MP" if options.is_matchpoints else "IMP",
        },
        "auctionPrefix": [str(call) for call in view.auction.calls],
    }
    own, other = view.seat.side.value.lower(), view.seat.side.other.value.lower()
    conventions = {own: options.model, other: options.opponents_model}
    named = {side: model for side, model in conventions.items() if model is not None}
    return ApiRequest("/api/auction/generate", body=body | ({"conventions": named} if named else {}))


def _fill_deal(view: PlayerView) -> Deal:
    """Deal the cards that the seat does not see at random, the same way each time that it is asked with this hand."""
    others = [card for card in DECK if card not in view.hand]
    random.Random(str(view.hand)).shuffle(others)
    places = [seat for seat in SEATS if seat is not view.seat]
    dealt = {seat: Hand.of(others[13 * place : 13 * place + 13]) for place, seat in enumerate(places)}
    north, east, south, west = ((dealt | {view.seat: view.hand})[seat] for seat in SEATS)
    return Deal((north, east, south, west))


def _read(text: str, question: ApiQuestion) -> ApiAnswer:
    answer = parse_object(text)
    if answer.get("success") is False:
        raise FormatError(f"failed without a reason: {quote(text)}")
    place, auction = len(question.view.auction.calls), answer.get("auction")
    if not isinstance(auction, list) or len(auction) <= place:
        raise FormatError(f"answered without a call after {place}: {quote(text)}")
    call = read_call_text(auction[place])
    meanings = answer.get("meanings")
    for meaning in meanings if isinstance(meanings, list) else ():
        if isinstance(meaning, dict) and meaning.get("position") == place and meaning.get("isAlert") is True:
            said = meaning.get("meaningExtended") or meaning.get("meaning")
            return Decision(call, alert_text(_CALL_AND_ALERT.sub("", str(said or ""), count=1)))
    return Decision(call)


BBA: Final = ApiDialect(DialectName.BBA, _write, _read)
