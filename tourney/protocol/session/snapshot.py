"""A board that was under way when its table host died, as the record has it (BC-49)."""

from dataclasses import dataclass, field

from tourney.protocol.session.records import CallMade, CardPlayed


@dataclass(frozen=True, slots=True)
class BoardSnapshot:
    """All that was called and played of an attempt, in order; every player may have been shown all of it."""

    number: int
    made: tuple[CallMade | CardPlayed, ...] = ()
    answers: dict[int, str] = field(default_factory=dict)
    """The operator's words on alertable calls, by the number of the call; empty for "not alertable"."""
