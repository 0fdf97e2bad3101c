"""Walks a program through the steps at one seat: which boards in which session, and what a failure there means."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge import BoardInPlay
from tourney.compliance.entrance import Entrance
from tourney.compliance.findings import Failure, Outcome, Remark, StepResult, Trouble
from tourney.compliance.link import ProgramLink
from tourney.compliance.phases import Phase, VisitResult, VisitSettings
from tourney.compliance.refusing import Refusing
from tourney.compliance.settings import GAPS_MS, explanations
from tourney.compliance.situations import VARIANTS, make_situation, role_kind
from tourney.compliance.steps import CARRIERS, LATER_BOARDS, OPENING_BOARDS, STEP_OF, StepKind
from tourney.compliance.visit import Visit
from tourney.protocol.alerts import parse_alert
from tourney.protocol.bluechip import WireProfile
from tourney.table.clock import HostClock
from tourney.table.wire_log import WireLog

FAILURES_MAX: Final = 3
"""Failed steps in a row after which a seat is given up: each may have cost the whole time limit."""

PACKET_BOARDS: Final = (StepKind.LEADER, StepKind.DECLARER)
"""Lines follow each other before a lead, and between two boards."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A board that is to be played for a step."""

    kind: StepKind
    variant: int = 0


@dataclass(slots=True)
class SeatFindings:
    """What was found at one seat."""

    results: dict[StepKind, StepResult] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    call_ms: list[int] = field(default_factory=list)
    card_ms: list[int] = field(default_factory=list)
    gap_ms: int | None = None
    """The least gap between two lines that was found to be enough; None when that was not tried."""
    board_restart: bool | None = None


class GivenUpError(Exception):
    """No more can be found at this seat."""


class SeatExaminer:
    """One program at one seat."""

    def __init__(
        self,
        settings: VisitSettings,
        profile: WireProfile,
        entrance: Entrance,
        clock: HostClock,
        *,
        kinds: frozenset[StepKind],
        transcript: WireLog | None,
        tell: Callable[[str], None],
    ) -> None:
        """Prepare the steps.

        Args:
            settings: the seat, the names, the limits.
            profile: how the program is talked to at first.
            entrance: brings the program.
            clock: the time.
            kinds: the steps wanted.
            transcript: takes every line, or None.
            tell: says a sentence to the person at the keyboard.
        """
        self.profile = profile
        """With the settings that have been found to be needed."""
        self.found = SeatFindings()
        self._settings = settings
        self._entrance = entrance
        self._clock = clock
        self._kinds = kinds
        self._transcript = transcript
        self._tell = tell
        self._alerts: list[str] = []
        self._version: int | None = None
        self._failed_in_a_row = 0
        self._one_board_each = False

    async def run(self) -> SeatFindings:
        """All steps wanted, in as few sessions as they need."""
        try:
            await self._try_boards(self._opening_wishes(), later=False)
            await self._try_boards([Wish(kind) for kind in LATER_BOARDS if kind in self._kinds], later=True)
            if StepKind.AGAIN in self._kinds - set(self.found.results):
                await self._try_boards([Wish(StepKind.PASSED_OUT)], later=True)
            if StepKind.PACKET in self._kinds:
                await self._try_packets()
            if StepKind.TAKEN in self._kinds:
                await self._try_taken_seat()
            self._judge_alerts()
        except GivenUpError:
            pass
        finally:
            await self._entrance.program.end()
        for kind in self._kinds - set(self.found.results):
            self._decide(kind, Outcome.NOT_SEEN, self._why_not_seen(kind))
        return self.found

    # Sessions of boards

    def _opening_wishes(self) -> list[Wish]:
        kinds: list[StepKind] = [kind for kind in OPENING_BOARDS if kind in self._kinds]
        for rider, carrier in CARRIERS.items():
            if rider in self._kinds and carrier not in kinds and not (rider is StepKind.END and kinds):
                kinds.append(carrier)
        if {StepKind.CONNECT, StepKind.GREET, StepKind.AGAIN} & self._kinds:
            kinds = kinds or [StepKind.PASSED_OUT]
        # What comes after a board is seen when another follows.
        if kinds and {StepKind.AFTER_PLAYED, StepKind.AFTER_PASSED_OUT} & self._kinds:
            carriers = {CARRIERS[StepKind.AFTER_PLAYED], CARRIERS[StepKind.AFTER_PASSED_OUT]}
            if kinds[-1] in carriers or len(kinds) == 1:
                kinds.append(StepKind.DUMMY)
        return [Wish(kind) for kind in kinds]

    async def _try_boards(self, wishes: list[Wish], *, later: bool) -> None:
        """Play boards until each has been played or has failed; those that did not come out once more, otherwise."""
        todo = list(wishes)
        while todo:
            plan = todo[:1] if self._one_board_each else todo
            result = await self._visit(plan, self.profile)
            if later and result.greeted:
                self._decide(StepKind.AGAIN, Outcome.OK)
            done = self._note_passed(plan, result)
            again = [wish for i, wish in enumerate(plan[:done]) if self._wants_variant(wish, result.boards[i])]
            todo = todo[done:] + [replace(wish, variant=wish.variant + 1) for wish in again]
            if result.failure is not None:
                todo = await self._settle(plan, todo, result)
            elif StepKind.CUT in result.interrupted:
                todo = todo[1:]
                await self._try_comeback(result.board)

    def _note_passed(self, plan: list[Wish], result: VisitResult) -> int:
        """Decide the steps that a visit has passed; how many of its boards it has."""
        if result.passed(Phase.CONNECT):
            self._decide(StepKind.CONNECT, Outcome.OK)
        if result.passed(Phase.GREET):
            self._decide(StepKind.GREET, Outcome.OK)
        done = 0
        for index, (wish, board) in enumerate(zip(plan, result.boards, strict=False)):
            if not result.passed(Phase.BOARD, index):
                break
            done += 1
            self._note_board(wish, board, result)
            if index + 1 < len(plan) and result.passed(Phase.BETWEEN, index):
                kind = StepKind.AFTER_PASSED_OUT if board.contract is None else StepKind.AFTER_PLAYED
                self._decide(kind, Outcome.OK)
        if result.passed(Phase.END):
            self._decide(StepKind.END, Outcome.OK)
        return done

    def _note_board(self, wish: Wish, board: BoardInPlay, result: VisitResult) -> None:
        self._failed_in_a_row = 0
        if wish.kind is StepKind.RESTART:
            if wish.kind in result.interrupted:
                self.found.board_restart = True
                self._decide(wish.kind, Outcome.OK)
        elif wish.kind not in (StepKind.CUT, StepKind.OWN_ALERTS) and self._arose(wish, board):
            self._decide(wish.kind, Outcome.OK)
        if wish.kind is StepKind.ALERT and self._relays_infos(result.version):
            self._decide(StepKind.INFOS, Outcome.OK)

    def _relays_infos(self, version: int) -> bool:
        return self.profile.infos if self.profile.infos is not None else version == 19

    def _arose(self, wish: Wish, board: BoardInPlay) -> bool:
        return make_situation(wish.kind, self._settings.seat, 0, wish.variant).arose(board)

    def _wants_variant(self, wish: Wish, board: BoardInPlay) -> bool:
        return wish.variant + 1 < VARIANTS and not self._arose(wish, board)

    # Failures

    async def _settle(self, plan: list[Wish], todo: list[Wish], result: VisitResult) -> list[Wish]:
        """Decide the step at which a visit failed; what is still to be played.

        Raises:
            GivenUpError: nothing more can be tried.
        """
        failure = result.failure
        assert failure is not None
        kind = self._kind_of(plan, result)
        rest = self._without_failed(plan, todo, result) if result.phase is Phase.BOARD else todo
        if kind is StepKind.RESTART and kind in result.interrupted:
            self.found.board_restart = False
            note = f"board_restart = false: it cannot begin a board again ({failure.said})"
            self._decide(kind, Outcome.REMARK, note)
            return rest
        known = self.found.results.get(kind)
        if known is not None and known.outcome is Outcome.FAILED:
            # Sessions of one board leave out what has failed between two.
            self._one_board_each = self._one_board_each or result.phase is Phase.BETWEEN
            return rest
        if await self._explain(kind, plan, result):
            return todo
        self._decide(kind, Outcome.FAILED, failure=failure)
        self._failed_in_a_row += 1
        if result.phase in (Phase.CONNECT, Phase.GREET) or self._failed_in_a_row >= FAILURES_MAX:
            raise GivenUpError
        if result.phase is Phase.BETWEEN:
            self._one_board_each = True
        return rest

    def _without_failed(self, plan: list[Wish], todo: list[Wish], result: VisitResult) -> list[Wish]:
        """What is still to be played after a board has failed: another one, where it was not what was wanted."""
        wish = plan[result.board]
        rest = [other for other in todo if other != wish]
        wanted = result.playing is not None and self._wants_variant(wish, result.playing)
        return [*rest, replace(wish, variant=wish.variant + 1)] if wanted else rest

    def _kind_of(self, plan: list[Wish], result: VisitResult) -> StepKind:
        """The step that a visit ended at."""
        match result.phase:
            case Phase.CONNECT:
                return StepKind.CONNECT
            case Phase.GREET:
                return StepKind.GREET
            case Phase.BOARD:
                wish, board = plan[result.board], result.playing
                if board is None or board.contract is None or self._arose(wish, board):
                    return wish.kind
                return role_kind(board.contract, self._settings.seat)
            case Phase.BETWEEN:
                passed_out = result.boards[result.board].contract is None
                return StepKind.AFTER_PASSED_OUT if passed_out else StepKind.AFTER_PLAYED
            case Phase.END | Phase.OVER:
                return StepKind.END

    async def _explain(self, kind: StepKind, plan: list[Wish], result: VisitResult) -> bool:
        """Whether the step passes with another setting; the setting is kept, and reported in place of a failure."""
        assert result.failure is not None
        board = plan[result.board]
        for explanation in explanations(result.failure, result.phase, self.profile):
            self._tell(f"step {STEP_OF[kind].number} once more, with {explanation.setting}")
            shorter = [board, Wish(StepKind.DUMMY)] if result.phase is Phase.BETWEEN else [board]
            second = await self._visit(shorter, explanation.profile)
            if second.passed(result.phase):
                self.profile = explanation.profile
                if explanation.setting.startswith("infos"):
                    kind = StepKind.INFOS
                self._decide(kind, Outcome.REMARK, f"plays with {explanation.setting}")
                return True
        return False

    # Sessions with a purpose of their own

    async def _try_comeback(self, number: int) -> None:
        """After its connection was cut it connects again by itself, or ends and is started again.

        Then it plays the board that was cut, from its beginning.
        """
        starts = self._entrance.program.starts
        result = await self._visit([Wish(StepKind.THIRD_HAND)], self.profile, comes_back=True, first_number=number)
        if result.passed(Phase.BOARD):
            by_itself = self._entrance.program.starts == starts
            self._decide(StepKind.CUT, Outcome.OK, "it connects again by itself" if by_itself else "")
        else:
            assert result.failure is not None
            self._decide(StepKind.CUT, Outcome.FAILED, failure=replace(result.failure, clause="BC-48"))

    async def _try_packets(self) -> None:
        """Find the least gap between two lines with which the program plays."""
        wishes = [Wish(kind) for kind in PACKET_BOARDS]
        failure: Failure | None = None
        for gap_ms in (0, *GAPS_MS):
            if 0 < gap_ms < self.profile.line_gap_ms:
                continue
            result = await self._visit(wishes, replace(self.profile, line_gap_ms=gap_ms), in_packets=gap_ms == 0)
            if result.failure is None or result.phase is Phase.END:
                self.found.gap_ms = gap_ms
                note = f"it needs line_gap_ms = {gap_ms}" if gap_ms else ""
                self._decide(StepKind.PACKET, Outcome.REMARK if gap_ms else Outcome.OK, note)
                return
            failure = result.failure
            if failure.trouble is Trouble.LINE:
                break
        assert failure is not None
        self._decide(StepKind.PACKET, Outcome.FAILED, failure=replace(failure, clause="BC-50"))

    async def _try_taken_seat(self) -> None:
        """The program comes as the second for its seat: it must notice that it is refused."""
        link = await self._entrance.bring()
        if isinstance(link, Failure):
            self._decide(StepKind.TAKEN, Outcome.FAILED, failure=link)
            return
        refusing = Refusing(self._settings, self._clock, self._transcript)
        try:
            failure, tries_again = await refusing.run(link, self._entrance.door)
        finally:
            refusing.close()
        if failure is not None:
            self._decide(StepKind.TAKEN, Outcome.FAILED, failure=failure)
        else:
            self._decide(StepKind.TAKEN, Outcome.OK, "it tries again" if tries_again else "")

    def _judge_alerts(self) -> None:
        if StepKind.OWN_ALERTS not in self._kinds:
            return
        findings = [(text, parse_alert(text).findings) for text in dict.fromkeys(self._alerts)]
        wrong = [(text, found) for text, found in findings if found]
        for text, found in wrong:
            self._remark(Remark("BC-22", f"The alert {text[:80]!r} is relayed as it is; {'; '.join(found)}."))
        if wrong:
            note = f"{len(wrong)} of {len(findings)} alerts are not in the protocol's grammar"
            self._decide(StepKind.OWN_ALERTS, Outcome.REMARK, note)
        elif findings:
            self._decide(StepKind.OWN_ALERTS, Outcome.OK)

    # One visit

    async def _visit(
        self,
        plan: list[Wish],
        profile: WireProfile,
        *,
        in_packets: bool = False,
        comes_back: bool = False,
        first_number: int = 0,
    ) -> VisitResult:
        """Bring the program to a table that plays these boards."""
        link = await (self._entrance.bring_back() if comes_back else self._entrance.bring())
        if isinstance(link, Failure):
            return VisitResult(failure=link)
        situations = [
            make_situation(wish.kind, self._settings.seat, number, wish.variant)
            for number, wish in enumerate(plan, first_number)
        ]
        visit = Visit(self._settings, profile, situations, self._clock, self._transcript, in_packets=in_packets)
        try:
            result = await visit.run(link)
            await self._complete(result)
        finally:
            visit.close()
        self._collect(visit, link, result)
        return result

    async def _complete(self, result: VisitResult) -> None:
        """Add to a lost connection how the process ended, where it is ours."""
        failure = result.failure
        if failure is not None and failure.trouble is Trouble.CLOSED:
            how = await self._entrance.program.how_it_ended()
            if how:
                output = self._entrance.program.last_lines()
                result.failure = replace(failure, said=f"{failure.said}; {how}", output=output)

    def _collect(self, visit: Visit, link: ProgramLink, result: VisitResult) -> None:
        is_rubbish = result.failure is not None and result.failure.clause == "BC-03"
        if link.ends_in_lf and not is_rubbish:
            self._remark(Remark("BC-01", "Lines end in LF alone, which is accepted; the protocol says CR LF."))
        if link.in_pieces:
            self._remark(Remark("BC-01", "Lines come in pieces, which is accepted; one write a line is better."))
        for remark in visit.judge.remarks:
            self._remark(remark)
        self._alerts += visit.judge.alerts
        self.found.call_ms += result.call_ms
        self.found.card_ms += result.card_ms
        if result.passed(Phase.CONNECT):
            self._version = result.version

    # Results

    def _remark(self, remark: Remark) -> None:
        head = remark.text.partition("`")[0]
        if all((known.clause, known.text.partition("`")[0]) != (remark.clause, head) for known in self.found.remarks):
            self.found.remarks.append(remark)

    def _decide(self, kind: StepKind, outcome: Outcome, note: str = "", *, failure: Failure | None = None) -> None:
        """Settle a step, once; a failure counts also where a step was passed before, or was not asked for."""
        if kind in self.found.results and outcome is not Outcome.FAILED:
            return
        if kind in self._kinds or outcome is Outcome.FAILED:
            step = STEP_OF[kind]
            self.found.results[kind] = StepResult(step.number, self._settings.seat, outcome, note, failure)

    def _why_not_seen(self, kind: StepKind) -> str:
        if any(result.outcome is Outcome.FAILED for result in self.found.results.values()):
            return "not tried after the failures before it"
        if kind is StepKind.INFOS:
            return f"it logs on with version {self._version}"
        if kind is StepKind.OWN_ALERTS:
            return "it has alerted nothing"
        return "its calls did not lead to it"
