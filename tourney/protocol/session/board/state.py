"""A board at the table: a fold of its records.

`BoardState.apply` is the only thing that changes what is on record: calls and cards, the operator's questions and
answers, claims, thinking times and the end of the attempt. A board that is played and one that another table host
takes up are made by the same function, from the same records.

What is not on record is lost with a host, and differs after a take-over. It is no more than this:

- what the seats have been shown and asked for (`SeatView`), and so whether the cards are dealt (`is_dealt`);
- since when the player in turn has been charged, the table's own share of the time (`clock`) and the pause before a
  lead (`leads_from_ms`): they are of the clock of the host that is gone;
- texts that came with cards (`CardPlayed.text`), and what players have asked each other about calls.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tourney.bridge import (
    SEATS,
    Board,
    BoardInPlay,
    Call,
    Card,
    Result,
    Seat,
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


class Entry:
    """A call or card made from `hand` by the player `actor` (declarer for dummy)."""

    __slots__ = (
        *(
            "actor",
            "alerted",
            "asked_as",
            "at_ms",
            "hand",
            "held",
            "is_lead",
            "made",
            "record",
            "substituted",
            "text",
            "trick",
        ),
    )

    def __init__(self, made: Call | Card, record: CallMade | CardPlayed, actor: Seat, trick: int) -> None:
        self.made = made
        self.record = record
        """The record that it was made from."""
        self.hand = record.seat
        self.actor = actor
        self.trick = trick
        """0 for a call, else 1..13."""
        self.asked_as = ReadyFor.CARD if trick else ReadyFor.CALL
        """What others are ready for who are to be shown it."""
        self.at_ms = record.at_ms
        self.substituted = record.substituted
        """Whether the table made it in the player's place."""
        self.is_lead = trick > 0 and record.seq % 4 == 0
        self.alerted = False
        self.text = ""
        """Its explanation by the player or the operator."""
        self.held = False
        """Whether it waits for the operator's answer (BC-25) and has not been relayed yet."""

    def __str__(self) -> str:
        """Format for people: `North bids 1NT`, `East plays QD`."""
        if isinstance(self.made, Card):
            return describe_card(self.hand, self.made)
        return describe_call(self.hand, self.made)


@dataclass(slots=True)
class Claim:
    """A claim awaiting answers: of both defenders, or of declarer (BC-41)."""

    seat: Seat
    judges: tuple[Seat, ...]
    number: int
    """Which of the offers at the table it is, from 1."""
    accepted_by: set[Seat] = field(default_factory=set)


@dataclass(slots=True)
class Undo:
    """A player's wish to take a call or card back, which both opponents are to agree to (SS-52)."""

    seat: Seat
    judges: tuple[Seat, ...]
    number: int
    """Which of the offers at the table it is, from 1."""
    kept: int
    """How many calls and cards remain if it is granted."""
    accepted_by: set[Seat] = field(default_factory=set)


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
        self.in_play = BoardInPlay(board)
        self.choice = MinibridgeChoice(board) if is_minibridge else None
        """At Minibridge, what stands in place of the auction."""
        self.history: list[Entry] = []
        """Every call and card so far."""
        self.time = time
        """The time that counts at the table."""
        self.clock = TurnClock(time)
        self.dummy: Seat | None = self.choice.dummy if self.choice is not None else None
        """The dummy; None until the auction has ended, which at Minibridge does not decide it."""
        self.is_dealt = False
        """Whether all players present have been sent their cards."""
        self.questions: set[int] = set()
        """The calls, by number, on which the operator's answer is awaited (BC-25)."""
        self.asked_ms = 0
        """When the operator was asked last."""
        self.offers = offers
        """The number of the last offer at the table."""
        self.claim: Claim | None = None
        """The claim that is to be answered, if any."""
        self.rejected_claims: set[tuple[Seat, int]] = set()
        """Who has claimed in vain, and after how many tricks."""
        self.undo: Undo | None = None
        """A wish to take something back that is to be answered; whatever is called or played ends it."""
        self.rejected_undos: set[tuple[Seat, int]] = set()
        """Who has asked in vain, and which call or card it was about."""
        self.claimed: Result | None = None
        """The result of the board by an accepted claim."""
        self.ended: BoardEnd | None = None
        """How the attempt ended; None until that is on record."""
        self.fault: Seat | None = None
        """Whose fault it is that it has ended; None if it is nobody's."""
        self.result: Result | None = None
        """Its result by the rules of the game; None before its end, and if it was forfeited or is void."""
        self.leads_from_ms = 0
        """The end of the pause after a trick, before which nobody leads (BC-36)."""
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
            case Incident():
                self._apply_incident(record)
            case BoardEnded():
                self.ended, self.result, self.fault = record.end, record.result, record.fault
            case _:
                pass

    def _apply_call(self, record: CallMade) -> None:
        self.in_play.add_call(record.call)
        if self.in_play.contract is not None:
            self.dummy = self.in_play.contract.dummy
        entry = Entry(record.call, record, record.seat, 0)
        entry.alerted, entry.text = record.alerted, record.alert
        self.history.append(entry)
        self.undo = None
        self.clock.spent_ms[record.seat.side] += record.thinking_ms
        if record.delay is not None:
            self.clock.allowed_ms[record.seat.side] += record.delay.allowed_ms
        self.clock.number += 1

    def _apply_card(self, record: CardPlayed) -> None:
        in_play = self.in_play
        actor = in_play.actor
        in_play.add_card(record.card)
        assert actor is not None
        entry = Entry(record.card, record, actor, record.seq // 4 + 1)
        entry.text = record.text
        self.history.append(entry)
        self.undo = None
        self.clock.spent_ms[actor.side] += record.thinking_ms
        if record.delay is not None:
            self.clock.allowed_ms[actor.side] += record.delay.allowed_ms
        self.clock.number += 1
        if record.seq % 4 == 3 and not in_play.is_over:
            self.leads_from_ms = record.at_ms + self._trick_pause_ms

    def _apply_answer(self, record: AlertAnswered) -> None:
        self.questions.discard(record.seq)
        if record.text:
            self.history[record.seq].alerted, self.history[record.seq].text = True, record.text
        if not self.questions:
            self.history[-1].held = False

    def _apply_incident(self, record: Incident) -> None:
        match record.kind:
            case IncidentKind.UNDO:
                assert record.seat is not None
                self.offers += 1
                kept = self.last_action_of(record.seat)
                assert kept is not None
                judges = tuple(seat for seat in SEATS if seat.side is not record.seat.side)
                self.undo = Undo(record.seat, judges, self.offers, kept)
            case IncidentKind.CONSENT:
                offer = self.claim or self.undo
                assert offer is not None
                assert record.seat is not None
                offer.accepted_by.add(record.seat)
            case IncidentKind.UNDO_ACCEPTED:
                self.undo = None
            case IncidentKind.UNDO_REJECTED:
                assert self.undo is not None
                self.rejected_undos.add((self.undo.seat, self.undo.kept))
                self.undo = None
            case IncidentKind.CLAIM:
                assert record.seat is not None
                self.undo = None
                self.offers += 1
                self.claim = Claim(record.seat, self.judges_of(record.seat), self.offers)
                self.clock.hold()
            case IncidentKind.CLAIM_ACCEPTED | IncidentKind.CLAIM_REJECTED:
                claim, play = self.claim, self.in_play.play
                assert claim is not None
                assert play is not None
                self.claim = None
                if record.kind is IncidentKind.CLAIM_ACCEPTED:
                    self.claimed = self._claimed_by(claim.seat)
                else:
                    self.rejected_claims.add((claim.seat, len(play.tricks)))
            case IncidentKind.BOARD_RESUMED:
                self.leads_from_ms = 0  # by the clock of a host that is gone
            case _:
                pass

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

    def is_answer_too_late(self, seat: Seat, claimant: Seat) -> bool:
        """Return whether a seat answers a claim that has been rejected meanwhile."""
        is_settled = self.claim is None and any(who is claimant for who, _ in self.rejected_claims)
        return is_settled and self.in_play.contract is not None and seat in self.judges_of(claimant)

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
    def is_over(self) -> bool:
        """Whether no more calls or cards are to come."""
        return self.in_play.is_over or self.claimed is not None

    @property
    def dummy_is_open(self) -> bool:
        """Whether dummy's hand lies on the table: after the opening lead, at Minibridge from the first."""
        return self.in_play.dummy_is_open or (self.choice is not None and self.dummy is not None)

    @property
    def last_entry(self) -> str:
        """The last call or card, for people; empty before the first."""
        return str(self.history[-1]) if self.history else ""


def fold_board(board: Board, made: Iterable[CallMade | CardPlayed]) -> BoardState:
    """Return a board after the calls and cards on record, wherever it is or was played.

    Raises:
        RuleError: the record holds a call or card that the rules do not allow.
    """
    state = BoardState(board, TableTime())
    for record in made:
        state.apply(record)
    return state
