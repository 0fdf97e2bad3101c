"""What a bot has to decide. A strategy sees a `PlayerView` and nothing else."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from tourney.bridge import Call, Card, PlayerView, Seat
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, PlayerSide, SendLine

NATURAL: Final = "natural"
"""What a call means that has no alert."""


class Decision(NamedTuple):
    """A call, and the text of its alert in the protocol's grammar (BC-22); the text is empty for a natural call."""

    call: Call
    alert: str = ""


class Strategy(Protocol):
    """Chooses calls and cards for one seat.

    Strategies are deterministic: the same view and seed give the same choice, whatever was played on other boards,
    so that a board that is started again takes the same course.
    """

    def choose_call(self, view: PlayerView) -> Decision:
        """Return a legal call; `view.auction.turn` is `view.seat`."""

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Return one of `view.legal_from(hand)`; `hand` is the player's own seat, or dummy's if it is declarer."""


def answer(strategy: Strategy, core: PlayerSide, effects: Iterable[PlayerEffect]) -> Iterator[SendLine | Leave]:
    """Have a strategy answer what a player's core asks; yield what is left to be done, in order."""
    for effect in effects:
        match effect:
            case AskCall(view):
                decision = strategy.choose_call(view)
                yield from answer(strategy, core, core.make_call(decision.call, decision.alert, asked=effect))
            case AskCard(view, hand):
                card = strategy.choose_card(view, hand)
                yield from answer(strategy, core, core.make_card(hand, card, asked=effect))
            case _:
                yield effect


def answer_line(strategy: Strategy, core: PlayerSide, line: str) -> list[str]:
    """Return what a player without a connection says to a line of its table."""
    effects = answer(strategy, core, core.receive_line(line.encode()))
    return [effect.line for effect in effects if isinstance(effect, SendLine)]  # its seat is the table's matter


def explain_call(strategy: Strategy, view: PlayerView, number: int) -> str:
    """Return what a player's own call means, by its number from 1: the text of its alert, else that it is natural.

    The strategy is asked once more what it calls with what it knew then.
    """
    decision = strategy.choose_call(view.before_call(number))
    if decision.call != view.auction.calls[number - 1]:
        return "no agreement"
    return decision.alert or NATURAL


@dataclass(frozen=True, slots=True)
class Variation:
    """Makes players with different seeds choose differently between alternatives of about equal merit.

    Two players with the same seed vary alike on the same board.
    """

    seed: int
    board: int

    def of(self, subject: str) -> float:
        """Return a number from -1 to 1, evenly distributed; the same for the same subject, on any machine."""
        return random.Random(f"{self.seed}|{self.board}|{subject}").uniform(-1, 1)
