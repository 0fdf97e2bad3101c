"""Our own player's side of the wire at the moments where the tests begin: South of Alpha, if no other is named."""

from collections.abc import Sequence
from typing import Any, TypeVar

from tests.support.conversation import steps_of
from tests.support.wire_tables import NORTH, SOUTH, WEST
from tourney.bridge import PASS, Bid, Seat, Strain, parse_call, parse_card
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import AskCall, AskCard, ClaimJudge, Leave, PlayerEffect, SendLine

CARDS = "South's cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9 8."
DUMMY = "Dummy's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2."
ONE_NT = Bid(1, Strain.NOTRUMP)

Kind = TypeVar("Kind")


def says(*lines: str) -> list[PlayerEffect]:
    return [SendLine(line) for line in lines]


def hear(player: PlayerCore, *lines: str) -> list[PlayerEffect]:
    """What the player does on the last of some lines."""
    effects: list[PlayerEffect] = []
    for line in lines:
        effects = player.receive_line(line.encode())
    return effects


def seated_player(seat: Seat = SOUTH, judge: ClaimJudge | None = None) -> PlayerCore:
    player = PlayerCore(seat, "Alpha" if seat in (NORTH, SOUTH) else "Beta", judge_claim=judge)
    player.start()
    hear(player, f'{seat.title} ("{player.team}") seated', 'Teams : N/S : "Alpha" E/W : "Beta"')
    return player


def in_auction(seat: Seat = SOUTH, cards: str = CARDS, judge: ClaimJudge | None = None) -> PlayerCore:
    """North deals board 1."""
    player = seated_player(seat, judge)
    hear(player, "Start of board", "Board number 1. Dealer North. Neither vulnerable.", cards)
    return player


def declarer(judge: ClaimJudge | None = None) -> PlayerCore:
    """South plays 1NT; North is dummy, West leads."""
    player = in_auction(judge=judge)
    hear(player, "North passes", "East passes")
    player.make_call(ONE_NT)
    hear(player, "West passes", "North passes")
    assert hear(player, "East passes") == says("South ready for West's card to trick 1")
    return player


def defender() -> PlayerCore:
    """North plays 1NT; East leads, South is dummy; the player is West."""
    player = in_auction(WEST, "West's cards : S 4 3 2. H A K Q J. D T 9 8. C 7 6 5.")
    hear(player, "North bids 1NT", "East passes", "South passes")
    player.make_call(PASS)
    return player


def only(kind: type[Kind], effects: Sequence[object]) -> Kind:
    """Return the only effect, which is of a kind."""
    (effect,) = effects
    assert isinstance(effect, kind)
    return effect


def converse(player: PlayerCore, script: str) -> None:
    """Hold a conversation; in return a player says something, asks its owner for something, or leaves:

    hears: West plays 4S -> a card of N
    hears bytes: North b\\x00ds 1C -> leaves: the table sent ...
    calls: 1C -> South bids 1C -> South ready for West's bid
    plays: N AS -> North plays AS -> ...
    plays 1: N AS -> nothing          in answer to the first thing that it asked its owner for; `calls 1` too
    claims 1 -> South claims
    knows -> 1 N NONE -> 765.432.AKQJ.T98 -> Pass Pass -> West 2S North AS       the board, its hand, calls, cards
    starts, is closed
    hears: North passes -> leaves: the table sent ...
    """
    asked: list[Any] = []
    for step in steps_of(script):
        words, _, said = step.what.partition(":")
        what, *more = words.split()
        said = said.strip()
        question: Any = asked[int(more[0]) - 1] if what in ("calls", "plays", "claims") and more else None
        match what:
            case "hears":
                line = said.encode().decode("unicode_escape").encode("latin-1") if more else said.encode()
                effects = player.receive_line(line)
            case "calls":
                effects = player.make_call(parse_call(said), asked=question)
            case "plays":
                hand, card = said.split()
                effects = player.make_card(Seat.from_letter(hand), parse_card(card), asked=question)
            case "claims":
                effects = player.make_claim(question)
            case "starts":
                effects = player.start()
            case "is":
                effects = player.receive_close()
            case "knows":
                step.check(_known(player))
                continue
            case _:
                raise AssertionError(f"a conversation has no step {step.what!r}")
        asked += [effect for effect in effects if isinstance(effect, AskCall | AskCard)]
        step.check([_told(effect) for effect in effects])


def _known(player: PlayerCore) -> list[str]:
    view = player.view
    if view is None:
        return []
    cards = " ".join(f"{hand.title} {card}" for hand, card in view.cards)
    board = f"{view.number} {view.dealer.letter} {view.vulnerability.value}"
    return [board, str(view.hand), " ".join(map(str, view.auction.calls)), cards]


def _told(effect: PlayerEffect) -> str:
    match effect:
        case SendLine():
            return effect.line
        case AskCall():
            return "a call"
        case AskCard():
            return f"a card of {effect.hand.letter}"
        case Leave():
            return f"leaves: {effect.reason}"
        case _:
            raise AssertionError(effect)
