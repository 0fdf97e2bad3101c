"""Programs with one peculiarity, checked over real sockets: which step fails, or which setting is found instead."""

import tomllib

import pytest

from tests.support.odd_player import Oddity, check_player, outcomes, profile_of, result_of
from tests.support.refusals import golden_cases
from tourney.compliance.check import CheckReport
from tourney.compliance.findings import StepKind, StepOutcome
from tourney.compliance.profiles import wire_lines

PLAYED = (StepKind.PASSED_OUT, StepKind.LEADER)


def verdict(report: CheckReport, kind: StepKind) -> str:
    """What was found in a step: the clause that is broken, with what was not said; or what was remarked."""
    result = result_of(report, kind)
    if result.failure is None:
        return result.note or result.outcome.value
    said = result.failure.said
    return f"{result.failure.clause}, {said}" if said.startswith("nothing") else result.failure.clause


@pytest.mark.parametrize(("_", "given", "told"), golden_cases("odd_programs"))
@pytest.mark.clause("BC-06", "BC-08", "BC-14", "BC-16", "BC-17", "BC-22", "BC-29", "BC-37", "BC-39", "BC-48")
async def test_a_peculiarity_is_found_in_its_step_with_its_clause_or_the_setting_that_helps(
    _: str, given: str, told: list[str]
) -> None:
    peculiar = tomllib.loads(given)
    also, limits = [StepKind[name] for name in peculiar.pop("also", [])], peculiar.pop("limits", {})
    found = {StepKind[name]: what for name, _, what in (line.partition(": ") for line in told)}
    report = await check_player(Oddity(**peculiar), *also, *found, **limits)
    assert {kind: verdict(report, kind) for kind in found} == found
    set_to = [note.removeprefix("plays with ") for note in found.values() if note.startswith("plays with ")]
    if set_to:
        assert wire_lines(profile_of(report)) == set_to
        assert report.passed


@pytest.mark.clause("BC-50")
async def test_a_player_that_takes_one_line_a_read_is_found_to_need_a_gap() -> None:
    report = await check_player(Oddity(one_line_a_read=True), *PLAYED, StepKind.PACKET, timeout_s=0.5)
    assert report.passed
    packet = result_of(report, StepKind.PACKET)
    assert packet.outcome is StepOutcome.REMARK
    assert packet.note == f"it needs line_gap_ms = {profile_of(report).line_gap_ms}"
    assert profile_of(report).line_gap_ms >= 20


@pytest.mark.clause("BC-48")
async def test_a_player_that_cannot_begin_a_board_again_has_no_board_restart_and_does_not_fail() -> None:
    oddity = Oddity()
    honest = await check_player(oddity, StepKind.RESTART)
    assert result_of(honest, StepKind.RESTART).outcome is StepOutcome.OK
    assert profile_of(honest).board_restart
    assert oddity.boards == 2  # the one board was begun twice
    report = await check_player(Oddity(leaves_at="Start of board"), StepKind.RESTART)
    assert not report.passed  # it leaves at the first as well, which is a failure
    report = await check_player(LeavesAtSecondStart(), StepKind.RESTART)
    assert report.passed
    assert result_of(report, StepKind.RESTART).outcome is StepOutcome.REMARK
    assert not profile_of(report).board_restart


class LeavesAtSecondStart(Oddity):
    """Leaves at a second `Start of board` on its first board, as clients do that expect a card."""

    @property
    def leaves_at(self) -> str:
        return "Start of board" if self.boards > 1 else ""

    @leaves_at.setter
    def leaves_at(self, value: str) -> None:
        pass


async def test_a_player_that_never_plays_has_no_profile() -> None:
    silent = Oddity(says_instead=("Connecting.*", ""))
    for step in (StepKind.CONNECT, StepKind.TAKEN):
        report = await check_player(silent, step, timeout_s=0.2)
        assert (report.found, report.profile, report.wire) == (None, None, [])
    refused = await check_player(Oddity(says_instead=("Alpha", "Omega")), StepKind.DUMMY)
    assert refused.found is None


async def test_nobody_who_connects_in_time_is_a_failure_of_the_first_step_and_not_a_wait_for_ever() -> None:
    told: list[str] = []
    report = await check_player(Oddity(says_instead=("Connecting.*", "")), StepKind.DUMMY, timeout_s=0.2, told=told)
    assert outcomes(report) == {StepOutcome.FAILED, StepOutcome.NOT_SEEN}
    assert any(text.startswith("connect now: host 127.0.0.1, port ") for text in told)
