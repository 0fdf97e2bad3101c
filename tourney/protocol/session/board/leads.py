"""Asking for leads: `X to lead`, `Dummy to lead`, and the pause before (BC-29, BC-36)."""

from typing import Final

from tourney.bridge import BoardInPlay, Seat
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.session.board.relay import Relay
from tourney.protocol.session.outbox import Desk
from tourney.protocol.session.turn_clock import TurnClock

LEAD_TIMER: Final = "lead"
"""The pause before a lead: at the end of a trick (BC-36), or what the leader's profile asks for."""


class LeadDesk:
    """Asks for the leads of one board."""

    def __init__(self, in_play: BoardInPlay, relay: Relay, desk: Desk, clock: TurnClock, pause_ms: int) -> None:
        self._in_play = in_play
        self._relay = relay
        self._desk = desk
        self._clock = clock
        self._pause_ms = pause_ms
        self._from_ms = 0  # the end of the pause after a trick
        self._timer_at_ms = 0

    def note_trick(self, now_ms: int) -> None:
        """A trick is complete: the pause begins."""
        self._from_ms = now_ms + self._pause_ms

    def receive_timer(self) -> None:
        self._timer_at_ms = 0

    def may_lead(self, now_ms: int) -> bool:
        """Whether the pause is over; if it is not, a timer will tell."""
        if now_ms < self._from_ms:
            self._wake(self._from_ms)
            return False
        return True

    def ask(self, now_ms: int) -> None:
        """Ask the player in turn for its lead, when it is time and it knows all that has been played."""
        play, contract = self._in_play.play, self._in_play.contract
        if play is None or contract is None or play.current.cards:
            return
        actor = self._in_play.actor
        if actor is None:
            return
        place, number = self._relay.places[actor], len(self._relay.actions)
        if place.prompted == number or not self._relay.knows_all(actor):
            return
        if actor in self._relay.absent or actor in self._relay.away:
            return
        guest = self._desk.seated.get(actor)
        gap_ms = guest.profile.lead_gap_ms if guest is not None else 0
        from_ms = max(self._from_ms, place.told_at_ms + gap_ms)
        if now_ms < from_ms:
            self._wake(from_ms)
            return
        place.prompted = number
        line = server_format.DUMMY_TO_LEAD if play.turn is contract.dummy else server_format.format_to_lead(actor)
        self._relay.send(actor, line, self._clock.start(number, now_ms))

    def ask_again(self, seat: Seat) -> None:
        """Ask a program that is led through the board for a lead of its seat, without a pause (BC-48)."""
        action, place, contract = self._relay.owes_again(seat), self._relay.places[seat], self._in_play.contract
        if action is None or not action.is_lead or place.prompted == place.told:
            return
        place.prompted = place.told
        is_dummy = contract is not None and action.hand is contract.dummy
        self._relay.send(seat, server_format.DUMMY_TO_LEAD if is_dummy else server_format.format_to_lead(seat))

    def _wake(self, at_ms: int) -> None:
        if self._timer_at_ms != at_ms:
            self._timer_at_ms = at_ms
            self._desk.start_timer(LEAD_TIMER, at_ms)
