"""An author's `Player` in its seat: it is asked as the reference players are."""

import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from tourney.bots.strategy import Decision
from tourney.bridge import Card, PlayerView, Seat
from tourney.errors import PlayerError
from tourney.player.answers import read_call, read_card
from tourney.player.player import Player
from tourney.player.view import View

_Answer = TypeVar("_Answer")


def load_model(player_class: type[Player]) -> Any:
    """Load what a class needs, once in a process.

    Raises:
        PlayerError: it raised; its traceback goes to standard error.
    """
    return _guarded(f"{player_class.__name__}.load()", player_class.load)


def make_player(player_class: type[Player]) -> Player:
    """Load what a class needs and make a player of it, in a process of its own.

    Raises:
        PlayerError: it raised; its traceback goes to standard error.
    """
    return make_player_of(player_class, load_model(player_class))


def make_player_of(player_class: type[Player], model: Any) -> Player:
    """Make a player with what its class has loaded.

    Raises:
        PlayerError: it raised; its traceback goes to standard error.
    """
    return _guarded(f"{player_class.__name__}()", lambda: player_class(model))


class SeatedPlayer:
    """A strategy that asks a `Player`, and tells it when boards begin and end.

    Its methods raise `PlayerError` when the player raises, or answers with what is no call or card. A call or card
    that is not legal is passed on: the table rules on it.
    """

    def __init__(self, player: Player, scoring: str = "") -> None:
        self.player = player
        self._name = type(player).__name__
        self._scoring = scoring
        self._known: PlayerView | None = None
        """What the player knows of the board in play; at a table that tells it each call and card, it grows."""
        self._calls = 0
        """How many calls there were at the last question: a board with fewer is one that is begun again."""

    def choose_call(self, view: PlayerView) -> Decision:
        """Ask for a call."""
        asked = self.begin_question(view, view.seat)
        return self.read_call(_guarded(f"{self._name}.call()", lambda: self.player.call(asked)))

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Ask for a card."""
        asked = self.begin_question(view, hand)
        return self.read_card(_guarded(f"{self._name}.play()", lambda: self.player.play(asked)))

    # A question in two steps, for those who ask many players at once

    def begin_question(self, known: PlayerView, turn: Seat) -> View:
        """Return what the player is asked, who is told first of a board that begins. `turn` is the hand that acts."""
        view = View(known.snapshot(), turn, self._scoring)
        before, calls = self._known, len(known.auction.calls)
        same = before is not None and before.number == known.number and before.hand == known.hand
        if not same:
            self.end_board()
        if not same or calls < self._calls:
            _guarded(f"{self._name}.board_begins()", lambda: self.player.board_begins(view))
        self._known, self._calls = known, calls
        return view

    def read_call(self, answer: object) -> Decision:
        """Read what the player has answered as a call."""
        return Decision(*read_call(answer))

    def read_card(self, answer: object) -> Card:
        """Read what the player has answered as a card."""
        return read_card(answer)

    def end_board(self) -> None:
        """Tell the player that its board is over; nothing happens between boards."""
        known, self._known = self._known, None
        if known is not None:
            view = View(known.snapshot(), known.seat, self._scoring)
            _guarded(f"{self._name}.board_ends()", lambda: self.player.board_ends(view))


def _guarded(what: str, run: Callable[[], _Answer]) -> _Answer:
    """Run a method of an author's class.

    Raises:
        PlayerError: it raised; the traceback goes to standard error, which is the program's output.
    """
    try:
        return run()
    except Exception as error:  # noqa: BLE001 # whatever it is, it is its author's
        raise failed(what, error) from None


def failed(what: str, error: Exception) -> PlayerError:
    """Return the error for a method of an author's class that raised; its traceback goes to standard error."""
    traceback.print_exception(error)
    return PlayerError(f"{what} raised {type(error).__name__}: {error}")
