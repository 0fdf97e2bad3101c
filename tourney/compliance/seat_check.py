"""The steps at one seat: which boards are played in which session, and what a failure there means."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge import BoardInPlay
from tourney.compliance.context import SeatContext
from tourney.compliance.findings import (
    Failure,
    FailureKind,
    Remark,
    SessionPhase,
    SessionResult,
    StepKind,
    StepOutcome,
    StepResult,
)
from tourney.compliance.profiles import (
    EXPLICABLE,
    GAPS_MS,
    ProfileInUse,
    differing_settings,
    explaining_profiles,
)
from tourney.compliance.program import Program
from tourney.compliance.scenarios import Scenario, role_kind
from tourney.compliance.session import CheckSession, RefusalSession
from tourney.plurals import count, plural
from tourney.protocol.alerts import parse_alert
from tourney.protocol.wires import WireProfile

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


@dataclass(slots=True)
class SeatFindings:
    """What was found out at one seat."""

    results: dict[StepKind, StepResult] = field(default_factory=dict)
    remarks: dict[tuple[str, str], Remark] = field(default_factory=dict)
    """What other servers may not accept, by `Remark.what`."""
    sessions: list[SessionResult] = field(default_factory=list)
    """The sessions for which the program has connected, in order."""
    gap_ms: int | None = None
    """The least gap between two lines that was found to be enough; None if that was not tried."""
    board_restart: bool | None = None
    """Whether the program can start a board again; None if that was not tried."""

    @property
    def has_played(self) -> bool:
        """Whether the program has called or played, so that the profile in use is known to be what it takes."""
        return any(session.boards or session.call_ms for session in self.sessions)

    @property
    def last_log_on(self) -> SessionResult:
        """The last session in which it logged on; one that has not begun if it never has."""
        return next((each for each in reversed(self.sessions) if each.passed(SessionPhase.CONNECT)), SessionResult())


class SeatAbandonedError(Exception):
    """Nothing more can be found out at this seat; the text says why."""


class SeatCheck:
    """Checks one program at one seat."""

    def __init__(self, context: SeatContext, in_use: ProfileInUse, program: Program) -> None:
        """Prepare the steps.

        Args:
            context: the seat, and what all its sessions share.
            in_use: how the tables talk to the program, and where the settings that it needs are kept.
            program: the program under test.
        """
        self.found = SeatFindings()
        self._context = context
        self._vocabulary = context.vocabulary
        self._kinds = context.settings.wanted
        self._in_use = in_use
        self._program = program
        self._alerts: list[str] = []
        self._failures: list[int] = []
        """The numbers of the steps that have failed, or of those in a row, as the language counts."""
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
            later = [kind for kind in self._vocabulary.later_boards if kind in self._kinds]
            await self._try_boards(later, later=True)
            if StepKind.AGAIN in self._kinds - set(self.found.results):
                await self._try_boards([StepKind.PASSED_OUT], later=True)
            if StepKind.PACKET in self._kinds:
                await self._try_packets()
            if StepKind.TAKEN in self._kinds:
                await self._try_taken_seat()
            self._check_alerts()
        except SeatAbandonedError as end:
            self._why_abandoned = str(end)
        finally:
            await self._program.end()
        for kind in self._kinds - set(self.found.results):
            self._decide(kind, StepOutcome.NOT_SEEN, self._why_not_seen(kind))
        return self.found

    # Sessions of boards

    def _opening_boards(self) -> list[StepKind]:
        kinds: list[StepKind] = [kind for kind in self._vocabulary.opening_boards if kind in self._kinds]
        board_for = self._vocabulary.board_for
        for step, board in board_for.items():
            if step in self._kinds and board not in kinds and not (step is StepKind.END and kinds):
                kinds.append(board)
        if {StepKind.CONNECT, StepKind.GREET, StepKind.AGAIN} & self._kinds:
            kinds = kinds or [StepKind.PASSED_OUT]
        # What comes after a board is only seen if another follows.
        if kinds and {StepKind.AFTER_PLAYED, StepKind.AFTER_PASSED_OUT} & self._kinds:
            followed = {board_for[StepKind.AFTER_PLAYED], board_for[StepKind.AFTER_PASSED_OUT]}
            if kinds[-1] in followed or len(kinds) == 1:
                kinds.append(StepKind.DUMMY)
        return kinds

    async def _try_boards(self, kinds: list[StepKind], *, later: bool) -> None:
        """Play boards until each has been played or has failed; a variant follows if the situation did not arise."""
        todo = self._scenarios(kinds)
        while todo:
            plan = todo[:1] if self._one_board_each else todo
            numbers = ", ".join(str(self._number(scenario.kind)) for scenario in plan)
            self._context.show(f"playing {count(len(plan), 'board')}, for {plural(len(plan), 'step')} {numbers}")
            result = await self._run(CheckSession(self._context, self._in_use.profile, plan))
            if later and result.passed(SessionPhase.GREET):
                self._decide(StepKind.AGAIN)
            done = self._note_passed(plan, result)
            variants = [
                scenario.next_variant(board) for scenario, board in zip(plan[:done], result.boards, strict=False)
            ]
            again = [variant for variant in variants if variant is not None]
            todo = todo[done:] + again if self._vocabulary.is_thorough else again + todo[done:]
            if result.failure is not None:
                todo = await self._settle(plan, todo, result)
            elif StepKind.CUT in result.interrupted and not self._vocabulary.cut_after:
                todo = todo[1:]
                await self._try_return(result.board)

    def _note_passed(self, plan: list[Scenario], result: SessionResult) -> int:
        """Decide the steps that a session has passed; return how many of its boards were passed."""
        if result.passed(SessionPhase.CONNECT):
            self._decide(StepKind.CONNECT)
        if result.passed(SessionPhase.GREET):
            self._decide(StepKind.GREET)
        done = 0
        for index, (scenario, board) in enumerate(zip(plan, result.boards, strict=False)):
            if not result.passed(SessionPhase.BOARD, index):
                break
            done += 1
            self._note_board(scenario, board, result)
            if index + 1 < len(plan) and result.passed(SessionPhase.BETWEEN, index):
                self._decide(_kind_after(board))
        if result.passed(SessionPhase.END):
            self._decide(StepKind.END)
        return done

    def _note_board(self, scenario: Scenario, board: BoardInPlay, result: SessionResult) -> None:
        if self._vocabulary.is_thorough:
            self._failures = []
        kind = scenario.kind
        self._played.add(kind)
        if kind is StepKind.RESTART and kind in result.interrupted:
            self.found.board_restart = True
        if kind in (StepKind.RESTART, StepKind.CUT):
            has_arisen = kind in result.interrupted
        else:
            has_arisen = kind is not StepKind.OWN_ALERTS and scenario.arose(board)
        if has_arisen:
            self._decide(kind)
        if kind is StepKind.ALERT and _relays_infos(result):
            self._decide(StepKind.INFOS)

    # Failures

    async def _settle(self, plan: list[Scenario], todo: list[Scenario], result: SessionResult) -> list[Scenario]:
        """Decide the step at which a session failed; return what is still to be played.

        Raises:
            SeatAbandonedError: nothing more can be tried.
        """
        failure = result.failure
        assert failure is not None
        kind = self._kind_of(plan, result)
        if result.phase is SessionPhase.BOARD:
            self._broken_off[plan[result.board].kind] = self._number(kind)
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
        self._fail(kind, failure)
        self._failures.append(self._number(kind))
        if result.phase in (SessionPhase.CONNECT, SessionPhase.GREET):
            raise SeatAbandonedError(f"the program did not get past step {self._number(kind)}")
        if len(self._failures) >= FAILURES_MAX:
            numbers = ", ".join(map(str, self._failures))
            raise SeatAbandonedError(f"the seat was given up when steps {numbers} had failed in a row")
        patience = self._context.patience
        if failure.kind in (FailureKind.SILENT, FailureKind.STAYED) and patience.is_spent:
            waited = f"{patience.wasted_s:.0f} s"
            raise SeatAbandonedError(f"the seat was given up when {waited} had gone by in which nothing came")
        if result.phase is SessionPhase.BETWEEN:
            self._one_board_each = True
        return rest

    def _without_failed(self, plan: list[Scenario], todo: list[Scenario], result: SessionResult) -> list[Scenario]:
        """Return what is still to be played after a board has failed: a variant, if the situation did not arise."""
        failed = plan[result.board]
        rest = [other for other in todo if other != failed]
        playing = result.playing if self._vocabulary.is_thorough else None
        variant = failed.next_variant(playing) if playing is not None else None
        return [*rest, variant] if variant is not None else rest

    def _kind_of(self, plan: list[Scenario], result: SessionResult) -> StepKind:
        """Return the step at which a session ended."""
        match result.phase:
            case SessionPhase.CONNECT:
                return StepKind.CONNECT
            case SessionPhase.GREET:
                return StepKind.GREET
            case SessionPhase.BOARD:
                scenario, board = plan[result.board], result.playing
                contract = board.contract if board is not None and self._vocabulary.is_thorough else None
                if board is None or contract is None or scenario.arose(board):
                    return scenario.kind
                return role_kind(contract, self._context.seat)
            case SessionPhase.BETWEEN:
                return _kind_after(result.boards[result.board])
            case SessionPhase.END | SessionPhase.OVER:
                return StepKind.END

    async def _explain(self, kind: StepKind, plan: list[Scenario], result: SessionResult) -> bool:
        """Tell whether the step passes with another setting, which is kept and reported instead of the failure."""
        assert result.failure is not None
        failure, board = result.failure, plan[result.board]
        tried, in_use = result.profile, self._in_use.profile
        possible: list[WireProfile] = []
        if self._vocabulary.has_profiles:
            possible = [
                profile
                for profile in explaining_profiles(result)
                if not self._in_use.is_in_vain(failure, differing_settings(tried, profile))
            ]
        if in_use != tried and failure.kind in EXPLICABLE:  # another seat has found something in the meantime
            possible.insert(0, in_use)
        if result.phase is SessionPhase.BETWEEN:
            shorter, at = [board, *self._scenarios([StepKind.DUMMY])], 0
        else:
            # What fails on a board may be due to what came before it: alone it would pass with any setting.
            shorter = plan[max(0, result.board - 1) : result.board + 1]
            at = len(shorter) - 1
        for profile in possible:
            if self._context.patience.is_spent:
                return False
            setting = differing_settings(tried, profile)
            self._context.show(f"step {self._number(kind)} once more, with {setting}")
            second = await self._run(CheckSession(self._context, profile, shorter, hurried=True))
            if second.passed(result.phase, at):
                self._in_use.adopt(tried, profile)
                if setting == "infos = false":
                    kind = StepKind.INFOS
                if result.phase is SessionPhase.BOARD and profile.timing != tried.timing:
                    kind = _kind_after(result.boards[result.board - 1])
                    self.found.results.pop(kind, None)  # it had been passed, as it seemed
                self._decide(kind, StepOutcome.REMARK, f"plays with {setting}")
                return True
            self._in_use.note_in_vain(failure, setting)
        return False

    # Sessions for one step

    async def _try_return(self, number: int) -> None:
        """Check that the program comes back after its connection was cut, and plays that board from the start.

        It may connect again by itself, or end and be started again.
        """
        starts = self._program.starts
        session = CheckSession(
            self._context,
            self._in_use.profile,
            self._scenarios([StepKind.THIRD_HAND]),
            first_number=number,
            only_for=StepKind.CUT,
        )
        result = await self._run(session, reconnects=True)
        if result.passed(SessionPhase.BOARD):
            by_itself = self._program.starts == starts
            self._decide(StepKind.CUT, StepOutcome.OK, "it connects again by itself" if by_itself else "")
        else:
            assert result.failure is not None
            self._fail(StepKind.CUT, self._about(StepKind.CUT, result.failure))

    async def _try_packets(self) -> None:
        """Find the least gap between two lines with which the program plays."""
        boards = self._scenarios(PACKET_BOARDS[:1] if self._one_board_each else PACKET_BOARDS)
        failure: Failure | None = None
        self._report_step(StepKind.PACKET)
        for gap_ms in (0, *GAPS_MS):
            profile = self._in_use.profile
            if 0 < gap_ms < profile.line_gap_ms:
                continue
            if failure is not None and self._in_use.is_in_vain(failure, f"line_gap_ms = {gap_ms}"):
                continue
            profile = replace(profile, line_gap_ms=gap_ms)
            session = CheckSession(
                self._context,
                profile,
                boards,
                only_for=StepKind.PACKET,
                in_packets=gap_ms == 0,
                hurried=True,
            )
            result = await self._run(session)
            if result.failure is None or result.phase is SessionPhase.END:
                self.found.gap_ms = gap_ms
                note = f"it needs line_gap_ms = {gap_ms}" if gap_ms else ""
                self._decide(StepKind.PACKET, StepOutcome.REMARK if gap_ms else StepOutcome.OK, note)
                return
            failure = result.failure
            if failure.kind is FailureKind.LINE:
                break
        assert failure is not None
        self._fail(StepKind.PACKET, self._about(StepKind.PACKET, failure))

    async def _try_taken_seat(self) -> None:
        """Check that the program notices when it is refused a seat that is taken."""
        self._report_step(StepKind.TAKEN)
        connection = await self._program.connect()
        if isinstance(connection, Failure):
            self._fail(StepKind.TAKEN, connection)
            return
        session = RefusalSession(self._context)
        try:
            failure, tries_again = await session.run(connection, self._program.listener)
        finally:
            session.release()
        if failure is not None:
            self._fail(StepKind.TAKEN, failure)
        else:
            self._decide(StepKind.TAKEN, StepOutcome.OK, "it tries again" if tries_again else "")

    def _check_alerts(self) -> None:
        if StepKind.OWN_ALERTS not in self._kinds:
            return
        findings = [(text, parse_alert(text).findings) for text in dict.fromkeys(self._alerts)]
        wrong = [(text, found) for text, found in findings if found]
        for text, found in wrong:
            self._remark(
                Remark(
                    self._vocabulary.clause(StepKind.OWN_ALERTS),
                    f"The alert {text[:80]!r} is relayed as it is; {'; '.join(found)}.",
                )
            )
        if wrong:
            note = f"{len(wrong)} of {len(findings)} alerts are not in the protocol's grammar"
            self._decide(StepKind.OWN_ALERTS, StepOutcome.REMARK, note)
        elif findings:
            self._decide(StepKind.OWN_ALERTS)

    # One session

    def _scenarios(self, kinds: Iterable[StepKind]) -> list[Scenario]:
        return [Scenario(kind, self._context.seat) for kind in kinds]

    async def _run(self, session: CheckSession, *, reconnects: bool = False) -> SessionResult:
        """Bring the program to the table of a session; return the result."""
        connection = await (self._program.reconnect() if reconnects else self._program.connect())
        if isinstance(connection, Failure):
            session.result.failure = connection
            return session.result
        try:
            result = await session.run(connection, self._program)
            await self._complete(result)
        finally:
            session.release()
        session.dialogue.note_form(result.failure, ends_in_lf=connection.ends_in_lf, in_pieces=connection.in_pieces)
        for remark in session.dialogue.remarks:
            self._remark(remark)
        self._alerts += session.dialogue.alerts
        self.found.sessions.append(result)
        return result

    async def _complete(self, result: SessionResult) -> None:
        """Add to a closed connection how the process ended, if the check started it."""
        failure, program = result.failure, self._program
        if failure is None:
            return
        if failure.kind is FailureKind.CLOSED:
            how = await program.how_it_ended()
            if how:
                said = self._vocabulary.ending.format(said=failure.said, how=how)
                result.failure = replace(failure, said=said, output=program.last_lines())
                return
        if not self._vocabulary.is_thorough:
            result.failure = replace(failure, output=program.last_lines())

    # Results

    def _number(self, kind: StepKind) -> int:
        return self._vocabulary.by_kind[kind].number

    def _about(self, kind: StepKind, failure: Failure) -> Failure:
        """Return a failure as one that shows what a step is about."""
        return replace(failure, clause=self._vocabulary.clause(kind))

    def _report_step(self, kind: StepKind) -> None:
        self._context.show(f"step {self._number(kind)}, {self._vocabulary.by_kind[kind].description}")

    def _remark(self, remark: Remark) -> None:
        self.found.remarks.setdefault(remark.what, remark)

    def _decide(self, kind: StepKind, outcome: StepOutcome = StepOutcome.OK, note: str = "") -> None:
        """Decide a step that has not failed, once."""
        if kind in self._kinds and kind not in self.found.results:
            seat = self._context.seat
            self.found.results[kind] = StepResult(self._number(kind), seat, outcome, note, None)

    def _fail(self, kind: StepKind, failure: Failure) -> None:
        """Note that a step has failed; this counts even if the step was passed before, or was not wanted."""
        seat = self._context.seat
        self.found.results[kind] = StepResult(self._number(kind), seat, StepOutcome.FAILED, "", failure)

    def _why_not_seen(self, kind: StepKind) -> str:
        if not self._vocabulary.is_thorough:
            return "not reached after the failures before it" if self._failures else "the situation did not arise"
        board = self._vocabulary.board_for.get(kind, kind)
        if kind is StepKind.INFOS and board in self._played:
            return f"it logs on with version {self.found.last_log_on.version}"
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


def _kind_after(board: BoardInPlay) -> StepKind:
    """Return the step that is about what comes after a board."""
    return StepKind.AFTER_PASSED_OUT if board.contract is None else StepKind.AFTER_PLAYED


def _relays_infos(result: SessionResult) -> bool:
    infos = result.profile.infos
    return infos if infos is not None else result.version == 19
