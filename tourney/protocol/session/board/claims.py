"""Claims, if the organiser allows them: who is told, who answers, and the outcome (BC-40, BC-41).

No program in use claims; the clauses are for people who play through an interface of their own.
"""

from dataclasses import dataclass, field

from tourney.bridge import SEATS, Result, Seat, score_ns
from tourney.protocol.session.board.state import BoardState


@dataclass(slots=True)
class Claim:
    """A claim awaiting answers."""

    seat: Seat
    at_ms: int
    accepted_by: set[Seat] = field(default_factory=set)


class Claims:
    """The claims of one board. Each method that refuses gives the reason as a sentence."""

    def __init__(self, board: BoardState) -> None:
        self.pending: Claim | None = None
        self._board = board
        self._rejected: set[tuple[Seat, int]] = set()

    @property
    def judges(self) -> tuple[Seat, ...]:
        """The seats that answer the pending claim: both defenders, or declarer."""
        assert self.pending is not None
        return self._judges_of(self.pending.seat)

    def _judges_of(self, claimant: Seat) -> tuple[Seat, ...]:
        contract = self._board.in_play.contract
        assert contract is not None
        if claimant is contract.declarer:
            return tuple(seat for seat in SEATS if seat.side is not contract.declarer.side)
        return (contract.declarer,)

    def make(self, seat: Seat, now_ms: int) -> str | None:
        """Accept a claim and relay it with the claimant's cards; return why not if it is refused."""
        play, dummy = self._board.in_play.play, self._board.dummy
        if play is None or dummy is None or play.is_over:
            return "a claim is made during the play"
        if seat is dummy:
            return "dummy makes no claim"
        if self.pending is not None:
            return f"{self.pending.seat.title}'s claim is not settled yet"
        if (seat, len(play.tricks)) in self._rejected:
            return "this claim has been rejected: play on to the next trick"
        for judge in self._judges_of(seat):
            wire = self._board.seats[judge].active_wire
            if wire is not None and not wire.answers_claims:
                return f"{judge.title}'s program has no words to answer a claim: play on"
        self.pending = Claim(seat, now_ms)
        for told in (*self.judges, dummy):
            wire = self._board.seats[told].active_wire
            if wire is not None:
                wire.send_claim(seat)
        return None

    def answer(self, seat: Seat, claimant: Seat, *, accepts: bool) -> bool | str | None:
        """Accept an answer; return the verdict, None while another answer is due, or why it is refused."""
        claim, play = self.pending, self._board.in_play.play
        if claim is None or play is None or claim.seat is not claimant:
            return f"{claimant.title} has no claim that waits for an answer"
        judges = self.judges
        if seat not in judges:
            return f"{claimant.title}'s claim is answered by {' and '.join(judge.title for judge in judges)}"
        if accepts:
            claim.accepted_by.add(seat)
            if len(claim.accepted_by) < len(judges):
                return None
        else:
            self._rejected.add((claimant, len(play.tricks)))
        self.pending = None
        if accepts:
            self._board.claimed = self._result(claimant)
        for told in self._board.seats:
            if told.seat is not self._board.dummy and told.active_wire is not None:
                told.active_wire.send_claim_verdict(claimant, accepted=accepts)
        return accepts

    def _result(self, claimant: Seat) -> Result:
        """Return the result with the remaining tricks for the claimant's side."""
        in_play = self._board.in_play
        play, contract = in_play.play, in_play.contract
        assert play is not None
        assert contract is not None
        left = 13 - len(play.tricks)
        tricks = play.tricks_won + (left if claimant.side is contract.declarer.side else 0)
        return Result(contract, tricks, score_ns(contract, tricks, self._board.board.vulnerability))
