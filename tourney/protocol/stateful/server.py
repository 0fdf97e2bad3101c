"""The table's side of the stateful-server protocol: what one player is told, and when.

A player need not ask for anything: it is sent the state after every change, and what it is to answer comes last. The
wire keeps what it has sent, so that nothing is left out, but never needs what the player remembers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tourney.bridge import Seat, Side
from tourney.errors import FormatError
from tourney.protocol.pass_phrases import split_login
from tourney.protocol.session.board.state import BoardState, Entry
from tourney.protocol.session.logon import same_name
from tourney.protocol.session.wire import (
    BadLine,
    CallIntent,
    CardIntent,
    Intent,
    LogOnIntent,
    PendingLine,
    Refusal,
    RefusalAnswer,
    Wire,
)
from tourney.protocol.stateful.board_messages import (
    dummy_message,
    hand_message,
    points_messages,
    score_message,
    tricks_won_message,
    turn_message,
)
from tourney.protocol.stateful.messages import (
    AlertMessage,
    AuccloseMessage,
    AucopenMessage,
    BidMessage,
    BoardMessage,
    DeclarerMessage,
    EndMessage,
    Extension,
    ExtensionsMessage,
    GamesMessage,
    HelloMessage,
    JoinedMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    LeaveMessage,
    NakMessage,
    PingMessage,
    PlayMessage,
    PongMessage,
    ResultMessage,
    ScoreMessage,
    StartMessage,
    StatefulMessage,
    StoppedMessage,
    TimeMessage,
    TournamentsMessage,
    TrickMessage,
    format_message,
    parse_player_message,
)

PROTOCOL_VERSION: Final = 1
"""What the record has for the version of the protocol, which its source does not number."""

SYSTEM: Final = "stateful"
"""What the record has for the program's system, of which this protocol has no word."""


@dataclass(frozen=True, slots=True)
class GamePlace:
    """Where a table's players are: its game's id, and that of the tournament; None for a game of no tournament."""

    game: str
    tournament: str | None = None


def game_id(number: int) -> str:
    """Return the id of the game of a lobby that is the match of this number on record: `g7`."""
    return f"g{number}"


def game_number(id_: str) -> int:
    """Return the number of the game of a lobby with an id; 0 if it is none."""
    return int(id_[1:]) if id_[:1] == "g" and id_[1:].isdecimal() else 0


class StatefulWire(Wire):
    """The wire of one player."""

    joins_when_seated = True
    answers_claims = False
    plays_minibridge = True

    def __init__(self, place: GamePlace) -> None:
        super().__init__()
        self._place = place
        self._name = ""
        self._extensions: frozenset[Extension] = frozenset()
        self._alert: str | None = None
        """The explanation of the call to come."""
        self._awaited_pong = ""
        """The token of a ping without whose answer lines may be about the board before; empty for none."""
        self._told_score: ScoreMessage | None = None
        """The score that the player was last told, in a game that is played over several deals."""
        self._forget_board()

    def _forget_board(self) -> None:
        self._told = 0
        """Number of calls and cards that the player has been shown, its own included."""
        self._told_cards = False
        self._prompted = -1
        """Number of calls and cards after which the player was last told whose turn it is."""
        self._alert = None

    # What the player says

    def receive_line(self, line: bytes, now_ms: int) -> Intent | None:
        try:
            message = parse_player_message(line)
        except FormatError as error:
            return BadLine(str(error))
        match message:
            case HelloMessage():
                return self._receive_hello(message)
            case ExtensionsMessage():
                self._receive_extensions(message)
            case _ if not self._name:
                return BadLine("HELLO and a name come first")
            case BidMessage():
                alert, self._alert = self._alert, None
                return CallIntent(message.call, alert is not None, alert or "")
            case PlayMessage():
                return CardIntent(None, message.card)
            case JoinTournamentMessage() | JoinGameMessage():
                return self._receive_join(message)
            case AlertMessage():
                return self._receive_alert(message)
            case PingMessage():
                self._send(PongMessage(message.token))
            case LeaveMessage() | StartMessage():
                return BadLine(f"{message.NAME} is for a lobby, which this is not")
            case PongMessage() if message.token == self._awaited_pong:
                self._awaited_pong = ""
            case _:
                pass  # a courtesy
        return None

    def _receive_hello(self, message: HelloMessage) -> Intent | None:
        seat = self.connection.seat
        if seat is not None and not same_name(self._team_said(message.name), self.connection.team):
            return BadLine(f"this connection is {self.connection.team}'s already")
        if not self._name and self._extensions:
            self._send(ExtensionsMessage(frozenset(Extension)))
        self._name = message.name
        tournament = self._place.tournament
        self._send(TournamentsMessage((tournament,) if tournament is not None else ()))
        is_free = tournament is None and self.connection.table.empty_seats
        self._send(GamesMessage((self._place.game,) if is_free else ()))
        return None

    def _team_said(self, name: str) -> str:
        settings = self.connection.table.settings
        return split_login(name, [settings.team(side) for side in Side])[0]

    def _receive_extensions(self, message: ExtensionsMessage) -> None:
        self._extensions = message.extensions
        self.restarts_board = Extension.PING in message.extensions
        if self._name:
            self._send(ExtensionsMessage(frozenset(Extension)))

    def _receive_join(self, message: JoinTournamentMessage | JoinGameMessage) -> Intent | None:
        why_not = self._why_not_joined(message)
        if why_not:
            return BadLine(why_not)
        seat = self.connection.seat
        position = message.position if isinstance(message, JoinGameMessage) else None
        if seat is None:
            return LogOnIntent(
                team=self._name,
                seat=position,
                any_seat=position is None,
                seat_word="",
                version=PROTOCOL_VERSION,
                system=SYSTEM,
            )
        if position not in (None, seat):
            return BadLine(f"this connection has the seat {seat.letter}")
        self.send_state()
        return None

    def _why_not_joined(self, message: JoinTournamentMessage | JoinGameMessage) -> str:
        """Return why a request does not fit this table; empty if it does."""
        place = self._place
        if isinstance(message, JoinGameMessage):
            if message.game is None:
                return f"no games are made here: JOIN-M {place.game} is the one in progress"
            return "" if message.game == place.game else f"there is no game {message.game} here, only {place.game}"
        if place.tournament is None:
            return f"there is no tournament here, only the game {place.game}: JOIN-M {place.game}"
        if message.tournament not in (None, place.tournament):
            return f"there is no tournament {message.tournament} here, only {place.tournament}"
        if message.partner is not None and not same_name(message.partner, self._team_said(self._name)):
            return f"your partner is of your own team, {self._team_said(self._name)}"
        return ""

    def _receive_alert(self, message: AlertMessage) -> Intent | None:
        seat = self.connection.seat
        if message.position is not seat:
            return BadLine(f"a player explains its own call, X-ALERT {seat.letter if seat is not None else '?'} ...")
        self._alert = message.text
        return None

    # Before and after boards

    def send_seated(self, profile: object, version: int, now_ms: int) -> None:
        assert self.connection.seat is not None
        self._send(JoinedMessage(self._place.game, self.connection.seat))

    @property
    def wants_teams(self) -> bool:
        return True

    def send_teams(self, names: Mapping[Side, str], now_ms: int) -> None:
        """The names come with the seats."""

    def send_newcomer(self, seat: Seat, name: str) -> None:
        self._send(JoinedMessage(self._place.game, seat, name))

    def send_error(self, text: str) -> None:
        self._send(NakMessage(text))

    def send_session_end(self) -> None:
        self._send(EndMessage("the session is over"))

    def send_interruption(self, reason: str) -> None:
        self._send(StoppedMessage(f"{reason}: come back, and play goes on where it is"))

    def send_board_end(self, spent_ms: Mapping[Side, int], total_ms: Mapping[Side, int]) -> None:
        table = self.connection.table
        result = table.board.result if table.board is not None else None
        if result is not None:  # else the board was forfeited, or is void
            self._send(ResultMessage(result.contract, result.tricks, result.score))
        self._send_score()
        limit_ms = table.settings.rules.time.match.ms
        for side in Side:
            left_ms = max(0, limit_ms - total_ms[side]) if limit_ms is not None else None
            self._send(TimeMessage(side, total_ms[side], left_ms))

    def pending(self) -> PendingLine | None:
        return None

    # The board

    def begin_board(self, board: BoardState, now_ms: int, *, replay: bool) -> None:
        self._forget_board()
        seat = self._seat
        if self.restarts_board and board.seats[seat].in_transit_left:
            # What it said about the board before arrives before its answer to this.
            self._awaited_pong = f"B{board.board.number}"
            self._send(PingMessage(self._awaited_pong))

    @property
    def has_joined_board(self) -> bool:
        return self.board is not None and self._prompted >= 0 and not self._awaited_pong

    @property
    def wants_cards(self) -> bool:
        return True

    def send_cards(self, now_ms: int) -> None:
        if self._told_cards or self.board is None:
            return
        self._told_cards = True
        self._told = self._known(self.board)
        self._send_board()

    def advance(self, now_ms: int) -> None:
        board = self.board
        if board is None or not self._told_cards:
            return
        known = self._known(board)
        while self._told < known:
            entry = board.history[self._told]
            self._told += 1
            if entry.trick:
                self._tell_card(board, entry, now_ms)
            else:
                self._tell_call(board, entry)
        if self._prompted != known and not board.is_over:
            self._prompt(board, now_ms)

    def note_own_entry(self, now_ms: int) -> None:
        """The player is shown its own calls and cards like all others."""

    def why_too_early(self) -> str | None:
        board = self.board
        assert board is not None
        if self._prompted == len(board.history):
            return None
        return f"wait for {'AUCOPEN' if board.in_play.play is None else 'TRICK'} with your position"

    def hand_of(self, intent: CardIntent) -> Seat:
        """Return the hand that a card is for: dummy's in dummy's turn, if it is declarer's, else the player's own."""
        board = self.board
        assert board is not None
        contract = board.in_play.contract
        if contract is not None and contract.declarer is self._seat and board.in_play.turn is contract.dummy:
            return contract.dummy
        return self._seat

    def repeat(self, intent: CallIntent | CardIntent, now_ms: int) -> Refusal | None:
        # A player has caught up as soon as it is sent the state, which it is not while the table is paused.
        return Refusal("the table is paused: wait for your turn")

    def has_been_told_all(self) -> bool:
        return self.board is not None and self._told == len(self.board.history)

    def send_refusal(self, refusal: Refusal) -> None:
        if refusal.answer is not RefusalAnswer.NONE:
            self._send(NakMessage(refusal.why))
        board = self.board
        if board is not None and self._told_cards:
            self._send_hand(board)
            self._send_turn(board)

    def send_substituted(self, entry: Entry) -> None:
        """The player is shown it like every call and card."""

    def send_claim(self, claimant: Seat) -> None:
        """This language has no words for claims; only dummy can be at a table where one is made."""

    def send_claim_verdict(self, claimant: Seat, *, accepted: bool) -> None:
        """This language has no words for claims."""

    def receive_timer(self) -> None:
        """Nothing was waited for."""

    # Changes

    @staticmethod
    def _known(board: BoardState) -> int:
        """Return how many calls and cards may be shown: the last may wait for the operator (BC-25)."""
        made = len(board.history)
        return made - 1 if made and board.history[-1].held else made

    def _tell_call(self, board: BoardState, entry: Entry) -> None:
        """Tell what comes with a call; the auction itself is shown with the next turn, or its end."""
        self._explain(entry, self._told)
        auction = board.in_play.auction
        if auction.is_over and self._told == len(auction.calls):
            self._send(AucopenMessage(None, tuple(auction.calls)))
            self._send_contract(board)

    def _tell_card(self, board: BoardState, entry: Entry, now_ms: int) -> None:
        play = board.in_play.play
        assert play is not None
        number = self._told - len(board.in_play.auction.calls)
        first = (number - 1) // 4 * 4
        cards = tuple(card for _, card in play.cards[first:number])
        if number == 1:
            self._send_dummy(board)
        if number % 4 == 0:
            self._send(TrickMessage(None, cards))
            self._send(tricks_won_message(board, number // 4))
            self._send_hand(board)
            self._send_dummy(board)
            return
        turn = entry.hand.next
        if self._told < len(board.history):
            self._send(TrickMessage(turn, cards))
        else:
            self._send_prompt(board, TrickMessage(turn, cards), now_ms)

    def _prompt(self, board: BoardState, now_ms: int) -> None:
        """Show whose turn it is to call or to lead; at any other card, that is shown with the card before."""
        if self._told < len(board.history):
            return  # a call waits for the operator
        play = board.in_play.play
        if play is None:
            self._send_prompt(board, AucopenMessage(board.in_play.turn, tuple(board.in_play.auction.calls)), now_ms)
        elif play.current.cards or board.may_lead(now_ms):  # in the middle of a trick, it has just come back
            self._send_prompt(board, TrickMessage(play.turn, play.current.cards), now_ms)

    def _send_prompt(self, board: BoardState, message: AucopenMessage | TrickMessage, now_ms: int) -> None:
        """Send the line that names who is to act; its player is charged from the moment when the last is written."""
        self._prompted = len(board.history)
        clock = None
        if board.in_play.actor is self._seat:
            play = board.in_play.play
            is_lead = play is not None and not play.current.cards
            clock = board.start_lead_clock(now_ms) if is_lead else board.start_clock(self._seat, now_ms)
        tells_all = clock is not None and Extension.TURN in self._extensions
        self._send(message, None if tells_all else clock)
        if tells_all:
            self._send(turn_message(board, self._seat), clock)

    # The state, as often as it is asked for

    def send_state(self) -> None:
        """Send the player all that it may know."""
        self._told_score = None
        if self.board is None or not self._told_cards:
            self._send(JoinedMessage(self._place.game, self._seat))
            self._send_score()
            return
        self._send_board()
        self._send_turn(self.board)

    def _send_board(self) -> None:
        """Send everything but whose turn it is."""
        board, seat = self.board, self._seat
        assert board is not None
        self._send(JoinedMessage(self._place.game, seat))
        for other in (seat.next, seat.partner, seat.previous):
            name = self._name_at(other)
            if name:
                self._send(JoinedMessage(self._place.game, other, name))
        number, dealer, vulnerability = board.board.number, board.board.dealer, board.board.vulnerability
        self._send_score()
        self._send(BoardMessage(number, dealer, vulnerability))
        self._send_hand(board)
        self._send_announcements(board)
        calls = [entry for entry in board.history[: self._told] if not entry.trick]
        for at, entry in enumerate(calls, 1):
            self._explain(entry, at)
        if board.in_play.auction.is_over and len(calls) == len(board.in_play.auction.calls):
            self._send(AucopenMessage(None, tuple(board.in_play.auction.calls)))
            self._send_contract(board)
        play = board.in_play.play
        if play is not None and play.cards:
            self._send_dummy(board)
            self._send(tricks_won_message(board, len(play.tricks)))

    def _name_at(self, seat: Seat) -> str:
        """Return who sits there: the team and the position or, where seats are given to players, the player's name.

        A client knows its own name as its own: with the name of the team alone, its partner would have that too.
        """
        table = self.connection.table
        if not table.settings.seats_players:
            return f"{table.settings.team(seat.side)} {seat.letter}"
        other = table.seats[seat].connection
        return other.team if other is not None else ""

    def _send_turn(self, board: BoardState) -> None:
        """Send whose turn it is, as it was last told, without charging anybody anew."""
        play = board.in_play.play
        is_prompted = self._prompted == len(board.history)
        if play is None:
            turn = board.in_play.turn if is_prompted else None
            self._send(AucopenMessage(turn, tuple(board.in_play.auction.calls[: self._told])))
        elif is_prompted and not board.is_over:
            self._send(TrickMessage(play.turn, play.current.cards))
        else:
            last = play.tricks[-1].cards if play.tricks else ()
            self._send(TrickMessage(None, last))
        if is_prompted and board.in_play.actor is self._seat:
            self._send(turn_message(board, self._seat))

    # Single lines

    @property
    def _seat(self) -> Seat:
        assert self.connection.seat is not None
        return self.connection.seat

    def _send(self, message: StatefulMessage, clock: int | None = None) -> None:
        """Send a message, if the player is one of those whom it is for."""
        if message.is_for(self._extensions):
            self.connection.send(format_message(message), clock)

    def _send_hand(self, board: BoardState) -> None:
        self._send(hand_message(board, self._seat))

    def _send_dummy(self, board: BoardState) -> None:
        self._send(dummy_message(board))

    def _send_announcements(self, board: BoardState) -> None:
        """Send what comes before the choice of a contract at Minibridge."""
        for message in points_messages(board):
            self._send(message)
        if board.dummy_is_open and not board.in_play.dummy_is_open:
            self._send_dummy(board)

    def _send_score(self) -> None:
        """Send the score of a game that is played over several deals, unless it is what the player was last told."""
        scores = self.connection.table.queue.line_scores
        if scores is None:
            return
        message = score_message(scores)
        if message != self._told_score:
            self._told_score = message
            self._send(message)

    def _send_contract(self, board: BoardState) -> None:
        contract = board.in_play.contract
        self._send(AuccloseMessage.of_contract(contract))
        if contract is not None:
            self._send(DeclarerMessage(contract.declarer))

    def _explain(self, entry: Entry, number: int) -> None:
        """Send the explanation of a call to an opponent (BC-17)."""
        if entry.alerted and entry.actor.side is not self._seat.side:
            self._send(AlertMessage(entry.actor, entry.text, number))
