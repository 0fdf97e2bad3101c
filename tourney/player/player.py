"""The class that an author of a bridge program fills in."""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

from tourney.bridge import DECK, Call, Card, Seat, Suit
from tourney.bridge.claims import must_come_true
from tourney.player.answers import CallAnswer, CardAnswer
from tourney.player.view import View

SeatAnswer: TypeAlias = CallAnswer | CardAnswer | BaseException
"""What `act` answers for one seat: a call or a card; or an exception, which is raised for this seat alone."""


class Player:
    """A bridge player: subclass it, and fill in `call` and `play`.

    There is one object for each seat, made when the program starts and kept for all its boards. What `load` returns
    is made once and shared by all the seats of a process. A board may be started again, with the same cards, after
    a program or a table has failed: decide from the view, not from what you remember.

    An exception ends the program, with its traceback in the program's output. The table then rules as for any program
    that has ended.
    """

    batch: ClassVar[int] = 64
    """How many seats `act` is asked for at once, at most."""

    batch_ms: ClassVar[int] = 0
    """How long a seat that has been asked waits for others to be asked with it, in milliseconds. It is a part of the
    time that the seat thinks. With 0, only the seats that wait already are asked together."""

    model: Any = None
    """What `load` has returned."""

    def __init__(self, model: Any = None) -> None:
        self.model = model

    @classmethod
    def load(cls) -> Any:
        """Load what takes long or much memory, such as a network; called once in a process."""
        return None

    @classmethod
    def act(
        cls,
        model: Any,  # noqa: ARG003 # for classes that override it
        players: "Sequence[Player]",
        views: Sequence[View],
    ) -> Sequence[SeatAnswer]:
        """Answer for all the seats of a process that wait at the moment, so that a network evaluates one batch.

        By default each player is asked by itself, by `call` or `play`. A class that overrides it need not have these.

        Args:
            model: what `load` has returned.
            players: the players asked, from 1 to `batch` of them; no player twice.
            views: what each of them knows, in the same order. Where `view.asks_call` a call is due, else a card. The
                seats may be at any tables, and see each other's hands: keep what you compute for each apart.

        Returns:
            An answer for each view, in the same order: what `call` or `play` would return, or an exception in place
            of it. An exception ends the seat that it stands for; one that is raised here ends all seats asked.
        """
        answers: list[SeatAnswer] = []
        for player, view in zip(players, views, strict=True):
            try:
                answers.append(player.call(view) if view.asks_call else player.play(view))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 # whatever it is, it is its author's: `sys.exit()` too
                answers.append(error)
        return answers

    def call(self, view: View) -> CallAnswer:
        """Return a call, and if it is to be alerted its explanation: see `Answer`.

        At Minibridge it is the contract, as a bid (`view.chooses_contract`).
        """
        raise NotImplementedError(f"{type(self).__name__} has no method call(view)")

    def play(self, view: View) -> CardAnswer:
        """Return one of `view.legal_cards`, a card of the hand in turn: the player's own, or dummy's for declarer."""
        raise NotImplementedError(f"{type(self).__name__} has no method play(view)")

    def explain(self, view: View, call: Call) -> str:  # noqa: ARG002 # for classes that override it
        """Return what the player's own call means, as in `Answer`; empty, as by default, for a natural call.

        It is asked about each call that `call` or `act` returns without an explanation, before the call is made. What
        it returns goes with the call as its alert. In the stateful-server protocol opponents may ask later: they are
        told the same, and after a restart of the program the player is asked again.
        """
        return ""

    def claim(self, view: View) -> bool:  # noqa: ARG002 # for classes that override it
        """Return whether to claim all the remaining tricks, where the event takes claims; by default never.

        It is asked at its turn in the play, before `play` or `act`. The claim goes to the opponents with the player's
        cards. If they accept it, the board is over; if not, `play` follows, and `claim` again after the next trick.
        """
        return False

    def accept_claim(self, view: View, claimant: Seat, cards: Sequence[Card]) -> bool:
        """Return whether to accept the claim of an opponent, who gets all the remaining tricks.

        By default only a claim is accepted that cannot fail: see `is_certain_claim`.

        Args:
            view: what the player knows; nobody is in turn.
            claimant: the opponent who claims: declarer, or a defender if the player is declarer.
            cards: what the claimant still holds, highest first, spades first.
        """
        return is_certain_claim(view, claimant, cards)

    def board_begins(self, view: View) -> None:
        """Note that a board has begun, also one that is begun again; `call` follows. By default nothing happens."""

    def board_ends(self, view: View) -> None:
        """Note that a board is over, with what the player knows at its end. By default nothing happens."""


def is_certain_claim(view: View, claimant: Seat, cards: Sequence[Card]) -> bool:
    """Return whether the claimant's side wins every trick that is left, whatever its opponents play.

    Who judges the claim of another sees three hands, and so knows the fourth: then it is searched whether anything
    beats the claim. Where two hands are hidden, as from declarer, it is certain if the claimant is on lead, draws
    trumps and cashes its suits from the top, with its own cards alone: one hand may hold all the others.

    Args:
        view: what the player knows who judges the claim, or makes it.
        claimant: who claims.
        cards: what the claimant still holds, which all have been shown.
    """
    if must_come_true(view, claimant, cards):
        return True
    play = view.play
    if play is None or play.current.cards or play.current.leader is not claimant:
        return False
    dummy = view.dummy_hand if play.dummy is claimant.partner else None
    seen = {*play.played, *cards, *(dummy.cards if dummy is not None else ())}
    others = [card for card in DECK if card not in seen]
    trumps = play.contract.strain.trumps
    if sum(card.suit is trumps for card in others) > sum(card.suit is trumps for card in cards):
        return False
    return all(_wins_suit(suit, cards, others) for suit in Suit)


def _wins_suit(suit: Suit, cards: Sequence[Card], others: Sequence[Card]) -> bool:
    """Return whether each card of a suit wins when they are led from the top; one hand may hold all the others."""
    against = [card.rank for card in others if card.suit is suit]
    held = sorted((card.rank for card in cards if card.suit is suit), reverse=True)
    return all(len(against) <= place or rank > max(against) for place, rank in enumerate(held))
