"""Wire profiles: the one in use, which settings may explain a failure, and which profile suits what was found."""

import enum
import json
from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from tourney.compliance.findings import FailureKind, SessionPhase, SessionResult
from tourney.config.programs import PROFILES
from tourney.protocol.bluechip.server_lines import PlainLine, parse_server_line
from tourney.protocol.wires import (
    DEFAULT,
    OWN_PROFILE,
    ReadyForCards,
    SeatedForm,
    TeamsLineForm,
    WireProfile,
)

LINE_GAP_MS: Final = 50
LEAD_GAP_MS: Final = 500
"""The longest gaps that existing programs were found to need."""

EXPLICABLE: Final = (FailureKind.SILENT, FailureKind.CLOSED)
"""Failures that a setting may explain; against a wrong line none helps."""


@dataclass(slots=True)
class ProfileInUse:
    """The profile with which all seats are tried: a setting that one seat is found to need holds for the others."""

    profile: WireProfile


def settings_for(result: SessionResult) -> dict[str, Any]:
    """Return the settings with which a failed session may pass, all together; none if the failure points to none."""
    failure, profile = result.failure, result.profile
    if failure is None or failure.kind not in EXPLICABLE:
        return {}
    after, is_silent = failure.after, failure.kind is FailureKind.SILENT
    settings: dict[str, Any] = {}
    if result.phase is SessionPhase.GREET and "seated" in after:
        settings["seated"] = SeatedForm.PLAIN
    elif result.phase is SessionPhase.GREET and after.startswith("Teams"):
        settings["teams_line"] = TeamsLineForm.V18
    elif failure.clause == "BC-14" and is_silent:
        settings["ready_for_cards"] = ReadyForCards.ASSUMED
    elif " Infos. " in after:
        settings["infos"] = False
    elif " Alert. " in after:
        settings["alerts"] = False
    if profile.timing and result.failed_after_board:
        settings["timing"] = False
    if is_silent and failure.line_waiting:
        settings["line_gap_ms"] = max(profile.line_gap_ms, LINE_GAP_MS)
    if is_silent and parse_server_line(after) is PlainLine.LEAD:
        settings["lead_gap_ms"] = max(profile.lead_gap_ms, LEAD_GAP_MS)
    return settings


def _differing(before: WireProfile, after: WireProfile) -> dict[str, Any]:
    """Return the settings of `after` that differ from `before`."""
    settings = {each.name: getattr(after, each.name) for each in fields(WireProfile)}
    return {name: setting for name, setting in settings.items() if setting != getattr(before, name)}


def wire_lines(after: WireProfile, before: WireProfile = DEFAULT) -> list[str]:
    """Return the lines of a `[team.wire]` section: what differs from the default profile, or another one."""
    return [format_setting(name, setting) for name, setting in _differing(before, after).items()]


def format_setting(name: str, setting: object) -> str:
    """Format a setting as a line of an event file."""
    return f"{name} = {json.dumps(setting)}"


def suitable_profile(
    found: WireProfile, system: str = "", *, known: Collection[str] = (), is_ours: bool = False
) -> str | None:
    """Return the name of the profile that suits: it has the settings found, and gaps that are enough.

    A profile that has all of them comes first. One that only leaves out that the program can begin a board again, or
    takes texts of alerts, suits as well: then it need not. Of several, the one with the program's own name, or else
    that with the shortest gaps. `tourney` is for our own client alone: in anybody else's team its name would tell an
    organiser something wrong.

    Args:
        found: the settings with which the program plays.
        system: the text after the version of its log-on, in which some programs name themselves.
        known: the names of the programs that its command may start.
        is_ours: whether it is our own client, whoever plays in it.

    Returns:
        The name; None if no profile does: `wire_lines` then has the settings.
    """
    same = {
        name: profile
        for name, profile in PROFILES.items()
        if _compared(profile, found) == found
        and profile.line_gap_ms >= found.line_gap_ms
        and profile.lead_gap_ms >= found.lead_gap_ms
        and (found.board_restart or not profile.board_restart)
        and (is_ours or name != OWN_PROFILE)
    }

    def order(name: str) -> tuple[bool, bool, bool, int, int]:
        profile = same[name]
        is_named = system.lower().startswith(name) or name in known
        has_all = (profile.board_restart, profile.alerts) == (found.board_restart, found.alerts)
        gaps = profile.line_gap_ms, profile.lead_gap_ms
        return not has_all, not is_named, name != OWN_PROFILE, *gaps

    return min(same, key=order, default=None)


def team_settings(found: WireProfile, name: str | None) -> dict[str, bool | int | str]:
    """Return what `[team.wire]` has beside a named profile, for a team whose tables wait no longer than they need.

    Args:
        found: the settings with which the program plays.
        name: the profile that suits it; None if none does, for all that differs from the default.
    """
    base, wanted = DEFAULT, found
    if name is not None:
        base = PROFILES[name]
        gap_ms = min(base.line_gap_ms, found.line_gap_ms)
        wanted = replace(base, line_gap_ms=gap_ms, board_restart=found.board_restart, alerts=found.alerts)
    settings = {key: value for key, value in _differing(base, wanted).items() if value is not None}
    return {key: value.value if isinstance(value, enum.Enum) else value for key, value in settings.items()}


def _compared(profile: WireProfile, found: WireProfile) -> WireProfile:
    """Return the profile with what is not compared: what it only leaves out, gaps, letters, which nothing tries."""
    return replace(
        profile,
        alerts=profile.alerts or found.alerts,
        line_gap_ms=found.line_gap_ms,
        lead_gap_ms=found.lead_gap_ms,
        board_restart=found.board_restart,
        charset=found.charset,
    )
