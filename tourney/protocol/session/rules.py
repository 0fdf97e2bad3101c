"""The rules of an event for its tables: the remedies when players are late or break rules (BC-45, BC-46)."""

import enum
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import Seat
from tourney.protocol.session.records import RulingKind

IRREGULARITIES_END: Final = 20
"""Irregularities of one side on a board after which its program is disconnected, as it will not stop."""


class RemedyName(enum.StrEnum):
    """The remedy when a limit is exceeded."""

    WARN = "warn"
    PENALTY = "penalty"
    SUBSTITUTE = "substitute"
    """The table passes, or plays the lowest legal card, in the player's place (BC-46)."""
    FORFEIT_BOARD = "forfeit-board"
    FORFEIT_MATCH = "forfeit-match"


class AlertMode(enum.StrEnum):
    """When the table waits for an operator to explain a call (BC-25)."""

    OFF = "off"
    CALLS = "calls"
    """After every call but those of the no-pause list (BC-26)."""
    KEYWORD = "keyword"
    """After a call that carries the bare word `Alert`."""
    AUCTION = "auction"
    """At the end of the auction, for every call outside the no-pause list."""


class UndoRule(enum.StrEnum):
    """What a player may take back, if both opponents agree (SS-52)."""

    NEVER = "never"
    CALLS = "calls"
    ALL = "all"
    """Calls and cards."""


@dataclass(frozen=True, slots=True)
class PairMethods:
    """The two methods of a pair on which a pause for manual alerting depends (BC-26)."""

    inverted_minors: bool = False
    """A raise of a minor suit to two is the strong one."""
    negative_doubles: bool = True
    """Responder's double of an overcall is for take-out."""


class Rejoin(enum.StrEnum):
    """What happens when a program comes back into a board that it has left (BC-48)."""

    REPLAY = "replay"
    """The board is replayed to it while the others wait; if it calls or plays differently, as `restart`."""
    RESTART = "restart"
    """The board is restarted for all four."""
    FORFEIT = "forfeit"
    """The side forfeits the board; the program may join the next."""


NETWORK_LINES: Final = 52
"""How many full allowances for the network a side gets on a board at most; it makes about 32 calls and cards."""


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """A time limit and its remedy. `ms` is None for no limit."""

    ms: int | None
    remedy: RemedyName


@dataclass(frozen=True, slots=True)
class TimeRules:
    """Limits of thinking time, and how long to wait for lines that do not come, all in milliseconds."""

    call: TimeLimit = TimeLimit(None, RemedyName.FORFEIT_BOARD)
    """Limit of one call or card."""
    board: TimeLimit = TimeLimit(None, RemedyName.PENALTY)
    """Limit of a side on one board."""
    match: TimeLimit = TimeLimit(None, RemedyName.PENALTY)
    """Limit of a side on all boards of this table."""
    stall_ms: int = 300_000
    """How long a player may owe a call or card before it has stalled and its side forfeits the board."""
    ready_ms: int = 300_000
    """The same for a `ready` line (BC-51: never under 30 seconds)."""
    absence_ms: int = 120_000
    """How long the others wait between boards for a seat to be retaken before the match is forfeited."""
    rejoin_ms: int = 60_000
    """The same in the middle of a board, before the side forfeits the board."""
    network_ms: int = 0
    """How much of the network's delay of a call or card is not charged, where a client tells what that was."""

    def allowance_ms(self, allowed_ms: int) -> int:
        """Return how much of its next delay a side is not charged, which was allowed so much on the board."""
        return min(self.network_ms, max(0, NETWORK_LINES * self.network_ms - allowed_ms))


@dataclass(frozen=True, slots=True)
class Penalty:
    """What the remedy `penalty` costs: `amount` in IMPs, or in hundredths of a victory point."""

    kind: RulingKind = RulingKind.PENALTY_IMPS
    amount: int = 3


@dataclass(frozen=True, slots=True)
class TableRules:
    """Everything that the organiser sets for a table."""

    time: TimeRules = TimeRules()
    penalty: Penalty = Penalty()
    irregularities_max: int = 3
    """Number of illegal and out-of-turn calls and cards of a side on one board at which the remedy applies."""
    irregularity_remedy: RemedyName = RemedyName.SUBSTITUTE
    rejoin: Rejoin = Rejoin.REPLAY
    rejoins_max: int = 3
    """Maximum reconnections per seat and board (BC-48)."""
    restarts_max: int = 1
    """Maximum restarts of a board because of one side."""
    claims: bool = False
    """Whether claims are accepted (BC-40)."""
    undo: UndoRule = UndoRule.NEVER
    """What is taken back with the consent of both opponents."""
    chat: bool = False
    """Whether players may talk to each other (SS-55)."""
    board_break_ms: int = 0
    """How long the table waits at most, after a board, for players that say when they are ready (SS-48)."""
    alerting: AlertMode = AlertMode.OFF
    alert_wait_ms: int = 60_000
    """How long the table waits for the operator; then the call counts as not alertable."""
    methods: dict[Seat, PairMethods] = field(default_factory=dict)
    """The methods of each player, as needed for the no-pause list; the usual methods for a missing seat."""
