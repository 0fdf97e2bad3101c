"""BEN's `gameapi.py`, and Brill's Seat Robot API, which asks in the same words.

BEN: lorserker/ben, `src/gameapi.py`, versions 0.8.7.5 to 0.8.8.6. Brill: as hsperr/pidgin has it, `emergent/apis.py`.
"""

from typing import Any, Final

from tourney.bots.api.dialect import (
    ApiAnswer,
    ApiDialect,
    ApiQuestion,
    ApiRequest,
    ApiResponse,
    alert_text,
    parse_object,
    read_call_text,
    read_card_text,
)
from tourney.bots.strategy import Decision
from tourney.bridge import Action, Bid
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
