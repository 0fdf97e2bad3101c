"""What quiet tables may notice of an attack, as the measure judges it."""

import pytest

from bench.quiet_figures import TURNS_MIN, QuietPhase, compare_with_calm, format_verdict

MS = 1_000_000
CALM = [MS] * 990 + [4 * MS] * 10 + [10 * MS] * 5


def test_the_calm_phases_before_and_after_count_together() -> None:
    before, attacked, after = compare_with_calm(
        [QuietPhase("", CALM[:500]), QuietPhase("flood", [2 * MS] * 1000), QuietPhase("", CALM[500:])]
    )
    assert (attacked.p50_ratio, attacked.p99_ratio) == (2.0, 0.5)
    assert (before.p99_ratio, after.p99_ratio) == (0.25, 1.0)
    assert attacked.failures == []


@pytest.mark.parametrize(
    ("phase", "failure"),
    [
        (QuietPhase("flood", [MS] * (TURNS_MIN - 1)), "fewer than 300 turns"),
        (QuietPhase("flood", [3 * MS] * 1000), "p50 more than 2 times calm"),
        (QuietPhase("flood", [MS] * 980 + [21 * MS] * 20), "p99 more than 5 times calm"),
        (QuietPhase("flood", [MS] * 1000, disconnected=1), "a quiet player was disconnected"),
        (QuietPhase("flood", [MS] * 1000, charged_ms=101), "charged more than 100 ms beyond what was thought"),
    ],
)
def test_an_attack_that_quiet_players_notice_fails_and_says_why(phase: QuietPhase, failure: str) -> None:
    found = compare_with_calm([QuietPhase("", CALM), phase])[1]
    assert found.failures == [failure]
    assert format_verdict("key_flood", found.failures) == f"- key flood: FAILED: {failure}"


def test_an_attack_that_nobody_notices_holds() -> None:
    assert format_verdict("flood", []) == "- flood: holds"
