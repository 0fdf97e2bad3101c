"""One board at the table, from `Start of board` to the last card told to the last player.

What is answered when: every player has a place in the sequence of calls and cards, and a list of requests it has
made. A call or card is told to a player once it is made, the player has been told all before it, and has asked for
it (BC-16, BC-31); each as soon as it can be, never all together. Requests may come early, late or twice (BC-51).
"""

from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import SEATS, Board, BoardInPlay, Call, Card, Seat, Side
from tourney.protocol.bluechip import texts
from tourney.protocol.bluechip.desk import Desk
from tourney.protocol.bluechip.messages import CallLine, CardLine, Ready, ReadyFor
from tourney.protocol.records import BoardBegan, BoardEnd, BoardEnded, CallMade, CardPlayed

LEAD_TIMER: Final = "lead"
"""The pause at the end of a trick (BC-36)."""

REQUESTS_MAX: Final = 8
"""Unanswered requests kept for one player; a program in step has one, at most two."""


@dataclass(frozen=True, slots=True)
class _Action:
    """A call or card made. `hand` is where it belongs, `actor` the player who made it (declarer for dummy)."""

    hand: Seat
    actor: Seat
    line: str
    trick: int  # 0 for a call, else 1..13
    alerted: bool = False
    text: str = ""


@dataclass(slots=True)
class _Place:
    """How far one player has got."""

    told: int = 0  # calls and cards this player knows of, its own included
    requests: list[Ready] = field(default_factory=list)
    answered: Ready | None = None
    board_told: bool = False
    ready_for_cards: bool = False
    cards_told: bool = False
    dummy_told: bool = False


class BoardSession:
    """Conducts one board. `served` turns true when the board is over and every player has been told all of it."""

    def __init__(self, board: Board, desk: Desk, trick_pause_ms: int) -> None:
        self.board = board
        self.in_play = BoardInPlay(board)
        self.early_deal: set[Seat] = set()
        """Who said "ready for deal" after a passed-out auction, for the board to come (BC-19)."""
        self._desk = desk
        self._trick_pause_ms = trick_pause_ms
        self._actions: list[_Action] = []
        self._places = {seat: _Place() for seat in SEATS}
        self._spent_ms = {Side.NS: 0, Side.EW: 0}
        self._lead_may_start = True
        self._prompted_at = -1  # the number of the action that was asked for with "to lead"
        self._clock = -1  # the number of the action whose player is on the clock
        self._clock_from_ms = 0

    # What comes in

    def start(self, now_ms: int, *, ready: set[Seat]) -> None:
        """Open the board (BC-12). `ready` have said "ready for deal" already, as BC-19 lets them."""
        self._desk.record(BoardBegan(self.board.number, now_ms))
        self._desk.send_all(texts.START_OF_BOARD)
        for seat in ready:
            self._tell_board(seat)

    def receive_ready(self, seat: Seat, request: Ready, now_ms: int) -> None:
        place = self._places[seat]
        match request.what:
            case ReadyFor.DEAL:
                self._receive_ready_for_deal(seat, place)
            case ReadyFor.CARDS:
                place.ready_for_cards = True
                self._deal_cards(now_ms)
            case ReadyFor.CALL | ReadyFor.CARD | ReadyFor.DUMMY:
                self._take_request(seat, place, request)
                self._advance(now_ms)
            case ReadyFor.TEAMS | ReadyFor.START:
                self._desk.note_seat(seat, f"ready for {request.what.value} again, swallowed")

    def receive_call(self, seat: Seat, message: CallLine, now_ms: int) -> str | None:
        """Take a call; the error line to the caller when it is refused (BC-20, BC-21)."""
        board = self.in_play
        if not self._cards_dealt:
            return texts.format_error("the cards are not dealt yet")
        if not board.in_auction:
            return texts.format_error("the auction is over")
        if board.turn is not seat:
            return texts.format_error(f"it is {board.auction.turn.title}'s turn to call")
        if not self._knows_all(seat):
            return texts.format_error(f"ask for {board.auction.turn.previous.title}'s bid first")
        why = board.auction.why_illegal(message.call)
        if why is not None:
            self._desk.note_seat(seat, f"illegal call: {why}")
            return texts.ILLEGAL_BID
        self._add_call(seat, message, message.call, now_ms)
        return None

    def receive_card(self, seat: Seat, message: CardLine, now_ms: int) -> str | None:
        """Take a card from the connection of `seat`; the error line when it is refused (BC-33, BC-34)."""
        play, contract = self.in_play.play, self.in_play.contract
        if play is None or contract is None:
            return texts.format_error("no card can be played before the auction has ended in a contract")
        if play.is_over:
            return texts.format_error("the play is over")
        hand = self._hand_meant(seat, message.seat)
        why: str | None
        if hand is not play.turn:
            why = f"it is {play.turn.title}'s turn"
        elif self.in_play.actor is not seat:
            why = "dummy's cards are played by declarer"
        elif not play.current.cards and self._prompted_at != len(self._actions):
            return texts.format_error("a lead waits for the line that asks for it")
        elif not self._knows_all(seat):
            return texts.format_error(f"ask for {play.turn.previous.title}'s card first")
        else:
            why = play.why_illegal(hand, message.card)
        if why is not None:
            self._desk.note_seat(seat, f"illegal card {message.card}: {why}")
            return texts.ILLEGAL_CARD
        self._add_card(seat, hand, message.card, now_ms)
        return None

    def receive_lead_timer(self, now_ms: int) -> None:
        """The pause at the end of a trick is over (BC-36)."""
        self._lead_may_start = True
        self._advance(now_ms)

    def note_sent(self, clock: int, now_ms: int) -> None:
        """The line that let a player act was written at `now_ms`: it is charged from now."""
        if clock == self._clock:
            self._clock_from_ms = now_ms

    def abandon(self, reason: str, now_ms: int) -> None:
        """Put on record that this attempt ended without a result; nothing when the board is over."""
        if not self.in_play.is_over:
            self._record_end(BoardEnd.ABANDONED, reason, now_ms)

    # What can be asked

    @property
    def served(self) -> bool:
        """The board is over and everybody has been told of every call and card."""
        return self.in_play.is_over and all(place.told == len(self._actions) for place in self._places.values())

    @property
    def spent_ms(self) -> dict[Side, int]:
        """Thinking time of each side on this board."""
        return dict(self._spent_ms)

    @property
    def _cards_dealt(self) -> bool:
        return all(place.cards_told for place in self._places.values())

    def _knows_all(self, seat: Seat) -> bool:
        """Whether a player has been told of every call and card.

        Without that its own can only be a repeated line, or one that would go uncharged (BC-47).
        """
        return self._places[seat].told == len(self._actions)

    # The deal

    def _receive_ready_for_deal(self, seat: Seat, place: _Place) -> None:
        if self.in_play.is_over:
            # A player that is ready for the next deal needs no more of this one.
            place.told = len(self._actions)
            if self.in_play.contract is None:
                self.early_deal.add(seat)
        elif not place.board_told:
            self._tell_board(seat)
        else:
            self._desk.note_seat(seat, "ready for deal again, swallowed")

    def _tell_board(self, seat: Seat) -> None:
        self._places[seat].board_told = True
        self._desk.send(seat, texts.format_board(self.board))

    def _deal_cards(self, now_ms: int) -> None:
        if self._cards_dealt or not all(p.board_told and p.ready_for_cards for p in self._places.values()):
            return
        for seat, place in self._places.items():
            place.cards_told = True
            clock = self._start_clock(now_ms) if seat is self.board.dealer else None
            self._desk.send(seat, texts.format_cards(seat, self.in_play.hand(seat)), clock)

    # Calls and cards

    def _add_call(self, seat: Seat, message: CallLine, call: Call, now_ms: int) -> None:
        thinking_ms = self._stop_clock(seat, now_ms)
        number = self.board.number
        seq = len(self._actions)
        self.in_play.add_call(call)
        self._desk.record(CallMade(number, seq, seat, call, message.text, message.alerted, thinking_ms, now_ms))
        self._actions.append(
            _Action(seat, seat, texts.format_call(seat, call), trick=0, alerted=message.alerted, text=message.text)
        )
        self._after_action(seat, now_ms)

    def _add_card(self, actor: Seat, hand: Seat, card: Card, now_ms: int) -> None:
        play = self.in_play.play
        assert play is not None
        thinking_ms = self._stop_clock(actor, now_ms)
        seq = len(play.cards)
        self.in_play.add_card(card)
        self._desk.record(CardPlayed(self.board.number, seq, hand, card, thinking_ms, now_ms))
        self._actions.append(_Action(hand, actor, texts.format_card(hand, card), trick=seq // 4 + 1))
        if not play.current.cards and not play.is_over and self._trick_pause_ms:
            self._lead_may_start = False
            self._desk.start_timer(LEAD_TIMER, now_ms + self._trick_pause_ms)
        self._after_action(actor, now_ms)

    def _after_action(self, actor: Seat, now_ms: int) -> None:
        self._places[actor].told = len(self._actions)
        if self.in_play.is_over:
            self._record_end(BoardEnd.PLAYED if self.in_play.contract else BoardEnd.PASSED_OUT, "", now_ms)
        self._advance(now_ms)

    def _record_end(self, end: BoardEnd, reason: str, now_ms: int) -> None:
        spent = self._spent_ms
        self._desk.record(
            BoardEnded(self.board.number, end, reason, self.in_play.result, spent[Side.NS], spent[Side.EW], now_ms)
        )

    def _hand_meant(self, seat: Seat, named: Seat | None) -> Seat:
        """Whose card a line plays: "Dummy" is dummy, and so is declarer's own name in dummy's turn."""
        contract, turn = self.in_play.contract, self.in_play.turn
        assert contract is not None
        if named is None or (named is seat is contract.declarer and turn is contract.dummy):
            return contract.dummy
        return named

    # Requests and answers

    def _take_request(self, seat: Seat, place: _Place, request: Ready) -> None:
        if request in place.requests:
            return
        if self._is_stale(seat, place, request):
            self._desk.note_seat(seat, "asked for again, swallowed")
            return
        if len(place.requests) == REQUESTS_MAX:
            # What the player waits for stays, or it would wait for ever.
            useless = (r for r in place.requests if r.what is not ReadyFor.DUMMY and not self._fits(seat, place, r))
            place.requests.remove(next(useless, place.requests[0]))
        place.requests.append(request)

    def _is_stale(self, seat: Seat, place: _Place, request: Ready) -> bool:
        """Whether a request repeats what was answered last, and is not for the next of the same hand.

        The number of the trick does not tell the two apart: a program in use says "trick 1" all the way.
        """
        answered = place.answered
        if answered is None or (request.what, request.whose) != (answered.what, answered.whose):
            return False
        if request.what is ReadyFor.DUMMY:
            return True
        if place.told and request.trick is not None and request.trick > self._actions[place.told - 1].trick:
            return False
        return not self._fits(seat, place, request)

    def _fits(self, seat: Seat, place: _Place, request: Ready) -> bool:
        """Whether a request asks for the first call or card that its player has not been told of, made or not."""
        hand, is_card = self.in_play.turn, self.in_play.play is not None
        if place.told < len(self._actions):
            action = self._actions[place.told]
            hand, is_card = action.hand, action.trick > 0
        what = ReadyFor.CARD if is_card else ReadyFor.CALL
        return hand is not None and request.what is what and self._names(seat, request, hand)

    def _names(self, seat: Seat, request: Ready, hand: Seat) -> bool:
        """Whether a request asks for a call or card of `hand`: dummy goes by "dummy" and by its seat.

        From dummy's own chair "dummy's card" stands for everybody's, by one reading of version 18.
        """
        if request.whose is not None:
            return request.whose is hand
        contract = self.in_play.contract
        return contract is not None and contract.dummy in (hand, seat)

    def _advance(self, now_ms: int) -> None:
        """Answer every request that can be answered, then ask for a lead that is due."""
        for seat, place in self._places.items():
            while self._answer_one(seat, place, now_ms):
                pass
        self._ask_for_lead(now_ms)

    def _answer_one(self, seat: Seat, place: _Place, now_ms: int) -> bool:
        while place.told < len(self._actions) and self._actions[place.told].actor is seat:
            place.told += 1
        for request in place.requests:
            if request.what is ReadyFor.DUMMY:
                # Nor before the player knows the auction, and with it whose hand dummy's is.
                if not self.in_play.dummy_is_open or place.told < len(self.in_play.auction.calls):
                    continue
                self._tell_dummy(seat, place, now_ms)
            else:
                if place.told == len(self._actions) or not self._fits(seat, place, request):
                    continue
                self._tell_action(seat, place, self._actions[place.told], now_ms)
            place.requests.remove(request)
            place.answered = request
            return True
        return False

    def _tell_action(self, seat: Seat, place: _Place, action: _Action, now_ms: int) -> None:
        place.told += 1
        line = action.line
        if action.text and seat.side is not action.actor.side:
            if action.alerted:
                line += texts.format_alert(action.text)
            elif self._desk.seated[seat].wants_texts:
                line += texts.format_infos(action.text)
        self._desk.send(seat, line, self._clock_for(seat, place, now_ms))

    def _tell_dummy(self, seat: Seat, place: _Place, now_ms: int) -> None:
        contract = self.in_play.contract
        assert contract is not None
        if seat is contract.dummy or place.dummy_told:
            self._desk.note_seat(seat, "needs no dummy, swallowed")
            return
        place.dummy_told = True
        line = texts.format_dummy(self.in_play.hand(contract.dummy))
        self._desk.send(seat, line, self._clock_for(seat, place, now_ms))

    def _ask_for_lead(self, now_ms: int) -> None:
        play, actor, contract = self.in_play.play, self.in_play.actor, self.in_play.contract
        if play is None or actor is None or contract is None or play.current.cards or not self._lead_may_start:
            return
        number = len(self._actions)
        if self._prompted_at == number or self._places[actor].told < number:
            return
        self._prompted_at = number
        line = texts.DUMMY_TO_LEAD if play.turn is contract.dummy else texts.format_to_lead(actor)
        self._desk.send(actor, line, self._start_clock(now_ms))

    # The clock: one player at a time can act, from the last line that it needed

    def _clock_for(self, seat: Seat, place: _Place, now_ms: int) -> int | None:
        """The number of the clock that starts when `seat` has been told enough to act; None while it has not.

        It starts anew when dummy is told after the lead.
        """
        if self.in_play.actor is not seat or place.told < len(self._actions):
            return None
        play = self.in_play.play
        if play is not None and not play.current.cards:
            return None  # a leader's clock starts with "to lead"
        return self._start_clock(now_ms)

    def _start_clock(self, now_ms: int) -> int:
        self._clock = len(self._actions)
        self._clock_from_ms = now_ms
        return self._clock

    def _stop_clock(self, actor: Seat, now_ms: int) -> int:
        """Charge the player that acts, and give its thinking time; 0 when it was told nothing it could act on."""
        spent_ms = max(0, now_ms - self._clock_from_ms) if self._clock == len(self._actions) else 0
        self._clock = -1
        self._spent_ms[actor.side] += spent_ms
        return spent_ms
