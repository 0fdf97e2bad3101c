"""Remedies: what an offence costs, one small class each (BC-45, BC-46).

An offence is a limit passed: of time, or of illegal and out-of-turn lines. Which remedy applies the organiser has
set; every one leaves a ruling on record.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from tourney.bridge import Seat
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.protocol.session.rules import Penalty, RemedyName


@dataclass(frozen=True, slots=True)
class Offence:
    """`end` is how the board ends if the remedy takes it from the offender's side; `why` a sentence."""

    seat: Seat
    end: BoardEnd
    why: str
    clause: str


class Bench(Protocol):
    """What a remedy may do to the table."""

    def rule(self, kind: RulingKind, offence: Offence, amount: int = 0) -> None:
        """Put a ruling against the offender's side on record."""

    def substitute(self, seat: Seat) -> None:
        """Call or play once in the player's place, if it is its turn."""

    def forfeit_board(self, offence: Offence) -> None:
        """Take the board from the offender's side."""

    def forfeit_match(self, offence: Offence) -> None:
        """Take the match from the offender's side, and end the session."""


class Remedy(Protocol):
    """What follows an offence."""

    def apply(self, offence: Offence, bench: Bench) -> None: ...


class Warn:
    """A warning on record, nothing else."""

    def apply(self, offence: Offence, bench: Bench) -> None:
        bench.rule(RulingKind.WARNING, offence)


@dataclass(frozen=True, slots=True)
class Fine:
    """IMPs or victory points off the offender's score; the opponents' stays."""

    penalty: Penalty

    def apply(self, offence: Offence, bench: Bench) -> None:
        bench.rule(self.penalty.kind, offence, self.penalty.amount)


class Substitute:
    """A pass or the lowest legal card in the player's place, and a warning."""

    def apply(self, offence: Offence, bench: Bench) -> None:
        bench.rule(RulingKind.WARNING, offence)
        bench.substitute(offence.seat)


class ForfeitBoard:
    """An artificial adjusted score: average minus to the offenders, average plus to the others (Law 12C2)."""

    def apply(self, offence: Offence, bench: Bench) -> None:
        bench.forfeit_board(offence)


class ForfeitMatch:
    """The match is over, for the other side."""

    def apply(self, offence: Offence, bench: Bench) -> None:
        bench.forfeit_match(offence)


_PLAIN: Final[dict[RemedyName, Remedy]] = {
    RemedyName.WARN: Warn(),
    RemedyName.SUBSTITUTE: Substitute(),
    RemedyName.FORFEIT_BOARD: ForfeitBoard(),
    RemedyName.FORFEIT_MATCH: ForfeitMatch(),
}


def remedy(name: RemedyName, penalty: Penalty) -> Remedy:
    """The remedy of that name."""
    return Fine(penalty) if name is RemedyName.PENALTY else _PLAIN[name]
