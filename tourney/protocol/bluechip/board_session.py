"""One board at the table, from `Start of board` to the last card told to the last player.

When the board is taken from a side, the attempt is over on record at once; at the table it is played to its end with
the table standing in for the player at fault. Programs in use cannot leave a board in the middle, so the other three
notice nothing.
"""

from dataclasses import dataclass
from typing import Final

from tourney.bridge import PASS, Board, BoardInPlay, Card, Result, Seat, Side
from tourney.protocol.bluechip import texts
from tourney.protocol.bluechip.alerting import AlertDesk
from tourney.protocol.bluechip.claims import ClaimDesk
from tourney.protocol.bluechip.desk import Desk
from tourney.protocol.bluechip.messages import CallLine, CardLine, Ready, ReadyFor
from tourney.protocol.bluechip.profile import ReadyForCards
from tourney.protocol.bluechip.relay import Action, Place, Relay
from tourney.protocol.bluechip.rules import TableRules
from tourney.protocol.bluechip.stand_in import stand_in_card
from tourney.protocol.bluechip.turn_clock import TurnClock
from tourney.protocol.records import BoardBegan, BoardEnd, BoardEnded, CallMade, CardPlayed, Incident, IncidentKind

LEAD_TIMER: Final = "lead"
"""The pause before a lead: at the end of a trick (BC-36), or what the leader's profile asks for."""

CARDS_TIMER: Final = "cards"
ASSUMED_WAIT_MS: Final = 200
"""How long after the board line a player that never asks for its cards is dealt them."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call or card that is not taken. `kind` is None when it breaks the order of lines, but no rule of the game."""

    line: str
    """What its sender is told."""
    why: str
    kind: IncidentKind | None = None


@dataclass(frozen=True, slots=True)
class Debt:
    """A line that the table waits for. `acts` when it is a call or card, whose player is on the clock."""

    seat: Seat
    what: str
    since_ms: int
    acts: bool = False
    logs_on: bool = False
    """The player is not part of a board yet."""


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
        self._trick_pause_ms = trick_pause_ms
        self._relay = Relay(self.in_play, desk, self._clock_for, now_ms)
        self._alerts = AlertDesk(board, desk, rules, self._relay.actions)
        self._claims = ClaimDesk(self.in_play, self._relay)
        self._claimed: Result | None = None
        self._lead_from_ms = 0  # the end of the pause after a trick
        self._lead_timer_at_ms = 0
        self._prompted_at = -1  # the number of the action that was asked for with "to lead"
        self._excused: set[Seat] = set()
        self._said: dict[Seat, CallLine | CardLine] = {}

    # What comes in

    def start(self, now_ms: int, *, ready: set[Seat]) -> None:
        """Open the board (BC-12). `ready` have said "ready for deal" already, as BC-19 lets them."""
        self._desk.record(BoardBegan(self.board.number, now_ms))
        self._desk.send_all(texts.START_OF_BOARD)
        for seat in ready:
            self._tell_board(seat, now_ms)

    def receive_ready(self, seat: Seat, request: Ready, now_ms: int) -> None:
        self.clock.moved_ms = now_ms
        match request.what:
            case ReadyFor.DEAL:
                self._receive_ready_for_deal(seat, now_ms)
            case ReadyFor.CARDS:
                self._relay.places[seat].ready_for_cards = True
                self._deal_cards(now_ms)
            case ReadyFor.CALL | ReadyFor.CARD | ReadyFor.DUMMY:
                self._relay.take_request(seat, request)
                self.advance(now_ms)
            case ReadyFor.TEAMS | ReadyFor.START:
                self._desk.note_seat(seat, f"ready for {request.what.value} again, swallowed")

    def receive_call(self, seat: Seat, message: CallLine, now_ms: int) -> Refusal | None:
        """Take a call; why not when it is refused (BC-20, BC-21)."""
        self.clock.moved_ms = now_ms
        refusal = self._why_no_call(seat, message)
        if self._is_excused(seat, refusal):
            return None
        if refusal is None:
            self._said[seat] = message
            self._add_call(seat, message, now_ms)
            self.advance(now_ms)
        return refusal

    def receive_card(self, seat: Seat, message: CardLine, now_ms: int) -> Refusal | None:
        """Take a card from the connection of `seat`; why not when it is refused (BC-33, BC-34)."""
        self.clock.moved_ms = now_ms
        refusal = self._why_no_card(seat, message)
        if self._is_excused(seat, refusal):
            return None
        if refusal is None:
            assert self.in_play.turn is not None
            self._said[seat] = message
            self._add_card(seat, self.in_play.turn, message.card, now_ms)
            self.advance(now_ms)
        return refusal

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
                self._claimed = self._claims.result(claimant)
                self._record_end(BoardEnd.CLAIMED, f"{claimant.title} claimed", now_ms)
            elif self.clock.is_running(self.actions_made):
                self.clock.start(self.actions_made, now_ms)
            self.advance(now_ms)
        return None

    def receive_timer(self, name: str, now_ms: int) -> None:
        """A pause is over."""
        if name == LEAD_TIMER:
            self._lead_timer_at_ms = 0
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

    def stand_in(self, seat: Seat, now_ms: int) -> None:
        """From now the table calls and plays for a seat: its player is gone, or may not go on."""
        if seat in self._relay.absent:
            return
        self._relay.absent.add(seat)
        if not self.in_play.is_over:
            self._note(
                IncidentKind.STAND_IN, seat, f"the table acts for {seat.title} to the end of the board", now_ms
            )
        claim = self._claims.pending
        contract = self.in_play.contract
        if claim is not None and contract is not None and seat in self._claims.judges(contract):
            self.receive_claim_answer(seat, claim.seat, now_ms, accepts=False)
        self._deal_cards(now_ms)
        self.advance(now_ms)

    def substitute(self, seat: Seat, now_ms: int) -> None:
        """Act once for the player in turn, and tell it what was called or played in its name (BC-46)."""
        is_its_turn = self.in_play.actor is seat and self._cards_dealt and self._relay.knows_all(seat)
        if not is_its_turn or self._claims.pending is not None:
            return
        line = self._act_for(seat, now_ms)
        self._excused.add(seat)
        self._note(IncidentKind.SUBSTITUTED, seat, f"the table said for {seat.title}: {line}", now_ms)
        self._relay.send(seat, line)
        self.advance(now_ms)

    # What can be asked

    @property
    def is_over(self) -> bool:
        """No more calls or cards are to come."""
        return self.in_play.is_over or self._claimed is not None

    @property
    def served(self) -> bool:
        """The board is over and everybody has been told of every call and card."""
        return self._claimed is not None or (self.in_play.is_over and self._relay.all_told)

    @property
    def absent(self) -> frozenset[Seat]:
        """Seats for which the table acts."""
        return frozenset(self._relay.absent)

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
        debts = []
        for seat, place in self._relay.places.items():
            if seat in self._relay.absent:
                continue
            if not place.cards_told:
                if not place.board_told:
                    debts.append(Debt(seat, "ready for deal", place.told_at_ms))
                elif not place.ready_for_cards:
                    debts.append(Debt(seat, "ready for cards", place.told_at_ms))
            elif (what := self._relay.awaited(seat)) is not None:
                debts.append(Debt(seat, what, self._relay.awaited_since_ms(seat)))
        return debts + self._debts_of_action()

    def _debts_of_action(self) -> list[Debt]:
        claim, contract, actor = self._claims.pending, self.in_play.contract, self.in_play.actor
        if claim is not None and contract is not None:
            judges = [seat for seat in self._claims.judges(contract) if seat not in claim.accepted_by]
            return [Debt(seat, "an answer to the claim", claim.at_ms) for seat in judges]
        if actor is None or actor in self._relay.absent or not self.clock.is_running(self.actions_made):
            return []
        what = "call" if self.in_play.in_auction else "card"
        return [Debt(actor, what, self.clock.from_ms, acts=True)]

    @property
    def alerts_wait(self) -> bool:
        """The operator is asked something."""
        return self._alerts.waits

    @property
    def actions_made(self) -> int:
        """Calls and cards so far: the number of the next."""
        return len(self._relay.actions)

    @property
    def _cards_dealt(self) -> bool:
        return all(place.cards_told for place in self._relay.places.values())

    # The deal

    def _receive_ready_for_deal(self, seat: Seat, now_ms: int) -> None:
        place = self._relay.places[seat]
        if self.in_play.is_over:
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
        self._relay.send(seat, texts.format_board(self.board))
        if self._assumes_cards(seat):
            self._desk.start_timer(CARDS_TIMER, now_ms + ASSUMED_WAIT_MS)

    def _assumes_cards(self, seat: Seat) -> bool:
        guest = self._desk.seated.get(seat)
        return guest is not None and guest.profile.ready_for_cards is ReadyForCards.ASSUMED

    def _deal_cards(self, now_ms: int) -> None:
        present = [place for seat, place in self._relay.places.items() if seat not in self._relay.absent]
        if self._cards_dealt or self.paused or not all(p.board_told and p.ready_for_cards for p in present):
            return
        for seat, place in self._relay.places.items():
            place.cards_told, place.told_at_ms = True, now_ms
            clock = self.clock.start(self.actions_made, now_ms) if seat is self.board.dealer else None
            self._relay.send(seat, texts.format_cards(seat, self.in_play.hand(seat)), clock)
        self.advance(now_ms)

    # Calls and cards

    def _why_no_call(self, seat: Seat, message: CallLine) -> Refusal | None:
        auction = self.in_play.auction
        if not self._cards_dealt:
            return _out_of_order("the cards are not dealt yet")
        if auction.is_over or auction.turn is not seat:
            why = "the auction is over" if auction.is_over else f"it is {auction.turn.title}'s turn to call"
            return self._out_of_turn(seat, message, IncidentKind.CALL_OUT_OF_TURN, why)
        if not self._relay.knows_all(seat):
            why = f"ask for {auction.turn.previous.title}'s bid first"
            return self._out_of_turn(seat, message, IncidentKind.CALL_OUT_OF_TURN, why)
        why_illegal = auction.why_illegal(message.call)
        if why_illegal is not None:
            return Refusal(texts.ILLEGAL_BID, why_illegal, IncidentKind.ILLEGAL_CALL)
        return None

    def _why_no_card(self, seat: Seat, message: CardLine) -> Refusal | None:
        play, contract = self.in_play.play, self.in_play.contract
        if play is None or contract is None:
            return _out_of_order("no card can be played before the auction has ended in a contract")
        if self.is_over:
            return _out_of_order("the play is over")
        if self._claims.pending is not None:
            return _out_of_order(f"{self._claims.pending.seat.title}'s claim is to be answered first")
        hand = self._hand_meant(seat, message.seat)
        if hand is not play.turn or self.in_play.actor is not seat:
            why = (
                f"it is {play.turn.title}'s turn" if hand is not play.turn else "dummy's cards are played by declarer"
            )
            repeated = message == self._said.get(seat)
            return Refusal(texts.ILLEGAL_CARD, why, None if repeated else IncidentKind.CARD_OUT_OF_TURN)
        if not play.current.cards and self._prompted_at != self.actions_made:
            why = "a lead waits for the line that asks for it"
            return self._out_of_turn(seat, message, IncidentKind.CARD_OUT_OF_TURN, why)
        if not self._relay.knows_all(seat):
            why = f"ask for {play.turn.previous.title}'s card first"
            return self._out_of_turn(seat, message, IncidentKind.CARD_OUT_OF_TURN, why)
        why_illegal = play.why_illegal(hand, message.card)
        if why_illegal is not None:
            return Refusal(texts.ILLEGAL_CARD, why_illegal, IncidentKind.ILLEGAL_CARD)
        return None

    def _is_excused(self, seat: Seat, refusal: Refusal | None) -> bool:
        """Whether a refused line is that of a player for whom the table has just acted: the two have crossed."""
        if seat not in self._excused:
            return False
        self._excused.discard(seat)
        if refusal is not None:
            self._desk.note_seat(seat, "late: the table has acted in its place, swallowed")
        return refusal is not None

    def _out_of_turn(self, seat: Seat, message: CallLine | CardLine, kind: IncidentKind, why: str) -> Refusal:
        """A line at the wrong time; one that only repeats the player's last is no irregularity (BC-47)."""
        return Refusal(texts.format_error(why), why, None if message == self._said.get(seat) else kind)

    def _add_call(self, seat: Seat, message: CallLine, now_ms: int, *, substituted: bool = False) -> None:
        call, alerted, text = message.call, message.alerted, message.text
        thinking_ms = self.clock.stop(self.actions_made, seat, now_ms)
        self.in_play.add_call(call)
        number, seq = self.board.number, self.actions_made
        self._desk.record(CallMade(number, seq, seat, call, text, alerted, thinking_ms, now_ms, substituted))
        action = Action(seat, seat, texts.format_call(seat, call), 0, now_ms, alerted, text)
        self._relay.actions.append(action)
        if not substituted:
            self._alerts.note_call(self.in_play.auction, action, now_ms)
        self._after_action(seat, now_ms)

    def _add_card(self, actor: Seat, hand: Seat, card: Card, now_ms: int, *, substituted: bool = False) -> None:
        play = self.in_play.play
        assert play is not None
        thinking_ms = self.clock.stop(self.actions_made, actor, now_ms)
        seq = len(play.cards)
        self.in_play.add_card(card)
        self._desk.record(CardPlayed(self.board.number, seq, hand, card, thinking_ms, now_ms, substituted))
        self._relay.actions.append(Action(hand, actor, texts.format_card(hand, card), seq // 4 + 1, now_ms))
        if not play.current.cards and not play.is_over:
            self._lead_from_ms = now_ms + self._trick_pause_ms
        self._after_action(actor, now_ms)

    def _after_action(self, actor: Seat, now_ms: int) -> None:
        place = self._relay.places[actor]
        place.told, place.told_at_ms = self.actions_made, now_ms
        if self.in_play.is_over and self.ended is None:
            self._record_end(BoardEnd.PLAYED if self.in_play.contract else BoardEnd.PASSED_OUT, "", now_ms)

    def _record_end(self, end: BoardEnd, reason: str, now_ms: int, fault: Seat | None = None) -> None:
        self.ended = end
        result = (self._claimed or self.in_play.result) if end.is_by_rules else None
        spent, table_ms = self.clock.spent_ms, self.clock.table_ms
        self._desk.record(
            BoardEnded(
                self.board.number, end, reason, result, spent[Side.NS], spent[Side.EW], now_ms, table_ms, fault
            )
        )

    def _note(self, kind: IncidentKind, seat: Seat, text: str, now_ms: int) -> None:
        self._desk.record(Incident(kind, self.board.number, seat, text, now_ms))

    def _hand_meant(self, seat: Seat, named: Seat | None) -> Seat:
        """Whose card a line plays: "Dummy" is dummy, and so is declarer's own name in dummy's turn."""
        contract, turn = self.in_play.contract, self.in_play.turn
        assert contract is not None
        if named is None or (named is seat is contract.declarer and turn is contract.dummy):
            return contract.dummy
        return named

    # What the table says

    def advance(self, now_ms: int) -> None:
        """Answer and ask whatever can be answered and asked; act where the table stands in."""
        if self.paused:
            return
        self._relay.answer(now_ms)
        while (actor := self._absent_actor(now_ms)) is not None:
            self._act_for(actor, now_ms)
            self._relay.answer(now_ms)
        self._ask_for_lead(now_ms)

    def _absent_actor(self, now_ms: int) -> Seat | None:
        """The player in turn when the table stands in for it and may act now."""
        actor = self.in_play.actor
        if actor is None or actor not in self._relay.absent or self.is_over or not self._cards_dealt:
            return None
        if self._alerts.waits or self._claims.pending is not None:
            return None
        play = self.in_play.play
        if play is not None and not play.current.cards and now_ms < self._lead_from_ms:
            self._wake_for_lead(self._lead_from_ms)
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

    def _ask_for_lead(self, now_ms: int) -> None:
        play, actor, contract = self.in_play.play, self.in_play.actor, self.in_play.contract
        if play is None or actor is None or contract is None or play.current.cards or self._claimed is not None:
            return
        place = self._relay.places[actor]
        if self._prompted_at == self.actions_made or not self._relay.knows_all(actor) or actor in self._relay.absent:
            return
        guest = self._desk.seated.get(actor)
        gap_ms = guest.profile.lead_gap_ms if guest is not None else 0
        from_ms = max(self._lead_from_ms, place.told_at_ms + gap_ms)
        if now_ms < from_ms:
            self._wake_for_lead(from_ms)
            return
        self._prompted_at = self.actions_made
        line = texts.DUMMY_TO_LEAD if play.turn is contract.dummy else texts.format_to_lead(actor)
        self._relay.send(actor, line, self.clock.start(self.actions_made, now_ms))

    def _wake_for_lead(self, at_ms: int) -> None:
        if self._lead_timer_at_ms != at_ms:
            self._lead_timer_at_ms = at_ms
            self._desk.start_timer(LEAD_TIMER, at_ms)

    def _clock_for(self, seat: Seat, place: Place, now_ms: int) -> int | None:
        """The number of the clock that starts when `seat` has been told enough to act; None while it has not.

        It starts anew when dummy is told after the lead.
        """
        if self.in_play.actor is not seat or place.told < self.actions_made:
            return None
        play = self.in_play.play
        if play is not None and not play.current.cards:
            return None  # a leader's clock starts with "to lead"
        return self.clock.start(self.actions_made, now_ms)


def _out_of_order(why: str) -> Refusal:
    return Refusal(texts.format_error(why), why)
