"""The steps at one seat: which boards are played in which session, and what a failure there means."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge import BoardInPlay
from tourney.compliance.connection import ProgramConnection
from tourney.compliance.findings import (
    Failure,
    FailureKind,
    Remark,
    SessionPhase,
    SessionResult,
    StepOutcome,
    StepResult,
)
from tourney.compliance.patience import Patience
from tourney.compliance.profiles import (
    EXPLICABLE,
    GAPS_MS,
    Explanation,
    ProfileInUse,
    differing_settings,
    explanations,
)
from tourney.compliance.program import ProgramLauncher
from tourney.compliance.refusal import RefusalSession
from tourney.compliance.scenarios import VARIANTS, make_scenario, role_kind
from tourney.compliance.session import CheckSession, SeatCheckSettings
from tourney.compliance.steps import BOARD_FOR, LATER_BOARDS, OPENING_BOARDS, STEP_OF, StepKind
from tourney.compliance.waiting import WaitNotice
from tourney.plurals import count, plural
from tourney.protocol.alerts import parse_alert
from tourney.protocol.bluechip import WireProfile
from tourney.table.clock import HostClock
from tourney.table.wire_log import WireLog

FAILURES_MAX: Final = 3
"""Failed steps in a row after which the seat is abandoned: each may have taken the whole time limit."""

PACKET_BOARDS: Final = (StepKind.LEADER, StepKind.DECLARER)
"""Boards with lines that follow each other: before a lead, and between two boards."""


_BETWEEN: Final = {
    StepKind.AFTER_PASSED_OUT: "no board came after one that was passed out",
    StepKind.AFTER_PLAYED: "no board came after one that was played",
    StepKind.END: "no session came to its end",
}
"""Why a step that is no board was not seen, where boards were played."""


@dataclass(frozen=True, slots=True)
class PlannedBoard:
    """A board to be played for a step."""

    kind: StepKind
    variant: int = 0


@dataclass(slots=True)
class SeatFindings:
    """What was found out at one seat."""

    results: dict[StepKind, StepResult] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    call_ms: list[int] = field(default_factory=list)
    card_ms: list[int] = field(default_factory=list)
    gap_ms: int | None = None
    """The least gap between two lines that was found to be enough; None if that was not tried."""
    board_restart: bool | None = None
    """Whether the program can start a board again; None if that was not tried."""
    has_played: bool = False
    """Whether the program has called or played, so that the profile in use is known to be what it takes."""
    system: str = ""
    """The text that follows the version in its log-on."""


class SeatAbandonedError(Exception):
    """Nothing more can be found out at this seat."""


class SeatCheck:
    """Checks one program at one seat."""

    def __init__(
        self,
        settings: SeatCheckSettings,
        in_use: ProfileInUse,
        launcher: ProgramLauncher,
        clock: HostClock,
        notice: WaitNotice,
        patience: Patience,
        *,
        kinds: frozenset[StepKind],
        transcript: WireLog | None,
        tell: Callable[[str], None],
    ) -> None:
        """Prepare the steps.

        Args:
            settings: the seat, the team names and the limits.
            in_use: how the tables talk to the program, and where the settings that it needs are kept.
            launcher: brings the program to the table.
            clock: the clock of the tables.
            notice: says what the program is being waited for.
            patience: how long that may take.
            kinds: the wanted steps.
            transcript: where to log every line, or None.
            tell: shows a sentence to the person at the keyboard.
        """
        self.found = SeatFindings()
        self._settings = settings
        self._in_use = in_use
        self._launcher = launcher
        self._clock = clock
        self._notice = notice
        self._patience = patience
        self._kinds = kinds
        self._transcript = transcript
        self._tell = tell
        self._alerts: list[str] = []
        self._version: int | None = None
        self._failed_in_a_row: list[int] = []  # numbers of steps
        self._one_board_each = False
        self._played: set[StepKind] = set()
        """The steps whose boards were played to their ends."""
        self._broken_off: dict[StepKind, int] = {}
        """The steps whose boards were not, with the number of the step that failed on it."""
        self._why_abandoned = ""

    async def run(self) -> SeatFindings:
        """Run the wanted steps in as few sessions as possible."""
        try:
            await self._try_boards(self._opening_boards(), later=False)
            await self._try_boards([PlannedBoard(kind) for kind in LATER_BOARDS if kind in self._kinds], later=True)
            if StepKind.AGAIN in self._kinds - set(self.found.results):
                await self._try_boards([PlannedBoard(StepKind.PASSED_OUT)], later=True)
            if StepKind.PACKET in self._kinds:
                await self._try_packets()
            if StepKind.TAKEN in self._kinds:
                await self._try_taken_seat()
            self._check_alerts()
        except SeatAbandonedError:
            pass
        finally:
            await self._launcher.program.end()
        for kind in self._kinds - set(self.found.results):
            self._decide(kind, StepOutcome.NOT_SEEN, self._why_not_seen(kind))
        return self.found

    # Sessions of boards

    def _opening_boards(self) -> list[PlannedBoard]:
        kinds: list[StepKind] = [kind for kind in OPENING_BOARDS if kind in self._kinds]
        for step, board in BOARD_FOR.items():
            if step in self._kinds and board not in kinds and not (step is StepKind.END and kinds):
                kinds.append(board)
        if {StepKind.CONNECT, StepKind.GREET, StepKind.AGAIN} & self._kinds:
            kinds = kinds or [StepKind.PASSED_OUT]
        # What comes after a board is only seen if another follows.
        if kinds and {StepKind.AFTER_PLAYED, StepKind.AFTER_PASSED_OUT} & self._kinds:
            followed = {BOARD_FOR[StepKind.AFTER_PLAYED], BOARD_FOR[StepKind.AFTER_PASSED_OUT]}
            if kinds[-1] in followed or len(kinds) == 1:
                kinds.append(StepKind.DUMMY)
        return [PlannedBoard(kind) for kind in kinds]

    async def _try_boards(self, boards: list[PlannedBoard], *, later: bool) -> None:
        """Play boards until each has been played or has failed; a variant follows if the situation did not arise."""
        todo = list(boards)
        while todo:
            plan = todo[:1] if self._one_board_each else todo
            numbers = ", ".join(str(STEP_OF[planned.kind].number) for planned in plan)
            self._tell(f"playing {count(len(plan), 'board')}, for {plural(len(plan), 'step')} {numbers}")
            result = await self._run_session(plan, self._in_use.profile)
            if later and result.greeted:
                self._decide(StepKind.AGAIN, StepOutcome.OK)
            done = self._note_passed(plan, result)
            again = [
                planned for i, planned in enumerate(plan[:done]) if self._wants_variant(planned, result.boards[i])
            ]
            todo = todo[done:] + [replace(planned, variant=planned.variant + 1) for planned in again]
            if result.failure is not None:
                todo = await self._settle(plan, todo, result)
            elif StepKind.CUT in result.interrupted:
                todo = todo[1:]
                await self._try_return(result.board)

    def _note_passed(self, plan: list[PlannedBoard], result: SessionResult) -> int:
        """Decide the steps that a session has passed; return how many of its boards were passed."""
        if result.passed(SessionPhase.CONNECT):
            self._decide(StepKind.CONNECT, StepOutcome.OK)
        if result.passed(SessionPhase.GREET):
            self._decide(StepKind.GREET, StepOutcome.OK)
        done = 0
        for index, (planned, board) in enumerate(zip(plan, result.boards, strict=False)):
            if not result.passed(SessionPhase.BOARD, index):
                break
            done += 1
            self._note_board(planned, board, result)
            if index + 1 < len(plan) and result.passed(SessionPhase.BETWEEN, index):
                kind = StepKind.AFTER_PASSED_OUT if board.contract is None else StepKind.AFTER_PLAYED
                self._decide(kind, StepOutcome.OK)
        if result.passed(SessionPhase.END):
            self._decide(StepKind.END, StepOutcome.OK)
        return done

    def _note_board(self, planned: PlannedBoard, board: BoardInPlay, result: SessionResult) -> None:
        self._failed_in_a_row = []
        self._played.add(planned.kind)
        if planned.kind is StepKind.RESTART:
            if planned.kind in result.interrupted:
                self.found.board_restart = True
                self._decide(planned.kind, StepOutcome.OK)
        elif planned.kind not in (StepKind.CUT, StepKind.OWN_ALERTS) and self._arose(planned, board):
            self._decide(planned.kind, StepOutcome.OK)
        if planned.kind is StepKind.ALERT and _relays_infos(result):
            self._decide(StepKind.INFOS, StepOutcome.OK)

    def _arose(self, planned: PlannedBoard, board: BoardInPlay) -> bool:
        return make_scenario(planned.kind, self._settings.seat, 0, planned.variant).arose(board)

    def _wants_variant(self, planned: PlannedBoard, board: BoardInPlay) -> bool:
        return planned.variant + 1 < VARIANTS and not self._arose(planned, board)

    # Failures

    async def _settle(
        self, plan: list[PlannedBoard], todo: list[PlannedBoard], result: SessionResult
    ) -> list[PlannedBoard]:
        """Decide the step at which a session failed; return what is still to be played.

        Raises:
            SeatAbandonedError: nothing more can be tried.
        """
        failure = result.failure
        assert failure is not None
        kind = self._kind_of(plan, result)
        if result.phase is SessionPhase.BOARD:
            self._broken_off[plan[result.board].kind] = STEP_OF[kind].number
        rest = self._without_failed(plan, todo, result) if result.phase is SessionPhase.BOARD else todo
        if kind is StepKind.RESTART and kind in result.interrupted:
            self.found.board_restart = False
            note = f"board_restart = false: it cannot begin a board again ({failure.said})"
            self._decide(kind, StepOutcome.REMARK, note)
            return rest
        known = self.found.results.get(kind)
        if known is not None and known.outcome is StepOutcome.FAILED:
            # Sessions of one board avoid what has failed between two.
            self._one_board_each = self._one_board_each or result.phase is SessionPhase.BETWEEN
            return rest
        if await self._explain(kind, plan, result):
            return todo
        self._decide(kind, StepOutcome.FAILED, failure=failure)
        self._failed_in_a_row.append(STEP_OF[kind].number)
        if result.phase in (SessionPhase.CONNECT, SessionPhase.GREET):
            self._why_abandoned = f"the program did not get past step {STEP_OF[kind].number}"
            raise SeatAbandonedError
        if len(self._failed_in_a_row) >= FAILURES_MAX:
            numbers = ", ".join(map(str, self._failed_in_a_row))
            self._why_abandoned = f"the seat was given up when steps {numbers} had failed in a row"
            raise SeatAbandonedError
        if failure.kind in (FailureKind.SILENT, FailureKind.STAYED) and self._patience.is_spent:
            waited = f"{self._patience.wasted_s:.0f} s"
            self._why_abandoned = f"the seat was given up when {waited} had gone by in which nothing came"
            raise SeatAbandonedError
        if result.phase is SessionPhase.BETWEEN:
            self._one_board_each = True
        return rest

    def _without_failed(
        self, plan: list[PlannedBoard], todo: list[PlannedBoard], result: SessionResult
    ) -> list[PlannedBoard]:
        """Return what is still to be played after a board has failed: a variant, if the situation did not arise."""
        planned = plan[result.board]
        rest = [other for other in todo if other != planned]
        wanted = result.playing is not None and self._wants_variant(planned, result.playing)
        return [*rest, replace(planned, variant=planned.variant + 1)] if wanted else rest

    def _kind_of(self, plan: list[PlannedBoard], result: SessionResult) -> StepKind:
        """Return the step at which a session ended."""
        match result.phase:
            case SessionPhase.CONNECT:
                return StepKind.CONNECT
            case SessionPhase.GREET:
                return StepKind.GREET
            case SessionPhase.BOARD:
                planned, board = plan[result.board], result.playing
                if board is None or board.contract is None or self._arose(planned, board):
                    return planned.kind
                return role_kind(board.contract, self._settings.seat)
            case SessionPhase.BETWEEN:
                passed_out = result.boards[result.board].contract is None
                return StepKind.AFTER_PASSED_OUT if passed_out else StepKind.AFTER_PLAYED
            case SessionPhase.END | SessionPhase.OVER:
                return StepKind.END

    async def _explain(self, kind: StepKind, plan: list[PlannedBoard], result: SessionResult) -> bool:
        """Tell whether the step passes with another setting, which is kept and reported instead of the failure."""
        assert result.failure is not None
        failure, board = result.failure, plan[result.board]
        tried, in_use = result.profile, self._in_use.profile
        possible = explanations(failure, result.phase, tried, after_board=result.failed_after_board)
        possible = [each for each in possible if not self._in_use.is_in_vain(failure, each)]
        if in_use != tried and result.failure.kind in EXPLICABLE:  # another seat has found something in the meantime
            possible.insert(0, Explanation(differing_settings(tried, in_use), in_use))
        if result.phase is SessionPhase.BETWEEN:
            shorter, at = [board, PlannedBoard(StepKind.DUMMY)], 0
        else:
            # What fails on a board may be due to what came before it: alone it would pass with any setting.
            shorter = plan[max(0, result.board - 1) : result.board + 1]
            at = len(shorter) - 1
        for explanation in possible:
            if self._patience.is_spent:
                return False
            self._tell(f"step {STEP_OF[kind].number} once more, with {explanation.setting}")
            second = await self._run_session(shorter, explanation.profile, hurried=True)
            if second.passed(result.phase, at):
                self._in_use.adopt(tried, explanation.profile)
                if explanation.setting == "infos = false":
                    kind = StepKind.INFOS
                if result.phase is SessionPhase.BOARD and explanation.profile.timing != tried.timing:
                    passed_out = result.boards[result.board - 1].contract is None
                    kind = StepKind.AFTER_PASSED_OUT if passed_out else StepKind.AFTER_PLAYED
                    self.found.results.pop(kind, None)  # it had been passed, as it seemed
                self._decide(kind, StepOutcome.REMARK, f"plays with {explanation.setting}")
                return True
            self._in_use.note_in_vain(failure, explanation)
        return False

    # Sessions for one step

    async def _try_return(self, number: int) -> None:
        """Check that the program comes back after its connection was cut, and plays that board from the start.

        It may connect again by itself, or end and be started again.
        """
        starts = self._launcher.program.starts
        result = await self._run_session(
            [PlannedBoard(StepKind.THIRD_HAND)],
            self._in_use.profile,
            only_for=StepKind.CUT,
            reconnects=True,
            first_number=number,
        )
        if result.passed(SessionPhase.BOARD):
            by_itself = self._launcher.program.starts == starts
            self._decide(StepKind.CUT, StepOutcome.OK, "it connects again by itself" if by_itself else "")
        else:
            assert result.failure is not None
            self._decide(StepKind.CUT, StepOutcome.FAILED, failure=replace(result.failure, clause="BC-48"))

    async def _try_packets(self) -> None:
        """Find the least gap between two lines with which the program plays."""
        boards = [PlannedBoard(kind) for kind in (PACKET_BOARDS[:1] if self._one_board_each else PACKET_BOARDS)]
        failure: Failure | None = None
        self._tell_step(StepKind.PACKET)
        for gap_ms in (0, *GAPS_MS):
            profile = self._in_use.profile
            if 0 < gap_ms < profile.line_gap_ms:
                continue
            tried = Explanation(f"line_gap_ms = {gap_ms}", replace(profile, line_gap_ms=gap_ms))
            if failure is not None and self._in_use.is_in_vain(failure, tried):
                continue
            result = await self._run_session(
                boards, tried.profile, only_for=StepKind.PACKET, in_packets=gap_ms == 0, hurried=True
            )
            if result.failure is None or result.phase is SessionPhase.END:
                self.found.gap_ms = gap_ms
                note = f"it needs line_gap_ms = {gap_ms}" if gap_ms else ""
                self._decide(StepKind.PACKET, StepOutcome.REMARK if gap_ms else StepOutcome.OK, note)
                return
            failure = result.failure
            if failure.kind is FailureKind.LINE:
                break
        assert failure is not None
        self._decide(StepKind.PACKET, StepOutcome.FAILED, failure=replace(failure, clause="BC-50"))

    async def _try_taken_seat(self) -> None:
        """Check that the program notices when it is refused a seat that is taken."""
        self._tell_step(StepKind.TAKEN)
        connection = await self._launcher.connect()
        if isinstance(connection, Failure):
            self._decide(StepKind.TAKEN, StepOutcome.FAILED, failure=connection)
            return
        session = RefusalSession(self._settings, self._clock, self._notice, self._patience, self._transcript)
        try:
            failure, tries_again = await session.run(connection, self._launcher.listener)
        finally:
            session.close()
        if failure is not None:
            self._decide(StepKind.TAKEN, StepOutcome.FAILED, failure=failure)
        else:
            self._decide(StepKind.TAKEN, StepOutcome.OK, "it tries again" if tries_again else "")

    def _check_alerts(self) -> None:
        if StepKind.OWN_ALERTS not in self._kinds:
            return
        findings = [(text, parse_alert(text).findings) for text in dict.fromkeys(self._alerts)]
        wrong = [(text, found) for text, found in findings if found]
        for text, found in wrong:
            self._remark(Remark("BC-22", f"The alert {text[:80]!r} is relayed as it is; {'; '.join(found)}."))
        if wrong:
            note = f"{len(wrong)} of {len(findings)} alerts are not in the protocol's grammar"
            self._decide(StepKind.OWN_ALERTS, StepOutcome.REMARK, note)
        elif findings:
            self._decide(StepKind.OWN_ALERTS, StepOutcome.OK)

    # One session

    async def _run_session(
        self,
        plan: list[PlannedBoard],
        profile: WireProfile,
        *,
        only_for: StepKind | None = None,
        in_packets: bool = False,
        reconnects: bool = False,
        first_number: int = 0,
        hurried: bool = False,
    ) -> SessionResult:
        """Bring the program to a table that plays these boards; return the result."""
        connection = await (self._launcher.reconnect() if reconnects else self._launcher.connect())
        if isinstance(connection, Failure):
            return SessionResult(failure=connection, profile=profile)
        scenarios = [
            make_scenario(planned.kind, self._settings.seat, number, planned.variant)
            for number, planned in enumerate(plan, first_number)
        ]
        session = CheckSession(
            self._settings,
            profile,
            scenarios,
            self._clock,
            self._notice,
            self._patience,
            self._transcript,
            only_for=only_for,
            in_packets=in_packets,
            hurried=hurried,
        )
        try:
            result = await session.run(connection)
            await self._complete(result)
        finally:
            session.close()
        self._collect(session, connection, result)
        return result

    async def _complete(self, result: SessionResult) -> None:
        """Add to a closed connection how the process ended, if the check started it."""
        failure = result.failure
        if failure is not None and failure.kind is FailureKind.CLOSED:
            how = await self._launcher.program.how_it_ended()
            if how:
                output = self._launcher.program.last_lines()
                result.failure = replace(failure, said=f"{failure.said}; {how}", output=output)

    def _collect(self, session: CheckSession, connection: ProgramConnection, result: SessionResult) -> None:
        is_garbage = result.failure is not None and result.failure.clause == "BC-03"
        if connection.ends_in_lf and not is_garbage:
            self._remark(
                Remark(
                    "BC-01",
                    "Lines end in LF alone: the protocol says CR LF, and bridge_env and RoboBridge wait for that.",
                )
            )
        if connection.in_pieces:
            self._remark(Remark("BC-01", "Lines come in pieces, which is accepted; one write per line is better."))
        for remark in session.checker.remarks:
            self._remark(remark)
        self._alerts += session.checker.alerts
        self.found.call_ms += result.call_ms
        self.found.card_ms += result.card_ms
        self.found.has_played = self.found.has_played or bool(result.boards or result.call_ms)
        if result.passed(SessionPhase.CONNECT):
            self._version, self.found.system = result.version, result.system

    # Results

    def _tell_step(self, kind: StepKind) -> None:
        self._tell(f"step {STEP_OF[kind].number}, {STEP_OF[kind].description}")

    def _remark(self, remark: Remark) -> None:
        head = remark.text.partition("`")[0]
        if all((known.clause, known.text.partition("`")[0]) != (remark.clause, head) for known in self.found.remarks):
            self.found.remarks.append(remark)

    def _decide(
        self, kind: StepKind, outcome: StepOutcome, note: str = "", *, failure: Failure | None = None
    ) -> None:
        """Decide a step, once; a failure counts even if the step was passed before, or was not wanted."""
        if kind in self.found.results and outcome is not StepOutcome.FAILED:
            return
        if kind in self._kinds or outcome is StepOutcome.FAILED:
            step = STEP_OF[kind]
            self.found.results[kind] = StepResult(step.number, self._settings.seat, outcome, note, failure)

    def _why_not_seen(self, kind: StepKind) -> str:
        board = BOARD_FOR.get(kind, kind)
        if kind is StepKind.INFOS and board in self._played:
            return f"it logs on with version {self._version}"
        if kind is StepKind.OWN_ALERTS and self._played:
            return "it has alerted nothing"
        if kind in self._played:
            return "its calls did not lead to it"
        if kind in _BETWEEN and self._played:
            return _BETWEEN[kind]
        if board in self._broken_off:
            return f"its board ended with the failure of step {self._broken_off[board]}"
        if self._why_abandoned:
            return f"not tried: {self._why_abandoned}"
        return "not tried"


def _relays_infos(result: SessionResult) -> bool:
    infos = result.profile.infos
    return infos if infos is not None else result.version == 19
