"""A board at the table: a fold of its records.

`BoardState.apply` is the only thing that changes what is on record: calls and cards, the operator's questions and
answers, claims, thinking times and the end of the attempt. A board that is played and one that another table host
takes up are made by the same function, from the same records. What everybody at the table may see is kept apart
(`TableBoard`): it is all of the board that a wire is ever given, beside its player's own hand and the explanations
meant for it.

What is not on record is lost with a host, and differs after a take-over. It is no more than this:

- what the seats have been shown and asked for (`SeatView`), and so whether the cards are dealt (`is_dealt`);
- since when the player in turn has been charged, the table's own share of the time (`clock`) and the pause before a
  lead (`leads_from_ms`): they are of the clock of the host that is gone;
- texts that came with cards (`CardPlayed.text`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tourney.bridge import (
    SEATS,
    SIDES,
    Board,
    Call,
    Card,
    OpenBoard,
    Result,
    Seat,
    Side,
    describe_call,
    describe_card,
    score_ns,
)
from tourney.bridge.minibridge import MinibridgeChoice
from tourney.protocol.session.clock import TableTime, TurnClock
from tourney.protocol.session.intents import ReadyFor
from tourney.protocol.session.records import (
    AlertAnswered,
    AlertAsked,
    BoardEnd,
    BoardEnded,
    CallMade,
    CardPlayed,
    Incident,
    IncidentKind,
    TableRecord,
)

_CALL: Final = ReadyFor.CALL
_CARD: Final = ReadyFor.CARD


class Entry:
    """A call or card made from `hand` by the player `actor` (declarer for dummy)."""

    __slots__ = ("actor", "asked_as", "hand", "held", "is_lead", "made", "record", "trick")

    def __init__(self, made: Call | Card, record: CallMade | CardPlayed, actor: Seat, trick: int) -> None:
        self.made = made
        self.record = record
        self.hand = record.seat
        self.actor = actor
        self.trick = trick
        """0 for a call, else 1..13."""
        self.asked_as = _CARD if trick else _CALL
        """What others are ready for who are to be shown it."""
        self.is_lead = trick > 0 and record.seq % 4 == 0
        self.held = False
        """Whether it waits for the operator's answer (BC-25) and has not been relayed yet."""

    def __str__(self) -> str:
        """Format for people: `North bids 1NT`, `East plays QD`."""
        if isinstance(self.made, Card):
            return describe_card(self.hand, self.made)
        return describe_call(self.hand, self.made)


class Explanation(NamedTuple):
    """What a player, or the operator, has said about a call or card; opponents alone may know it."""

    alerted: bool
    text: str


NO_EXPLANATION: Final = Explanation(alerted=False, text="")


@dataclass(slots=True)
class TableOffer:
    """What others are to agree to: a claim (BC-41), or that a player takes a call or card back (SS-52)."""

    seat: Seat
    judges: tuple[Seat, ...]
    """Who answers: of a claim both defenders, or declarer; else both opponents."""
    number: int
    """Which of the offers at the table it is, from 1."""
    kept: int | None = None
    """How many calls and cards remain if something is taken back; None of a claim."""
    accepted_by: set[Seat] = field(default_factory=set)


class TableBoard(OpenBoard):
    """A board as everybody at the table may see it: no hand but dummy's once that lies open, no explanations."""

    def __init__(self, board: Board, time: TableTime, choice: MinibridgeChoice | None) -> None:
        super().__init__(board.number, board.dealer, board.vulnerability, ends_with_auction=board.makes is not None)
        self.time = time
        """The time that counts at the table."""
        self.choice = choice
        """At Minibridge, what stands in place of the auction."""
        self.history: list[Entry] = []
        """Every call and card so far."""
        self.dummy: Seat | None = choice.dummy if choice is not None else None
        """The dummy; None until the auction has ended, which at Minibridge does not decide it."""
        self.claim: TableOffer | None = None
        """The claim that is to be answered, if any."""
        self.undo: TableOffer | None = None
        """A wish to take something back that is to be answered; whatever is called or played ends it."""
        self.claimed: Result | None = None
        """The result of the board by an accepted claim."""
        self.leads_from_ms = 0
        """The end of the pause after a trick, before which nobody leads (BC-36)."""

    @property
    def is_finished(self) -> bool:
        """Whether no more calls or cards are to come."""
        return self.is_over or self.claimed is not None


class BoardState:
    """The current board. What is on record of it changes with `apply` alone."""

    def __init__(
        self,
        board: Board,
        time: TableTime,
        *,
        trick_pause_ms: int = 0,
        is_minibridge: bool = False,
        offers: int = 0,
    ) -> None:
        """Prepare a board; `offers` is the number of the last offer at the table before what is to be applied."""
        self.board = board
        self.choice = MinibridgeChoice(board) if is_minibridge else None
        self.in_play = TableBoard(board, time, self.choice)
        if self.in_play.dummy is not None:
            self.in_play.dummy_hand = board.deal[self.in_play.dummy]
        self.history = self.in_play.history
        self.meanings: dict[Side, dict[int, Explanation]] = {side: {} for side in SIDES}
        """What each side has said about its calls and cards, by their place in `history`."""
        self.clock = TurnClock(time)
        self.is_dealt = False
        """Whether all players present have been sent their cards."""
        self.questions: set[int] = set()
        """The calls, by number, on which the operator's answer is awaited (BC-25)."""
        self.asked_ms = 0
        """When the operator was asked last."""
        self.offers = offers
        """The number of the last offer at the table."""
        self.rejected_claims: set[tuple[Seat, int]] = set()
        """Who has claimed in vain, and after how many tricks."""
        self.rejected_undos: set[tuple[Seat, int | None]] = set()
        """Who has asked in vain, and which call or card it was about."""
        self.asked: dict[int, list[Seat]] = {}
        """Who waits to be told what a call means, by its number from 1."""
        self.explained: dict[tuple[Seat, int], str] = {}
        """What players have been told that have asked, by who has and by the number of the call."""
        self.ended: BoardEnd | None = None
        """How the attempt ended; None until that is on record."""
        self.fault: Seat | None = None
        """Whose fault it is that it has ended; None if it is nobody's."""
        self.result: Result | None = None
        """Its result by the rules of the game; None before its end, and if it was forfeited or is void."""
        self._trick_pause_ms = trick_pause_ms

    # The record of the board

    def apply(self, record: TableRecord) -> None:
        """Change the board by what has gone on record; records that are not of it change nothing."""
        match record:
            case CallMade():
                self._apply_call(record)
            case CardPlayed():
                self._apply_card(record)
            case AlertAsked():
                self.questions.add(record.seq)
                self.asked_ms = record.at_ms
                # In every mode the last call is the one that waits, as earlier calls have been relayed already.
                self.history[-1].held = True
            case AlertAnswered():
                self._apply_answer(record)
            case Incident(kind=IncidentKind.BOARD_RESUMED):
                self.in_play.leads_from_ms = 0  # by the clock of a host that is gone
            case Incident(seat=Seat() as seat):
                self._apply_incident(record, seat)
            case BoardEnded():
                self.ended, self.result, self.fault = record.end, record.result, record.fault
            case _:
                pass

    def _apply_call(self, record: CallMade) -> None:
        in_play = self.in_play
        in_play.add_call(record.call)
        if in_play.contract is not None:
            in_play.dummy, in_play.made = in_play.contract.dummy, self.board.tricks_made(in_play.contract)
        if record.alerted or record.alert:
            self.meanings[record.seat.side][record.seq] = Explanation(record.alerted, record.alert)
        self._add(Entry(record.call, record, record.seat, 0))

    def _apply_card(self, record: CardPlayed) -> None:
        in_play = self.in_play
        actor = in_play.actor
        in_play.add_card(record.card)
        assert actor is not None
        if in_play.dummy_hand is None and in_play.dummy is not None:
            in_play.dummy_hand = self.board.deal[in_play.dummy]
        if record.text:
            self.meanings[actor.side][len(self.history)] = Explanation(alerted=False, text=record.text)
        self._add(Entry(record.card, record, actor, record.seq // 4 + 1))
        if record.seq % 4 == 3 and not in_play.is_over:
            in_play.leads_from_ms = record.at_ms + self._trick_pause_ms

    def _add(self, entry: Entry) -> None:
        self.history.append(entry)
        self.in_play.undo = None
        record, side = entry.record, entry.actor.side
        self.clock.spent_ms[side] += record.thinking_ms
        if record.delay is not None:
            self.clock.allowed_ms[side] += record.delay.allowed_ms
        self.clock.number += 1

    def _apply_answer(self, record: AlertAnswered) -> None:
        self.questions.discard(record.seq)
        if record.text:
            self.meanings[self.history[record.seq].actor.side][record.seq] = Explanation(
                alerted=True, text=record.text
            )
        if not self.questions:
            self.history[-1].held = False

    def _apply_incident(self, record: Incident, seat: Seat) -> None:
        in_play = self.in_play
        match record.kind:
            case IncidentKind.UNDO:
                self.offers += 1
                kept = self.last_action_of(seat)
                assert kept is not None
                judges = tuple(each for each in SEATS if each.side is not seat.side)
                in_play.undo = TableOffer(seat, judges, self.offers, kept)
            case IncidentKind.CONSENT:
                offer = in_play.claim or in_play.undo
                assert offer is not None
                offer.accepted_by.add(seat)
            case IncidentKind.UNDO_ACCEPTED:
                in_play.undo = None
            case IncidentKind.UNDO_REJECTED:
                assert in_play.undo is not None
                self.rejected_undos.add((in_play.undo.seat, in_play.undo.kept))
                in_play.undo = None
            case IncidentKind.CLAIM:
                in_play.undo = None
                self.offers += 1
                in_play.claim = TableOffer(seat, self.judges_of(seat), self.offers)
                self.clock.hold()
            case IncidentKind.CLAIM_ACCEPTED | IncidentKind.CLAIM_REJECTED:
                claim, play = in_play.claim, in_play.play
                assert claim is not None
                assert play is not None
                in_play.claim = None
                if record.kind is IncidentKind.CLAIM_ACCEPTED:
                    in_play.claimed = self._claimed_by(claim.seat)
                else:
                    self.rejected_claims.add((claim.seat, len(play.tricks)))
            case IncidentKind.ASKED | IncidentKind.EXPLAINED:
                self._apply_question(record, seat)
            case _:
                pass

    def _apply_question(self, record: Incident, seat: Seat) -> None:
        """Note that a player asks what a call means, or that those who have asked are told."""
        if record.kind is IncidentKind.ASKED:
            self.asked.setdefault(record.number, []).append(seat)
            return
        for asker in self.asked.pop(record.number):
            self.explained[asker, record.number] = record.text.removeprefix(f"{record.about}: ")

    def meaning_of(self, number: int) -> Explanation:
        """Return what has been said about a call or card, by its place in `history`."""
        return self.meanings[self.history[number].actor.side].get(number, NO_EXPLANATION)

    def legal_cards(self) -> list[Card]:
        """Return what the hand in turn may play, highest first; none but during the play."""
        play = self.in_play.play
        return play.legal_from(self.board.deal[play.turn]) if play is not None else []

    def last_action_of(self, seat: Seat) -> int | None:
        """Return the number of the last call or card of a player, from 0; None if it has made none."""
        for number in range(len(self.history) - 1, -1, -1):
            if self.history[number].actor is seat:
                return number
        return None

    def judges_of(self, claimant: Seat) -> tuple[Seat, ...]:
        """Return the seats that answer a claim: both defenders, or declarer."""
        contract = self.in_play.contract
        assert contract is not None
        if claimant is contract.declarer:
            return tuple(seat for seat in SEATS if seat.side is not contract.declarer.side)
        return (contract.declarer,)

    def _claimed_by(self, claimant: Seat) -> Result:
        """Return the result with the remaining tricks for the claimant's side."""
        play, contract = self.in_play.play, self.in_play.contract
        assert play is not None
        assert contract is not None
        left = 13 - len(play.tricks)
        tricks = play.tricks_won + (left if claimant.side is contract.declarer.side else 0)
        return Result(contract, tricks, score_ns(contract, tricks, self.board.vulnerability))

    @property
    def is_final(self) -> bool:
        """Whether the attempt has ended on record and the board is not played again at this table."""
        return self.ended is not None and self.ended.is_final

    @property
    def last_entry(self) -> str:
        """The last call or card, for people; empty before the first."""
        return str(self.history[-1]) if self.history else ""


def fold_board(board: Board, made: Iterable[CallMade | CardPlayed]) -> BoardState:
    """Return a board after the calls and cards on record, wherever it is or was played.

    Raises:
        RuleError: the record holds a call or card that cannot be.
    """
    state = BoardState(board, TableTime())
    for record in made:
        state.apply(record)
    return state
