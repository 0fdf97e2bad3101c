"""Formats lines to players exactly as version 18 and the programs in use expect them, casing included."""

from collections.abc import Iterable
from typing import Final

from tourney.bridge import (
    CALLS,
    DECK,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    SUITS_DOWN,
    Bid,
    Board,
    Call,
    Card,
    Hand,
    Seat,
    Vulnerability,
)
from tourney.protocol.bluechip.profile import SeatedForm, TeamsLineForm

START_OF_BOARD = "Start of board"
END_OF_SESSION = "End of session"
DUMMY_TO_LEAD = "Dummy to lead"
ILLEGAL_BID = "Illegal bid"
ILLEGAL_CARD = "Illegal card"

_VULNERABLE = {
    Vulnerability.NONE: "Neither",
    Vulnerability.NS: "N/S",
    Vulnerability.EW: "E/W",
    Vulnerability.ALL: "Both",
}
_ACTION_WORDS = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}


def format_seated(seat: Seat, team: str, form: SeatedForm = SeatedForm.V18) -> str:
    """Format `North ("Alpha") seated` (BC-06), or the form of older servers."""
    return f'{seat.title} ("{team}") seated' if form is SeatedForm.V18 else f"{seat.title} {team} seated"


def format_teams(ns_team: str, ew_team: str, form: TeamsLineForm = TeamsLineForm.PLAIN) -> str:
    """Format `Teams : N/S : "Alpha" E/W : "Beta"`, by default without the full stop that breaks programs (BC-07)."""
    stop = "." if form is TeamsLineForm.V18 else ""
    tail = ". Playing IMP" if form is TeamsLineForm.PLAYING else ""
    return f'Teams : N/S : "{ns_team}"{stop} E/W : "{ew_team}"{tail}'


def format_board(board: Board) -> str:
    """Format `Board number 7. Dealer South. Both vulnerable.` (BC-13)."""
    return f"Board number {board.number}. Dealer {board.dealer.title}. {_VULNERABLE[board.vulnerability]} vulnerable."


def format_hand(hand: Hand) -> str:
    """Format `S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3.` (BC-14)."""
    suits = zip("SHDC", str(hand).split("."), strict=True)
    return " ".join([f"{letter} {' '.join(ranks) or '-'}." for letter, ranks in suits])


def format_cards(seat: Seat, hand: Hand) -> str:
    """Format `North's cards : S A K 7. ...` (BC-14)."""
    return f"{seat.title}'s cards : {format_hand(hand)}"


def format_dummy(hand: Hand) -> str:
    """Format `Dummy's cards : S A K 7. ...` (BC-32)."""
    return f"Dummy's cards : {format_hand(hand)}"


def format_claim(seat: Seat) -> str:
    """Format `South claims` (BC-40)."""
    return f"{seat.title} claims"


def format_claimant(seat: Seat, cards: Iterable[Card]) -> str:
    """Format the cards that a claimant still holds, like a hand (BC-40)."""
    by_suit = {suit: sorted((card for card in cards if card.suit is suit), reverse=True) for suit in SUITS_DOWN}
    suits = " ".join(f"{suit.letter} {' '.join(str(c)[0] for c in held) or '-'}." for suit, held in by_suit.items())
    return f"{seat.title}'s cards : {suits}"


def format_claim_verdict(seat: Seat, *, accepted: bool) -> str:
    """Format `South's claim is accepted` (BC-41)."""
    return f"{seat.title}'s claim is {'accepted' if accepted else 'rejected'}"


def format_call(seat: Seat, call: Call) -> str:
    """Format `North passes`, `North bids 1NT` (BC-15)."""
    return f"{seat.title} bids {call}" if isinstance(call, Bid) else f"{seat.title} {_ACTION_WORDS[call]}"


def format_alert(text: str) -> str:
    """Format what follows an alerted call to the bidder's opponents: ` Alert. <text>.` (BC-17)."""
    return f" Alert. {_closed(text)}"


def format_infos(text: str) -> str:
    """Format what follows a call that was explained without an alert, for players of version 19."""
    return f" Infos. {_closed(text)}"


def format_signal(text: str) -> str:
    """Format what follows a card that came with a text, for players of version 19."""
    return f". {_closed(text)}"


def _closed(text: str) -> str:
    """Format a player's text for relaying: single blanks (BC-01), a full stop at the end."""
    text = " ".join(text.split())
    return text if text.endswith(".") else f"{text}."


def format_card(seat: Seat, card: Card) -> str:
    """Format `East plays QD` (BC-30)."""
    return f"{seat.title} plays {card}"


LINES: Final[dict[tuple[bool, Seat, Call | Card], str]] = {
    **{(False, seat, call): format_call(seat, call) for seat in SEATS for call in CALLS},
    **{(True, seat, card): format_card(seat, card) for seat in SEATS for card in DECK},
}
"""The line of each call and card by each seat, formatted once; the key begins with whether it is a card."""


def format_to_lead(seat: Seat) -> str:
    """Format `East to lead` (BC-29)."""
    return f"{seat.title} to lead"


def format_timing(ns_board_ms: int, ns_total_ms: int, ew_board_ms: int, ew_total_ms: int) -> str:
    """Format the line after every board: times in whole seconds, two blanks as printed (BC-37)."""
    return (
        f"Timing - N/S : this board  {_minutes(ns_board_ms)},  total  {_hours(ns_total_ms)}."
        f"  E/W : this board  {_minutes(ew_board_ms)},  total  {_hours(ew_total_ms)}"
    )


def _minutes(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 60:02}:{seconds % 60:02}"


def _hours(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def format_error(text: str) -> str:
    """Format an error line: one sentence, which programs show to their operator (BC-03, BC-08)."""
    return f"Error: {text}"


def format_connecting(team: str, seat: Seat, version: int, system: str = "") -> str:
    """Format a player's log-on (BC-05)."""
    line = f'Connecting "{team}" as {seat.title} using protocol version {version}'
    return f"{line} {system}" if system else line
