"""What a service over HTTP is asked and what it answers, whatever its dialect."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tourney.bots.strategy import Decision
from tourney.bridge import Call, Card, PlayerView, Seat
from tourney.config.api import DialectName
from tourney.errors import FormatError
from tourney.player.answers import find_call, find_card

ALERT_CHARS_MAX: Final = 300
"""How much of an explanation goes into an alert."""

_QUOTED_CHARS_MAX: Final = 200
"""How much of an answer a sentence quotes."""

_ALERT_WORD: Final = re.compile(r"\balert\b\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ApiOptions:
    """What a service is told about its bidding system and the event."""

    model: str | None = None
    """The model or system that it bids by; None for its own choice."""
    opponents_model: str | None = None
    """The system of the opponents, for a service that can be told."""
    is_matchpoints: bool = False
    """Whether the event is scored by matchpoints, else by IMPs."""


@dataclass(frozen=True, slots=True)
class ApiQuestion:
    """A question to a service: what a seat knows, and the hand in turn, its own or dummy's."""

    view: PlayerView
    hand: Seat
    options: ApiOptions = ApiOptions()

    @property
    def asks_call(self) -> bool:
        return self.view.contract is None

    def allows(self, answer: Decision | Card) -> bool:
        """Tell whether an answer is legal."""
        if isinstance(answer, Decision):
            return answer.call in self.view.auction.legal_calls()
        return answer in self.view.legal_from(self.hand)


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request without the address of the service."""

    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    """The JSON of a POST; None for a GET."""


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """What a service has answered to a request."""

    status: int
    text: str


ApiAnswer: TypeAlias = Decision | Card


@dataclass(frozen=True, slots=True)
class ApiDialect:
    """How services of one kind are asked."""

    name: DialectName
    write: Callable[[ApiQuestion], ApiRequest]
    read: Callable[[str, ApiQuestion], ApiAnswer]
    """Reads a body; raises FormatError, whose text goes on from the address of the service."""
    sign: ApiRequest | None = None
    """A request by whose answer services of the kind are known."""
    check_sign: Callable[[ApiResponse], None] = field(default=lambda _: None)
    """Checks its answer; raises FormatError, whose text goes on from the address, if that is of another kind."""


def parse_object(text: str) -> dict[str, Any]:
    """Parse the body of an answer that is a JSON object, whatever its header says.

    Raises:
        FormatError: it is none, or says that the service has refused the question.
    """
    if text.lstrip().startswith("<"):
        raise FormatError(f"answered with a page of HTML or XML where JSON is due: {quote(text)}")
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError(f"answered with what is no JSON, or breaks off: {quote(text)}") from None
    if not isinstance(answer, dict):
        raise FormatError(f"answered with JSON that is no object: {quote(text)}")
    for key in ("error", "message"):
        if answer.get(key):
            raise FormatError(f"refused the question: {quote(answer[key])}")
    return answer


def read_call_text(call: object) -> Call:
    """Read a call in any of the usual spellings.

    Raises:
        FormatError: it is none.
    """
    found = find_call(call) if isinstance(call, str) else None
    if found is None:
        raise FormatError(f"answered without a call: {quote(call)}")
    return found


def read_card_text(card: object) -> Card:
    """Read a card, suit or rank first.

    Raises:
        FormatError: it is none.
    """
    found = find_card(card) if isinstance(card, str) else None
    if found is None:
        raise FormatError(f"answered without a card: {quote(card)}")
    return found


def alert_text(explanation: object) -> str:
    """Return an explanation as the text of an alert: on one line, without the word itself, of limited length."""
    if not isinstance(explanation, str):
        return ""
    return " ".join(_ALERT_WORD.sub(" ", explanation).split())[:ALERT_CHARS_MAX].rstrip()


def quote(value: object) -> str:
    """Return what a sentence quotes of an answer."""
    if isinstance(value, str):
        value = " ".join(value.split())
    text = repr(value)
    return text if len(text) <= _QUOTED_CHARS_MAX else f"{text[:_QUOTED_CHARS_MAX]}..."
