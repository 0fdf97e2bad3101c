"""The form of BBO's `robot.php`, for services that read the hands alone which the seat sees, such as pidgin's.

From public scripts that call it; there is no document of BBO's. GIB itself is asked with all four hands, which nobody
at a table knows.
"""

from typing import Final
from xml.etree import ElementTree

from tourney.bots.api.dialect import (
    ApiAnswer,
    ApiDialect,
    ApiQuestion,
    ApiRequest,
    quote,
    read_call_text,
    read_card_text,
)
from tourney.bots.strategy import Decision
from tourney.bridge import Action, Bid, Card, Vulnerability
from tourney.config.api import DialectName
from tourney.errors import FormatError

_VULNERABILITIES: Final = {
    Vulnerability.NONE: "-",
    Vulnerability.NS: "N",
    Vulnerability.EW: "E",
    Vulnerability.ALL: "B",
}
_CALLS: Final = {Action.PASS: "p", Action.DOUBLE: "x", Action.REDOUBLE: "xx"}


def _write(question: ApiQuestion) -> ApiRequest:
    view = question.view
    history = [_format_call(call) for call in view.auction.calls]
    history += [_format_card(card) for _, card in view.cards]
    query = {
        "pov": view.seat.letter,
        "d": view.dealer.letter,
        "v": _VULNERABILITIES[view.vulnerability],
        view.seat.letter.lower(): str(view.hand).lower(),
        "h": "-".join(history),
        "sc": "MP" if question.options.is_matchpoints else "tp",
    }
    if view.dummy_hand is not None and view.contract is not None:
        query[view.contract.dummy.letter.lower()] = str(view.dummy_hand).lower()
    return ApiRequest("", query)


def _format_call(call: Bid | Action) -> str:
    return f"{call.level}{call.strain.letters[0]}".lower() if isinstance(call, Bid) else _CALLS[call]


def _format_card(card: Card) -> str:
    return f"{card.suit.letter}{card.rank_letter.lower()}"


def _read(text: str, question: ApiQuestion) -> ApiAnswer:
    if "<!" in text:  # a document type, in which entities could be declared
        raise FormatError(f"answered with a page where <sc_bm> is due: {quote(text)}")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 # it has no entities of its own
    except ElementTree.ParseError:
        raise FormatError(f"answered with what is no XML, or breaks off: {quote(text)}") from None
    if root.tag != "sc_bm" or root.get("rc", "0") != "0":
        raise FormatError(f"refused the question: {quote(text)}")
    wanted, key = ("bid", "bid") if question.asks_call else ("play", "card")
    answer = next((each for each in root.iter("r") if each.get("type") == wanted), None)
    if answer is None:
        raise FormatError(f"answered without a {key}: {quote(text)}")
    if question.asks_call:
        # Every call comes with its meaning, and none says whether it is to be alerted.
        return Decision(read_call_text(answer.get(key)))
    return read_card_text(answer.get(key))


ROBOT_PHP: Final = ApiDialect(DialectName.ROBOT_PHP, _write, _read)
