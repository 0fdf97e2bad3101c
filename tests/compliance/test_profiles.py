"""Which profile suits the settings found, and which setting may explain a failure."""

from dataclasses import replace

import pytest

from tourney.compliance.findings import Failure, FailureKind, SessionPhase, SessionResult
from tourney.compliance.profiles import (
    GAPS_MS,
    LEAD_GAPS_MS,
    ProfileInUse,
    differing_settings,
    explaining_profiles,
    suitable_profile,
    team_settings,
    wire_lines,
)
from tourney.config.programs import PROFILES
from tourney.protocol.wires import DEFAULT, ReadyForCards, SeatedForm, WireProfile


def failure(kind: FailureKind, after: str, *, clause: str = "BC-16", line_waiting: bool = False) -> Failure:
    return Failure(
        clause=clause,
        kind=kind,
        said="nothing for 20 s",
        expected="a line",
        advice="say it",
        after=after,
        output=(),
        line_waiting=line_waiting,
    )


def settings_tried(
    found: Failure, phase: SessionPhase, profile: WireProfile = DEFAULT, *, after_board: bool = False
) -> list[str]:
    result = SessionResult(phase, int(after_board), found, profile=profile)
    return [differing_settings(profile, each) for each in explaining_profiles(result)]


@pytest.mark.parametrize(
    ("found", "name"),
    [
        (DEFAULT, "default"),
        (replace(DEFAULT, line_gap_ms=0), "default"),
        (replace(DEFAULT, line_gap_ms=0, board_restart=True), "ben"),
        (replace(DEFAULT, board_restart=True), "gib"),  # BEN reads line by line: its profile has no gap
        (
            replace(DEFAULT, timing=False, alerts=False, line_gap_ms=0, ready_for_cards=ReadyForCards.ASSUMED),
            "ben-2022",
        ),
        (replace(DEFAULT, timing=False, line_gap_ms=0), "ben-2023"),
        (replace(DEFAULT, line_gap_ms=50), "robobridge"),
        (replace(DEFAULT, lead_gap_ms=500), "q-plus"),
        (replace(DEFAULT, line_gap_ms=0, lead_gap_ms=300, board_restart=True), "gib"),
        (replace(DEFAULT, timing=False, alerts=False, line_gap_ms=0), "bridge-env"),
        (replace(DEFAULT, timing=False, alerts=False), None),
        (replace(DEFAULT, timing=False), None),
        (replace(DEFAULT, line_gap_ms=1000), None),
    ],
)
def test_the_profile_that_suits_has_the_settings_found_and_the_least_gap_that_is_enough(
    found: WireProfile, name: str | None
) -> None:
    assert suitable_profile(found) == name


def test_a_profile_that_only_leaves_out_that_a_board_can_begin_again_suits_with_that_setting_beside_it() -> None:
    bridge_env = PROFILES["bridge-env"]
    assert suitable_profile(replace(bridge_env, board_restart=True)) == "bridge-env"
    assert team_settings(replace(bridge_env, board_restart=True), "bridge-env") == {"board_restart": True}
    assert team_settings(PROFILES["ben"], "ben") == {}
    # One that relies on it does not suit a program that cannot.
    assert suitable_profile(replace(PROFILES["bridge-player"], board_restart=False)) == "bridge-moniteur-era"
    # One that has all of it goes before one that is quicker, and before the program's own name.
    assert suitable_profile(DEFAULT, "BEN-21GF 0.8.8.6") == "default"


def test_a_profile_that_leaves_out_texts_suits_a_program_that_takes_them_with_that_setting_beside_it() -> None:
    plain = replace(DEFAULT, seated=SeatedForm.PLAIN, line_gap_ms=0)
    assert suitable_profile(replace(plain, board_restart=True)) == "bridge-player"
    assert suitable_profile(plain) == "bridge-moniteur-era"
    assert team_settings(plain, "bridge-moniteur-era") == {"alerts": True, "line_gap_ms": 0}
    # A profile with texts does not suit a program that fails at them.
    assert suitable_profile(replace(DEFAULT, alerts=False)) is None


def test_a_program_that_its_command_names_gets_its_own_profile_where_that_has_all_it_needs() -> None:
    assert suitable_profile(DEFAULT, known=["robobridge"]) == "robobridge"
    assert suitable_profile(replace(DEFAULT, board_restart=True), known=["robobridge"]) == "gib"
    assert suitable_profile(replace(DEFAULT, lead_gap_ms=500), known=["robobridge"]) == "q-plus"


def test_what_a_team_is_to_have_beside_its_profile_is_given_as_values_of_the_event_file() -> None:
    assert team_settings(PROFILES["ben-2022"], "ben-2022") == {}
    assert team_settings(replace(DEFAULT, line_gap_ms=0), "default") == {"line_gap_ms": 0}
    assert team_settings(replace(PROFILES["bridge-env"], board_restart=True), "bridge-env") == {"board_restart": True}
    odd = replace(DEFAULT, timing=False, seated=SeatedForm.PLAIN, line_gap_ms=300)
    assert team_settings(odd, None) == {"seated": "plain", "timing": False, "line_gap_ms": 300}


def test_every_named_profile_suits_a_program_that_was_found_to_need_just_that() -> None:
    for name, profile in PROFILES.items():
        suitable = suitable_profile(profile, is_ours=name == "tourney")
        assert suitable is not None
        # Which letters a program reads is not asked.
        assert replace(PROFILES[suitable], charset=profile.charset) == profile, name


def test_a_program_gets_the_profile_of_its_own_name_and_never_that_of_the_players_that_come_with_tourney() -> None:
    quick = replace(DEFAULT, line_gap_ms=0)
    assert suitable_profile(quick, "WBridge5 5.12") == "wbridge5"
    assert suitable_profile(replace(quick, board_restart=True), "BEN-21GF 0.8.8.6 config/default.conf") == "ben"
    assert suitable_profile(replace(quick, board_restart=True), "tourney 1.0") == "ben"
    assert suitable_profile(replace(quick, board_restart=True), is_ours=True) == "tourney"
    assert suitable_profile(replace(quick, timing=False), "BEN-21GF 0.8.6") == "ben-2023"


def test_a_program_that_reads_several_lines_of_a_packet_is_told_how_its_tables_need_not_wait() -> None:
    quick = replace(DEFAULT, line_gap_ms=0)
    assert team_settings(quick, "default")["line_gap_ms"] == 0
    assert team_settings(replace(quick, lead_gap_ms=300), "q-plus")["line_gap_ms"] == 0
    assert "line_gap_ms" not in team_settings(DEFAULT, "default")
    assert "line_gap_ms" not in team_settings(replace(DEFAULT, line_gap_ms=300), "default")
    assert "line_gap_ms" not in team_settings(replace(quick, board_restart=True), "ben")


def test_a_setting_that_one_seat_needs_is_added_to_what_other_seats_have_found_in_the_meantime() -> None:
    in_use = ProfileInUse(DEFAULT)
    in_use.adopt(DEFAULT, replace(DEFAULT, timing=False))
    in_use.adopt(DEFAULT, replace(DEFAULT, alerts=False))
    assert in_use.profile == replace(DEFAULT, timing=False, alerts=False)


def test_the_lines_of_a_wire_table_are_what_differs_from_the_default() -> None:
    found = replace(DEFAULT, timing=False, line_gap_ms=300, ready_for_cards=ReadyForCards.ASSUMED)
    assert wire_lines(found) == ["timing = false", "line_gap_ms = 300", 'ready_for_cards = "assumed"']
    assert wire_lines(DEFAULT) == []


@pytest.mark.parametrize("kind", [FailureKind.LINE, FailureKind.ABSENT, FailureKind.STAYED])
def test_no_setting_explains_a_wrong_line_or_a_program_that_is_not_there_or_does_not_leave(
    kind: FailureKind,
) -> None:
    found = failure(kind, "Start of board", line_waiting=True)
    for phase in SessionPhase:
        assert settings_tried(found, phase) == []


@pytest.mark.clause("BC-37")
def test_a_program_that_breaks_off_between_boards_is_tried_without_timing_first() -> None:
    found = failure(FailureKind.CLOSED, "Start of board", line_waiting=True)
    assert settings_tried(found, SessionPhase.BETWEEN)[0] == "timing = false"
    without = replace(DEFAULT, timing=False)
    assert "timing = false" not in settings_tried(found, SessionPhase.BETWEEN, without)


@pytest.mark.clause("BC-37")
@pytest.mark.parametrize("kind", [FailureKind.CLOSED, FailureKind.SILENT])
def test_a_program_that_fails_at_the_board_after_is_tried_without_timing_first(kind: FailureKind) -> None:
    found = failure(kind, "Board number 6. Dealer East. Both vulnerable.", line_waiting=True)
    tried = settings_tried(found, SessionPhase.BOARD, after_board=True)
    assert "timing = false" in tried[:2]
    assert "timing = false" not in settings_tried(found, SessionPhase.BOARD)


def test_a_setting_that_did_not_help_is_not_tried_against_the_same_failure_again() -> None:
    in_use, found = ProfileInUse(DEFAULT), failure(FailureKind.SILENT, "East passes", line_waiting=True)
    first, second, *_ = settings_tried(found, SessionPhase.BOARD)
    in_use.note_in_vain(found, first)
    assert in_use.is_in_vain(replace(found, after="West passes"), first)
    assert not in_use.is_in_vain(found, second)
    assert not in_use.is_in_vain(replace(found, clause="BC-31"), first)


@pytest.mark.clause("BC-50")
def test_a_program_that_falls_silent_after_two_lines_in_a_row_is_tried_with_longer_gaps() -> None:
    found = failure(FailureKind.SILENT, "East passes", line_waiting=True)
    longer = [f"line_gap_ms = {gap}" for gap in GAPS_MS if gap > DEFAULT.line_gap_ms]
    assert settings_tried(found, SessionPhase.BOARD) == longer
    assert settings_tried(replace(found, line_waiting=False), SessionPhase.BOARD) == []


@pytest.mark.clause("BC-36")
def test_a_program_that_does_not_lead_when_asked_is_tried_with_a_pause_before_leads() -> None:
    found = failure(FailureKind.SILENT, "Dummy to lead", clause="BC-33")
    assert settings_tried(found, SessionPhase.BOARD) == [f"lead_gap_ms = {gap}" for gap in LEAD_GAPS_MS]
    after_two = settings_tried(replace(found, line_waiting=True), SessionPhase.BOARD)
    assert after_two[:2] == ["line_gap_ms = 50", f"lead_gap_ms = {LEAD_GAPS_MS[0]}"]


@pytest.mark.clause("BC-17")
def test_a_program_that_fails_at_a_text_is_tried_without_texts_of_that_kind() -> None:
    alert = failure(FailureKind.CLOSED, "East doubles Alert. 12 total points.")
    assert settings_tried(alert, SessionPhase.BOARD) == ["alerts = false"]
    infos = failure(FailureKind.CLOSED, "East bids 1D Infos. 12 total points.")
    assert settings_tried(infos, SessionPhase.BOARD) == ["infos = false"]


@pytest.mark.clause("BC-14")
def test_a_program_that_never_asks_for_its_cards_is_tried_with_cards_assumed() -> None:
    found = failure(FailureKind.SILENT, "Board number 1. Dealer North. Neither vulnerable.", clause="BC-14")
    assert settings_tried(found, SessionPhase.BOARD) == ['ready_for_cards = "assumed"']


@pytest.mark.clause("BC-07")
def test_a_program_that_stops_while_it_is_greeted_is_tried_with_the_other_forms_of_what_it_read() -> None:
    seated = failure(FailureKind.SILENT, 'North ("Alpha") seated', clause="BC-06")
    assert settings_tried(seated, SessionPhase.GREET) == ['seated = "plain"']
    teams = failure(FailureKind.CLOSED, 'Teams : N/S : "Alpha" E/W : "Beta"', clause="BC-07")
    assert settings_tried(teams, SessionPhase.GREET) == ['teams_line = "v18"', 'teams_line = "playing"']
