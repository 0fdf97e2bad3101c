"""Which profile suits the settings found, and which setting may explain a failure."""

import json
import tomllib
from dataclasses import replace

import pytest

from tests.support.refusals import golden_cases
from tourney.compliance.findings import Failure, FailureKind, SessionPhase, SessionResult
from tourney.compliance.profiles import (
    settings_for,
    suitable_profile,
    team_settings,
)
from tourney.config.programs import PROFILES
from tourney.config.team import WireConfig
from tourney.protocol.wires import DEFAULT, SeatedForm


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


def settings_tried(found: Failure, phase: SessionPhase) -> dict[str, object]:
    return settings_for(SessionResult(phase, 0, found, profile=DEFAULT))


CASES = golden_cases("suitable_profiles")
SUITS, FAILS = ([case for case in CASES if case.values[0] == heading] for heading in ("suits", "fails"))


@pytest.mark.parametrize(("_", "found", "names"), SUITS)
def test_the_profile_that_suits_has_the_settings_found_and_the_least_gap_that_is_enough(
    _: str, found: str, names: list[str]
) -> None:
    # BEN reads line by line: its profile has no gap.
    assert [suitable_profile(WireConfig(**tomllib.loads(found)).over(DEFAULT)) or "none"] == names


def test_a_profile_that_only_leaves_out_that_a_board_can_begin_again_suits_with_that_setting_beside_it() -> None:
    bridge_env = PROFILES["bridge-env"]
    assert suitable_profile(replace(bridge_env, board_restart=True)) == "bridge-env"
    assert team_settings(replace(bridge_env, board_restart=True), "bridge-env") == {"board_restart": True}
    assert team_settings(PROFILES["ben"], "ben") == {}
    odd = replace(DEFAULT, timing=False, seated=SeatedForm.PLAIN, line_gap_ms=300)
    assert team_settings(odd, None) == {"seated": "plain", "timing": False, "line_gap_ms": 300}
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


@pytest.mark.parametrize("kind", [FailureKind.LINE, FailureKind.ABSENT, FailureKind.STAYED])
def test_no_setting_explains_a_wrong_line_or_a_program_that_is_not_there_or_does_not_leave(
    kind: FailureKind,
) -> None:
    found = failure(kind, "Start of board", line_waiting=True)
    for phase in SessionPhase:
        assert settings_tried(found, phase) == {}


@pytest.mark.clause("BC-07", "BC-14", "BC-17", "BC-36", "BC-37", "BC-50")
@pytest.mark.parametrize(("_", "given", "settings"), FAILS)
def test_a_failure_points_to_the_settings_that_may_explain_it(_: str, given: str, settings: list[str]) -> None:
    how, _, after = given.partition(": ")
    kind, clause, phase, *waiting = how.split()
    found = failure(FailureKind[kind.upper()], after, clause=clause, line_waiting=bool(waiting))
    tried = settings_tried(found, SessionPhase[phase.upper()])
    assert [", ".join(f"{key} = {json.dumps(value)}" for key, value in tried.items()) or "nothing"] == settings
