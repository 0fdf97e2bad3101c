"""What one game of a PBN export holds: one board as it was played at one table."""

import datetime
from dataclasses import dataclass
from typing import Literal

from tourney.bridge import Auction, Board, Call, Card, Contract, Result, Seat
from tourney.scoring.double_dummy import CardCost, DoubleDummyTable


@dataclass(frozen=True, slots=True, kw_only=True)
class PbnRecord:
    """One board at one table, finished or not. Texts may be of any language; an empty text is one not known."""

    event: str
    site: str
    date: datetime.date | None
    board: Board
    names: tuple[str, str, str, str]
    """`names[seat]`: the program, or the team, that sat there."""
    calls: tuple[tuple[Call, str | None], ...]
    """Every call from the dealer's on, with the text of its alert; None where it was not alerted."""
    cards: tuple[tuple[Seat, Card], ...]
    """Every card in the order of play, with the hand it came from."""
    result: Result | None
    """None when the board has no result of its own: unfinished, or given up to a ruling."""
    scoring: str = "IMP"
    room: Literal["Open", "Closed"] | None = None
    home_team: str = ""
    visit_team: str = ""
    round: str = ""
    stage: str = ""
    table: str = ""
    imps_ns: int | None = None
    """IMPs of the side that sat North-South here. By custom of the format only one of the two rooms has it."""
    termination: str = ""
    """Why the board ended, in the words of PBN 2.1 section 4.1.8, such as `normal` or `time forfeit`."""
    call_ms: tuple[int, ...] = ()
    """Thinking time of each call in milliseconds, `call_ms[i]` that of `calls[i]`; empty when it is not known."""
    card_ms: tuple[int, ...] = ()
    """The same of each card."""
    makeable: DoubleDummyTable | None = None
    """What each declarer can make double dummy; None where it was not solved."""
    par_ns: int | None = None
    """North-South's score when both sides bid and play as well as can be."""
    costs: tuple[CardCost, ...] | None = None
    """The cards that cost their side tricks, in the order of play; None where the play was not solved."""

    @property
    def auction(self) -> Auction:
        """The calls, replayed.

        Raises:
            RuleError: a call is not legal.
        """
        auction = Auction(self.board.dealer)
        for call, _ in self.calls:
            auction.add(call)
        return auction

    @property
    def contract(self) -> Contract | None:
        """That of the result, else that of the auction; None when passed out or never reached.

        Raises:
            RuleError: a call is not legal.
        """
        return self.result.contract if self.result is not None else self.auction.contract
