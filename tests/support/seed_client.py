"""A client of the stateful-server protocol that was written from its source document alone.

It shares no code with tourney, and knows nothing that the document does not say: no message whose name begins with
X-. What the document leaves open is the bytes of a line: a message a line, its arguments with one blank between
them, items of a list with commas, `-` for an empty list, strings in double quotes.

It keeps no history. It knows what it was last told, and acts when a position is its own, or its dummy's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

POSITIONS = "NESW"
SUITS = ["C", "D", "H", "S", "NT"]


@dataclass
class SeedClient:
    """One player. `choose_bid` and `choose_card` decide; they are given the client."""

    name: str
    choose_bid: Callable[["SeedClient"], str]
    choose_card: Callable[["SeedClient", Sequence[str]], str]
    gameid: str = ""
    position: str = ""
    hand: list[str] = field(default_factory=list)
    bids: list[str] = field(default_factory=list)
    dummy: list[str] = field(default_factory=list)
    trick: list[str] = field(default_factory=list)
    tricks_won: list[str] = field(default_factory=list)
    contract: tuple[str, ...] = ()
    """What the last AUCCLOSE said; none during an auction."""
    score: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    naks: list[str] = field(default_factory=list)
    boards: int = 0
    """How many boards it has seen the end of."""
    unknown: list[str] = field(default_factory=list)

    def start(self) -> list[str]:
        """What it says when it has connected, whether for the first time or not."""
        return [f'HELLO "{self.name}"', "JOIN-T"]

    def receive(self, line: str) -> list[str]:
        """What it says to a line of the server."""
        name, _, rest = line.partition(" ")
        match name:
            case "JOINED":
                self._joined(rest)
            case "HAND":
                self.hand = items(rest)
            case "AUCOPEN":
                return self._auction(rest)
            case "AUCCLOSE":
                self.contract = tuple(rest.split(" "))
                if self.contract == ("0", "0", "0", "0"):
                    self.boards += 1
            case "DUMMY":
                self.dummy = items(rest)
            case "TRICKSWON":
                self.tricks_won = items(rest)
                self.boards += len(self.tricks_won) == 13
            case "TRICK":
                return self._trick(rest)
            case "SCORE-M":
                self.score = tuple(rest.split(" "))
            case "NAK":
                self.naks.append(rest)
            case "TOURNAMENTS" | "GAMES":
                pass
            case _:
                self.unknown.append(line)
        return []

    def _joined(self, rest: str) -> None:
        gameid, position, *name = rest.split(" ", 2)
        if name:
            self.names[position] = name[0].strip('"')
            return
        self.gameid, self.position = gameid, position
        self.hand, self.bids, self.dummy, self.trick, self.tricks_won = [], [], [], [], []
        self.contract = ()

    def _auction(self, rest: str) -> list[str]:
        turn, bids = rest.split(" ")
        self.bids, self.contract = items(bids), ()
        return [f"BID {self.choose_bid(self)}"] if turn == self.position else []

    def _trick(self, rest: str) -> list[str]:
        turn, cards = rest.split(" ")
        self.trick = items(cards)
        held = self.hand if turn == self.position else self.dummy
        if turn == self.position:
            if self.is_dummy:
                return []
        elif not (turn == self.partner and self.is_declarer):
            return []
        led = self.trick[0][-1] if self.trick else ""
        allowed = [card for card in held if card[-1] == led] or held
        return [f"PLAY {self.choose_card(self, allowed)}"]

    @property
    def partner(self) -> str:
        return POSITIONS[(POSITIONS.index(self.position) + 2) % 4]

    @property
    def is_dummy(self) -> bool:
        """Dummy is who sees in DUMMY what it sees in HAND."""
        return bool(self.dummy) and sorted(self.dummy) == sorted(self.hand)

    @property
    def is_declarer(self) -> bool:
        """Declarer is who is of the team of the contract, sees a dummy, and is not dummy."""
        return bool(self.dummy) and not self.is_dummy and self.position in self.contract[3]


def items(text: str) -> list[str]:
    """The items of a list."""
    return [] if text == "-" else text.split(",")


def legal_bids(bids: Sequence[str]) -> list[str]:
    """The calls that the rules of bridge allow after others."""
    last, by, doubled = "", -1, ""
    for at, bid in enumerate(bids):
        if bid in ("DOUBLE", "REDOUBLE"):
            doubled = bid
        elif bid != "PASS":
            last, by, doubled = bid, at, ""
    higher = [f"{level}{suit}" for level in range(1, 8) for suit in SUITS]
    higher = higher[higher.index(last) + 1 :] if last else higher
    theirs = bool(last) and (len(bids) - by) % 2 == 1
    double = ["DOUBLE"] if theirs and not doubled else []
    redouble = ["REDOUBLE"] if last and not theirs and doubled == "DOUBLE" else []
    return ["PASS", *double, *redouble, *higher]
