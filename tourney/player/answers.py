"""What a player answers: a call with its explanation, or a card; as values or in the usual texts."""

from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import CALLS, DOUBLE, PASS, REDOUBLE, Action, Bid, Call, Card
from tourney.bridge.cards import CARD_SPELLINGS
from tourney.errors import PlayerError


class Answer(NamedTuple):
    """A call, and what it means if it is to be alerted: `Answer("2D", "up to 10 total points, 6 cards in a major")`.

    The explanation goes to the opponents; its grammar is that of BC-22. It is empty for a natural call.
    """

    call: Call | str
    explanation: str = ""


CallAnswer: TypeAlias = Answer | tuple[Call | str, str] | Call | str
CardAnswer: TypeAlias = Card | str

_CALLS: Final[dict[str, Call]] = {
    **{str(call).upper().replace("NT", notrump): call for call in CALLS for notrump in ("NT", "N")},
    **dict.fromkeys(("P", "--", "-P-"), PASS),
    **dict.fromkeys(("D", "DB", "DBL", "DOUBLE"), DOUBLE),
    **dict.fromkeys(("R", "RD", "RDBL", "REDBL", "REDOUBLE"), REDOUBLE),
}
"""Calls by the texts that programs and archives have, in capitals."""


def find_call(text: str) -> Call | None:
    """Return the call that a text stands for, in either case: `pass`, `--`, `P`, `1NT`, `1n`, `Db`; None if none."""
    return _CALLS.get(text.strip().upper())


def find_card(text: str) -> Card | None:
    """Return the card that a text stands for, suit or rank first: `SA`, `as`, `H10`; None if none."""
    return CARD_SPELLINGS.get(text.strip().upper())


def read_call(answer: object) -> tuple[Call, str]:
    """Read what a player has answered as a call: the call, and its explanation.

    Raises:
        PlayerError: it is none.
    """
    explanation: object = ""
    if isinstance(answer, tuple) and not isinstance(answer, Bid | Card) and len(answer) == 2:
        answer, explanation = answer
    call = find_call(answer) if isinstance(answer, str) else answer
    if not isinstance(call, Bid | Action):
        raise PlayerError(
            f"call() returns a call such as 'pass', '1NT' or Bid(1, Strain.NOTRUMP), got {answer!r:.100}"
        )
    if not isinstance(explanation, str):
        raise PlayerError(f"the explanation of a call is a text, got {explanation!r:.100}")
    return call, " ".join(explanation.split())


def read_card(answer: object) -> Card:
    """Read what a player has answered as a card.

    Raises:
        PlayerError: it is none.
    """
    card = find_card(answer) if isinstance(answer, str) else answer
    if not isinstance(card, Card):
        raise PlayerError(f"play() returns a card such as 'SA' or one of view.legal_cards, got {answer!r:.100}")
    return card
