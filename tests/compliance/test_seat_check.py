"""Programs with one peculiarity, checked over real sockets: which step fails, or which setting is found instead."""

from collections.abc import Sequence

import pytest

from tests.support.odd_player import Oddity, check_player, outcomes, profile_of, result_of
from tourney.bridge import Seat
from tourney.compliance.bluechip import BLUE_CHIP
from tourney.compliance.findings import StepKind, StepOutcome
from tourney.compliance.profiles import suitable_profile, wire_lines
from tourney.compliance.scenarios import BOARDS

STEPS = BLUE_CHIP.steps
PLAYED = (StepKind.PASSED_OUT, StepKind.LEADER)
COMMON_BOARDS = BOARDS - {StepKind.SLOW, StepKind.RESTART, StepKind.CUT, StepKind.OWN_ALERTS}


async def test_a_player_of_version_19_passes_all_that_is_no_common_board_and_suits_the_tightest_profile() -> None:
    oddity = Oddity(version=19, comes_back=True, alert="12 to 14 total points.")
    kinds = {step.kind for step in STEPS} - COMMON_BOARDS
    report = await check_player(oddity, *kinds, timeout_s=5)
    assert report.passed
    assert outcomes(report) == {StepOutcome.OK}
    assert len(report.results) == len(kinds)
    assert report.profile == "ben"  # the one that has what it needs, and is not kept for our own
    assert report.thinking.calls.count > 5
    assert report.thinking.cards.count > 50


@pytest.mark.clause("BC-37")
async def test_a_player_that_leaves_at_the_timing_line_is_found_to_play_without_it() -> None:
    report = await check_player(Oddity(leaves_at="^Timing"), StepKind.AFTER_PASSED_OUT, StepKind.AFTER_PLAYED)
    assert report.passed
    assert result_of(report, StepKind.AFTER_PASSED_OUT).note == "plays with timing = false"
    assert result_of(report, StepKind.AFTER_PLAYED).outcome is StepOutcome.OK
    assert wire_lines(profile_of(report)) == ["timing = false"]
    assert suitable_profile(profile_of(report)) is None


@pytest.mark.clause("BC-37")
@pytest.mark.parametrize("at", ["^Board number", "'s cards"])
async def test_a_player_that_ends_at_the_board_after_a_line_of_times_is_found_to_play_without_it(at: str) -> None:
    # Older BENs take the line for the start of the board, and find out when that has begun.
    boards = (StepKind.PASSED_OUT, StepKind.LEADER, StepKind.THIRD_HAND)
    report = await check_player(Oddity(leaves_after_timing_at=at), *boards, StepKind.AFTER_PASSED_OUT)
    assert report.passed
    assert result_of(report, StepKind.AFTER_PASSED_OUT).note == "plays with timing = false"
    assert wire_lines(profile_of(report)) == ["timing = false"]


async def test_a_failure_on_a_later_board_is_not_explained_by_a_setting_that_only_made_it_the_first() -> None:
    oddity = Oddity(leaves_at="^Dummy's cards")  # whatever came before
    report = await check_player(oddity, StepKind.PASSED_OUT, StepKind.LEADER, StepKind.AFTER_PASSED_OUT)
    assert result_of(report, StepKind.LEADER).outcome is StepOutcome.FAILED
    assert result_of(report, StepKind.AFTER_PASSED_OUT).outcome is StepOutcome.OK


async def test_a_player_that_fails_in_play_has_no_profile_and_one_that_only_does_not_leave_has() -> None:
    fails = await check_player(Oddity(leaves_at="^Dummy's cards"), StepKind.PASSED_OUT, StepKind.LEADER)
    assert (fails.found, fails.profile, fails.wire) == (None, None, [])
    assert fails.has_called
    stays = await check_player(Oddity(stays=True), StepKind.PASSED_OUT, StepKind.END, timeout_s=0.5)
    assert not stays.passed
    assert stays.profile == "default"


@pytest.mark.clause("BC-50")
async def test_a_player_that_takes_one_line_a_read_is_found_to_need_a_gap() -> None:
    report = await check_player(Oddity(one_line_a_read=True), *PLAYED, StepKind.PACKET, timeout_s=0.5)
    assert report.passed
    packet = result_of(report, StepKind.PACKET)
    assert packet.outcome is StepOutcome.REMARK
    assert packet.note == f"it needs line_gap_ms = {profile_of(report).line_gap_ms}"
    assert profile_of(report).line_gap_ms >= 20


@pytest.mark.clause("BC-06")
@pytest.mark.clause("BC-14")
@pytest.mark.clause("BC-17")
@pytest.mark.parametrize(
    ("oddity", "kinds", "at", "setting"),
    [
        (Oddity(leaves_out="ready for cards"), PLAYED, StepKind.PASSED_OUT, 'ready_for_cards = "assumed"'),
        (Oddity(leaves_at="doubles Alert"), [StepKind.ALERT], StepKind.ALERT, "alerts = false"),
        (Oddity(leaves_at="Infos", version=19), [StepKind.ALERT, StepKind.INFOS], StepKind.INFOS, "infos = false"),
        (Oddity(falls_silent_at='^North \\("'), [*PLAYED, StepKind.GREET], StepKind.GREET, 'seated = "plain"'),
    ],
)
async def test_a_player_that_does_not_know_a_line_is_found_to_play_with_the_setting_that_leaves_it_out(
    oddity: Oddity, kinds: Sequence[StepKind], at: StepKind, setting: str
) -> None:
    report = await check_player(oddity, *kinds, timeout_s=0.5)
    assert report.passed
    assert result_of(report, at).note == f"plays with {setting}"
    assert setting in wire_lines(profile_of(report))


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


@pytest.mark.clause("BC-48")
async def test_a_player_whose_connection_is_cut_may_connect_again_by_itself() -> None:
    report = await check_player(Oddity(comes_back=True), StepKind.CUT)
    assert result_of(report, StepKind.CUT).outcome is StepOutcome.OK


@pytest.mark.clause("BC-48")
async def test_a_player_that_never_comes_back_after_a_cut_fails_by_bc_48() -> None:
    report = await check_player(Oddity(), StepKind.CUT)
    failure = result_of(report, StepKind.CUT).failure
    assert failure is not None
    assert failure.clause == "BC-48"


@pytest.mark.clause("BC-08")
async def test_a_player_that_hangs_when_its_seat_is_taken_fails_by_bc_08_and_one_that_leaves_passes() -> None:
    hung = result_of(await check_player(Oddity(stays=True), StepKind.TAKEN, timeout_s=0.5), StepKind.TAKEN).failure
    assert hung is not None
    assert hung.clause == "BC-08"
    assert "taken" in hung.after
    left = await check_player(Oddity(), StepKind.TAKEN)
    assert result_of(left, StepKind.TAKEN).outcome is StepOutcome.OK


@pytest.mark.clause("BC-39")
async def test_a_player_that_stays_after_the_end_of_the_session_fails_by_bc_39() -> None:
    report = await check_player(Oddity(stays=True), StepKind.PASSED_OUT, StepKind.END, timeout_s=0.5)
    assert result_of(report, StepKind.PASSED_OUT).outcome is StepOutcome.OK
    failure = result_of(report, StepKind.END).failure
    assert failure is not None
    assert (failure.clause, failure.after) == ("BC-39", "End of session")


@pytest.mark.clause("BC-29")
async def test_a_player_that_leads_unasked_fails_by_bc_29() -> None:
    report = await check_player(Oddity(leads_unasked=True), StepKind.DECLARER)
    failure = result_of(report, StepKind.DECLARER).failure
    assert failure is not None
    assert failure.clause == "BC-29"


@pytest.mark.clause("BC-22")
async def test_alerts_outside_the_grammar_are_remarked_and_fail_nothing() -> None:
    report = await check_player(Oddity(alert="a weak two"), StepKind.OWN_ALERTS)
    assert report.passed
    assert result_of(report, StepKind.OWN_ALERTS).outcome is StepOutcome.REMARK
    assert any(remark.clause == "BC-22" and "a weak two" in remark.text for remark in report.remarks)
    good = await check_player(Oddity(alert="12 to 14 total points."), StepKind.OWN_ALERTS)
    assert result_of(good, StepKind.OWN_ALERTS).outcome is StepOutcome.OK


@pytest.mark.clause("BC-08")
async def test_a_player_of_another_team_or_version_fails_at_the_log_on_with_what_the_table_says() -> None:
    for pattern, replacement, why in (("Alpha", "Omega", "Omega"), ("version 18", "version 7", "version 7")):
        report = await check_player(Oddity(says_instead=(pattern, replacement)), StepKind.LEADER)
        failure = result_of(report, StepKind.CONNECT).failure
        assert failure is not None
        assert failure.clause == "BC-08"
        assert why in failure.advice
        log_on = '`Connecting "Alpha" as North using protocol version 18`'
        assert failure.expected == f"a log-on that the table accepts: {log_on}"
        note = result_of(report, StepKind.LEADER).note
        assert note == "not tried: the program did not get past step 1"


async def test_a_silent_player_fails_after_the_limit_it_is_told_however_slow_the_partner_of_another_step_is() -> None:
    report = await check_player(Oddity(falls_silent_at="Board number"), StepKind.DUMMY, timeout_s=0.3, slow_s=3600)
    failure = result_of(report, StepKind.DUMMY).failure
    assert failure is not None
    assert failure.said == "nothing for 0.3 s"


@pytest.mark.clause("BC-16")
async def test_a_player_that_does_not_ask_for_the_call_of_a_slow_partner_fails_before_the_partner_has_called() -> (
    None
):
    oddity = Oddity(leaves_out="for South's bid")
    report = await check_player(oddity, StepKind.SLOW, timeout_s=0.3, slow_s=3600)
    failure = result_of(report, StepKind.SLOW).failure
    assert failure is not None
    assert (failure.said, failure.expected) == ("nothing for 0.3 s", "North ready for South's bid")


@pytest.mark.clause("BC-16")
async def test_a_partner_may_be_slower_than_the_limit_for_the_player() -> None:
    report = await check_player(Oddity(), StepKind.SLOW, timeout_s=1, slow_s=1.2)
    assert result_of(report, StepKind.SLOW).outcome is StepOutcome.OK


async def test_a_player_that_never_plays_has_no_profile() -> None:
    silent = Oddity(says_instead=("Connecting.*", ""))
    for step in (StepKind.CONNECT, StepKind.TAKEN):
        report = await check_player(silent, step, timeout_s=0.2)
        assert (report.found, report.profile, report.wire) == (None, None, [])
    refused = await check_player(Oddity(says_instead=("Alpha", "Omega")), StepKind.DUMMY)
    assert refused.found is None


@pytest.mark.clause("BC-50")
async def test_a_player_that_is_only_tried_with_packets_has_the_profile_found() -> None:
    report = await check_player(Oddity(), StepKind.PACKET)
    assert result_of(report, StepKind.PACKET).outcome is StepOutcome.OK
    assert profile_of(report).line_gap_ms == 0


async def test_nobody_who_connects_in_time_is_a_failure_of_the_first_step_and_not_a_wait_for_ever() -> None:
    told: list[str] = []
    report = await check_player(Oddity(says_instead=("Connecting.*", "")), StepKind.DUMMY, timeout_s=0.2, told=told)
    assert outcomes(report) == {StepOutcome.FAILED, StepOutcome.NOT_SEEN}
    assert any(text.startswith("connect now: host 127.0.0.1, port ") for text in told)


async def test_a_seat_is_given_up_after_three_failed_steps() -> None:
    report = await check_player(Oddity(leaves_at=" to lead|plays|passes"), *(s.kind for s in STEPS), seat=Seat.SOUTH)
    failed = [result for result in report.results if result.outcome is StepOutcome.FAILED]
    assert len(failed) == 3
    assert {result.failure.clause for result in failed if result.failure is not None} == {"BC-39"}


# What was not seen


async def test_a_step_that_was_not_seen_has_its_own_reason_whatever_has_failed_elsewhere() -> None:
    oddity = Oddity(always_opens=True, leaves_at="redoubles$")
    kinds = {
        StepKind.PASSED_OUT: "its calls did not lead to it",
        StepKind.AFTER_PASSED_OUT: "no board came after one that was passed out",
        StepKind.INFOS: "it logs on with version 18",
        StepKind.OWN_ALERTS: "it has alerted nothing",
    }
    report = await check_player(oddity, *kinds, StepKind.REDOUBLED, StepKind.ALERT)
    assert result_of(report, StepKind.REDOUBLED).outcome is StepOutcome.FAILED
    assert {kind: result_of(report, kind).note for kind in kinds} == kinds


async def test_a_step_whose_board_fails_in_another_part_says_in_which() -> None:
    oddity = Oddity(always_opens=True, leaves_at="^Dummy's cards")  # it opens, and fails as declarer
    report = await check_player(oddity, StepKind.PASSED_OUT, StepKind.DUMMY)
    assert result_of(report, StepKind.DUMMY).outcome is StepOutcome.OK
    assert result_of(report, StepKind.PASSED_OUT).note == "its board ended with the failure of step 5"


async def test_a_seat_that_is_given_up_says_which_steps_have_failed() -> None:
    kinds = (StepKind.LEADER, StepKind.THIRD_HAND, StepKind.REDOUBLED, StepKind.ALERT, StepKind.TAKEN)
    report = await check_player(Oddity(leaves_at="^Dummy's cards"), *kinds)
    reason = "not tried: the seat was given up when steps 9, 10, 11 had failed"
    assert result_of(report, StepKind.TAKEN).note == reason
