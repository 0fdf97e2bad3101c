"""One board at the table, from `Start of board` to the last card told to the last player.

When the board is taken from a side, the attempt is over on record at once; at the table it is played to its end with
the table standing in for the player at fault. Programs in use cannot leave a board in the middle, so the other three
notice nothing.

A player that is lost for a moment is waited for, and led through the board when it is back (BC-48); a board that was
under way when its table host died begins with all four being led through it (BC-49).
"""

from typing import Final

from tourney.bridge import PASS, SEATS, Board, BoardInPlay, Card, Seat, Side
from tourney.protocol.bluechip.profile import ReadyForCards
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.bluechip.wire.player_lines import CallLine, CardLine, Ready, ReadyFor
from tourney.protocol.session.board.alerting import AlertDesk
from tourney.protocol.session.board.claims import ClaimDesk
from tourney.protocol.session.board.leads import LEAD_TIMER, LeadDesk
from tourney.protocol.session.board.pending import Debt, debts_of_board
from tourney.protocol.session.board.relay import Action, Relay
from tourney.protocol.session.board.stand_in import stand_in_card
from tourney.protocol.session.board.validation import Refusal, Scrutiny
from tourney.protocol.session.outbox import Desk
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnd,
    BoardEnded,
    CallMade,
    CardPlayed,
    Incident,
    IncidentKind,
)
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.snapshot import BoardOnRecord
from tourney.protocol.session.turn_clock import TurnClock

CARDS_TIMER: Final = "cards"
ASSUMED_WAIT_MS: Final = 200
"""How long after the board line a player that never asks for its cards is dealt them."""


class BoardSession:
    """Conducts one board. `served` turns true when the board is over and every player has been told all of it."""

    def __init__(self, board: Board, desk: Desk, rules: TableRules, trick_pause_ms: int, now_ms: int) -> None:
        self.board = board
        self.in_play = BoardInPlay(board)
        self.early_deal: set[Seat] = set()
        """Who said "ready for deal" after a passed-out auction, for the board to come (BC-19)."""
        self.ended: BoardEnd | None = None
        """How the attempt ended, once that is on record."""
        self.paused = False
        """Nothing is relayed and nobody is asked; what players say is still taken."""
        self.clock = TurnClock(moved_ms=now_ms)
        self._desk = desk
        self._rules = rules
        self._relay = Relay(self.in_play, desk, self.clock, now_ms)
        self._alerts = AlertDesk(board, desk, rules, self._relay.actions)
        self._claims = ClaimDesk(self.in_play, self._relay)
        self._scrutiny = Scrutiny(self.in_play, self._relay, self._claims)
        self._leads = LeadDesk(self.in_play, self._relay, desk, self.clock, trick_pause_ms)
        self._led: set[Seat] = set()
        self.is_taken_up = False
        """Another table host began it."""

    # What comes in

    def start(self, now_ms: int, *, ready: set[Seat]) -> None:
        """Open the board (BC-12). `ready` have said "ready for deal" already, as BC-19 lets them."""
        self._desk.record(BoardBegan(self.board.number, now_ms))
        self._desk.send_all(server_format.START_OF_BOARD)
        for seat in ready:
            self._tell_board(seat, now_ms)

    def take_up(self, under_way: BoardOnRecord, now_ms: int) -> None:
        """Go on with a board that another table host began: everybody is led through what is on record (BC-49)."""
        self.is_taken_up = True
        for made in under_way.made:
            side = made.seat.side  # declarer's, for a card of dummy's
            self.clock.spent_ms[side] += made.thinking_ms
            if isinstance(made, CallMade):
                self._append_call(made)
            else:
                assert self.in_play.actor is not None
                self._append_card(self.in_play.actor, made)
        for seq, text in under_way.answers.items():
            if text:
                self._relay.actions[seq].alerted, self._relay.actions[seq].text = True, text
        what = f"after {self.last_line!r}" if self._relay.actions else "before its first call"
        self._desk.record(
            Incident(IncidentKind.TAKEN_UP, self.board.number, None, f"another table host goes on {what}", now_ms)
        )
        for seat in SEATS:
            self._lead_through(seat, now_ms)

    def go_on(self, now_ms: int) -> None:
        """Something that held up the board is over."""
        self._deal_cards(now_ms)
        self.advance(now_ms)

    def receive_ready(self, seat: Seat, request: Ready, now_ms: int) -> None:
        self.clock.moved_ms = now_ms
        match request.what:
            case ReadyFor.CARD | ReadyFor.CALL | ReadyFor.DUMMY:
                self._receive_request(seat, request, now_ms)
            case ReadyFor.DEAL:
                self._receive_ready_for_deal(seat, now_ms)
            case ReadyFor.CARDS:
                self._relay.places[seat].ready_for_cards = True
                self._deal_cards(now_ms)
            case ReadyFor.TEAMS | ReadyFor.START:
                self._desk.note_seat(seat, f"ready for {request.what.value} again, swallowed")

    def _receive_request(self, seat: Seat, request: Ready, now_ms: int) -> None:
        """Take a request for a call, a card or dummy, and answer it if that is there."""
        self._relay.take_request(seat, request)
        if self._led or self._relay.absent:
            self.advance(now_ms)
        elif not self.paused:
            # Nothing is new but what this player has asked for: nobody else can be answered by it, or asked to lead.
            self._relay.answer_seat(seat, now_ms)
            if seat is self.in_play.actor:
                self._leads.ask(now_ms)

    def receive_call(self, seat: Seat, message: CallLine, now_ms: int) -> Refusal | None:
        """Take a call; why not when it is refused (BC-20, BC-21)."""
        if self._relay.is_led(seat):
            return self._receive_again(seat, message, now_ms)
        self.clock.moved_ms = now_ms
        refusal = self._scrutiny.why_no_call(seat, message)
        if self._is_excused(seat, refusal):
            return None
        if refusal is None:
            self._scrutiny.note_said(seat, message)
            self._add_call(seat, message, now_ms)
            self.advance(now_ms)
        return refusal

    def receive_card(self, seat: Seat, message: CardLine, now_ms: int) -> Refusal | None:
        """Take a card from the connection of `seat`; why not when it is refused (BC-33, BC-34)."""
        if self._relay.is_led(seat):
            return self._receive_again(seat, message, now_ms)
        self.clock.moved_ms = now_ms
        refusal = self._scrutiny.why_no_card(seat, message)
        if self._is_excused(seat, refusal):
            return None
        if refusal is None:
            assert self.in_play.turn is not None
            self._scrutiny.note_said(seat, message)
            self._add_card(seat, self.in_play.turn, message.card, now_ms)
            self._relay.actions[-1].text = message.text
            self.advance(now_ms)
        return refusal

    def _receive_again(self, seat: Seat, message: CallLine | CardLine, now_ms: int) -> Refusal | None:
        """A program that is led through the board says what its seat said before; what differs, why (BC-48)."""
        refusal = self._scrutiny.why_not_again(seat, message)
        if self._is_excused(seat, refusal):
            return None
        if refusal is None:
            self._relay.take_again(seat, now_ms)
            self.advance(now_ms)
        return refusal

    def _is_excused(self, seat: Seat, refusal: Refusal | None) -> bool:
        if not self._scrutiny.is_excused(seat, refusal):
            return False
        self._desk.note_seat(seat, "late: the table has acted in its place, swallowed")
        return True

    def receive_claim(self, seat: Seat, now_ms: int) -> str | None:
        """Take a claim; why not when it is refused (BC-40, BC-42)."""
        self.clock.moved_ms = now_ms
        if not self._rules.claims:
            return "claims are not taken at this table: play on"
        if self.ended is not None:
            return "this board is over, no claim is taken any more"
        why = self._claims.make(seat, now_ms)
        if why is None:
            self.clock.hold(self.actions_made, now_ms)
            self._note(IncidentKind.CLAIM, seat, f"{seat.title} claims the rest of the tricks", now_ms)
        return why

    def receive_claim_answer(self, seat: Seat, claimant: Seat, now_ms: int, *, accepts: bool) -> str | None:
        """Take an answer to a claim; why not when it is refused (BC-41)."""
        self.clock.moved_ms = now_ms
        verdict = self._claims.answer(seat, claimant, accepts=accepts)
        if isinstance(verdict, str):
            return verdict
        if verdict is not None:
            kind = IncidentKind.CLAIM_ACCEPTED if verdict else IncidentKind.CLAIM_REJECTED
            self._note(kind, seat, f"{claimant.title}'s claim is {'accepted' if verdict else 'rejected'}", now_ms)
            if verdict:
                self._record_end(BoardEnd.CLAIMED, f"{claimant.title} claimed", now_ms)
            elif self.clock.is_running(self.actions_made):
                self.clock.start(self.actions_made, now_ms)
            self.advance(now_ms)
        return None

    def receive_timer(self, name: str, now_ms: int) -> None:
        """A pause is over."""
        if name == LEAD_TIMER:
            self._leads.receive_timer()
        elif name == CARDS_TIMER:
            for seat, place in self._relay.places.items():
                if place.board_told and self._assumes_cards(seat):
                    place.ready_for_cards = True
            self._deal_cards(now_ms)
        else:
            self._alerts.receive_timer(name, now_ms)
        self.advance(now_ms)

    def answer_alert(self, seq: int, text: str, author: str, now_ms: int) -> str | None:
        """Take the operator's answer on call `seq`; why not when nothing waits for it (BC-27)."""
        why = self._alerts.answer(seq, text, author, now_ms)
        self.advance(now_ms)
        return why

    def note_sent(self, clock: int, now_ms: int) -> None:
        """The line that let a player act was written at `now_ms`: it is charged from now."""
        self.clock.note_written(clock, now_ms)

    # Verdicts

    def end_attempt(self, end: BoardEnd, reason: str, fault: Seat | None, now_ms: int) -> None:
        """Put on record that this attempt is over without a result; nothing when it is over already."""
        if self.ended is None:
            actor = self.in_play.actor
            if actor is not None and self.clock.is_running(self.actions_made):
                self.clock.stop(self.actions_made, actor, now_ms)
            self._record_end(end, reason, now_ms, fault)

    def leave(self, seat: Seat, now_ms: int) -> None:
        """The player of a seat is gone for now: the others go on as far as they can without it."""
        if seat in self._relay.absent:
            return
        self._relay.away.add(seat)
        if self.in_play.actor is seat and self.clock.is_running(self.actions_made):
            self.clock.hold(self.actions_made, now_ms)
        self._reject_claim_before(seat, now_ms)

    def come_back(self, seat: Seat, now_ms: int) -> None:
        """The program that left is back on another connection, and knows all that it was told."""
        self._relay.away.discard(seat)
        self._note(IncidentKind.REJOINED, seat, f"{seat.title} is back and goes on where it was", now_ms)
        if self.in_play.actor is seat and self.clock.is_running(self.actions_made):
            self.clock.start(self.actions_made, now_ms)
        self.go_on(now_ms)

    def rejoin(self, seat: Seat, now_ms: int) -> None:
        """A program has taken the seat that knows nothing of this board: lead it through (BC-48)."""
        self._lead_through(seat, now_ms)
        self.advance(now_ms)

    def _lead_through(self, seat: Seat, now_ms: int) -> None:
        self._relay.lead_through(seat, now_ms)
        self._scrutiny.forget(seat)
        self._led.add(seat)
        self._relay.send(seat, server_format.START_OF_BOARD)

    def stand_in(self, seat: Seat, now_ms: int) -> None:
        """From now the table calls and plays for a seat: its player is gone, or may not go on."""
        if seat in self._relay.absent:
            return
        self._relay.absent.add(seat)
        self._relay.away.discard(seat)
        if not self.in_play.is_over:
            self._note(
                IncidentKind.STAND_IN, seat, f"the table acts for {seat.title} to the end of the board", now_ms
            )
        self._reject_claim_before(seat, now_ms)
        self._deal_cards(now_ms)
        self.advance(now_ms)

    def wait_no_more(self, now_ms: int) -> None:
        """The attempt is over: nobody is waited for, the table plays it out."""
        for seat in tuple(self._relay.away):
            self.stand_in(seat, now_ms)

    def _reject_claim_before(self, seat: Seat, now_ms: int) -> None:
        """A player that is to answer a claim is gone: the play goes on."""
        claim, contract = self._claims.pending, self.in_play.contract
        if claim is not None and contract is not None and seat in self._claims.judges(contract):
            self.receive_claim_answer(seat, claim.seat, now_ms, accepts=False)

    def substitute(self, seat: Seat, now_ms: int) -> None:
        """Act once for the player in turn, and tell it what was called or played in its name (BC-46)."""
        is_its_turn = self.in_play.actor is seat and self._relay.is_dealt and self._relay.knows_all(seat)
        if not is_its_turn or self._claims.pending is not None:
            return
        line = self._act_for(seat, now_ms)
        self._scrutiny.excuse(seat)
        self._note(IncidentKind.SUBSTITUTED, seat, f"the table said for {seat.title}: {line}", now_ms)
        self._relay.send(seat, line)
        self.advance(now_ms)

    # What can be asked

    @property
    def is_over(self) -> bool:
        """No more calls or cards are to come."""
        return self.in_play.is_over or self._claims.accepted is not None

    @property
    def served(self) -> bool:
        """The board is over and everybody has been told of every call and card."""
        return self._claims.accepted is not None or (self.in_play.is_over and self._relay.all_told)

    def takes_part(self, seat: Seat) -> bool:
        """Whether a player is part of the board: the table neither acts for it nor waits for it."""
        return seat not in self._relay.absent and seat not in self._relay.away

    @property
    def absent(self) -> frozenset[Seat]:
        """Seats for which the table acts."""
        return frozenset(self._relay.absent)

    @property
    def away(self) -> frozenset[Seat]:
        """Seats whose players are waited for."""
        return frozenset(self._relay.away)

    @property
    def spent_ms(self) -> dict[Side, int]:
        """Thinking time of each side on this board."""
        return dict(self.clock.spent_ms)

    @property
    def last_line(self) -> str:
        """The last call or card; empty before the first."""
        return self._relay.actions[-1].line if self._relay.actions else ""

    def debts(self) -> list[Debt]:
        """The lines that the table waits for now."""
        return debts_of_board(self.in_play, self._relay, self._claims, self.clock)

    @property
    def actions_made(self) -> int:
        """Calls and cards so far: the number of the next."""
        return len(self._relay.actions)

    # The deal

    def _receive_ready_for_deal(self, seat: Seat, now_ms: int) -> None:
        place = self._relay.places[seat]
        if self.in_play.is_over and not self._relay.is_led(seat):
            # A player that is ready for the next deal needs no more of this one.
            place.told = self.actions_made
            if self.in_play.contract is None:
                self.early_deal.add(seat)
        elif not place.board_told:
            self._tell_board(seat, now_ms)
        else:
            self._desk.note_seat(seat, "ready for deal again, swallowed")

    def _tell_board(self, seat: Seat, now_ms: int) -> None:
        place = self._relay.places[seat]
        place.board_told, place.told_at_ms = True, now_ms
        self._relay.send(seat, server_format.format_board(self.board))
        if self._assumes_cards(seat):
            self._desk.start_timer(CARDS_TIMER, now_ms + ASSUMED_WAIT_MS)

    def _assumes_cards(self, seat: Seat) -> bool:
        guest = self._desk.seated.get(seat)
        return guest is not None and guest.profile.ready_for_cards is ReadyForCards.ASSUMED

    def _deal_cards(self, now_ms: int) -> None:
        """The cards to all four at once (BC-14); to a program that comes later as soon as it is ready for them."""
        asked = {seat for seat, place in self._relay.places.items() if place.board_told and place.ready_for_cards}
        ready = asked - self._relay.away
        if self.paused or (not self._relay.is_dealt and ready | self._relay.absent != set(SEATS)):
            return
        self._relay.is_dealt = True
        for seat in SEATS:
            place = self._relay.places[seat]
            if seat in ready and not place.cards_told:
                place.cards_told, place.told_at_ms = True, now_ms
                clock = self._relay.start_clock(seat, now_ms)
                self._relay.send(seat, server_format.format_cards(seat, self.in_play.hand(seat)), clock)
        self.advance(now_ms)

    # Calls and cards

    def _add_call(self, seat: Seat, message: CallLine, now_ms: int, *, substituted: bool = False) -> None:
        thinking_ms = self.clock.stop(self.actions_made, seat, now_ms)
        call, text, alerted, number = message.call, message.text, message.alerted, self.board.number
        made = CallMade(number, self.actions_made, seat, call, text, alerted, thinking_ms, now_ms, substituted)
        self._append_call(made)
        self._desk.record(made)
        if not substituted:
            self._alerts.note_call(self.in_play.auction, self._relay.actions[-1], now_ms)
        self._after_action(seat, now_ms)

    def _add_card(self, actor: Seat, hand: Seat, card: Card, now_ms: int, *, substituted: bool = False) -> None:
        play = self.in_play.play
        assert play is not None
        thinking_ms = self.clock.stop(self.actions_made, actor, now_ms)
        number, seq = self.board.number, len(play.cards)
        made = CardPlayed(number, seq, hand, card, thinking_ms, now_ms, substituted)
        self._append_card(actor, made)
        self._desk.record(made)
        if not play.current.cards and not play.is_over:
            self._leads.note_trick(now_ms)
        self._after_action(actor, now_ms)

    def _append_call(self, made: CallMade) -> None:
        self.in_play.add_call(made.call)
        action = Action(
            made.seat, made.seat, made.call, server_format.format_call(made.seat, made.call), 0, made.at_ms
        )
        action.substituted, action.alerted, action.text = made.substituted, made.alerted, made.alert
        self._relay.actions.append(action)

    def _append_card(self, actor: Seat, made: CardPlayed) -> None:
        self.in_play.add_card(made.card)
        line, trick = server_format.format_card(made.seat, made.card), made.seq // 4 + 1
        action = Action(made.seat, actor, made.card, line, trick, made.at_ms, is_lead=made.seq % 4 == 0)
        action.substituted = made.substituted
        self._relay.actions.append(action)

    def _after_action(self, actor: Seat, now_ms: int) -> None:
        place = self._relay.places[actor]
        place.told, place.told_at_ms = self.actions_made, now_ms
        if self.in_play.is_over and self.ended is None:
            self._record_end(BoardEnd.PLAYED if self.in_play.contract else BoardEnd.PASSED_OUT, "", now_ms)

    def _record_end(self, end: BoardEnd, reason: str, now_ms: int, fault: Seat | None = None) -> None:
        self.ended = end
        result = (self._claims.accepted or self.in_play.result) if end.is_by_rules else None
        spent, table_ms = self.clock.spent_ms, self.clock.table_ms
        if end.is_by_rules:
            # Who is away joins the next board.
            self._relay.absent |= self._relay.away
            self._relay.away.clear()
        self._desk.record(
            BoardEnded(
                self.board.number, end, reason, result, spent[Side.NS], spent[Side.EW], now_ms, table_ms, fault
            )
        )

    def _note(self, kind: IncidentKind, seat: Seat, text: str, now_ms: int) -> None:
        self._desk.record(Incident(kind, self.board.number, seat, text, now_ms))

    # What the table says

    def advance(self, now_ms: int) -> None:
        """Answer and ask whatever can be answered and asked; act where the table stands in."""
        if self.paused:
            return
        self._answer(now_ms)
        while (actor := self._absent_actor(now_ms)) is not None:
            self._act_for(actor, now_ms)
            self._answer(now_ms)
        if not self.is_over:
            self._leads.ask(now_ms)
        if self._led:
            self._note_led(now_ms)

    def _note_led(self, now_ms: int) -> None:
        """Programs that have come to where the board is are led no more."""
        for seat in [seat for seat in self._led if not self._relay.is_led(seat)]:
            self._led.discard(seat)
            if seat not in self._relay.absent:
                self._note(IncidentKind.REJOINED, seat, f"{seat.title} has been led to where the board is", now_ms)

    def _answer(self, now_ms: int) -> None:
        """Answer what is asked; programs that are led are told what the table said for them, each in its turn."""
        moves = True
        while moves:
            self._relay.answer(now_ms)
            moves = False
            for seat in self._led:
                self._leads.ask_again(seat)
                action = self._relay.owes_again(seat)
                if action is not None and action.substituted:
                    self._relay.send(seat, action.line)
                    self._relay.take_again(seat, now_ms)
                    self._scrutiny.excuse(seat)
                    moves = True

    def _absent_actor(self, now_ms: int) -> Seat | None:
        """The player in turn when the table stands in for it and may act now."""
        if not self._relay.absent:
            return None
        actor = self.in_play.actor
        if actor is None or actor not in self._relay.absent or self.is_over or not self._relay.is_dealt:
            return None
        if self._alerts.waits or self._claims.pending is not None:
            return None
        play = self.in_play.play
        if play is not None and not play.current.cards and not self._leads.may_lead(now_ms):
            return None
        return actor

    def _act_for(self, actor: Seat, now_ms: int) -> str:
        """Call or play for a player; the line that says it."""
        play = self.in_play.play
        if play is None:
            self._add_call(actor, CallLine(actor, PASS), now_ms, substituted=True)
        else:
            self._add_card(actor, play.turn, stand_in_card(play), now_ms, substituted=True)
        return self.last_line
