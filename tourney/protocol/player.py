"""What a player's core asks of its owner, in any wire language: send a line, choose a call or card, leave."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from tourney.bridge import Call, Card, PlayerView, Seat
from tourney.protocol.lines import Overlong


class SendLine(NamedTuple):
    """Send this line."""

    line: str


class AskCall(NamedTuple):
    """It is this player's turn to call: answer with `make_call`."""

    view: PlayerView


class AskCard(NamedTuple):
    """It is this player's turn to play from `hand`, its own or dummy's: answer with `make_card`."""

    view: PlayerView
    hand: Seat


class Leave(NamedTuple):
    """The session has ended for this player. `reason` is None if that was its usual end, else what went wrong."""

    reason: str | None


PlayerEffect: TypeAlias = SendLine | AskCall | AskCard | Leave


ClaimJudge: TypeAlias = Callable[[PlayerView, Seat, Sequence[Card]], bool]
"""Says whether a player accepts a claim, from what it knows, whose claim it is, and the cards that were shown."""


class PlayerSide(Protocol):
    """A player's side of a wire language, without a socket."""

    def start(self) -> list[PlayerEffect]:
        """Begin: announce the player."""

    def receive_line(self, line: bytes | Overlong) -> list[PlayerEffect]:
        """Handle a line from the table."""

    def receive_close(self) -> list[PlayerEffect]:
        """Handle the close of the connection by the table."""

    def make_call(self, call: Call, alert: str = "", *, asked: AskCall | None = None) -> list[PlayerEffect]:
        """Answer `AskCall`; `alert` is empty for a natural call."""

    def make_card(self, hand: Seat, card: Card, *, asked: AskCard | None = None) -> list[PlayerEffect]:
        """Answer `AskCard`."""

    def make_claim(self, asked: AskCard) -> list[PlayerEffect]:
        """Answer `asked` with a claim of all remaining tricks; if it is not accepted, the question comes again."""

    def send_illegal(self, answer: Call | Card, *, asked: AskCall | AskCard) -> list[PlayerEffect]:
        """Answer with what is not legal, for the table to rule on; the question stays open."""

    @property
    def is_refused(self) -> bool:
        """Whether the table has refused an answer: after a silence, an empty line has the question come again."""

    def needs_no_answer(self, line: bytes) -> bool:
        """Return whether a line is none of the language: it was ignored, and a person may want to know it."""
