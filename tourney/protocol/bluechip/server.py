"""The table's side of Blue Chip: what one player is sent, and when.

A player is sent a call or card once it has been made, the player knows everything before it, and the player has asked
for it (BC-16, BC-31). Requests may come early, late or twice (BC-51).

A program that comes back in the middle of a board without knowing it is sent the board from its first call, and
has to repeat in turn what its seat called and played before (BC-48).
"""

from collections.abc import Sequence
from typing import Final

from tourney.bridge import Hand, Seat, Side
from tourney.errors import FormatError
from tourney.formats.ascii import to_ascii
from tourney.protocol.bluechip import server_lines
from tourney.protocol.bluechip.player_lines import Courtesy, PlayerMessage, read_player_line
from tourney.protocol.bluechip.server_lines import LINES
from tourney.protocol.lines import USUAL_CHARS_MAX, USUAL_LINES, Charset
from tourney.protocol.session.board.state import Entry, Explanation
from tourney.protocol.session.intents import (
    BadLine,
    CallIntent,
    CardIntent,
    Ignored,
    Intent,
    LogOnIntent,
    Ready,
    ReadyFor,
    RefusalAnswer,
    ReturnIntent,
)
from tourney.protocol.session.notices import (
    ActedFor,
    ActionRefused,
    BoardFinished,
    BoardNamed,
    BoardStarted,
    ErrorText,
    Notice,
    OfferMade,
    OfferSettled,
    Scores,
    SeatGiven,
    SessionEnded,
    TeamsNamed,
)
from tourney.protocol.session.seat_view import SeatView
from tourney.protocol.session.wire import Lines, Mark, Wire
from tourney.protocol.wires import DEFAULT, ReadyForCards, WireProfile

_NONE, _ASKS, _REMARK = Mark
_DUMMY: Final = ReadyFor.DUMMY

_REFUSALS: Final = {
    RefusalAnswer.ILLEGAL_CALL: (server_lines.ILLEGAL_BID,),
    RefusalAnswer.ILLEGAL_CARD: (server_lines.ILLEGAL_CARD,),
    RefusalAnswer.NONE: (),
}
"""What a player is told whose call or card is refused; any other refusal is an error line with the reason."""

ASSUMED_WAIT_MS: Final = 200
"""How long after the board line a player that never asks for its cards is sent them."""


def find_seat(line: bytes) -> Seat | None:
    """Return the seat that a program's first line names; None if it names none, or cannot be read."""
    try:
        message = read_player_line(line)
    except FormatError:
        return None
    return None if isinstance(message, BadLine) else message.seat


class BlueChipWire(Wire):
    """The wire of one player."""

    usual: dict[tuple[Seat | None, bytes], Intent] = {}  # noqa: RUF012 # shared, as it says

    def __init__(self) -> None:
        self._profile = DEFAULT
        self._wants_infos = False
        """Whether texts without an alert are relayed to it: as its profile says, or by version 19."""

    # What the player says

    def parse(self, line: bytes, seat: Seat | None) -> Intent | None:
        try:
            message = read_player_line(line)
        except FormatError as error:
            return BadLine(str(error))
        if seat is None:
            return _intent_before_log_on(message)
        intent = _intent_of_seated(seat, message)
        if isinstance(intent, Ready | CallIntent | CardIntent) and len(line) <= USUAL_CHARS_MAX:
            if len(self.usual) >= USUAL_LINES:
                self.usual.clear()  # somebody varies what the others say in one way
            self.usual[seat, line] = intent
        return intent

    # What the player is told beside calls and cards

    def format_notice(self, notice: Notice, view: SeatView | None) -> Sequence[str]:
        match notice:
            case SeatGiven():
                return [self._take_seat(notice)]
            case TeamsNamed(names):
                return [server_lines.format_teams(names[Side.NS], names[Side.EW], self._profile.teams_line)]
            case ErrorText(text):
                return [server_lines.format_error(text)]
            case SessionEnded():
                return [server_lines.END_OF_SESSION]
            case BoardStarted():
                return [server_lines.START_OF_BOARD]
            case BoardNamed() if view is not None:
                return [server_lines.format_board(view.board)]
            case ActionRefused(refusal):
                return _REFUSALS.get(refusal.answer, [server_lines.format_error(refusal.why)])
            case ActedFor(entry):
                return [LINES[entry.trick > 0, entry.hand, entry.made]]
            case OfferMade(offer) if (
                view is not None and view.claim_cards is not None and view.seat is not offer.seat
            ):
                held = server_lines.format_cards(offer.seat, Hand.of(view.claim_cards))
                return [f"{offer.seat.title} claims", held]
            case OfferSettled(offer, accepted) if view is not None and view.seat is not view.board.dummy:
                return [f"{offer.seat.title}'s claim is {'accepted' if accepted else 'rejected'}"]
            case BoardFinished(spent_ms, total_ms) if self._profile.timing:
                ns, ew = Side.NS, Side.EW
                return [server_lines.format_timing(spent_ms[ns], total_ms[ns], spent_ms[ew], total_ms[ew])]
            case _:
                return ()

    def _take_seat(self, given: SeatGiven) -> str:
        if isinstance(given.profile, WireProfile):
            self._profile = given.profile
        profile = self._profile
        self.line_gap_ms, self.restarts_board = profile.line_gap_ms, profile.board_restart
        self.charset = profile.charset or Charset.UTF_8
        self.cards_wait_ms = ASSUMED_WAIT_MS if profile.ready_for_cards is ReadyForCards.ASSUMED else None
        self._wants_infos = profile.relays_infos(given.version)
        return server_lines.format_seated(given.seat, given.team, profile.seated)

    # Cards and calls

    def show_cards(self, view: SeatView, scores: Scores | None) -> Lines:  # noqa: ARG002
        return [(server_lines.format_cards(view.seat, view.hand), _mark(view))]

    def render(self, view: SeatView) -> tuple[Lines, int | None]:
        lines: Lines = []
        board, requests = view.board, view.requests
        history = board.history
        while True:  # each answer may allow another
            for request in requests:
                what = request.what
                if what is _DUMMY:
                    # Not before the player knows the whole auction, and so which hand is dummy.
                    if not board.dummy_is_open or view.shown < len(board.auction.calls):
                        continue
                    _show_dummy(lines, view)
                else:
                    if view.shown == len(history):
                        continue
                    number, entry = view.shown, history[view.shown]
                    if entry.held or entry.actor is view.seat:
                        continue
                    if (request.whose is not entry.hand or what is not entry.asked_as) and not view.fits(request):
                        continue  # it is neither for that call or card in so many words nor by another name
                    view.shown += 1
                    view.shown_at_ms = board.time.now_ms
                    line = LINES[entry.trick > 0, entry.hand, entry.made]
                    if number in view.meanings:
                        line += self._explanation(entry, view.meanings[number])
                    asks = board.actor is view.seat and view.acts_next()
                    lines.append((line, _ASKS if asks else _NONE))
                requests.remove(request)
                view.answered = request
                break
            else:
                if view.shown >= view.repeats_to or not self._repeat_substituted(lines, view):
                    break
        return lines, self._ask_lead(lines, view) if board.is_lead and board.actor is view.seat else None

    def _explanation(self, entry: Entry, said: Explanation) -> str:
        """Return the explanation sent to an opponent with a call or card, as far as its profile allows."""
        text = said.text
        if not self._profile.alerts or not text:
            return ""
        if self._profile.charset is None and not text.isascii():
            text = to_ascii(text)
        if entry.trick:
            return server_lines.format_signal(text) if self._wants_infos else ""
        if said.alerted:
            return server_lines.format_alert(text)
        return server_lines.format_infos(text) if self._wants_infos else ""

    def _ask_lead(self, lines: Lines, view: SeatView) -> int | None:
        """Ask the player in turn for its lead, once the pause is up and it knows every card played (BC-29)."""
        board, made, turn = view.board, len(view.board.history), view.board.turn
        if board.claim or board.claimed or view.prompted == made or view.shown != made or board.history[-1].held:
            return None  # it has been asked, lacks a line, or its own call waits for the operator
        from_ms = max(board.leads_from_ms, view.shown_at_ms + self._profile.lead_gap_ms)
        if board.time.now_ms < from_ms:
            return from_ms
        view.prompted = made
        assert turn is not None
        lines.append((_to_lead(view, turn), _ASKS))
        return None

    def _repeat_substituted(self, lines: Lines, view: SeatView) -> bool:
        """Ask for the lead that the player has to repeat; send what the table did in its place, and say if it did."""
        entry = view.entry_to_repeat()
        if entry is None:
            return False
        if entry.is_lead and view.prompted != view.shown:
            view.prompted = view.shown
            lines.append((_to_lead(view, entry.hand), _NONE))
        if not entry.record.substituted or (entry.hand is view.board.dummy and not view.dummy_shown):
            return False  # declarer has to see dummy before it learns which of its cards was played
        lines.append((LINES[entry.trick > 0, entry.hand, entry.made], _NONE))
        view.note_shown()
        view.ignores_next_line = True
        return True

    def explain_too_early(self, view: SeatView) -> str:
        board = view.board
        if board.is_lead and view.prompted != len(board.history):
            return "a lead waits for the line that asks for it"
        turn = board.turn
        assert turn is not None
        return f"ask for {turn.previous.title}'s {'bid' if board.play is None else 'card'} first"

    def hand_of(self, intent: CardIntent, view: SeatView) -> Seat:
        """Return whose card a line plays: "Dummy" is dummy, and so is declarer's own name in dummy's turn."""
        contract, dummy = view.board.contract, view.board.dummy
        assert contract is not None
        assert dummy is not None
        named = intent.seat
        if named is None or (named is view.seat is contract.declarer and view.board.turn is dummy):
            return dummy
        return named


def _intent_before_log_on(message: PlayerMessage) -> Intent:
    if isinstance(message, BadLine | LogOnIntent):
        return message
    why_not = "a connection begins with Connecting"
    return ReturnIntent(message.seat, why_not) if message.seat is not None else BadLine(why_not)


def _intent_of_seated(seat: Seat, message: PlayerMessage) -> Intent | None:
    match message:
        case BadLine():
            return BadLine(message.reason)  # what was meant as a log-on is no reason to close this connection
        case LogOnIntent():
            return BadLine(f"this connection is {seat.title}'s already")
        case CardIntent():
            return message  # it may be dummy's
        case _ if message.seat is not seat:
            assert message.seat is not None, "only a card may be of dummy"
            return Ignored(f"the line is {message.seat.title}'s, the connection {seat.title}'s: ignored")
        case Courtesy():
            return None
        case _:
            return message


def _mark(view: SeatView) -> Mark:
    """Return what a line is for after which a player knows what its view says that it has been shown."""
    return _ASKS if view.acts_next() else _NONE


def _show_dummy(lines: Lines, view: SeatView) -> None:
    dummy = view.board.dummy
    assert dummy is not None
    if view.seat is dummy or view.dummy_shown:
        lines.append(("needs no dummy, swallowed", _REMARK))
        return
    view.dummy_shown, view.shown_at_ms = True, view.board.time.now_ms
    # The clock starts again when dummy is shown after the lead.
    lines.append((server_lines.format_dummy(view.seen(dummy)), _mark(view)))


def _to_lead(view: SeatView, hand: Seat) -> str:
    """Return the line that asks a player for a lead from its hand or dummy's."""
    return server_lines.DUMMY_TO_LEAD if hand is view.board.dummy else server_lines.format_to_lead(view.seat)
