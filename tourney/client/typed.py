"""What a person types, and what it means in the game: a call, a card, or a command of the client's.

Calls and cards are read in the short forms that people use, and only those that are legal are taken; whatever is not
raises `RuleError` with the reason.
"""

import enum
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import DECK, Bid, Call, Card, Seat
from tourney.client.game_view import GameView
from tourney.client.wording import SUIT_SIGNS, call_word, card_name, rank_text, suit_name
from tourney.errors import RuleError
from tourney.player.answers import find_call, find_card


class Command(enum.StrEnum):
    """The commands of the client; the values are the words for them."""

    HELP = "help"
    STATE = "state"
    JOIN = "join"
    NEW = "new"
    LEAVE = "leave"
    TOURNAMENT = "tournament"
    START = "start"
    READY = "ready"
    CLAIM = "claim"
    UNDO = "undo"
    ASK = "ask"
    TELL = "tell"
    SAY = "say"
    MUTE = "mute"
    DIRECTOR = "director"
    ACCEPT = "accept"
    REJECT = "reject"
    QUIT = "quit"


class TypedCall(NamedTuple):
    """A legal call. `alert` is its explanation if one was typed with it."""

    call: Call
    alert: str = ""


class TypedCommand(NamedTuple):
    """A command and what follows it."""

    command: Command
    rest: str = ""


Typed: TypeAlias = TypedCall | Card | TypedCommand
"""A card is a legal one, of the hand whose turn it is."""

_COMMANDS: Final = {command.value: command for command in Command} | {
    "?": Command.HELP,
    "exit": Command.QUIT,
    "bye": Command.QUIT,
}

_LETTERS: Final = {ord(sign): suit.letter for suit, sign in SUIT_SIGNS.items()}

_ID: Final = re.compile(r"[a-zA-Z0-9]{1,64}")
_WITH_ALERT: Final = re.compile(r"(?P<call>[^!]+?)\s*(?:!|\balert\b)\s*(?P<text>.*)", re.IGNORECASE | re.DOTALL)


def parse_typed(text: str, view: GameView) -> Typed:
    """Parse what a person has typed, which has more than blanks.

    Raises:
        RuleError: it is nothing that can be done now; the sentence says why, and what can.
    """
    text = text.strip()
    word, _, rest = text.partition(" ")
    command = _COMMANDS.get(word.lower())
    if command is not None:
        return TypedCommand(command, rest.strip())
    if not view.is_my_turn:
        raise RuleError(_why_not_now(view))
    if view.in_auction:
        with_alert = _WITH_ALERT.fullmatch(text)
        said, alert = (with_alert["call"], with_alert["text"].strip()) if with_alert is not None else (text, "")
        return TypedCall(_parse_call(_squeeze(said), view), alert)
    return _parse_card(_squeeze(text), view)


def is_move(text: str) -> bool:
    """Return whether a text is meant as a call or a card, which may have to wait for the player's turn."""
    word = text.strip().partition(" ")[0].lower()
    return bool(word) and word not in _COMMANDS


def _squeeze(text: str) -> str:
    # An emoji's suit has a variation selector after it.
    return re.sub(r"[\s\ufe0e\ufe0f]+", "", text).translate(_LETTERS)


def _why_not_now(view: GameView) -> str:
    if view.seat is None:
        return "you have no seat yet"
    if view.known is None or view.is_over:
        return "no board is being played: wait for the next"
    if view.turn is None:
        return "no call or card is accepted at the moment"
    if view.is_dummy and view.turn is view.seat:
        declarer = view.declarer
        assert declarer is not None
        return f"you are dummy: {declarer.title} plays your cards"
    actor = view.actor
    assert actor is not None
    what = "call" if view.in_auction else "play"
    whose = " from dummy" if actor is not view.turn else ""
    return f"it is {actor.title}'s turn to {what}{whose}"


# Calls


def _parse_call(said: str, view: GameView) -> Call:
    call = find_call(said)
    if call is None:
        problem = "is a card, and it is your turn to bid" if _meant(said, DECK) else "is not a call"
        raise RuleError(f"{said[:20]!r} {problem}: {describe_calls(view)}; ? for help")
    if call in view.legal_calls():
        return call
    if view.is_minibridge:
        raise RuleError(f"{call_word(call)} is not a contract of Minibridge: {describe_calls(view)}")
    why = view.known.auction.why_illegal(call) if view.known is not None else None
    raise RuleError(f"{call_word(call)} is not possible: {why}" if why else f"{call_word(call)} is not possible now")


def describe_calls(view: GameView) -> str:
    """Describe the calls that the player may make.

    `1C .. 7NT, PASS, DOUBLE`; at Minibridge `part score 1C 1D 1H 1S 1NT, game 3NT 4H 4S 5C 5D`.
    """
    calls = view.legal_calls()
    bids = [call for call in calls if isinstance(call, Bid)]
    if view.is_minibridge:
        parts, games = ([str(bid) for bid in bids if (bid.level > 1) is is_game] for is_game in (False, True))
        return f"part score {' '.join(parts)}, game {' '.join(games)}"
    words = [call_word(call) for call in calls if not isinstance(call, Bid)]
    if bids:
        words.insert(0, str(bids[0]) if len(bids) == 1 else f"{min(bids)} .. {max(bids)}")
    return ", ".join(words)


# Cards


def _meant(said: str, among: Iterable[Card]) -> list[Card]:
    """Return the cards that a text may stand for: suit and rank in either order, or one of them alone."""
    card, said = find_card(said), said.upper()
    return [each for each in among if card == each or said in (each.suit.letter, each.rank_letter, rank_text(each))]


def _parse_card(said: str, view: GameView) -> Card:
    assert view.turn is not None
    legal, named = view.legal_cards(), _meant(said, DECK)
    if not named:
        if find_call(said) is not None:
            raise RuleError("the auction is over: play a card, such as sa or 10h")
        raise RuleError(f"{said[:20]!r} is not a card: type suit and rank, such as sa or 10h; ? for help")
    allowed = _meant(said, legal)
    if len(allowed) == 1:
        return allowed[0]
    if allowed:
        choices = " or ".join(f"{card.suit.letter}{rank_text(card)}" for card in allowed)
        raise RuleError(f"{said} may be {choices}: say which")
    whose = "you hold" if view.turn is view.seat else "dummy holds"
    if not _meant(said, view.held(view.turn)):
        raise RuleError(f"{whose} {_missing(named)}")
    raise RuleError(f"follow suit: {whose} {describe_held(legal)}")


def _missing(named: Sequence[Card]) -> str:
    first, *others = named
    if not others:
        return f"no such card: not {card_name(first)}"
    return f"no {suit_name(first.suit) if first.suit is others[0].suit else rank_text(first)}"


def describe_held(cards: Sequence[Card]) -> str:
    """`the heart K`, `the hearts K 9 4`: cards of one suit."""
    suit = suit_name(cards[0].suit)
    return f"the {suit if len(cards) > 1 else suit.removesuffix('s')} {' '.join(map(rank_text, cards))}"


def parse_join(rest: str) -> tuple[str, Seat | None]:
    """Parse what follows `join`: a game, and perhaps a position.

    Raises:
        RuleError: it is not that.
    """
    game, _, position = rest.partition(" ")
    seat = next((each for each in Seat if position.strip().upper() in (each.letter, each.title.upper())), None)
    if _ID.fullmatch(game) is None or (position.strip() and seat is None):
        raise RuleError("type join, the game, and perhaps a seat: join g3 N")
    return game, seat


def parse_number(rest: str) -> int:
    """Parse what follows `ask`: the number of a call, from 1.

    Raises:
        RuleError: it is not that.
    """
    if re.fullmatch(r"[0-9]{1,3}", rest) is None:
        raise RuleError("type ask and the number of the call, from 1 for the first: ask 3")
    return int(rest)


def parse_tournament(rest: str) -> tuple[str | None, str | None]:
    """Parse what follows `tournament`: an id and a wished partner; neither for a tournament of one's own.

    Raises:
        RuleError: it is not that.
    """
    name, _, partner = rest.partition(" ")
    if name and _ID.fullmatch(name) is None:
        raise RuleError("type tournament, its id, and perhaps the name of a partner: tournament t1 Bob")
    return name or None, partner.strip() or None
