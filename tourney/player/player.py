"""The class that an author of a bridge program fills in."""

from typing import Any

from tourney.player.answers import CallAnswer, CardAnswer
from tourney.player.view import View


class Player:
    """A bridge player: subclass it, and fill in `call` and `play`.

    There is one object for each seat, made when the program starts and kept for all its boards. What `load` returns
    is made once and shared by all the seats of a process. A board may be started again, with the same cards, after
    a program or a table has failed: decide from the view, not from what you remember.

    An exception ends the program, with its traceback in the program's output. The table then rules as for any program
    that has ended.
    """

    def __init__(self, model: Any = None) -> None:
        self.model = model
        """What `load` has returned."""

    @classmethod
    def load(cls) -> Any:
        """Load what takes long or much memory, such as a network; called once in a process."""
        return None

    def call(self, view: View) -> CallAnswer:
        """Return a call, and if it is to be alerted its explanation: see `Answer`.

        At Minibridge it is the contract, as a bid (`view.chooses_contract`).
        """
        raise NotImplementedError(f"{type(self).__name__} has no method call(view)")

    def play(self, view: View) -> CardAnswer:
        """Return one of `view.legal_cards`, a card of the hand in turn: the player's own, or dummy's for declarer."""
        raise NotImplementedError(f"{type(self).__name__} has no method play(view)")

    def board_begins(self, view: View) -> None:
        """Note that a board has begun, also one that is begun again; `call` follows. By default nothing happens."""

    def board_ends(self, view: View) -> None:
        """Note that a board is over, with what the player knows at its end. By default nothing happens."""
