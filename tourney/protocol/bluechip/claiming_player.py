"""The player's side of the Blue Chip protocol with claims (BC-40, BC-41), for owners who make and judge them.

A claim is of all the remaining tricks. Until it is settled nobody plays: a question that its owner has been asked is
taken back, and asked again once the claim has been rejected.
"""

from tourney.bridge import PlayerView, Seat
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server_lines import PlainLine, ServerMessage, parse_cards
from tourney.protocol.player import AskCall, AskCard, ClaimJudge, PlayerEffect, SendLine
from tourney.protocol.session.intents import ClaimIntent


class ClaimingPlayer(PlayerCore):
    """One program at one seat, at a table that takes claims."""

    def __init__(
        self, seat: Seat | None, team: str, judge: ClaimJudge, *, version: int = 18, system: str = ""
    ) -> None:
        super().__init__(seat, team, version=version, system=system)
        self._judge = judge
        self._claimant: Seat | None = None
        """Whose claim is to be settled: an opponent's, or our own."""
        self._held: AskCall | AskCard | None = None
        """The question that was taken back."""

    def make_claim(self, asked: AskCard) -> list[PlayerEffect]:
        """Answer `asked` with a claim of all remaining tricks; if it is rejected, the question comes again."""
        if asked is not self._question:
            return []
        self._hold(self.seat)
        return [SendLine(f"{self.seat.title} claims")]

    def _receive(self, message: ServerMessage, text: str) -> list[PlayerEffect]:
        if message is PlainLine.START:
            self._claimant = self._held = None
        if self._claimant is not None:
            lower = text.rstrip(" .").lower()
            if lower.endswith("claim is accepted"):
                self._claimant = self._held = None
                self._owed = ""
                return []
            is_refused = self._claimant is self.seat and message is PlainLine.REFUSED
            if is_refused or lower.endswith("claim is rejected"):
                return self._resume()
            head, colon, cards = text.partition(":")
            if colon and head.rstrip().lower() == f"{self._claimant.title.lower()}'s cards" and self.view is not None:
                verb = "accepts" if self._judge(self.view, self._claimant, parse_cards(cards)) else "rejects"
                return [SendLine(f"{self.seat.title} {verb} {self._claimant.title}'s claim")]
        return super()._receive(message, text)

    def _reject(self, view: PlayerView, claim: ClaimIntent) -> list[PlayerEffect]:
        """Wait for the claimant's cards before a claim is judged, instead of rejecting it."""
        if view.contract is not None and not view.is_dummy and claim.seat.side is not self.seat.side:
            self._hold(claim.seat)
        return []

    def _hold(self, claimant: Seat) -> None:
        self._claimant, self._held, self._question = claimant, self._question, None

    def _resume(self) -> list[PlayerEffect]:
        held, self._held = self._held, None
        self._claimant = None
        return self._ask(AskCard(held.view, held.hand)) if isinstance(held, AskCard) else []
