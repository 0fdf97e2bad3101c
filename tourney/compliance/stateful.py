"""The check's vocabulary of the stateful-server protocol: what a program does wrong the table answers with `NAK`."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tourney.bridge import Seat
from tourney.compliance.findings import Failure, FailureKind, SessionPhase, parse_steps
from tourney.compliance.vocabulary import Dialogue, Expected, Vocabulary
from tourney.protocol.lines import Overlong
from tourney.protocol.session.intents import PendingLine
from tourney.protocol.session.records import SeatTaken, TableRecord
from tourney.protocol.stateful.messages import NakMessage, TournamentsMessage, parse_server_message
from tourney.protocol.stateful.server import StatefulWire
from tourney.protocol.stateful.values import GameId

_MISTAKES: Final = {
    FailureKind.LINE: (
        "SS-22",
        "Answer only an AUCOPEN or a TRICK with your own position, or with dummy's as declarer.",
    ),
    FailureKind.SILENT: (
        "SS-14",
        "Answer every AUCOPEN and TRICK that has your position, which is that of the JOINED without a name, and a"
        " TRICK that has dummy's as declarer.",
    ),
    FailureKind.CLOSED: ("SS-29", "Stay until the server closes the connection."),
    FailureKind.STAYED: ("SS-29", "End, or connect again, when the server has closed the connection."),
}
"""The clause that a failure of a kind is about, and what to change; of a refusal it may be another."""

_REFUSALS: Final = (
    ("does not hold", "SS-21", "Play a card of the last HAND, or of the last DUMMY: both are sent after each trick."),
    ("must follow suit", "SS-18", "Follow the suit of the first card of TRICK while the hand in turn has any."),
    (
        "dummy's cards are played by declarer",
        "SS-18",
        "Send nothing as dummy: you are dummy when HAND and DUMMY have the same cards.",
    ),
    (
        "is not higher than",
        "SS-14",
        "Look at the calls in AUCOPEN before you bid: the last bid in it is to be beaten.",
    ),
    (
        "double",
        "SS-14",
        "Double only a bid of the other side, and redouble only their double; AUCOPEN has all calls.",
    ),
    ("the auction is over", "SS-14", "Send no BID after AUCCLOSE: the next line that wants an answer is a TRICK."),
    ("no card can be played before", "SS-17", "Send no PLAY before a TRICK has your position."),
    (
        "a message of a player is",
        "SS-04",
        "Send only messages that a client has; the page on the protocol lists them.",
    ),
    ("is sent by the server", "SS-04", "Send only messages that a client has; the page on the protocol lists them."),
    ("the message is", "SS-03", "Send as many arguments as the message has, with one blank between them."),
    ("a bid is", "SS-02", "Send a bid as 1C to 7NT, PASS, DOUBLE or REDOUBLE."),
    ("a card is", "SS-02", "Send a card as its rank and then its suit: 10H, AS."),
)
"""Words of a refusal, the clause that it is about, and what to change."""


class StatefulDialogue(Dialogue):
    """Follows one session: the table knows what the program owes, and says what is wrong."""

    def __init__(self, seat: Seat, team: str, pending: Callable[[], list[PendingLine]]) -> None:
        super().__init__()
        self._seat = seat
        self._pending = pending
        self._log_on: Expected | None = Expected(
            f"HELLO {team}",
            "SS-05",
            "Say HELLO and the name of the team as soon as you are connected.",
        )
        """What is missing before the program has its seat."""
        self._last_line = ""

    def owed(self) -> Expected | None:
        if self._log_on is not None:
            return self._log_on
        if self.is_over:
            return Expected("it ends, as the connection is closed", "SS-29")
        for line in self._pending():
            if line.what in ("call", "card"):
                text = "BID and a call" if line.what == "call" else "PLAY and a card"
                return Expected(text, _MISTAKES[FailureKind.SILENT][0])
        return None

    def receive_record(self, record: TableRecord) -> None:
        if isinstance(record, SeatTaken) and record.seat is self._seat:
            self._log_on = None

    def receive_table_line(self, line: str) -> Failure | None:
        message = parse_server_message(line.encode())
        failure = None
        match message:
            case NakMessage():
                failure = self._refusal(message.description)
            case TournamentsMessage() if self._log_on is not None:
                self._log_on = Expected("JOIN-T", "SS-07", "Ask for a seat with JOIN-T when you have said HELLO.")
        self.after = line
        return failure

    def check_line(self, data: bytes | Overlong, *, is_behind: bool = False) -> Failure | None:  # noqa: ARG002
        if isinstance(data, Overlong):
            self._last_line = f"a line of more than {data.limit} bytes"
        else:
            self._last_line = data.decode("utf-8", "replace")
        return None

    # Findings

    def _refusal(self, why: str) -> Failure:
        failure = self._failure(FailureKind.LINE, self._last_line, f"no NAK; the table said: {why}")
        known = next((refusal for refusal in _REFUSALS if refusal[0] in why), None)
        if self._log_on is not None or known is None:
            return failure
        return replace(failure, clause=known[1], advice=known[2])

    def silence(self, waited_s: float, unfinished: bytes) -> Failure:  # noqa: ARG002 # a line's end is no finding here
        kind = FailureKind.STAYED if self.is_over else FailureKind.SILENT
        return self._failure(kind, f"nothing for {waited_s:g} s")

    def closing(self) -> Failure:
        return self._failure(FailureKind.CLOSED, "it closed the connection")

    def _failure(self, kind: FailureKind, said: str, expected: str = "") -> Failure:
        owed, log_on = self.owed(), self._log_on
        clause, advice = (log_on.clause, log_on.advice) if log_on is not None else _MISTAKES[kind]
        return Failure(
            clause=clause,
            kind=kind,
            said=said,
            expected=expected or (owed.text if owed is not None else "nothing"),
            advice=advice,
            after=self.after,
            output=(),
        )


STATEFUL: Final = Vocabulary(
    steps=parse_steps("""
CONNECT      SS-05              says HELLO
GREET        SS-07 SS-09        asks for a seat
PASSED_OUT   SS-14 SS-15 SS-16  a passed-out board
DECLARER     SS-17 SS-18 SS-19  declarer, who plays for dummy too
DUMMY_LEADS  SS-17 SS-18        declarer, dummy on lead
DUMMY        SS-18 SS-19        dummy, who plays nothing
LEADER       SS-17 SS-18        defender who leads
THIRD_HAND   SS-17 SS-18        defender whose partner leads
REDOUBLED    SS-02 SS-16        a redoubled contract
VOIDS        SS-21              a hand with three voids
UNKNOWN      SS-04              ignores a message that it does not know
CUT          SS-30              comes back after its connection was cut, and plays on
END          SS-29              leaves when the connection is closed
"""),
    new_wire=lambda: StatefulWire(GameId("check", "checkbot")),
    new_dialogue=StatefulDialogue,
    milestones={SessionPhase.GREET: re.compile("TOURNAMENTS "), SessionPhase.BOARD: re.compile("HAND ")},
    seats_by_port=True,
    dummy_wait_s=0.03,
    unknown_line="WEATHER fine 18",
)
