"""What a bot must be able to decide. A strategy sees a `PlayerView` and nothing else."""

from typing import NamedTuple, Protocol

from tourney.bridge import Call, Card, PlayerView, Seat


class Decision(NamedTuple):
    """A call, with the text of its alert in the protocol's grammar (BC-22), empty for a natural call."""

    call: Call
    alert: str = ""


class Strategy(Protocol):
    """Chooses calls and cards for one seat.

    Deterministic: the same view and seed give the same choice, whatever was played on other boards, so that a
    board that is begun again takes the same course.
    """

    def choose_call(self, view: PlayerView) -> Decision:
        """A legal call; `view.auction.turn` is `view.seat`."""

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """One of `view.legal_cards(hand)`; `hand` is the own seat, or dummy for declarer."""
