"""The table's side of Blue Chip: what one player is sent, and when.

A player is sent a call or card once it has been made, the player knows everything before it, and the player has asked
for it (BC-16, BC-31). Requests may come early, late or twice (BC-51).

A program that comes back in the middle of a board without knowing it is sent the board from its first call, and
has to repeat in turn what its seat called and played before (BC-48).
"""

from collections.abc import Mapping
from typing import Final

from tourney.bridge import Card, Seat, Side
from tourney.errors import FormatError
from tourney.formats.ascii import to_ascii
from tourney.protocol.bluechip.profile import DEFAULT, VERSIONS, ReadyForCards, WireProfile
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.bluechip.wire.player_lines import (
    CallLine,
    CardLine,
    ClaimAnswer,
    ClaimLine,
    Connecting,
    PlayerMessage,
    Ready,
    ReadyFor,
    Unknown,
    read_player_line,
    read_usual_line,
)
from tourney.protocol.bluechip.wire.server_format import CALL_LINES, CARD_LINES
from tourney.protocol.lines import USUAL_CHARS_MAX, Charset
from tourney.protocol.session.board.state import BoardState, Entry
from tourney.protocol.session.records import IncidentKind
from tourney.protocol.session.wire import (
    BadLine,
    CallIntent,
    CardIntent,
    CardsIntent,
    ClaimAnswerIntent,
    ClaimIntent,
    Intent,
    JoinIntent,
    LogOnIntent,
    PendingLine,
    Refusal,
    RefusalAnswer,
    ReturnIntent,
    TeamsIntent,
    Wire,
)

ASSUMED_WAIT_MS: Final = 200
"""How long after the board line a player that never asks for its cards is sent them."""

REQUESTS_MAX: Final = 8
"""Unanswered requests kept for one player; a program in step has one, at most two."""

_REQUESTS: Final = (ReadyFor.CARD, ReadyFor.CALL, ReadyFor.DUMMY)


def find_seat(line: bytes) -> Seat | None:
    """Return the seat that a program's first line names; None if it names none, or cannot be read."""
    try:
        message = read_player_line(line)
    except FormatError:
        return None
    return None if isinstance(message, Unknown) else message.seat


class BlueChipWire(Wire):
    """The wire of one player. `told` is the number of entries of the board's history that it knows."""

    def __init__(self) -> None:
        super().__init__()
        self._profile = DEFAULT
        self._wants_infos = False
        """Whether texts without an alert are relayed to it: as its profile says, or by version 19."""
        self._asked_teams = False
        self._told_teams = False
        self._since_ms = 0
        """When, before it had joined, it was last sent something that it must answer."""
        self._is_early = False
        """Whether it was ready for the next deal before the board began (BC-19)."""
        self._forget_board(0)

    def _forget_board(self, now_ms: int) -> None:
        self.told = 0
        """Number of calls and cards this player knows, its own included."""
        self._told_at_ms = now_ms
        self._repeats_to = 0
        """Number of calls and cards made before this program sat down; it has to repeat its own among them."""
        self._prompted = -1
        """The number of the card for which it was last sent "to lead"."""
        self._requests: list[Ready] = []
        self._answered: Ready | None = None
        self._told_board = False
        self._ready_for_cards = False
        self._told_cards = False
        self._told_dummy = False

    # What the player says

    def receive_line(self, line: bytes, now_ms: int) -> Intent | None:
        try:
            message = read_usual_line(line) if len(line) <= USUAL_CHARS_MAX else read_player_line(line)
        except FormatError as error:
            return BadLine(str(error))
        seat = self.connection.seat
        if seat is None:
            return self._read_before_log_on(message)
        # The most frequent lines come first.
        if isinstance(message, Ready) and message.seat is seat:
            return self._receive_ready(seat, message, now_ms)
        return self._read_seated(seat, message)

    @staticmethod
    def _read_before_log_on(message: PlayerMessage) -> Intent:
        if isinstance(message, Unknown):
            return BadLine(message.reason, message.log_on)
        why_not = "a connection begins with Connecting"
        if not isinstance(message, Connecting):
            return ReturnIntent(message.seat, why_not) if message.seat is not None else BadLine(why_not)
        is_spoken = message.version in VERSIONS
        return LogOnIntent(
            team=message.team,
            seat=message.seat,
            any_seat=message.any_seat,
            seat_word=message.seat_word,
            version=message.version,
            system=message.system,
            why_not="" if is_spoken else f"protocol version {message.version} is not spoken here, only 18 and 19",
        )

    def _read_seated(self, seat: Seat, message: PlayerMessage) -> Intent | None:
        match message:
            case Unknown():
                return BadLine(message.reason)
            case Connecting():
                return BadLine(f"this connection is {seat.title}'s already")
            case CardLine():
                # Declarer may name dummy; the board judges a card of dummy's from anybody (BC-33). Otherwise BC-11.
                if (
                    message.seat not in (None, seat)
                    and self.board is not None
                    and message.seat is not self.board.dummy
                ):
                    self.connection.note(f"a card of another seat from {seat.title}'s connection: ignored")
                    return None
                return CardIntent(message.seat, message.card, message.text)
            case _ if message.seat is not seat:
                self.connection.note(f"the line is {message.seat.title}'s, the connection {seat.title}'s: ignored")
                return None
            case CallLine():
                return CallIntent(message.call, message.alerted, message.text)
            case ClaimLine():
                return ClaimIntent()
            case ClaimAnswer():
                return ClaimAnswerIntent(message.claimant, message.accepts)
            case _:
                return None  # a courtesy

    def _receive_ready(self, seat: Seat, request: Ready, now_ms: int) -> Intent | None:
        board, what = self.board, request.what
        if board is None:
            return self._receive_ready_outside(what)
        if not self._told_board and what is not ReadyFor.DEAL and board.seats[seat].swallow_line():
            return None
        board.clock.moved_ms = now_ms
        if what in _REQUESTS:
            self._take_request(board, seat, request, now_ms)
        elif what is ReadyFor.DEAL:
            return self._receive_ready_for_deal(board, now_ms)
        elif what is ReadyFor.CARDS:
            self._ready_for_cards = True
            return CardsIntent()
        else:
            self.connection.note(f"ready for {what.value} again, swallowed")
        return None

    def _receive_ready_outside(self, what: ReadyFor) -> Intent | None:
        if what is ReadyFor.TEAMS and not self._told_teams:
            self._asked_teams = True
            return TeamsIntent()
        if what is ReadyFor.START and self._told_teams and not self.connection.is_ready:
            return JoinIntent()
        if what is ReadyFor.DEAL and self.connection.table.was_passed_out:
            self._is_early = True
        else:
            self.connection.note(f"ready for {what.value} outside a board, swallowed")
        return None

    def _receive_ready_for_deal(self, board: BoardState, now_ms: int) -> Intent | None:
        if board.in_play.is_over and self.is_caught_up:
            # A player that is ready for the next deal needs no more of this one.
            self.told = len(board.history)
            self._is_early = board.in_play.contract is None
        elif self._told_board:
            self.connection.note("ready for deal again, swallowed")
        else:
            self._send_board(board, now_ms)
            if self._ready_for_cards:
                return CardsIntent()
        return None

    # Before and after boards

    def send_seated(self, profile: object, version: int, now_ms: int) -> None:
        if isinstance(profile, WireProfile):
            self._profile = profile
        profile = self._profile
        self.line_gap_ms, self.restarts_board = profile.line_gap_ms, profile.board_restart
        self.charset = profile.charset or Charset.UTF_8
        self._wants_infos = profile.infos if profile.infos is not None else version == 19
        self._since_ms = now_ms
        connection = self.connection
        assert connection.seat is not None
        connection.send(server_format.format_seated(connection.seat, connection.team, profile.seated))

    @property
    def wants_teams(self) -> bool:
        return self._asked_teams

    def send_teams(self, names: Mapping[Side, str], now_ms: int) -> None:
        if not self._told_teams:
            self._told_teams, self._since_ms = True, now_ms
            self.connection.send(server_format.format_teams(names[Side.NS], names[Side.EW], self._profile.teams_line))

    def send_error(self, text: str) -> None:
        self.connection.send(server_format.format_error(text))

    def send_board_end(self, spent_ms: Mapping[Side, int], total_ms: Mapping[Side, int]) -> None:
        if self._profile.timing:
            ns, ew = Side.NS, Side.EW
            self.connection.send(server_format.format_timing(spent_ms[ns], total_ms[ns], spent_ms[ew], total_ms[ew]))

    def send_session_end(self) -> None:
        self.connection.send(server_format.END_OF_SESSION)

    def pending(self) -> PendingLine | None:
        seat = self.connection.seat
        assert seat is not None
        if not self.connection.is_ready:
            if not self._asked_teams:
                return PendingLine(seat=seat, what="ready for teams", since_ms=self._since_ms, logs_on=True)
            if self._told_teams:
                return PendingLine(seat=seat, what="ready to start", since_ms=self._since_ms, logs_on=True)
            return None
        board = self.board
        return self._pending_in_board(seat, board) if board is not None else None

    def _pending_in_board(self, seat: Seat, board: BoardState) -> PendingLine | None:
        if not self._told_cards:
            if not self._told_board:
                return PendingLine(seat=seat, what="ready for deal", since_ms=self._told_at_ms)
            if not self._ready_for_cards:
                return PendingLine(seat=seat, what="ready for cards", since_ms=self._told_at_ms)
            return None
        if self.told == len(board.history):
            return None
        entry = board.history[self.told]
        if entry.actor is seat:
            if self.is_caught_up:
                return None
            if entry.substituted:
                return PendingLine(seat=seat, what="ready for dummy", since_ms=self._told_at_ms)
            return PendingLine(seat=seat, what=f"{str(entry)!r} again", since_ms=self._told_at_ms, again=True)
        if entry.held or any(self._fits(board, seat, request) for request in self._requests):
            return None
        if entry.trick == 0:
            what = f"ready for {entry.hand.title}'s bid"
        else:
            whose = "dummy" if entry.hand is board.dummy else entry.hand.title
            what = f"ready for {whose}'s card to trick {entry.trick}"
        return PendingLine(seat=seat, what=what, since_ms=max(self._told_at_ms, entry.at_ms))

    # The deal

    def begin_board(self, board: BoardState, now_ms: int, *, replay: bool) -> None:
        self._forget_board(now_ms)
        if replay:
            self._repeats_to = len(board.history)
        self.connection.send(server_format.START_OF_BOARD)
        if self._is_early and not replay:
            self._send_board(board, now_ms)
        self._is_early = False

    def _send_board(self, board: BoardState, now_ms: int) -> None:
        self._told_board, self._told_at_ms = True, now_ms
        self.connection.send(server_format.format_board(board.board))
        if self._profile.ready_for_cards is ReadyForCards.ASSUMED:
            board.arm_cards_timer(now_ms + ASSUMED_WAIT_MS)

    def receive_timer(self) -> None:
        if self._told_board and self._profile.ready_for_cards is ReadyForCards.ASSUMED:
            self._ready_for_cards = True

    @property
    def has_joined_board(self) -> bool:
        return self.board is not None and self._told_board

    @property
    def wants_cards(self) -> bool:
        return self._told_board and self._ready_for_cards

    def send_cards(self, now_ms: int) -> None:
        board, seat = self.board, self.connection.seat
        if self._told_cards or board is None or seat is None:
            return
        self._told_cards, self._told_at_ms = True, now_ms
        clock = board.start_clock(seat, now_ms) if self.told == len(board.history) else None
        self.connection.send(server_format.format_cards(seat, board.in_play.hand(seat)), clock)

    # Calls and cards

    def advance(self, now_ms: int) -> None:
        board, seat = self.board, self.connection.seat
        if board is None or seat is None:
            return
        if self._requests:
            self._answer_requests(board, seat, now_ms)
        if self.told < self._repeats_to:
            self._repeat_substituted(board, seat, now_ms)
        if board.in_play.actor is seat:
            self._ask_lead(board, seat, now_ms)

    def note_own_entry(self, now_ms: int) -> None:
        self.told += 1
        self._told_at_ms = now_ms

    def has_been_told_all(self) -> bool:
        return self.board is not None and self.told == len(self.board.history)

    def why_too_early(self) -> str | None:
        """Return why an action is too early: a player that lacks a line repeats itself or is uncharged (BC-47)."""
        board = self.board
        assert board is not None
        play, turn, made = board.in_play.play, board.in_play.turn, len(board.history)
        if play is not None and not play.current.cards and self._prompted != made:
            return "a lead waits for the line that asks for it"
        if self.told < made and turn is not None:
            return f"ask for {turn.previous.title}'s {'bid' if play is None else 'card'} first"
        return None

    def hand_of(self, intent: CardIntent) -> Seat:
        """Return whose card a line plays: "Dummy" is dummy, and so is declarer's own name in dummy's turn."""
        board = self.board
        assert board is not None
        contract, dummy = board.in_play.contract, board.dummy
        assert contract is not None
        assert dummy is not None
        named, seat = intent.named, self.connection.seat
        if named is None or (named is seat is contract.declarer and board.in_play.turn is dummy):
            return dummy
        return named

    def send_refusal(self, refusal: Refusal) -> None:
        match refusal.answer:
            case RefusalAnswer.ERROR:
                self.send_error(refusal.why)
            case RefusalAnswer.ILLEGAL_CALL:
                self.connection.send(server_format.ILLEGAL_BID)
            case RefusalAnswer.ILLEGAL_CARD:
                self.connection.send(server_format.ILLEGAL_CARD)
            case RefusalAnswer.NONE:
                pass

    def send_substituted(self, entry: Entry) -> None:
        self.connection.send(_line(entry))

    # Requests and answers

    def _take_request(self, board: BoardState, seat: Seat, request: Ready, now_ms: int) -> None:
        """Accept a request for a call, a card or dummy: answer it if possible, else keep it."""
        if request in self._requests:
            return
        if self._fits(board, seat, request):
            entry = board.history[self.told] if self.told < len(board.history) else None
            if entry is None or entry.held or entry.actor is seat or board.paused:
                self._keep_request(board, seat, request)
                return
            self._answered = request
            self._tell(board, seat, entry, now_ms)
        elif self._is_stale(board, request):
            self.connection.note("asked for again, swallowed")
            return
        else:
            self._keep_request(board, seat, request)
            if request.what is not ReadyFor.DUMMY or board.paused:
                return
        # Only this player's requests have changed: nobody else can be answered or asked to lead because of them.
        if self._requests:
            self._answer_requests(board, seat, now_ms)
        if board.in_play.actor is seat:
            self._ask_lead(board, seat, now_ms)

    def _keep_request(self, board: BoardState, seat: Seat, request: Ready) -> None:
        if len(self._requests) == REQUESTS_MAX:
            # The request the player is waiting on stays, or it would never be answered.
            useless = (
                kept
                for kept in self._requests
                if kept.what is not ReadyFor.DUMMY and not self._fits(board, seat, kept)
            )
            self._requests.remove(next(useless, self._requests[0]))
        self._requests.append(request)

    def _is_stale(self, board: BoardState, request: Ready) -> bool:
        """Return whether a request for nothing still to come repeats the one answered last.

        The trick number cannot decide this: a program in use says "trick 1" throughout.
        """
        answered = self._answered
        if answered is None or request.what is not answered.what or request.whose is not answered.whose:
            return False
        if request.what is ReadyFor.DUMMY:
            return True
        return not (self.told and request.trick is not None and request.trick > board.history[self.told - 1].trick)

    def _fits(self, board: BoardState, seat: Seat, request: Ready) -> bool:
        """Return whether a request is for the first call or card that its player has not been sent, made or not.

        Dummy may be named "dummy" or by its seat. From dummy itself, "dummy's card" means anybody's card, by one
        reading of version 18.
        """
        if self.told < len(board.history):
            entry = board.history[self.told]
            hand, what = entry.hand, ReadyFor.CARD if entry.trick else ReadyFor.CALL
        else:
            turn = board.in_play.turn
            if turn is None:
                return False
            hand, what = turn, ReadyFor.CARD if board.dummy is not None else ReadyFor.CALL
        if request.what is not what:
            return False
        if request.whose is not None:
            return request.whose is hand
        return board.dummy is not None and board.dummy in (hand, seat)

    def _answer_requests(self, board: BoardState, seat: Seat, now_ms: int) -> None:
        """Answer the requests that can be answered; each answer may allow another."""
        requests = self._requests
        while True:
            for request in requests:
                if request.what is ReadyFor.DUMMY:
                    # Not before the player knows the whole auction, and so which hand is dummy.
                    if not board.in_play.dummy_is_open or self.told < len(board.in_play.auction.calls):
                        continue
                    self._tell_dummy(board, seat, now_ms)
                else:
                    if self.told == len(board.history):
                        continue
                    entry = board.history[self.told]
                    if entry.held or entry.actor is seat or not self._fits(board, seat, request):
                        continue
                    self._tell(board, seat, entry, now_ms)
                requests.remove(request)
                self._answered = request
                break
            else:
                return

    def _tell(self, board: BoardState, seat: Seat, entry: Entry, now_ms: int) -> None:
        self.told += 1
        self._told_at_ms = now_ms
        made = entry.made
        line = CARD_LINES[entry.hand, made] if isinstance(made, Card) else CALL_LINES[entry.hand, made]
        if entry.text and seat.side is not entry.actor.side:
            line += self._explanation(entry)
        clock = None
        if board.in_play.actor is seat and self.told == len(board.history):
            clock = board.start_clock(seat, now_ms)
        self.connection.send(line, clock)

    def _explanation(self, entry: Entry) -> str:
        """Return the explanation sent to an opponent with a call or card, as far as its profile allows."""
        if not self._profile.alerts:
            return ""
        text = entry.text
        if self._profile.charset is None and not text.isascii():
            text = to_ascii(text)
        if entry.trick:
            return server_format.format_signal(text) if self._wants_infos else ""
        if entry.alerted:
            return server_format.format_alert(text)
        return server_format.format_infos(text) if self._wants_infos else ""

    def _tell_dummy(self, board: BoardState, seat: Seat, now_ms: int) -> None:
        assert board.dummy is not None
        if seat is board.dummy or self._told_dummy:
            self.connection.note("needs no dummy, swallowed")
            return
        self._told_dummy = True
        self._told_at_ms = now_ms
        # The clock starts again when dummy is shown after the lead.
        clock = board.start_clock(seat, now_ms) if self.told == len(board.history) else None
        self.connection.send(server_format.format_dummy(board.in_play.hand(board.dummy)), clock)

    # Leads

    def _ask_lead(self, board: BoardState, seat: Seat, now_ms: int) -> None:
        """Ask the player in turn for its lead, once the pause is up and it knows every card played (BC-29)."""
        play, made = board.in_play.play, len(board.history)
        if play is None or play.current.cards or board.claimed is not None:
            return
        if self._prompted == made or self.told != made or board.history[-1].held:
            return  # it has been asked, lacks a line, or its own call waits for the operator
        from_ms = max(board.leads_from_ms, self._told_at_ms + self._profile.lead_gap_ms)
        if now_ms < from_ms:
            board.wake_at(from_ms)
            return
        self._prompted = made
        self.connection.send(_to_lead(seat, is_dummy=play.turn is board.dummy), board.start_lead_clock(now_ms))

    # Replaying a board to a program

    @property
    def is_caught_up(self) -> bool:
        return self.told >= self._repeats_to

    def _repeat_substituted(self, board: BoardState, seat: Seat, now_ms: int) -> None:
        """Ask for the leads that the player has to repeat, and send what the table did in its place."""
        while (entry := self._to_repeat(board, seat)) is not None:
            if entry.is_lead and self._prompted != self.told:
                self._prompted = self.told
                self.connection.send(_to_lead(seat, is_dummy=entry.hand is board.dummy))
            if not entry.substituted or (entry.hand is board.dummy and not self._told_dummy):
                return  # declarer has to see dummy before it learns which of its cards was played
            self.connection.send(_line(entry))
            self.note_own_entry(now_ms)
            board.excuse(seat)
            self._answer_requests(board, seat, now_ms)

    def _to_repeat(self, board: BoardState, seat: Seat) -> Entry | None:
        """Return the call or card that the player is to repeat now."""
        if self.is_caught_up or not self._told_cards:
            return None
        entry = board.history[self.told]
        return entry if entry.actor is seat else None

    def repeat(self, intent: CallIntent | CardIntent, now_ms: int) -> Refusal | None:
        board, seat = self.board, self.connection.seat
        assert board is not None
        assert seat is not None
        entry = self._to_repeat(board, seat)
        if entry is None:
            return Refusal("this board is told again from its beginning: ask for the next call or card first")
        is_call = isinstance(intent, CallIntent)
        if (entry.trick == 0) is not is_call:
            return Refusal(f"a {'call' if entry.trick == 0 else 'card'} is to be said again now")
        if entry.is_lead and self._prompted != self.told:
            return Refusal("a lead waits for the line that asks for it")
        said = intent.call if isinstance(intent, CallIntent) else intent.card
        if said != entry.made:
            why = f"{seat.title} came back and said {said} where it had said {entry.made}"
            return Refusal(why, RefusalAnswer.NONE, IncidentKind.DIVERGED)
        self.note_own_entry(now_ms)
        return None

    # Claims

    def send_claim(self, claimant: Seat) -> None:
        board = self.board
        assert board is not None
        play = board.in_play.play
        assert play is not None
        self.connection.send(server_format.format_claim(claimant))
        self.connection.send(server_format.format_claimant(claimant, play.remaining[claimant]))

    def send_claim_verdict(self, claimant: Seat, *, accepted: bool) -> None:
        self.connection.send(server_format.format_claim_verdict(claimant, accepted=accepted))


def _line(entry: Entry) -> str:
    made = entry.made
    return CARD_LINES[entry.hand, made] if isinstance(made, Card) else CALL_LINES[entry.hand, made]


def _to_lead(seat: Seat, *, is_dummy: bool) -> str:
    return server_format.DUMMY_TO_LEAD if is_dummy else server_format.format_to_lead(seat)
