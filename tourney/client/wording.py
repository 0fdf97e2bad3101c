"""The words and signs that the picture and the sentences share."""

import re
from collections.abc import Iterable
from typing import Final

from tourney.bridge import PASS, RANKS, Bid, Call, Card, Contract, Seat, Side, Suit
from tourney.bridge.minibridge import LOWEST_GAMES, contract_at_level
from tourney.protocol.stateful.messages import ResultMessage
from tourney.terminal import show_controls

SUIT_SIGNS: Final = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}

SUIT_NAMES: Final = {
    Suit.SPADES: ("spade", "spades"),
    Suit.HEARTS: ("heart", "hearts"),
    Suit.DIAMONDS: ("diamond", "diamonds"),
    Suit.CLUBS: ("club", "clubs"),
}

_RANK_NAMES: Final = {14: "ace", 13: "king", 12: "queen", 11: "jack"}

_COMMAND_WORDS: Final = (
    (r"\bJOIN-M(?= (g|match)[0-9])", "join"),
    (r"\bJOIN-M\b", "new"),
    (r"\bJOIN-T\b", "tournament"),
    (r"\bX-START\b", "start"),
    (r"\bX-LEAVE\b", "leave"),
    (r"\bHELLO\b", "--name"),
)
"""What a person types in place of messages, tried in this order."""

_DOUBLED: Final = ("", " doubled", " redoubled")


def clean(text: str) -> str:
    """Return the text of somebody else as one line that a terminal shows and does not obey.

    Control characters, marks of writing direction and whatever else has no shape of its own are shown escaped.
    """
    return show_controls(" ".join(text.split()))


def for_people(text: str) -> str:
    """Return a sentence of the server with the commands of the client in place of the messages of the protocol."""
    for message, command in _COMMAND_WORDS:
        text = re.sub(message, command, text)
    return text


def rank_text(card: Card) -> str:
    """`A`, `10`, `2`: a rank as people write it."""
    return "10" if card.rank == 10 else RANKS[card.rank - 2]


def card_name(card: Card) -> str:
    """`the ace of spades`, `the 10 of hearts`."""
    return f"the {_RANK_NAMES.get(card.rank, card.rank)} of {SUIT_NAMES[card.suit][1]}"


def call_text(call: Call) -> str:
    """`1NT`, `Pass`, `Dbl`, `Rdbl`: a call in a table."""
    if isinstance(call, Bid):
        return str(call)
    return {"Pass": "Pass", "X": "Dbl", "XX": "Rdbl"}[call.value]


def call_word(call: Call) -> str:
    """`1NT`, `PASS`, `DOUBLE`, `REDOUBLE`: a call in a prompt."""
    return str(call) if isinstance(call, Bid) else call.name


def contract_words(contract: Contract, *, is_minibridge: bool = False) -> str:
    """`4S doubled by North`; at Minibridge `game in S by North`."""
    if is_minibridge and contract.level in (1, LOWEST_GAMES[contract.strain]):
        chosen = contract_at_level(contract.level, contract.strain, contract.declarer)
        kind = "game" if chosen.is_game else "part score"
        return f"{kind} in {contract.strain.letters} by {contract.declarer.title}"
    plain = f"{contract.level}{contract.strain.letters}"
    return f"{plain}{_DOUBLED[contract.doubled]} by {contract.declarer.title}"


def result_words(result: ResultMessage) -> str:
    """`4S by North made, 10 tricks: NS +420`, `3NT by East 2 down, 7 tricks: NS +100`, `passed out`."""
    contract = result.contract
    if contract is None:
        return "passed out"
    over = result.tricks - contract.tricks_needed
    how = f"{-over} down" if over < 0 else "made" if over == 0 else f"made with {over} over"
    return f"{contract_words(contract)} {how}, {result.tricks} tricks: {score_words(result.score)}"


def score_words(score_ns: int) -> str:
    """`NS +420`, `EW +50`, `0`."""
    if score_ns == 0:
        return "0"
    return f"{Side.NS if score_ns > 0 else Side.EW} +{abs(score_ns)}"


def suits_of(cards: Iterable[Card]) -> dict[Suit, list[Card]]:
    """Return the cards by suit, spades first, each from the highest down; a void has an empty list."""
    ordered = sorted(cards, reverse=True)
    return {suit: [card for card in ordered if card.suit is suit] for suit in SUIT_SIGNS}


def describe_cards(cards: Iterable[Card]) -> str:
    """`S: A K 10, H: -, D: 7 6, C: Q`: a hand in a sentence."""
    return ", ".join(
        f"{suit.letter}: {' '.join(map(rank_text, held)) or '-'}" for suit, held in suits_of(cards).items()
    )


def describe_choice(cards: Iterable[Card]) -> str:
    """`S: A K 10, D: 7 6, C: Q`: cards of several suits, voids left out."""
    return ", ".join(
        f"{suit.letter}: {' '.join(map(rank_text, held))}" for suit, held in suits_of(cards).items() if held
    )


def describe_seat_call(seat: Seat | None, call: Call) -> str:
    """`North bids 1NT`, `East passes`."""
    who = seat.title if seat is not None else "somebody"
    if isinstance(call, Bid):
        return f"{who} bids {call}"
    return f"{who} {'passes' if call is PASS else 'doubles' if call.value == 'X' else 'redoubles'}"
