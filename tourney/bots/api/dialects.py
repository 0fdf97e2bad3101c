"""What services of each kind are asked and answer: BEN and Brill, which asks in the same words, and BBA-Tools.

BEN: lorserker/ben, `src/gameapi.py`, versions 0.8.7.5 to 0.8.8.6. Brill: the Seat Robot API, as hsperr/pidgin has it,
`emergent/apis.py`. BBA-Tools, which bids only: bridge-craftwork/BBA-Tools, `docs/api-contract.md` of 10 September
2026. It continues the auction of a whole deal. The hands that the seat does not see are filled with the other cards
at random; the next call is that of the seat, whose engine sees its own hand alone.
"""

import random
import re
from typing import Any, Final

from tourney.bots.api.service import (
    ApiAnswer,
    ApiDialect,
    ApiQuestion,
    ApiRequest,
    ApiResponse,
    alert_text,
    parse_object,
    quote,
    read_call_text,
    read_card_text,
)
from tourney.bots.strategy import Decision
from tourney.bridge import DECK, SEATS, Action, Bid, Deal, Hand, PlayerView, Vulnerability, format_deal
from tourney.config.api import DialectName
from tourney.errors import FormatError

_CALLS: Final = {Action.PASS: "--", Action.DOUBLE: "Db", Action.REDOUBLE: "Rd"}


def _write_ben(question: ApiQuestion) -> ApiRequest:
    # BEN keeps the scoring for later requests that do not say it, those of other seats too: it is always said.
    return _write(question, {"tournament": "mp" if question.options.is_matchpoints else "imps"})


def _write_brill(question: ApiQuestion) -> ApiRequest:
    options = question.options
    more = {"matchtype": "MP" if options.is_matchpoints else "IMP"}
    if options.model is not None:
        more["model"] = options.model
    return _write(question, more)


def _write(question: ApiQuestion, more: dict[str, str]) -> ApiRequest:
    """Ask for a card of dummy as declarer, with declarer's hand: the service sees whose turn it is."""
    view = question.view
    query = {
        "hand": str(view.hand),
        "seat": view.seat.letter,
        "dealer": view.dealer.letter,
        "vul": view.vulnerability.value,
        "ctx": "".join(_format_call(call) for call in view.auction.calls),
    } | more
    if question.asks_call:
        return ApiRequest("/bid", query)
    if not view.cards:
        return ApiRequest("/lead", query)
    played = {"dummy": str(view.dummy_hand), "played": "".join(card.pbn for _, card in view.cards)}
    return ApiRequest("/play", query | played)


def _format_call(call: Bid | Action) -> str:
    """Format a call in two characters."""
    return f"{call.level}{call.strain.letters[0]}" if isinstance(call, Bid) else _CALLS[call]


def _read(text: str, question: ApiQuestion) -> ApiAnswer:
    answer = parse_object(text)
    if not question.asks_call:
        return read_card_text(_part(answer, "card"))
    call = read_call_text(_part(answer, "bid"))
    is_alerted = str(answer.get("alert")).lower() == "true"  # of BEN a text, of Brill a boolean
    return Decision(call, alert_text(answer.get("explanation")) if is_alerted else "")


def _read_brill(text: str, question: ApiQuestion) -> ApiAnswer:
    # Without this, BEN before 0.8.7.5 would be taken for Brill, and misread the vulnerability without an error.
    if "who" in parse_object(text):
        raise FormatError('answered as BEN does, with who chose: its dialect is "ben"')
    return _read(text, question)


def _part(answer: dict[str, Any], key: str) -> object:
    if key not in answer:
        raise FormatError(f"answered without a {key}: its keys are {', '.join(answer) or 'none'}")
    return answer[key]


# What BEN answers to /autoplay without parameters: a page that only versions since 0.8.7.5 have

_AUTOPLAY: Final = ApiRequest("/autoplay")


def _knows_autoplay(response: ApiResponse) -> bool:
    return response.status == 400 and "'deal' parameter required" in response.text


def _check_sign(response: ApiResponse) -> None:
    if not _knows_autoplay(response):
        raise FormatError(
            f"has no /autoplay ({response.status}), so it is no BEN of 0.8.7.5 or later and would misread the "
            'vulnerability; the Seat Robot API is "brill"; or the address is another'
        )


def _check_brill_sign(response: ApiResponse) -> None:
    if _knows_autoplay(response):
        raise FormatError('is BEN: its dialect is "ben"')


BEN: Final = ApiDialect(DialectName.BEN, _write_ben, _read, sign=_AUTOPLAY, check_sign=_check_sign)
BRILL: Final = ApiDialect(DialectName.BRILL, _write_brill, _read_brill, sign=_AUTOPLAY, check_sign=_check_brill_sign)


# BBA-Tools

_VULNERABILITIES: Final = {each: "Both" if each is Vulnerability.ALL else each.value for each in Vulnerability}

_CALL_AND_ALERT: Final = re.compile(r"\s*\S+ ALERT\.")
"""How the meaning of an alerted call begins: ` 2H ALERT. 8 to 21 total points`."""


def _write_bba(question: ApiQuestion) -> ApiRequest:
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
    dealt[view.seat] = view.hand
    return Deal(tuple(dealt[seat] for seat in SEATS))


def _read_bba(text: str, question: ApiQuestion) -> ApiAnswer:
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


BBA: Final = ApiDialect(DialectName.BBA, _write_bba, _read_bba)
