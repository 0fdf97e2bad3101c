"""The words of the record: how boards end, what happens beside calls and cards, what rulings do.

Apart from `records`, for those who read the record and write none.
"""

import enum
from typing import Final


class BoardEnd(enum.StrEnum):
    """How an attempt at a board ended; the sentence for people is apart."""

    PLAYED = "played"
    PASSED_OUT = "passed-out"
    CLAIMED = "claimed"
    TIME = "time"
    """A side was over a limit of time whose remedy takes the board from it (BC-45)."""
    ILLEGAL = "illegal"
    """A side sent so many illegal or out-of-turn lines that the remedy takes the board from it (BC-46)."""
    DISCONNECT = "disconnect"
    """A player's connection was lost, or the director ended it."""
    STALL = "stall"
    """A player that owed a line fell silent."""
    CRASH = "crash"
    """A player's program ended by itself."""
    ABANDONED = "abandoned"
    """The session was stopped by people; the board is played when it goes on."""
    VOID = "void"
    """The fault is nobody's at the table (host, network, power, the director's order): the board is played again."""

    @property
    def is_by_rules(self) -> bool:
        """Whether the board came to a result of the game."""
        return self in (BoardEnd.PLAYED, BoardEnd.PASSED_OUT, BoardEnd.CLAIMED)

    @property
    def is_forfeit(self) -> bool:
        """Whether one side lost the board by its own fault."""
        return self in (BoardEnd.TIME, BoardEnd.ILLEGAL, BoardEnd.DISCONNECT, BoardEnd.STALL, BoardEnd.CRASH)

    @property
    def is_final(self) -> bool:
        """Whether the board is not played again at this table."""
        return self.is_by_rules or self.is_forfeit


class IncidentKind(enum.StrEnum):
    """What a director may want to know of that is no call and no card."""

    ILLEGAL_CALL = "illegal-call"
    ILLEGAL_CARD = "illegal-card"
    CALL_OUT_OF_TURN = "call-out-of-turn"
    CARD_OUT_OF_TURN = "card-out-of-turn"
    OVER_TIME = "over-time"
    SUBSTITUTED = "substituted"
    """The table called or played in a player's place."""
    CLAIM = "claim"
    CLAIM_ACCEPTED = "claim-accepted"
    CLAIM_REJECTED = "claim-rejected"
    STAND_IN = "stand-in"
    """From here the table calls and plays for a seat, to the end of the board."""
    PAUSED = "paused"
    RESUMED = "resumed"
    KICKED = "kicked"
    CRASH = "crash"
    """A player's program ended by itself in the middle of a board."""
    DISCONNECT = "disconnect"
    """A player's connection was lost in the middle of a board."""
    REJOINED = "rejoined"
    """A player is back and has been led through the board to where the others are (BC-48)."""
    DIVERGED = "diverged"
    """A player that came back called or played something else than before."""
    RESTARTED = "restarted"
    """The board is begun again, for all four."""
    TAKEN_UP = "taken-up"
    """Another table host has taken up the board from its last call or card on record (BC-49)."""


class RulingKind(enum.StrEnum):
    """What a ruling does."""

    WARNING = "warning"
    PENALTY_IMPS = "penalty-imps"
    PENALTY_VP = "penalty-vp"
    BOARD_FORFEIT = "board-forfeit"
    """Artificial adjusted score: average minus to the side, average plus to its opponents (Law 12C2)."""
    ADJUSTED_SCORE = "adjusted-score"
    """The team's IMPs on a board, whatever was played: an artificial adjusted score (Law 12C2)."""
    ASSIGNED_SCORE = "assigned-score"
    """What counts for the team as the result of a board in one room, or a weighted mean of results (Law 12C1)."""
    BOARD_CANCELLED = "board-cancelled"
    """The board counts for nobody."""
    BOARD_REPLAY = "board-replay"
    """The board is played again in one room; what counts is the new result."""
    MATCH_FORFEIT = "match-forfeit"
    WITHDRAWAL = "withdrawal"
    """The team has left the event: every match it has not finished is forfeited."""

    @property
    def scores_board(self) -> bool:
        """Whether it makes the score of a board, in the place of what was played."""
        return self in _SCORE_BOARDS


_SCORE_BOARDS: Final = frozenset(
    {
        RulingKind.BOARD_FORFEIT,
        RulingKind.ADJUSTED_SCORE,
        RulingKind.ASSIGNED_SCORE,
        RulingKind.BOARD_CANCELLED,
    }
)
