"""One board at the table, from its beginning until the last card has been sent to the last player.

When a side forfeits the board, the attempt ends on record at once; at the table it is played to its end with the
table acting for the player at fault. Programs in use cannot leave a board in the middle, so the other three notice
nothing.

The board waits for a player that disconnects briefly, and is replayed to it when it is back (BC-48). A board that was
in progress when its table host died is first replayed to all four (BC-49).
"""

from collections.abc import Sequence
from typing import Final

from tourney.bridge import PASS, SUITS_DOWN, Board, Card, OpenPlay, Seat, Side
from tourney.protocol.session.board.alerting import calls_to_ask
from tourney.protocol.session.board.state import BoardState, Entry, TableOffer
from tourney.protocol.session.board.validation import (
    why_no_claim,
    why_no_question,
    why_no_undo,
    why_refused,
)
from tourney.protocol.session.clock import measure_delay
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.intents import CallIntent, CardIntent, PendingLine, Ready, ReadyFor, Refusal
from tourney.protocol.session.notices import (
    ActedFor,
    BoardNamed,
    BoardStarted,
    CallAsked,
    CallExplained,
    OfferMade,
    OfferSettled,
    OptionsChanged,
)
from tourney.protocol.session.records import (
    NO_ANSWER_AUTHOR,
    AlertAnswered,
    AlertAsked,
    BoardBegan,
    BoardEnd,
    BoardEnded,
    BoardSnapshot,
    CallMade,
    CardPlayed,
    Incident,
    IncidentKind,
)
from tourney.protocol.session.seat import SeatState
from tourney.protocol.session.seat_view import REQUESTS_MAX, SeatView, see
from tourney.protocol.session.state import SessionState

LEAD_TIMER: Final = "lead"
"""Timer for the pause before a lead: after a trick (BC-36), or as the leader's wire requires."""

CARDS_TIMER: Final = "cards"
"""Timer after which a player is taken to be ready for its cards (`Wire.cards_wait_ms`)."""

ALERT_TIMER: Final = "alert"
"""Timer for the operator's answers: one who is absent never stops the table (BC-27)."""


_ILLEGAL: Final = (IncidentKind.ILLEGAL_CALL, IncidentKind.ILLEGAL_CARD)
_DUMMY: Final = ReadyFor.DUMMY
_REQUESTS: Final = (ReadyFor.CARD, ReadyFor.CALL, _DUMMY)


class BoardSession:
    """Conducts one board. `is_served` becomes true when it has finished and every player has been sent all of it."""

    def __init__(self, board: Board, table: SessionState) -> None:
        """Prepare a board of a table."""
        self.board = board
        self.state = BoardState(
            board,
            table.time,
            trick_pause_ms=table.settings.trick_pause_ms,
            is_minibridge=table.queue.is_minibridge,
            offers=table.counts.offers,
        )
        self.is_counted = False
        """Whether the table's source of boards has been told how it ended."""
        self.was_resumed = False
        """Whether another table host began the board."""
        self.retracted: BoardSnapshot | None = None
        """What is left of the board once something was taken back: the table begins it again from there."""
        self._table = table
        self._time, self._rules = table.time, table.settings.rules
        self._seats, self._outbox, self._record = table.seats, table.outbox, table.record
        self._wakes_at_ms = 0
        """When the board advances by a timer, while that runs: somebody may lead then."""

    # Events

    def start(self) -> None:
        """Open the board (BC-12)."""
        board = self.board
        self._record(BoardBegan(board.number, self._time.now_ms, board.dealer, board.vulnerability))
        self._begin(replay=False)

    def resume_board(self, snapshot: BoardSnapshot) -> None:
        """Continue a board that another table host began by replaying its record to everybody (BC-49)."""
        self.was_resumed = True
        state = self.state
        offered = (IncidentKind.CLAIM, IncidentKind.UNDO)
        state.offers -= sum(isinstance(each, Incident) and each.kind in offered for each in snapshot.records)
        for record in snapshot.records:
            state.apply(record)
        state.asked_ms = self._time.now_ms
        self._await_operator()
        what = f"after {state.last_entry!r}" if state.history else "before its first call"
        self._table.record_incident(IncidentKind.BOARD_RESUMED, None, f"another table host goes on {what}")
        self._begin(replay=True)

    def resume_earlier(self, snapshot: BoardSnapshot) -> None:
        """Go on from what is left of the board after something was taken back, all of which is on record."""
        for record in snapshot.records:
            self.state.apply(record)
        self._begin(replay=False)

    def _begin(self, *, replay: bool) -> None:
        for seat in self._seats:
            seat.begin_board(replay=replay)
            self._show_from_start(seat)
        self.deal()

    def _show_from_start(self, seat: SeatState) -> None:
        """Begin to show the board to a player, which repeats what its seat called and played (BC-48)."""
        player = seat.player
        assert player is not None
        seat.view = view = see(self.state, seat.seat, len(self.state.history) if player.wire.has_requests else 0)
        player.notify(BoardStarted(seat.in_transit_left > 0), view)
        if player.is_early:
            self._send_board(view, player)
        player.is_early = False

    def _send_board(self, view: SeatView, player: PlayerConnection) -> None:
        """Tell a player which board it is."""
        view.has_joined, view.shown_at_ms = True, self._time.now_ms
        player.notify(BoardNamed(), view)

        if player.wire.cards_wait_ms is not None:
            self._outbox.start_timer(CARDS_TIMER, self._time.now_ms + player.wire.cards_wait_ms)

    def resume(self) -> None:
        """Continue after a pause or an interruption."""
        self._await_operator()
        self.deal()
        self.advance()

    def receive_action(
        self,
        seat: SeatState,
        intent: CallIntent | CardIntent,
        began_ms: int,
        own_ms: int | None,
    ) -> Refusal | None:
        """Accept a call or card; return why not if it is refused (BC-20, BC-33).

        A program that catches up repeats what was called and played by its seat (BC-48).

        Args:
            seat: whose it is.
            intent: the call or card.
            began_ms: when its first byte came.
            own_ms: how long its program took, as the client says that has it in a tunnel.
        """
        view = seat.view
        assert view is not None
        is_repeated = seat.is_catching_up
        if not is_repeated:
            self.state.clock.moved_ms = self._time.now_ms
        refusal = why_refused(seat, intent, is_dealt=self.state.is_dealt)
        if view.ignores_next_line:
            view.ignores_next_line = False
            # A program whose call or card was refused waits for what the table says to its next.
            is_new = view.was_refused and refusal is not None and refusal.incident in _ILLEGAL
            is_stale = refusal is not None and not is_new
            if is_stale and seat.connection is not None:
                seat.connection.log_remark("late: the table has acted in its place, swallowed")
                return None
        if refusal is not None:
            return refusal
        if is_repeated:
            view.note_shown()
        else:
            view.last_intent = intent
            self._add(seat, intent, began_ms, own_ms)
        self.advance()
        return None

    def receive_claim(self, seat: SeatState) -> str | None:
        """Accept a claim and relay it with the claimant's cards; return why not if it is refused (BC-40, BC-42).

        No program in use claims; the clauses are for people who play through an interface of their own.
        """
        state = self.state
        state.clock.moved_ms = self._time.now_ms
        why = why_no_claim(self._table, seat.seat)
        if why is None:
            if state.in_play.undo is not None:
                self._send_settled(state.in_play.undo, accepted=False)
            text = f"{seat.seat.title} claims the rest of the tricks"
            self._table.record_incident(IncidentKind.CLAIM, seat.seat, text)
            self._show_offer()
        return why

    def _show_offer(self) -> None:
        """Tell the players about an offer that waits for answers, each once it knows all that the offer is about."""
        claim, play = self.state.in_play.claim, self.state.in_play.play
        offer = claim or self.state.in_play.undo
        if offer is None:
            return
        held = tuple(play.left_of(self.board.deal[offer.seat])) if claim and play is not None else None
        for seat in self._seats:
            player, view = seat.active, seat.view
            if player is None or view is None or view.offer_shown == offer.number:
                continue
            if not view.cards_shown or not view.knows_all():
                continue
            view.offer_shown, view.shown_at_ms = offer.number, self._time.now_ms
            if claim is not None and seat.seat in claim.judges and not player.wire.answers_claims:
                self._reject_claim_before(seat.seat)  # it has taken the seat since
                return
            may_see = (offer.seat, *offer.judges, self.state.in_play.dummy)
            view.claim_cards = held if seat.seat in may_see else None
            if claim is not None or seat.seat is not offer.seat.partner:  # who is not asked
                seat.notify(OfferMade(offer))

    def _send_settled(self, offer: TableOffer, *, accepted: bool) -> None:
        """Tell the players what has come of an offer: of one that is refused, those who were told about it."""
        is_claim = offer.kept is None
        for seat in self._seats:
            player, view = seat.active, seat.view
            if player is None or view is None or (not accepted and view.offer_shown != offer.number):
                continue
            if is_claim or accepted or seat.seat is not offer.seat.partner:
                seat.notify(OfferSettled(offer, accepted))
            if is_claim and not player.wire.has_requests:
                view.prompted = -1  # it was told that no card is accepted

    def receive_offer_answer(self, seat: Seat, number: int, *, accepts: bool) -> str | None:
        """Accept an answer to an offer by its number; return why not if it is refused (SS-51)."""
        claim, undo = self.state.in_play.claim, self.state.in_play.undo
        if claim is not None and claim.number == number:
            return self.receive_claim_answer(seat, claim.seat, accepts=accepts)
        if undo is not None and undo.number == number:
            return self._receive_answer_to(undo, seat, accepts=accepts)
        return f"no offer {number} waits for an answer: it has been settled, or play has gone on"

    def receive_claim_answer(self, seat: Seat, claimant: Seat, *, accepts: bool) -> str | None:
        """Accept an answer to a claim; return why not if it is refused (BC-41)."""
        state = self.state
        state.clock.moved_ms = self._time.now_ms
        claim = state.in_play.claim
        if claim is not None and claim.seat is claimant:
            return self._receive_answer_to(claim, seat, accepts=accepts)
        was_rejected = any(who is claimant for who, _ in state.rejected_claims)
        if claim is None and was_rejected and seat in state.judges_of(claimant):
            return None  # it has crossed the verdict that the answer of the other defender led to
        return f"{claimant.title} has no claim that waits for an answer"

    def _receive_answer_to(self, offer: TableOffer, seat: Seat, *, accepts: bool) -> str | None:
        """Accept an answer; return why not. All who answer have to agree, and who does not ends it."""
        is_claim, who = offer.kept is None, offer.seat.title
        if seat not in offer.judges:
            judges = " and ".join(judge.title for judge in offer.judges)
            return f"{who}'s claim is answered by {judges}" if is_claim else f"{who} is answered by {judges}"
        if accepts and not {*offer.judges} <= {*offer.accepted_by, seat}:
            if seat not in offer.accepted_by:
                self._table.record_incident(IncidentKind.CONSENT, seat, f"{seat.title} agrees with {who}")
        elif is_claim:
            self._settle_claim(offer, seat, accepts=accepts)
        elif accepts:
            self._retract(offer)
        else:
            self._table.record_incident(IncidentKind.UNDO_REJECTED, seat, f"{seat.title} does not agree")
            self._send_settled(offer, accepted=False)
        return None

    def _settle_claim(self, claim: TableOffer, seat: Seat, *, accepts: bool) -> None:
        claimant = claim.seat.title
        kind = IncidentKind.CLAIM_ACCEPTED if accepts else IncidentKind.CLAIM_REJECTED
        text = f"{claimant}'s claim is {'accepted' if accepts else 'rejected'}"
        self._table.record_incident(kind, seat, text)
        if accepts:
            self._record_end(BoardEnd.CLAIMED, f"{claimant} claimed")
        self._send_settled(claim, accepted=accepts)
        if not accepts:
            self._charge_actor()
        self.advance()

    # Questions

    def receive_question(self, seat: SeatState, number: int) -> str | None:
        """Ask the player of a call what it means, by its number from 1; return why not (SS-53).

        Whoever has been told before is told again at once.
        """
        state = self.state
        why = why_no_question(self._table, seat.seat, number)
        if why is not None:
            return why
        known = state.explained.get((seat.seat, number))
        if known is not None:
            seat.notify(CallExplained(number, known))
            return None
        text = f"what does call {number} mean, {state.history[number - 1]}?"
        self._table.record_incident(IncidentKind.ASKED, seat.seat, text, f"call {number}")
        self.show_questions()
        return None

    def receive_answer(self, seat: Seat, number: int, text: str) -> str | None:
        """Tell those who have asked what a call means; return why not. The caller's partner is told nothing."""
        about = f"call {number}"
        if number not in self.state.asked or self.state.history[number - 1].actor is not seat:
            return f"nobody waits for you to explain {about}"
        self._table.record_incident(IncidentKind.EXPLAINED, seat, f"{about}: {text}", about)
        view = self._seats[seat].view
        if view is not None:
            view.questions_shown.discard(CallAsked(number))
        self.show_questions()
        return None

    def show_questions(self) -> None:
        """Tell players what they are asked about their calls, and the answers that they have asked for, once each."""
        state = self.state
        said: list[tuple[Seat, CallAsked | CallExplained]] = [
            (state.history[number - 1].actor, CallAsked(number)) for number in state.asked
        ]
        said += [(asker, CallExplained(number, text)) for (asker, number), text in state.explained.items()]
        for who, notice in said:
            seat, view = self._seats[who], self._seats[who].view
            if seat.active is None or view is None or not view.cards_shown or view.shown < notice.number:
                continue
            if notice not in view.questions_shown:
                view.questions_shown.add(notice)
                seat.notify(notice)

    # Taking back

    def receive_undo(self, seat: SeatState) -> str | None:
        """Ask a player's opponents whether it may take its last call or card back; return why not (SS-52).

        Meanwhile play goes on: whoever calls or plays has answered.
        """
        state = self.state
        why = why_no_undo(self._table, seat.seat)
        if why is not None:
            return why
        number = state.last_action_of(seat.seat)
        assert number is not None
        text = f"{seat.seat.title} asks to take back: {state.history[number]}"
        self._table.record_incident(IncidentKind.UNDO, seat.seat, text)
        self._show_offer()
        return None

    def _retract(self, undo: TableOffer) -> None:
        """End the attempt, which stays on record, and put the next on record with what was called and played before.

        The table goes on from there (`retracted`).
        """
        board, kept = self.board, undo.kept
        assert kept is not None
        what = f"{undo.seat.title} takes back: {self.state.history[kept]}"
        judges = " and ".join(judge.title for judge in undo.judges)
        self._table.record_incident(IncidentKind.UNDO_ACCEPTED, undo.seat, f"{what}; {judges} agree")
        self._record_end(BoardEnd.RETRACTED, what)
        began = BoardBegan(board.number, self._time.now_ms, board.dealer, board.vulnerability)
        made = tuple(entry.record for entry in self.state.history[:kept])
        self._outbox.effects += [began, *made]  # they are of the attempt to come
        self.retracted = BoardSnapshot(board.number, made, follows_undo=True)
        self._send_settled(undo, accepted=True)

    def _charge_actor(self) -> None:
        """Let the clock of the player in turn run again, if it has been enabled to act and is there."""
        state, actor = self.state, self.state.in_play.actor
        if actor is not None and self._seats[actor].active is not None and state.clock.has_started:
            state.clock.start()

    def receive_timer(self, name: str) -> None:
        """Handle the end of a pause."""
        if name == LEAD_TIMER:
            self._wakes_at_ms = 0
        elif name == CARDS_TIMER:
            for seat in self._seats:
                player, view = seat.active, seat.view
                if player is not None and view is not None and player.wire.cards_wait_ms is not None:
                    view.has_asked_cards = view.has_asked_cards or view.has_joined
            self.deal()
        elif name == ALERT_TIMER and not self._time.is_stopped:
            if self._operator_ms_left():
                self._await_operator()
            else:
                for seq in sorted(self.state.questions):
                    self._record(AlertAnswered(self.board.number, seq, "", NO_ANSWER_AUTHOR, self._time.now_ms))
        self.advance()

    def show_options(self) -> None:
        """Tell players what they may ask for, where that has changed."""
        for seat in self._seats:
            player, view = seat.active, seat.view
            if player is None or view is None or not player.wire.shows_options or not view.cards_shown:
                continue
            options = OptionsChanged(
                claim=why_no_claim(self._table, seat.seat) is None,
                undo=why_no_undo(self._table, seat.seat) is None,
                chat=self._rules.chat,
                calls=tuple(
                    number
                    for number in range(1, min(view.shown, len(self.state.in_play.auction.calls)) + 1)
                    if why_no_question(self._table, seat.seat, number) is None
                ),
            )
            if options != view.options:
                view.options = options
                seat.notify(options)

    # The operator

    def answer_alert(self, seq: int, text: str, author: str) -> str | None:
        """Accept the operator's answer on call `seq`, empty for "not alertable"; return why not (BC-27).

        A call that has been relayed already, as in the mode that asks at the end of the auction, is explained only on
        record: the protocol has no line for it.
        """
        if seq not in self.state.questions:
            return f"no answer is awaited on call {seq + 1} of board {self.board.number}"
        self._record(AlertAnswered(self.board.number, seq, text, author, self._time.now_ms))
        self.advance()
        return None

    def _ask_operator(self) -> None:
        """Ask about the last call of the history if the mode requires it (BC-25)."""
        asked = calls_to_ask(self.state, self._rules)
        for seq in asked:
            self._record(AlertAsked(self.board.number, seq, self.state.history[seq].actor, self._time.now_ms))
        if asked:
            self._await_operator()

    def _await_operator(self) -> None:
        """Wait for the operator, if anything was asked, for the time that is left."""
        if self.state.questions:
            self._outbox.start_timer(ALERT_TIMER, self._time.now_ms + self._operator_ms_left())

    def _operator_ms_left(self) -> int:
        return max(0, self._rules.alert_wait_ms - self._time.elapsed_ms(self.state.asked_ms, self._time.now_ms))

    # Players that leave and come back

    def leave(self, seat: SeatState) -> None:
        """Note that the player of a seat is gone for now; the others continue as far as they can without it."""
        state = self.state
        if state.in_play.actor is seat.seat and state.clock.has_started:
            state.clock.hold()
        self._reject_claim_before(seat.seat)

    def reconnect(self, seat: SeatState) -> None:
        """Continue with a program that is back on another connection and remembers the board."""
        if seat.view is not None and seat.view.is_caught_up:
            seat.catch_up()
        self._record_rejoined(seat, f"{seat.seat.title} is back and goes on where it was")
        if self.state.in_play.actor is seat.seat:
            self._charge_actor()
        self.resume()

    def rejoin(self, seat: SeatState) -> None:
        """Replay the board from its beginning to a program that has taken the seat without knowing it (BC-48)."""
        self._show_from_start(seat)
        self.resume()

    def auto_play(self, seat: SeatState) -> None:
        """Have the table call and play for a seat from now on: its player is gone or may not continue."""
        if seat.is_substituted:
            return
        seat.substitute()
        if not self.state.in_play.is_over:
            text = f"the table acts for {seat.seat.title} to the end of the board"
            self._table.record_incident(IncidentKind.AUTO_PLAY, seat.seat, text)
        self._reject_claim_before(seat.seat)
        self.deal()
        self.advance()

    def stop_waiting(self) -> None:
        """Stop waiting for anybody: the attempt has ended and the table plays it out."""
        for seat in self._seats:
            if seat.is_away:
                self.auto_play(seat)

    def _reject_claim_before(self, seat: Seat) -> None:
        """Reject the pending claim if a player that is to answer it is gone, so that play continues."""
        claim = self.state.in_play.claim
        if claim is not None and seat in claim.judges:
            self.receive_claim_answer(seat, claim.seat, accepts=False)

    def substitute(self, seat: SeatState, *, is_refused: bool = False) -> None:
        """Act once for the player in turn, and send it what was called or played in its name (BC-46).

        `is_refused` is whether it has just been told that its own call or card is illegal.
        """
        state = self.state
        if state.in_play.actor is not seat.seat or not state.is_dealt or state.in_play.claim is not None:
            return
        view = seat.view
        if view is not None and not view.knows_all():
            return
        entry = self._auto_move(seat)
        if view is not None:
            view.ignores_next_line, view.was_refused = True, is_refused
        text = f"the table said for {seat.seat.title}: {entry}"
        self._table.record_incident(IncidentKind.SUBSTITUTED, seat.seat, text)
        seat.notify(ActedFor(entry))
        self.advance()

    # Requests

    def receive_ready(self, seat: SeatState, request: Ready) -> bool:
        """Accept what a player that takes part in the board asks for; requests may come early, late or twice (BC-51).

        What cannot be answered yet is kept. Return whether the request was answered or kept as a new one.
        """
        player, view, what = seat.player, seat.view, request.what
        assert player is not None
        assert view is not None
        if not view.has_joined and what is not ReadyFor.DEAL and seat.discard_stale_line():
            return False
        self.state.clock.moved_ms = self._time.now_ms
        requests = view.requests
        if what not in _REQUESTS:
            return self._receive_ready_for_more(view, player, what)
        if request in requests:
            return False
        if what is _DUMMY and view.is_stale(request):
            player.log_remark("asked for again, swallowed")
            return False
        requests.append(request)
        # What has not been made yet is shown when it is. Nobody else can be answered or asked to lead by this.
        is_late = view.shown < len(self.state.history) or what is _DUMMY
        if is_late and not self._time.is_paused:
            if (wake_at_ms := player.show(view, self.state)) is not None:
                self._wake_at(wake_at_ms)
            if self.state.in_play.claim or self.state.in_play.undo:
                self._show_offer()
        if not requests or request not in requests:
            return True
        # It cannot be answered yet, and is kept unless it repeats what has been answered.
        is_for_same_hand = view.answered is not None and view.answered.whose is request.whose
        if is_for_same_hand and what is not _DUMMY and not view.fits(request) and view.is_stale(request):
            player.log_remark("asked for again, swallowed")
            requests.remove(request)
            return False
        if len(requests) > REQUESTS_MAX:
            requests.remove(view.useless_request())
            return False
        return True

    def _receive_ready_for_more(self, view: SeatView, player: PlayerConnection, what: ReadyFor) -> bool:
        if what is ReadyFor.DEAL:
            return self._receive_ready_for_deal(view, player)
        if what is ReadyFor.CARDS:
            is_new, view.has_asked_cards = not view.has_asked_cards, True
            self.deal()
            return is_new
        player.log_remark(f"ready for {what.value} again, swallowed")
        return False

    def _receive_ready_for_deal(self, view: SeatView, player: PlayerConnection) -> bool:
        state = self.state
        if state.in_play.is_over and view.is_caught_up:
            # A player that is ready for the next deal needs no more of this one.
            is_new = not view.knows_all()
            view.shown = len(state.history)
            player.is_early = state.in_play.contract is None
            return is_new
        if view.has_joined:
            player.log_remark("ready for deal again, swallowed")
            return False
        self._send_board(view, player)
        if view.has_asked_cards:
            self.deal()
        return True

    # Queries

    @property
    def is_served(self) -> bool:
        """Whether the board has finished and everybody has been sent every call and card."""
        state = self.state
        if state.in_play.claimed is not None or not state.in_play.is_over:
            return state.in_play.claimed is not None
        made = len(state.history)
        for seat in self._seats:  # noqa: SIM110 # asked after each line once the last card has been played
            if seat.view is not None and seat.view.shown != made:
                return False
        return True

    def allowance_ms(self, seat: SeatState) -> int:
        """Return how much of its delay a player's next call or card is not charged at most: 0 without a tunnel."""
        if seat.active is None or not seat.active.is_stamped:
            return 0
        return self._rules.time.allowance_ms(self.state.clock.allowed_ms[seat.seat.side])

    @property
    def pending_lines(self) -> list[PendingLine]:
        """Return the lines that the table waits for now (BC-45); those who are gone owe nothing."""
        owed = []
        for seat in self._seats:
            if seat.active is not None and seat.active.wire.has_requests and seat.view is not None:
                line = seat.view.owed_request()
                if line is not None:
                    owed.append(line)
        return owed + self._pending_actions()

    def _pending_actions(self) -> list[PendingLine]:
        """Return the answers to a claim, else the call or card of the player on the clock."""
        state, claim = self.state, self.state.in_play.claim
        if claim is not None:
            views = [self._seats[seat].view for seat in claim.judges if seat not in claim.accepted_by]
            return [
                PendingLine(seat=view.seat, what="an answer to the claim", since_ms=view.shown_at_ms)
                for view in views
                if view is not None and view.offer_shown == claim.number
            ]
        actor = state.in_play.actor
        since_ms = state.clock.since_ms
        if actor is None or since_ms is None or self._seats[actor].active is None:
            return []
        what = "call" if state.in_play.in_auction else "card"
        return [PendingLine(seat=actor, what=what, since_ms=since_ms, acts=True)]

    # The attempt

    def end_attempt(self, end: BoardEnd, reason: str, fault: Seat | None = None) -> None:
        """Record that this attempt has ended without a result; without effect if it has ended already.

        The player in turn still owes its call or card, with which all the time that it has taken goes on record.
        """
        if self.state.ended is None:
            self._record_end(end, reason, fault)

    def complete_turn(self, seat: Seat) -> None:
        """Call or play once for a player if it is in turn, so that the time it has taken is on record."""
        state = self.state
        if state.in_play.actor is seat and state.is_dealt and state.in_play.claim is None:
            self._auto_move(self._seats[seat])

    def _record_end(self, end: BoardEnd, reason: str, fault: Seat | None = None) -> None:
        state = self.state
        result = (state.in_play.claimed or state.in_play.result) if end.is_by_rules else None
        if end.is_by_rules:
            # Absent players join the next board.
            for seat in self._seats:
                if seat.is_away:
                    seat.substitute()
        clock, spent_ms, actor = state.clock, dict(state.clock.spent_ms), state.in_play.actor
        if actor is not None and not end.is_by_rules:
            spent_ms[actor.side] += clock.elapsed_ms()
        self._record(
            BoardEnded(
                board=self.board.number,
                end=end,
                reason=reason,
                result=result,
                ns_ms=spent_ms[Side.NS],
                ew_ms=spent_ms[Side.EW],
                at_ms=self._time.now_ms,
                tm_ms=clock.table_ms,
                fault=fault,
            )
        )

    def _record_rejoined(self, seat: SeatState, text: str) -> None:
        """Record that a player is back: after its loss, which goes on record when it is judged."""
        if seat.loss is not None and not seat.loss.is_judged:
            seat.rejoined = text
        else:
            self._table.record_incident(IncidentKind.REJOINED, seat.seat, text)

    # Cards, calls and plays

    def deal(self) -> None:
        """Send the cards to all four at once (BC-14), or to a program that joins later as soon as it is ready."""
        state = self.state
        if self._time.is_paused:
            return
        if not state.is_dealt:
            for seat in self._seats:
                if not seat.is_substituted and not seat.wants_cards:
                    return
        state.is_dealt = True
        self._pass_unasked()
        for seat in self._seats:
            player, view = seat.active, seat.view
            if player is not None and view is not None and seat.wants_cards and not view.cards_shown:
                view.cards_shown, view.shown_at_ms = True, self._time.now_ms
                player.show(view, self.state, player.wire.show_cards(view, player.take_new_scores()))
        self._show_offer()
        self.advance()

    def _add(
        self,
        actor: SeatState,
        intent: CallIntent | CardIntent,
        began_ms: int | None = None,
        own_ms: int | None = None,
        *,
        substituted: bool = False,
    ) -> Entry:
        """Put the call or card of the player in turn on record, and what follows from it."""
        state, in_play, now_ms = self.state, self.state.in_play, self._time.now_ms
        if state.in_play.undo is not None:
            self._send_settled(state.in_play.undo, accepted=False)
        number, board = len(state.history), self.board.number
        if own_ms is not None and actor.active is not None:
            # It counts from the last line that reached the program, the table from the one that let it act.
            own_ms += state.clock.elapsed_ms(actor.active.last_sent_ms)
        thinking_ms = state.clock.stop(began_ms)
        delay = None
        if own_ms is not None:
            delay = measure_delay(thinking_ms, own_ms, self.allowance_ms(actor))
            thinking_ms -= delay.allowed_ms
        if isinstance(intent, CallIntent):
            made = CallMade(
                board=board,
                seq=number,
                seat=actor.seat,
                call=intent.call,
                alert=intent.text,
                alerted=intent.alerted,
                thinking_ms=thinking_ms,
                at_ms=now_ms,
                substituted=substituted,
                delay=delay,
            )
            self._record(made)
            if not substituted and state.choice is None:
                self._ask_operator()
        else:
            play = in_play.play
            assert play is not None
            played = CardPlayed(
                board=board,
                seq=len(play.cards),
                seat=play.turn,
                card=intent.card,
                thinking_ms=thinking_ms,
                at_ms=now_ms,
                substituted=substituted,
                text=intent.text,
                delay=delay,
            )
            self._record(played)
        if actor.view is not None and actor.player is not None and actor.player.wire.has_requests:
            actor.view.shown += 1
            actor.view.shown_at_ms = self._time.now_ms
        if in_play.is_over and state.ended is None:
            self._record_end(BoardEnd.PLAYED if in_play.contract else BoardEnd.PASSED_OUT, "")
        if state.choice is not None:
            self._pass_unasked()
        return state.history[number]

    def _pass_unasked(self) -> None:
        """Put the passes on record that stand beside declarer's choice at Minibridge."""
        choice, auction = self.state.choice, self.state.in_play.auction
        if choice is not None and choice.passes(auction):
            self._add(self._seats[auction.turn], CallIntent(None, PASS), substituted=True)

    def advance(self) -> None:
        """Answer and ask whatever can be answered and asked; act for substituted players."""
        state = self.state
        if self._time.is_paused:
            return
        while True:
            actor = state.in_play.actor
            leader = actor if state.in_play.is_lead else None
            for seat in self._seats:
                player, view = seat.active, seat.view
                if player is None or view is None:
                    continue
                # Who has asked for nothing is only asked to lead.
                has_asked = not player.wire.has_requests or view.requests or view.shown < view.repeats_to
                if (has_asked or seat.seat is leader) and (wake_at_ms := player.show(view, state)) is not None:
                    self._wake_at(wake_at_ms)
            if actor is None or not self._seats[actor].is_substituted or not self._may_auto_move():
                break
            self._auto_move(self._seats[actor])
        if state.in_play.claim or state.in_play.undo:
            self._show_offer()
        if state.asked or state.explained:
            self.show_questions()
        for seat in self._seats:
            if seat.is_catching_up and seat.view is not None and seat.view.is_caught_up:
                seat.catch_up()
                self._record_rejoined(seat, f"{seat.seat.title} has been led to where the board is")

    def _wake_at(self, at_ms: int) -> None:
        """Have the board advance at `at_ms`, when somebody may lead."""
        if self._wakes_at_ms != at_ms:
            self._wakes_at_ms = at_ms
            self._outbox.start_timer(LEAD_TIMER, at_ms)

    def _may_auto_move(self) -> bool:
        """Return whether the player in turn, for whom the table acts, may act now."""
        state = self.state
        in_play = state.in_play
        if in_play.claimed is not None or not state.is_dealt or state.questions or in_play.claim is not None:
            return False
        if in_play.is_lead and self._time.now_ms < in_play.leads_from_ms:
            self._wake_at(in_play.leads_from_ms)
            return False
        return True

    def _auto_move(self, actor: SeatState) -> Entry:
        """Pass, or play the lowest legal card, for a player; at Minibridge choose declarer's contract."""
        play, choice = self.state.in_play.play, self.state.choice
        intent: CallIntent | CardIntent = CallIntent(None, PASS)
        if play is not None:
            intent = CardIntent(None, auto_play_card(play, self.state.legal_cards()))
        elif choice is not None and choice.dummy is not None:
            hands = self.board.deal
            intent = CallIntent(None, choice.stand_in_bid(hands[actor.seat], hands[choice.dummy]))
        return self._add(actor, intent, substituted=True)


def auto_play_card(play: OpenPlay, legal: Sequence[Card]) -> Card:
    """Return the card that the table plays for the hand in turn, of those that are legal (BC-46).

    It is the lowest legal card: of the suit led, else of the longest suit still held.
    """
    led = play.current.suit_led
    if led is not None and legal[0].suit is led:
        return min(legal)
    # Of suits of one length the lowest-ranking: it costs the least.
    held = {suit: [card for card in legal if card.suit is suit] for suit in reversed(SUITS_DOWN)}
    longest = max(held, key=lambda suit: len(held[suit]))
    return min(held[longest])
