"""The check's vocabulary of the Blue Chip protocol: what a program says is checked line by line.

A `PlayerCore` shadows the program: it is told whatever the table tells the program, and makes the program's legal
calls and plays its cards, so that it knows at every moment what the program owes. The checker explains why a line is
not accepted, and what should have come instead.
"""

import re
from dataclasses import replace
from typing import Final

from tourney.bridge import BIDS, Seat
from tourney.compliance.findings import Failure, FailureKind, Remark, SessionPhase, parse_steps
from tourney.compliance.vocabulary import Dialogue, Expected, Vocabulary
from tourney.errors import FormatError
from tourney.plurals import shorten
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.player_lines import Courtesy, PlayerMessage, parse_player_line
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.bluechip.server_lines import PlainLine, parse_server_line
from tourney.protocol.lines import Overlong, decode_line
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine
from tourney.protocol.session.intents import (
    BadLine,
    CallIntent,
    CardIntent,
    ClaimAnswerIntent,
    ClaimIntent,
    LogOnIntent,
    Ready,
    ReadyFor,
)

NEEDLESS_LINES_MAX: Final = 300
"""Ready lines of one board that may answer nothing; a program that sends each of them twice stays below it."""

_QUOTE_MAX: Final = 120

_LOG_ON: Final = "BC-05"
"""The clause by which a program logs on."""

_LEAVE: Final = "BC-39"
"""The clause by which a program leaves at the end of a session."""

_WAIT_TO_LEAD: Final = "Wait for the line `to lead` before you lead to a trick."

_READY_CLAUSES: Final = {
    ReadyFor.TEAMS: "BC-06",
    ReadyFor.START: "BC-07",
    ReadyFor.DEAL: "BC-12",
    ReadyFor.CARDS: "BC-14",
    ReadyFor.CALL: "BC-16",
    ReadyFor.CARD: "BC-31",
    ReadyFor.DUMMY: "BC-32",
}


class LineChecker(Dialogue):
    """Checks the lines of one session of the program at one seat."""

    def __init__(self, seat: Seat, team: str) -> None:
        super().__init__()
        self.seat = seat
        self.lines_since_heard = 0
        """Lines sent to the program since it last said something."""
        self._shadow = PlayerCore(seat, team)
        log_on = self._shadow.start()[0]
        assert isinstance(log_on, SendLine)
        self.expected: Expected | None = Expected(
            log_on.line,
            _LOG_ON,
            "Log on as soon as the connection is open, with the team and seat the program was started with.",
        )
        self._last_line = ""
        self._needless_line = ""  # the last line, if it answered nothing
        self._needless = 0
        self._may_be_refused = False

    # What the table does

    def receive_table_line(self, line: str) -> Failure | None:
        self.after = line
        self.lines_since_heard += 1
        message = parse_server_line(line)
        if message is PlainLine.START:
            self._needless = 0
        if message is PlainLine.REFUSED:
            return self._refusal(line)
        if message not in (PlainLine.NOTICE, PlainLine.OTHER):
            self._expect(self._shadow.receive_line(line.encode()))
        return None

    def owed(self) -> Expected | None:
        return self.expected

    def _expect(self, effects: list[PlayerEffect]) -> None:
        self.expected = None
        for effect in effects:
            match effect:
                case SendLine():
                    request = parse_player_line(effect.line)
                    assert isinstance(request, Ready)
                    advice = f"Send this line when `{_quote(self.after)}` has come."
                    self.expected = Expected(effect.line, _READY_CLAUSES[request.what], advice, ask=request)
                case AskCall():
                    title = self.seat.title
                    bid = next((bid for bid in BIDS if effect.view.auction.why_illegal(bid) is None), None)
                    text = f"a call, such as `{title} passes`" + (f" or `{title} bids {bid}`" if bid else "")
                    self.expected = Expected(
                        text, "BC-15", "Call when it is your turn, without being asked.", ask=effect
                    )
                case AskCard():
                    whose = "dummy's hand" if effect.hand is not self.seat else "its hand"
                    card = effect.view.legal_from(effect.hand)[-1]
                    text = f"a card from {whose}, such as `{effect.hand.title} plays {card}`"
                    clause = "BC-30" if effect.hand is self.seat else "BC-33"
                    advice = "Play when it is your turn; declarer plays dummy's cards, under dummy's seat name."
                    self.expected = Expected(text, clause, advice, ask=effect)
                case Leave():
                    assert effect.reason is None, effect.reason  # the table and the shadow speak the same protocol
                    advice = "Close the connection when `End of session` has come."
                    self.expected = Expected("it closes its connection", _LEAVE, advice)

    @property
    def _ask(self) -> Ready | AskCall | AskCard | None:
        """The request, or the question for a call or card, that the program has not answered yet."""
        expected = self.expected
        return expected.ask if expected is not None and not expected.answered else None

    @property
    def _has_logged_on(self) -> bool:
        return self.expected is None or self.expected.clause != _LOG_ON

    # What the program says

    def check_line(self, data: bytes | Overlong, *, is_behind: bool = False) -> Failure | None:
        failure = self._check(data, is_behind=is_behind)
        self.lines_since_heard = 0
        return failure

    def _check(self, data: bytes | Overlong, *, is_behind: bool) -> Failure | None:
        if isinstance(data, Overlong):
            said = f"a line of more than {data.limit} bytes"
            return self._failure("BC-03", FailureKind.LINE, said, "Keep every line under the limit.")
        text = data.decode("ascii", "backslashreplace").strip()
        repeated, self._last_line, self._needless_line = text == self._last_line, text, ""
        if is_behind and b" plays " in data.lower() and parse_server_line(self.after) is PlainLine.LEAD:
            # The table has asked for the lead, but that has not been written.
            return self._fail("BC-29", _WAIT_TO_LEAD)
        try:
            line = decode_line(data)
            message = parse_player_line(line)
        except FormatError as error:
            return self._fail("BC-03", f"Send printable ASCII only: {error}.")
        if isinstance(message, Ready) and self._is_answer(message):
            assert self.expected is not None
            clause = "BC-31" if message.what is ReadyFor.CARD else "BC-01"
            self._compare(line.strip(), self.expected.text, clause)
            self.expected.answered = True
            return None
        if repeated and isinstance(message, LogOnIntent | CallIntent | CardIntent):
            return self._fail("BC-47", "Send every log-on, call and card once: a second one is out of turn.")
        ask = self._ask
        failure = self._check_message(message, repeated=repeated)
        if failure is None:
            self._follow(message, line.strip(), ask)
        return failure

    def _follow(self, message: PlayerMessage, line: str, ask: Ready | AskCall | AskCard | None) -> None:
        """Have the shadow make the call or play the card with which the program has answered a question."""
        match message:
            case LogOnIntent():
                assert self.expected is not None
                self._compare(line, self.expected.text, _LOG_ON, also=(" ",))
            case CallIntent():
                if message.text:
                    self.alerts.append(message.text)
                said, *rest = self._shadow.make_call(message.call)
                assert isinstance(said, SendLine)
                clause = "BC-17" if message.alerted else "BC-15"
                self._compare(line, said.line, clause, also=(" Alert. ", " Infos. "))
                self._expect(rest)
            case CardIntent():
                assert isinstance(ask, AskCard)
                said, *rest = self._shadow.make_card(ask.hand, message.card)
                assert isinstance(said, SendLine)
                self._compare(line, said.line, "BC-30" if ask.hand is self.seat else "BC-33")
                self._expect(rest)
            case _:
                pass

    def _compare(self, line: str, printed: str, clause: str, *, also: tuple[str, ...] = ()) -> None:
        """Remark on a line that is understood though version 18 prints it otherwise, apart from what may follow."""
        if line != printed and not line.startswith(tuple(f"{printed}{more}" for more in also)):
            self.remark(
                clause,
                f"It says `{_quote(line)}`, and version 18 has `{_quote(printed)}`: other table managers may not"
                " understand that, nor may programs to which they relay a line as it came.",
            )

    def _check_message(self, message: PlayerMessage, *, repeated: bool) -> Failure | None:
        match message:
            case BadLine():
                return self._fail(
                    _LOG_ON if message.is_log_on else "BC-03",
                    f"Send lines of the protocol only: {message.reason}.",
                )
            case LogOnIntent():
                return self._check_log_on()
            case CardIntent():
                return self._check_card(message)
            case _ if message.seat is not self.seat:
                return self._fail("BC-11", f"Begin every line with {self.seat.title}, the seat you are playing.")
            case Ready():
                return self._note_needless(repeated=repeated)
            case CallIntent():
                return self._check_call(message)
            case ClaimIntent() | ClaimAnswerIntent():
                self._may_be_refused = True
                self.remark(
                    "BC-42",
                    "It claims: tables here take claims only if the organiser allows them, others take none.",
                )
            case Courtesy():
                self.remark(
                    "BC-51",
                    f"`{_quote(self._last_line)}` belongs to an older version and asks for nothing: RoboTM ignores it"
                    " too, and bridge_env's server stops at it.",
                )
        return None

    def _check_log_on(self) -> Failure | None:
        if self._has_logged_on or self.owes_nothing():
            return self._fail(_LOG_ON, "Log on once in a connection.")
        assert self.expected is not None
        self.expected.answered = True
        return None

    def _check_call(self, message: CallIntent) -> Failure | None:
        ask = self._ask
        if not isinstance(ask, AskCall):
            return self._fail("BC-21", "Call only in your turn, once you have been told about every call before it.")
        why = ask.view.auction.why_illegal(message.call)
        if why is not None:
            return self._fail("BC-20", f"Make legal calls only: {why}.")
        return None

    def _check_card(self, message: CardIntent) -> Failure | None:
        view = self._shadow.view
        contract = view.contract if view is not None else None
        is_mine = message.seat is self.seat
        if contract is None or view is None or view.current is None:
            clause = "BC-34" if is_mine or message.seat is None else "BC-11"
            return self._fail(clause, "Play cards only once the auction has ended in a contract.")
        of_dummy = message.seat in (None, contract.dummy)
        if not is_mine and not of_dummy:
            return self._fail("BC-11", f"Play your own cards, as {self.seat.title}.")
        if of_dummy and not is_mine and not view.is_declarer:
            return self._fail("BC-33", "Leave dummy's cards to declarer.")
        ask = self._ask
        if not isinstance(ask, AskCard):
            turn = view.turn
            leads = turn is not None and not view.current.cards and self.expected is None
            if leads and turn in (self.seat, contract.dummy if view.is_declarer else None):
                return self._fail("BC-29", _WAIT_TO_LEAD)
            return self._fail("BC-34", "Play only in your turn, once you have been told about every card before it.")
        meant = contract.dummy if of_dummy or (is_mine and ask.hand is contract.dummy) else self.seat
        if meant is not ask.hand:
            return self._fail("BC-34", f"Play from the hand in turn, which is {ask.hand.title}'s.")
        if message.card not in ask.view.held(meant):
            return self._fail("BC-34", f"Play cards that the hand holds: {meant.title} has no {message.card}.")
        legal = ask.view.legal_from(meant)
        if message.card not in legal:
            led = ask.view.current.cards[0] if ask.view.current is not None else legal[0]
            instead = f"{led} was led, and {meant.title} has {' '.join(map(str, legal))}"
            return self._fail("BC-34", f"Follow suit when the hand can, else this is a revoke: {instead}.")
        return None

    def _is_answer(self, message: Ready) -> bool:
        ask = self._ask
        if not isinstance(ask, Ready) or message.seat is not self.seat or message.what is not ask.what:
            return False
        if message.what is not ReadyFor.CARD:
            return message.whose is ask.whose
        view = self._shadow.view
        assert view is not None
        assert view.contract is not None
        hand = ask.whose if ask.whose is not None else view.contract.dummy
        if message.whose is not None:
            return message.whose is hand
        # From dummy's own seat, "dummy's card" may mean anybody's card, in one interpretation of version 18.
        return hand is view.contract.dummy or view.is_dummy

    def _note_needless(self, *, repeated: bool) -> Failure | None:
        self._needless += 1
        self._needless_line = self._last_line
        if self._needless > NEEDLESS_LINES_MAX:
            advice = f"Send each ready line once, when it is due: over {NEEDLESS_LINES_MAX} of them answered nothing."
            return self._fail("BC-51", advice)
        kind = "twice" if repeated else "early, late or without need"
        what = f"Ready lines come {kind}, which is harmless here; `{_quote(self._last_line)}` was the first"
        self.remark(
            "BC-51", f"{what}. RoboTM, bridge_env's server and Brdge-Bot stop at a line that they do not expect."
        )
        return None

    # Findings

    def note_line_ends(self, failure: Failure | None) -> None:
        if failure is None or failure.clause != "BC-03":
            text = "Lines end in LF alone: the protocol says CR LF, and bridge_env and RoboBridge wait for that."
            self.remarks.insert(0, Remark("BC-01", text))

    def remark(self, clause: str, text: str) -> None:
        """Add a remark, once."""
        remark = Remark(clause, text)
        if all(known.what != remark.what for known in self.remarks):
            self.remarks.append(remark)

    @property
    def _wanted(self) -> str:
        """What should come now, in words."""
        expected = self.expected
        if expected is None or expected.answered:
            return "nothing: it is the table's turn"
        return expected.text

    def _fail(self, clause: str, advice: str) -> Failure:
        """Make a failure of the last line."""
        return self._failure(clause, FailureKind.LINE, f"`{_quote(self._last_line)}`", advice)

    def _failure(self, clause: str, kind: FailureKind, said: str, advice: str) -> Failure:
        """Make a failure at this point of the session."""
        waiting = self.lines_since_heard > 1
        return Failure(
            clause=clause,
            kind=kind,
            said=said,
            expected=self._wanted,
            advice=advice,
            after=_quote(self.after),
            output=(),
            line_waiting=waiting,
        )

    def silence(self, waited_s: float, unfinished: bytes) -> Failure:
        expected = self.expected
        if unfinished:
            text = unfinished[:_QUOTE_MAX].decode("ascii", "backslashreplace")
            said = f"`{text}` without a line end, for {waited_s:g} s"
            return self._failure("BC-01", FailureKind.SILENT, said, "End every line with CR LF.")
        if expected is None:
            return self._failure("BC-51", FailureKind.SILENT, f"nothing for {waited_s:g} s", "Ask for what you need.")
        if expected.clause == _LEAVE:
            said = f"it stayed connected for {waited_s:g} s"
            return self._failure(expected.clause, FailureKind.STAYED, said, expected.advice)
        said = f"`{_quote(self._needless_line)}`, and then nothing" if self._needless_line else "nothing"
        return self._failure(expected.clause, FailureKind.SILENT, f"{said} for {waited_s:g} s", expected.advice)

    def closing(self) -> Failure:
        advice = "Stay connected until `End of session`, whatever comes; your program's own log may say why it left."
        clause = _LEAVE if self._has_logged_on else _LOG_ON
        return self._failure(clause, FailureKind.CLOSED, "it closed the connection", advice)

    def _refusal(self, line: str) -> Failure | None:
        """Describe the failure of a program whose line the table refuses; None if it may go on (a claim, BC-42)."""
        if self._may_be_refused:
            self._may_be_refused = False
            return None
        said = f"The table says: {line.rstrip('.')}."
        if self._has_logged_on:
            return self._fail("BC-03", said)
        assert self.expected is not None
        expected = f"a log-on that the table accepts: `{self.expected.text}`"
        return replace(self._fail("BC-08", said), expected=expected)


def _quote(text: str) -> str:
    return shorten(text, _QUOTE_MAX)


BLUE_CHIP: Final = Vocabulary(
    steps=parse_steps("""
CONNECT           BC-05                                connects
GREET             BC-06 BC-07                          is seated, learns the teams, is ready to start
PASSED_OUT        BC-12 BC-14 BC-16 BC-19              a passed-out board
AFTER_PASSED_OUT  BC-19 BC-37                          Timing line after a passed-out board
DECLARER          BC-15 BC-29 BC-30 BC-31 BC-32 BC-33  declarer
AFTER_PLAYED      BC-37                                Timing line after a board
DUMMY_LEADS       BC-29 BC-33                          declarer, dummy on lead
DUMMY             BC-31 BC-32                          dummy
LEADER            BC-29 BC-30 BC-31 BC-32              defender who leads
THIRD_HAND        BC-30 BC-31 BC-32                    defender whose partner leads
REDOUBLED         BC-15 BC-18                          a redoubled contract
VOIDS             BC-14                                a hand with three voids
ALERT             BC-17                                alerted calls of the opponents, a double among them
INFOS             BC-17                                a call explained with Infos. (version 19)
LONG_ALERT        BC-03 BC-17                          an alert of 1,500 characters
END               BC-39                                leaves at End of session
AGAIN             BC-09 BC-39                          a second session, on a new connection
SLOW              BC-16                                a partner who is slow to call
RESTART           BC-48                                Start of board in the middle of a board
CUT               BC-48                                comes back after its connection was cut
PACKET            BC-50                                two lines in one packet
TAKEN             BC-08                                is refused a seat that is taken
OWN_ALERTS        BC-22 BC-23 BC-24                    its own alerts
"""),
    new_wire=BlueChipWire,
    new_dialogue=lambda seat, team, _: LineChecker(seat, team),
    milestones={SessionPhase.GREET: re.compile(".* seated"), SessionPhase.BOARD: re.compile("Board number")},
    has_profiles=True,
    # Long enough to catch a program that leads without being asked to, which it does at once (BC-29).
    trick_pause_ms=2,
)
