"""The words of the client, and the sentences on what happens at the table."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tourney.bridge import RANKS, SEATS, Bid, Call, Card, Contract, Seat, Side, Suit, Vulnerability, describe_call
from tourney.bridge.cards import Hand
from tourney.bridge.minibridge import LOWEST_GAMES, contract_at_level, count_hcp
from tourney.client.game_view import GameView
from tourney.protocol.stateful.messages import ResultMessage, ScoreMessage
from tourney.terminal import show_controls

SUIT_SIGNS: Final = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}

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


def suit_name(suit: Suit) -> str:
    """`spades`, `hearts`."""
    return suit.name.lower()


def card_name(card: Card) -> str:
    """`the ace of spades`, `the 10 of hearts`."""
    return f"the {_RANK_NAMES.get(card.rank, card.rank)} of {suit_name(card.suit)}"


def vulnerability_word(vulnerability: Vulnerability) -> str:
    """`none`, `NS`, `EW` or `both`."""
    return {Vulnerability.NONE: "none", Vulnerability.ALL: "both"}.get(vulnerability, vulnerability.value)


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


_EVENT_GAME: Final = re.compile(r"match([0-9]+)(?:s([0-9]+))?(open|closed)")


def game_place(game: str) -> tuple[int, str] | None:
    """Return the match and the room of a game of an event by its id, `match007closed`; None of a game of a lobby."""
    found = _EVENT_GAME.fullmatch(game)
    return (int(found[1]), found[3]) if found is not None else None


def describe_game(game: str) -> str:
    """`match 7, closed room`, or the id of a game of a lobby: `g7`."""
    place = game_place(game)
    return f"match {place[0]}, {place[1]} room" if place is not None else game


def score_words(score_ns: int) -> str:
    """`NS +420`, `EW +50`, `0`."""
    if score_ns == 0:
        return "0"
    return f"{Side.NS if score_ns > 0 else Side.EW} +{abs(score_ns)}"


def describe_cards(cards: Iterable[Card], *, names_voids: bool = True) -> str:
    """`S: A K 10, H: -, D: 7 6, C: Q`: a hand in a sentence. Cards to choose from are told without the voids."""
    hand = Hand.of(cards)
    return ", ".join(
        f"{suit.letter}: {' '.join(map(rank_text, hand.suit(suit))) or '-'}"
        for suit in SUIT_SIGNS
        if names_voids or hand.suit(suit)
    )


# What happens at the table in sentences, one for each thing that is new: for pipes and screen readers


def narrate(before: GameView, after: GameView) -> list[str]:
    """Return what one message of the server has changed."""
    return [*_seating(before, after), *_board(before, after), *_auction(before, after), *_play(before, after)]


def _seating(before: GameView, after: GameView) -> Iterator[str]:
    if after.seat is not None and (after.game, after.seat) != (before.game, before.seat):
        yield f"you are {after.seat.title} in game {after.game}"
    if len(after.names) == 3 and after.names != before.names:
        others = ", ".join(f"{seat.title} {clean(after.names[seat])}" for seat in SEATS if seat in after.names)
        yield f"at the table: {others}"


def _board(before: GameView, after: GameView) -> Iterator[str]:
    if after.result is not None and after.result is not before.result:
        yield f"result of {_board_name(after.result_board)}: {result_words(after.result)}"
    if after.score is not None and after.score != before.score:
        yield f"score: {score_in_words(after.score)}"
    board = after.board
    if board is not None and board != before.board:
        vulnerable = vulnerability_word(board.vulnerability)
        yield f"{_board_name(board.number)}: dealer {board.dealer.title}, {vulnerable} vulnerable"
    for seat, points in after.points.items():
        if seat not in before.points:
            yield f"{seat.title} has {points} points"
    if after.known is not None and after.seat is not None and before.known is None:
        hand = after.held(after.seat)
        yield f"your hand, {count_hcp(Hand.of(hand))} points: {describe_cards(hand)}"


def _board_name(number: int) -> str:
    return f"board {number}" if number else "the board"


def score_in_words(score: ScoreMessage) -> str:
    """`NS 120 above, 60 below; EW 0 above, 40 below, vulnerable`, or `NS 420; EW 50`.

    Each side has its total alone while no points are below the line: many games, such as duplicate, have no line.
    """
    has_line = bool(score.ns_below or score.ew_below)
    sides = (
        (Side.NS, score.ns_above, score.ns_below, score.ns_vulnerable),
        (Side.EW, score.ew_above, score.ew_below, score.ew_vulnerable),
    )
    return "; ".join(
        f"{side} {above} above, {below} below{', vulnerable' if is_vulnerable else ''}"
        if has_line
        else f"{side} {above}"
        for side, above, below, is_vulnerable in sides
    )


def _auction(before: GameView, after: GameView) -> Iterator[str]:
    for number, call in enumerate(after.calls[len(before.calls) :], len(before.calls) + 1):
        if after.is_minibridge:
            break  # the contract says it all; the passes are the table's
        text = after.alerts.get(number)
        alerted = f" (alert: {clean(text)})" if text is not None else ""
        assert after.known is not None
        yield f"{describe_call(after.known.dealer.plus(number - 1), call)}{alerted}"
    if after.is_passed_out and not before.is_passed_out:
        yield "the board is passed out"
    if after.contract is not None and before.contract is None:
        yield f"the contract is {contract_words(after.contract, is_minibridge=after.is_minibridge)}"


def _play(before: GameView, after: GameView) -> Iterator[str]:
    if after.dummy_hand is not None and before.dummy_hand is None:
        whose = f", {after.dummy.title}" if after.dummy is not None else ""
        yield f"dummy{whose}: {describe_cards(after.dummy_hand.cards)}"
    trick, known = after.trick, before.trick
    if trick is not None and trick != known:
        same = known is not None and trick.cards[: len(known.cards)] == known.cards and not known.is_complete
        first = len(known.cards) if same and known is not None else 0
        for place, card in enumerate(trick.cards[first:], first):
            yield f"{trick.leader.plus(place).title} plays {card_name(card)}"
    if len(after.winners) > len(before.winners) + 1:  # after a claim, or a lost connection
        yield f"tricks: {tricks_in_words(after)}"
    elif len(after.winners) > len(before.winners):
        yield f"{after.winners[-1].title} wins the trick: {tricks_in_words(after)}"


def tricks_in_words(view: GameView) -> str:
    """`NS 3, EW 1`: the tricks that each side has won."""
    return ", ".join(f"{side} {view.tricks_won(side)}" for side in Side)


def whose_hand(view: GameView, seat: Seat) -> str:
    """`your`, `dummy's`: whose hand is to play."""
    return "your" if seat is view.seat else "dummy's"
