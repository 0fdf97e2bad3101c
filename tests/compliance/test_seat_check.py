"""Programs with one peculiarity, checked over real sockets: which step fails, or which setting is found instead."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.support.odd_player import Oddity, check_player, outcomes, profile_of, result_of
from tourney.compliance.check import CheckReport
from tourney.compliance.findings import StepKind, StepOutcome
from tourney.compliance.profiles import wire_lines

PLAYED = (StepKind.PASSED_OUT, StepKind.LEADER)
AFTER_PASS = (*PLAYED, StepKind.THIRD_HAND, StepKind.AFTER_PASSED_OUT)
OK = "ok"
SILENT = "nothing for 0.3 s"
WITHOUT_TIMING = {StepKind.AFTER_PASSED_OUT: "plays with timing = false"}
NO_GAP = {"timeout_s": 0.3, "slow_s": 3600}


def verdict(report: CheckReport, kind: StepKind) -> str:
    """What was found in a step: the clause that is broken, with what was not said; or what was remarked."""
    result = result_of(report, kind)
    if result.failure is None:
        return result.note or result.outcome.value
    said = result.failure.said
    return f"{result.failure.clause}, {said}" if said.startswith("nothing") else result.failure.clause


@pytest.mark.parametrize(
    ("oddity", "kinds", "limits", "found"),
    [
        (Oddity(leaves_at="^Timing"), [StepKind.AFTER_PLAYED], {}, WITHOUT_TIMING | {StepKind.AFTER_PLAYED: OK}),
        # Older BENs take the line for the start of the board, and find out when that has begun.
        (Oddity(leaves_after_timing_at="^Board number"), AFTER_PASS, {}, WITHOUT_TIMING),
        (Oddity(leaves_after_timing_at="'s cards"), AFTER_PASS, {}, WITHOUT_TIMING),
        # Alone on the first board it would pass with any setting.
        (Oddity(leaves_at="^Dummy's cards"), PLAYED, {}, {StepKind.LEADER: "BC-39", StepKind.AFTER_PASSED_OUT: OK}),
        (
            Oddity(leaves_out="ready for cards"),
            PLAYED,
            {"timeout_s": 0.5},
            {StepKind.PASSED_OUT: 'plays with ready_for_cards = "assumed"'},
        ),
        (Oddity(leaves_at="doubles Alert"), [], {}, {StepKind.ALERT: "plays with alerts = false"}),
        (
            Oddity(leaves_at="Infos", version=19),
            [StepKind.ALERT],
            {},
            {StepKind.INFOS: "plays with infos = false"},
        ),
        (
            Oddity(falls_silent_at='^North \\("'),
            PLAYED,
            {"timeout_s": 0.5},
            {StepKind.GREET: 'plays with seated = "plain"'},
        ),
        (Oddity(comes_back=True), [], {}, {StepKind.CUT: OK}),
        (Oddity(), [], {}, {StepKind.CUT: "BC-48"}),
        (Oddity(), [], {}, {StepKind.TAKEN: OK}),
        (Oddity(stays=True), [], {"timeout_s": 0.5}, {StepKind.TAKEN: "BC-08"}),
        (Oddity(stays=True), [], {"timeout_s": 0.5}, {StepKind.PASSED_OUT: OK, StepKind.END: "BC-39"}),
        (Oddity(leads_unasked=True), [], {}, {StepKind.DECLARER: "BC-29"}),
        (Oddity(alert="12 to 14 total points."), [], {}, {StepKind.OWN_ALERTS: OK}),
        (
            Oddity(says_instead=("version 18", "version 7")),
            [],
            {},
            {StepKind.CONNECT: "BC-08", StepKind.LEADER: "not tried: the program did not get past step 1"},
        ),
        (Oddity(falls_silent_at="Board number"), [], NO_GAP, {StepKind.DUMMY: f"BC-14, {SILENT}"}),
        (Oddity(leaves_out="for South's bid"), [], NO_GAP, {StepKind.SLOW: f"BC-16, {SILENT}"}),
        (Oddity(), [], {"timeout_s": 1, "slow_s": 1.2}, {StepKind.SLOW: OK}),
        (Oddity(), [], {}, {StepKind.PACKET: OK}),
        # It opens, and fails as declarer.
        (
            Oddity(always_opens=True, leaves_at="^Dummy's cards"),
            [],
            {},
            {StepKind.DUMMY: OK, StepKind.PASSED_OUT: "its board ended with the failure of step 5"},
        ),
        (
            Oddity(leaves_at="^Dummy's cards"),
            [StepKind.LEADER, StepKind.THIRD_HAND, StepKind.REDOUBLED, StepKind.ALERT],
            {},
            {StepKind.TAKEN: "not tried: the seat was given up when steps 9, 10, 11 had failed"},
        ),
    ],
)
@pytest.mark.clause("BC-06")
@pytest.mark.clause("BC-08")
@pytest.mark.clause("BC-14")
@pytest.mark.clause("BC-16")
@pytest.mark.clause("BC-17")
@pytest.mark.clause("BC-22")
@pytest.mark.clause("BC-29")
@pytest.mark.clause("BC-37")
@pytest.mark.clause("BC-39")
@pytest.mark.clause("BC-48")
async def test_a_peculiarity_is_found_in_its_step_with_its_clause_or_the_setting_that_helps(
    oddity: Oddity, kinds: Sequence[StepKind], limits: dict[str, Any], found: dict[StepKind, str]
) -> None:
    report = await check_player(oddity, *kinds, *found, **limits)
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
