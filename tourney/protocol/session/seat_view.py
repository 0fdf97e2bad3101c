"""What a seat may see of a board, what it has been shown of it, and what follows from that, the same for every wire.

`see` is the one way from a board to what a seat may see of it. What it returns has no other hand than the player's
own and dummy's once that lies open, and no explanation but those of the opponents, so no wire can show any other.

A player may act when it knows every call and card before, and a leader when it has been prompted. A player of a
language with requests (`Wire.has_requests`) is shown a call or card once it has asked for it; its own it knows. A
program that comes back without knowing the board begins at "nothing shown", and repeats in turn what its seat called
and played before (BC-48). Always `prompted <= shown <= len(history)` while a player is asked for something new.

What a player has been shown is its cursor. It is data, which begins anew with each board, and when a program that
does not know the board takes the seat. It is not on record, so a board that another table host takes up begins with
new ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import Card, Hand, PlayerView, Seat
from tourney.protocol.session.board.state import BoardState, Entry, Explanation, TableBoard
from tourney.protocol.session.intents import CallIntent, CardIntent, PendingLine, Ready, ReadyFor

REQUESTS_MAX: Final = 8
"""Unanswered requests kept for one player; a program in step has one, at most two."""


_CALL: Final = ReadyFor.CALL
_CARD: Final = ReadyFor.CARD


@dataclass(slots=True)
class SeatView:
    """A board as the player of one seat sees it; all but the first four fields are its cursor."""

    seat: Seat
    hand: Hand
    """The cards that the seat was dealt."""
    board: TableBoard
    meanings: Mapping[int, Explanation]
    """What its opponents have said about their calls and cards, by their place in the history."""
    repeats_to: int
    """Number of calls and cards made before its program sat down; it has to repeat its own among them."""
    shown_at_ms: int
    """When it was last shown something that it needs to go on, or acted."""
    shown: int = 0
    """Number of calls and cards that it knows, its own included."""
    prompted: int = -1
    """The number of the call or card for which it was last asked: in some languages, only for leads."""
    has_joined: bool = False
    """Whether the player has been shown which board it is, and has said that it is there."""
    has_asked_cards: bool = False
    cards_shown: bool = False
    dummy_shown: bool = False
    offer_shown: int = 0
    """The number of the last claim, or wish to take something back, that it has been told about or need not be."""
    claim_cards: tuple[Card, ...] | None = None
    """What the claimant holds, if the claim that it was told about last is for it to see."""
    requests: list[Ready] = field(default_factory=list)
    """What it has asked for and has not been shown, the oldest first."""
    answered: Ready | None = None
    """The last of its requests that was answered."""
    explanation: str | None = None
    """What it has said about its call to come."""
    awaited_echo: str = ""
    """The token without whose echo its lines may be about the board before; empty for none."""
    last_intent: CallIntent | CardIntent | None = None
    """The player's last call or card that was accepted: repeating it is no irregularity (BC-47)."""
    questions_shown: set[tuple[object, ...]] = field(default_factory=set)
    """The questions about its calls, and the answers to its own questions, that it has been shown."""
    options: tuple[object, ...] | None = None
    """What it has been told that it may ask for (`OptionsChanged`)."""
    ignores_next_line: bool = False
    """Whether the table has acted in the player's place while its own line may be in transit."""
    _known: PlayerView | None = None
    was_refused: bool = False
    """Whether it did so after a call or card of the player's own that was not legal."""

    @property
    def is_in_board(self) -> bool:
        """Whether what the player says from now on is about this board, and not about one that was left before."""
        return self.has_joined and not self.awaited_echo

    @property
    def is_caught_up(self) -> bool:
        """Whether a player to which the board is being replayed has caught up."""
        return self.shown >= self.repeats_to

    def note_shown(self) -> None:
        """Note that the player knows one more call or card: it is shown it, or has made it."""
        self.shown += 1
        self.shown_at_ms = self.board.time.now_ms

    def seen(self, seat: Seat) -> Hand:
        """Return the cards that were dealt to the seat itself, or to dummy, which lies open."""
        hand = self.hand if seat is self.seat else self.board.dummy_hand
        assert hand is not None
        return hand

    def held(self, seat: Seat) -> tuple[Card, ...]:
        """Return what is left of them, highest first, spades first."""
        play, hand = self.board.play, self.seen(seat)
        return tuple(play.left_of(hand)) if play is not None else hand.cards

    def known(self) -> PlayerView:
        """Return all that the player may know of the board by now, as our own players and those of authors get it.

        It is the same object each time, brought up to date.
        """
        board, calls = self.board, len(self.board.auction.calls)
        if self._known is None:
            self._known = PlayerView(self.seat, board.number, board.dealer, board.vulnerability, self.hand)
        alerts = {number: said.text for number, said in self.meanings.items() if said.text and number < calls}
        self._known.follow(board, alerts)
        return self._known

    def knows_all(self) -> bool:
        """Return whether the player has been shown every call and card."""
        return self.shown == len(self.board.history)

    def acts_next(self) -> bool:
        """Return whether it is for the player to act, without being asked, once it has read what it is sent."""
        in_play = self.board
        return in_play.actor is self.seat and self.shown == len(self.board.history) and not in_play.is_lead

    def is_too_early(self) -> bool:
        """Return whether the player in turn may not act yet: it has not been shown, or asked for, enough."""
        made = len(self.board.history)
        return self.shown < made or (self.board.is_lead and self.prompted != made)

    # Requests

    def fits(self, request: Ready) -> bool:
        """Return whether a request is for the first call or card that its player has not been shown, made or not.

        Dummy may be named "dummy" or by its seat. From dummy itself, "dummy's card" means anybody's card, by one
        reading of version 18.
        """
        board = self.board
        if self.shown < len(board.history):
            entry = board.history[self.shown]
            hand, what = entry.hand, entry.asked_as
        else:
            turn = board.turn
            if turn is None:
                return False
            hand, what = turn, _CARD if board.dummy is not None else _CALL
        if request.what is not what:
            return False
        if request.whose is not None:
            return request.whose is hand
        return board.dummy is not None and board.dummy in (hand, self.seat)

    def is_stale(self, request: Ready) -> bool:
        """Return whether a request for nothing still to come repeats the last one answered, of the same hand.

        The trick number cannot decide this: a program in use says "trick 1" throughout.
        """
        answered = self.answered
        if answered is None or request.what is not answered.what:
            return False
        if request.what is ReadyFor.DUMMY:
            return True
        last = self.board.history[self.shown - 1] if self.shown else None
        return last is None or request.trick is None or request.trick <= last.trick

    def useless_request(self) -> Ready:
        """Return which request is dropped for the sake of the newest when there are too many.

        The request the player is waiting on stays, or it would never be answered.
        """
        older = self.requests[:-1]
        useless = (kept for kept in older if kept.what is not ReadyFor.DUMMY and not self.fits(kept))
        return next(useless, older[0])

    def owed_request(self) -> PendingLine | None:
        """Return the request, or the call or card to be repeated, that the player owes."""
        if not self.cards_shown:
            if self.has_joined and self.has_asked_cards:
                return None
            what = "ready for cards" if self.has_joined else "ready for deal"
            return PendingLine(seat=self.seat, what=what, since_ms=self.shown_at_ms)
        if self.knows_all():
            return None
        entry = self.board.history[self.shown]
        if entry.actor is self.seat:
            if self.is_caught_up:
                return None
            if entry.record.substituted:
                return PendingLine(seat=self.seat, what="ready for dummy", since_ms=self.shown_at_ms)
            what = f"{str(entry)!r} again"
            return PendingLine(seat=self.seat, what=what, since_ms=self.shown_at_ms, again=True)
        if entry.held or any(self.fits(request) for request in self.requests):
            return None
        if entry.trick == 0:
            what = f"ready for {entry.hand.title}'s bid"
        else:
            whose = "dummy" if entry.hand is self.board.dummy else entry.hand.title
            what = f"ready for {whose}'s card to trick {entry.trick}"
        return PendingLine(seat=self.seat, what=what, since_ms=max(self.shown_at_ms, entry.record.at_ms))

    # A board that is replayed

    def entry_to_repeat(self) -> Entry | None:
        """Return the call or card that the player is to repeat now."""
        if self.is_caught_up or not self.cards_shown:
            return None
        entry = self.board.history[self.shown]
        return entry if entry.actor is self.seat else None


def see(state: BoardState, seat: Seat, repeats_to: int) -> SeatView:
    """Return a board as the player of a seat sees it that has been shown nothing yet.

    Args:
        state: the board.
        seat: the seat.
        repeats_to: how many of the calls and cards made it has to repeat, as far as they are its own.
    """
    board, said = state.in_play, state.meanings[seat.side.other]
    return SeatView(seat, state.board.deal[seat], board, said, repeats_to, board.time.now_ms)
