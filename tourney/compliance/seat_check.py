"""The steps at one seat: one scripted session, one retry for a failure that settings may explain, and short ones.

The script has a board for each wanted step. Where a session fails, the board is played once more with the settings
that the failure points to (`profiles.settings_for`); if it then gets further, they are kept for all seats, and else
the step has failed. What is left of the script follows in a session of its own. A short session each follows for a
connection that is cut, lines in one packet, and a seat that is taken.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge import OpenBoard
from tourney.compliance.context import SeatContext
from tourney.compliance.findings import (
    Failure,
    Remark,
    SessionPhase,
    SessionResult,
    StepKind,
    StepOutcome,
    StepResult,
)
from tourney.compliance.profiles import EXPLICABLE, ProfileInUse, settings_for, wire_lines
from tourney.compliance.program import Program, RefusedProgram
from tourney.compliance.scenarios import BOARDS, Scenario, role_kind
from tourney.compliance.session import CheckSession
from tourney.plurals import count, plural
from tourney.protocol.alerts import parse_alert

FAILURES_MAX: Final = 3
"""Failed sessions after which the seat is abandoned: each may have taken the whole time limit."""

PACKET_BOARDS: Final = (StepKind.LEADER, StepKind.DECLARER)
"""Boards with lines that follow each other: before a lead, and between two boards."""

_BOARD_FOR: Final = {
    StepKind.AFTER_PASSED_OUT: StepKind.PASSED_OUT,
    StepKind.AFTER_PLAYED: StepKind.LEADER,
    StepKind.INFOS: StepKind.ALERT,
}
"""For steps that are not boards themselves, the board to be played for each."""

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
        """The numbers of the steps at which sessions have failed."""
        self._played: set[StepKind] = set()
        """The steps whose boards were played to their ends."""
        self._broken_off: dict[StepKind, int] = {}
        """The steps whose boards were not, with the number of the step that failed on it."""
        self._why_abandoned = ""

    async def run(self) -> SeatFindings:
        """Run the wanted steps in as few sessions as possible."""
        try:
            script = self._script()
            await self._try_boards(self._scenarios(kind for kind in script if kind is not StepKind.CUT))
            await self._try_boards(self._scenarios(kind for kind in script if kind is StepKind.CUT))
            if {StepKind.PACKET, StepKind.AGAIN} & self._kinds - set(self.found.results):
                await self._try_packets()
            if StepKind.TAKEN in self._kinds:
                await self._try_taken_seat()
        except SeatAbandonedError as end:
            self._why_abandoned = str(end)
        finally:
            await self._program.end()
        self._check_alerts()
        for kind in self._kinds - set(self.found.results):
            self._decide(kind, StepOutcome.NOT_SEEN, self._why_not_seen(kind))
        return self.found

    # The scripted session

    def _script(self) -> list[StepKind]:
        """Return the boards for the wanted steps, in the order of the steps."""
        wanted = self._kinds | {board for kind, board in _BOARD_FOR.items() if kind in self._kinds}
        kinds = [kind for kind in self._vocabulary.by_kind if kind in wanted & BOARDS]
        if {StepKind.CONNECT, StepKind.GREET, StepKind.END, StepKind.AGAIN} & self._kinds:
            kinds = kinds or [StepKind.PASSED_OUT]
        # What comes after a board is only seen if another follows.
        if {StepKind.AFTER_PLAYED, StepKind.AFTER_PASSED_OUT} & self._kinds and (
            len(kinds) == 1 or kinds[-1] in _BOARD_FOR.values()
        ):
            kinds.append(StepKind.DUMMY)
        return kinds

    async def _try_boards(self, todo: list[Scenario]) -> None:
        """Play boards until each has been played or has failed; a variant follows if the situation did not arise."""
        while todo:
            numbers = ", ".join(str(self._number(scenario.kind)) for scenario in todo)
            self._context.show(f"playing {count(len(todo), 'board')}, for {plural(len(todo), 'step')} {numbers}")
            plan, result = todo, await self._run(CheckSession(self._context, self._in_use.profile, todo))
            again = self._note_passed(plan, result)
            while (helped := await self._retry(plan, result)) is not None:
                plan, result = helped
                again += self._note_passed(plan, result)
            rest = plan[len(result.boards) :]
            if result.failure is not None:
                self._settle(plan, result)
                rest = rest[result.phase is SessionPhase.BOARD :]
            todo = list(dict.fromkeys([*rest, *again]))

    def _note_passed(self, plan: list[Scenario], result: SessionResult) -> list[Scenario]:
        """Decide the steps that a session has passed; return the variants to be played in place of its boards."""
        if result.passed(SessionPhase.CONNECT):
            self._decide(StepKind.CONNECT)
        if result.passed(SessionPhase.GREET):
            self._decide(StepKind.GREET)
            if len(self.found.sessions) > 1:
                self._decide(StepKind.AGAIN)
        for index, (scenario, board) in enumerate(zip(plan, result.boards, strict=False)):
            self._note_board(scenario, board, result)
            if index + 1 < len(plan) and result.passed(SessionPhase.BETWEEN, index):
                self._decide(_kind_after(board))
        if result.passed(SessionPhase.END):
            self._decide(StepKind.END)
        variants = [scenario.next_variant(board) for scenario, board in zip(plan, result.boards, strict=False)]
        return [variant for variant in variants if variant is not None]

    def _note_board(self, scenario: Scenario, board: OpenBoard, result: SessionResult) -> None:
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
        if kind is StepKind.ALERT and result.profile.relays_infos(result.version):
            self._decide(StepKind.INFOS)

    # Failures

    async def _retry(
        self, plan: list[Scenario], result: SessionResult
    ) -> tuple[list[Scenario], SessionResult] | None:
        """Play on from the board before a failure with the settings that it points to; None if they do not help.

        What fails on a board may be due to what came before it: alone it would pass with any setting.
        """
        failure, tried = result.failure, result.profile
        if failure is None or failure.kind not in EXPLICABLE or not self._vocabulary.has_profiles:
            return None
        settings = settings_for(result)
        profile = replace(self._in_use.profile, **settings)
        if profile == tried:
            return None
        kind, said = self._kind_of(plan, result), ", ".join(wire_lines(profile, tried))
        self._context.show(f"step {self._number(kind)} once more, with {said}")
        rest, at = plan[max(0, result.board - 1) :], min(result.board, 1)
        second = await self._run(CheckSession(self._context, profile, rest))
        if not second.passed(result.phase, at):
            return None
        self._in_use.profile = replace(self._in_use.profile, **settings)
        if list(settings) == ["infos"]:
            kind = StepKind.INFOS
        if result.phase is SessionPhase.BOARD and "timing" in settings:
            kind = _kind_after(result.boards[result.board - 1])
            self.found.results.pop(kind, None)  # it had been passed, as it seemed
        self._decide(kind, StepOutcome.REMARK, f"plays with {said}")
        return rest, second

    def _settle(self, plan: list[Scenario], result: SessionResult) -> None:
        """Decide the step at which a session failed.

        Raises:
            SeatAbandonedError: nothing more can be tried.
        """
        failure, kind = result.failure, self._kind_of(plan, result)
        assert failure is not None
        if kind is StepKind.RESTART and kind in result.interrupted:
            self.found.board_restart = False
            note = f"board_restart = false: it cannot begin a board again ({failure.said})"
            self._decide(kind, StepOutcome.REMARK, note)
            return
        self._fail(kind, failure)
        self._failures.append(self._number(kind))
        if result.phase is SessionPhase.BOARD:
            self._broken_off[plan[result.board].kind] = self._number(kind)
        if result.phase in (SessionPhase.CONNECT, SessionPhase.GREET):
            raise SeatAbandonedError(f"the program did not get past step {self._number(kind)}")
        if len(self._failures) == FAILURES_MAX:
            numbers = ", ".join(map(str, self._failures))
            raise SeatAbandonedError(f"the seat was given up when steps {numbers} had failed")

    def _kind_of(self, plan: list[Scenario], result: SessionResult) -> StepKind:
        """Return the step at which a session ended."""
        match result.phase:
            case SessionPhase.CONNECT:
                return StepKind.CONNECT
            case SessionPhase.GREET:
                return StepKind.GREET
            case SessionPhase.BOARD:
                scenario, board = plan[result.board], result.playing
                contract = board.contract if board is not None else None
                if board is None or contract is None or scenario.arose(board):
                    return scenario.kind
                return role_kind(contract, self._context.seat)
            case SessionPhase.BETWEEN:
                return _kind_after(result.boards[result.board])
            case SessionPhase.END | SessionPhase.OVER:
                return StepKind.END

    # Sessions for one step

    async def _try_packets(self) -> None:
        """Find out whether the program takes two lines in one packet, or else with the gap in use."""
        boards = self._scenarios(PACKET_BOARDS)
        self._report_step(StepKind.PACKET)
        profile = replace(self._in_use.profile, line_gap_ms=0)
        result = await self._run(CheckSession(self._context, profile, boards, in_packets=True))
        self._note_passed([], result)
        gap_ms = 0
        if result.failure is not None and result.failure.kind in EXPLICABLE and result.phase < SessionPhase.END:
            profile, gap_ms = self._in_use.profile, self._in_use.profile.line_gap_ms
            with_gap = await self._run(CheckSession(self._context, profile, boards))
            result = with_gap if with_gap.failure is None else result
        if result.failure is not None and result.phase < SessionPhase.END:
            clause = self._vocabulary.clause(StepKind.PACKET)
            self._fail(StepKind.PACKET, replace(result.failure, clause=clause))
            return
        self.found.gap_ms = gap_ms
        note = f"it needs line_gap_ms = {gap_ms}" if gap_ms else ""
        self._decide(StepKind.PACKET, StepOutcome.REMARK if gap_ms else StepOutcome.OK, note)

    async def _try_taken_seat(self) -> None:
        """Check that the program notices when it is refused a seat that is taken."""
        self._report_step(StepKind.TAKEN)
        connection = await self._program.connect()
        if isinstance(connection, Failure):
            self._fail(StepKind.TAKEN, connection)
            return
        failure = await RefusedProgram(self._context).run(connection)
        if failure is not None:
            self._fail(StepKind.TAKEN, failure)
        else:
            self._decide(StepKind.TAKEN)

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

    async def _run(self, session: CheckSession) -> SessionResult:
        """Bring the program to the table of a session; return the result."""
        connection = await self._program.connect()
        if isinstance(connection, Failure):
            session.result.failure = connection
            return session.result
        try:
            result = await session.run(connection, self._program)
            if result.failure is not None:
                result.failure = await self._program.complete(result.failure)
        finally:
            session.release()
        if connection.ends_in_lf:
            session.dialogue.note_line_ends(result.failure)
        for remark in session.dialogue.remarks:
            self._remark(remark)
        self._alerts += session.dialogue.alerts
        self.found.sessions.append(result)
        return result

    # Results

    def _number(self, kind: StepKind) -> int:
        return self._vocabulary.by_kind[kind].number

    def _report_step(self, kind: StepKind) -> None:
        self._context.show(f"step {self._number(kind)}, {self._vocabulary.by_kind[kind].description}")

    def _remark(self, remark: Remark) -> None:
        self.found.remarks.setdefault(remark.what, remark)

    def _decide(self, kind: StepKind, outcome: StepOutcome = StepOutcome.OK, note: str = "") -> None:
        """Decide a step that has not failed, once."""
        if kind in self._kinds and kind not in self.found.results:
            self.found.results[kind] = StepResult(self._context.seat, outcome, note, None)

    def _fail(self, kind: StepKind, failure: Failure) -> None:
        """Note that a step has failed; this counts even if the step was passed before, or was not wanted."""
        self.found.results[kind] = StepResult(self._context.seat, StepOutcome.FAILED, "", failure)

    def _why_not_seen(self, kind: StepKind) -> str:
        if kind is StepKind.INFOS and StepKind.ALERT in self._played:
            return f"it logs on with version {self.found.last_log_on.version}"
        if kind is StepKind.OWN_ALERTS and self._played:
            return "it has alerted nothing"
        if kind in self._played:
            return "its calls did not lead to it"
        if kind in self._broken_off:
            return f"its board ended with the failure of step {self._broken_off[kind]}"
        if kind in _BETWEEN and self._played:
            return _BETWEEN[kind]
        return f"not tried: {self._why_abandoned}" if self._why_abandoned else "not tried"


def _kind_after(board: OpenBoard) -> StepKind:
    """Return the step that is about what comes after a board."""
    return StepKind.AFTER_PASSED_OUT if board.contract is None else StepKind.AFTER_PLAYED
