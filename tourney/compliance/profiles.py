"""Wire profiles: the one in use, which setting may explain a failure, and which profile suits what was found."""

import enum
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from tourney.compliance.findings import Failure, FailureKind, SessionPhase, SessionResult
from tourney.config.programs import PROFILES
from tourney.protocol.bluechip.server_lines import PlainLine, parse_server_line
from tourney.protocol.wires import (
    DEFAULT,
    LINE_GAP_MS_MAX,
    OWN_PROFILE,
    ReadyForCards,
    SeatedForm,
    TeamsLineForm,
    WireProfile,
)

GAPS_MS: Final = (DEFAULT.line_gap_ms, 50, 300, LINE_GAP_MS_MAX)
"""The gaps that are tried: the default, and those that existing programs were found to need."""

EXPLICABLE: Final = (FailureKind.SILENT, FailureKind.CLOSED)
"""Failures that a setting may explain; against a wrong line none helps."""

LEAD_GAPS_MS: Final = (300, 500)
"""The pauses before a lead that are tried: those that existing programs were found to need."""


@dataclass(slots=True)
class ProfileInUse:
    """The profile with which all seats are tried: a setting that one seat is found to need holds for the others."""

    profile: WireProfile
    _in_vain: set[tuple[str, FailureKind, str]] = field(default_factory=set)

    def note_in_vain(self, failure: Failure, setting: str) -> None:
        """Note that a setting, as a line of an event file, does not help against a failure."""
        self._in_vain.add((failure.clause, failure.kind, setting))

    def is_in_vain(self, failure: Failure, setting: str) -> bool:
        """Tell whether a setting is known not to help against failures of the kind."""
        return (failure.clause, failure.kind, setting) in self._in_vain

    def adopt(self, tried: WireProfile, suits: WireProfile) -> None:
        """Keep what differs between a profile that was tried and the one that suits."""
        self.profile = replace(self.profile, **_differing(tried, suits))


def explaining_profiles(result: SessionResult) -> Iterator[WireProfile]:
    """List the profiles with one setting changed that may make a failed session pass, the likeliest first.

    Only silence and a closed connection can be explained; no setting helps against a wrong line.
    """
    failure, profile = result.failure, result.profile
    if failure is None or failure.kind not in EXPLICABLE:
        return
    after = failure.after
    if result.phase is SessionPhase.GREET:
        if "seated" in after:
            yield replace(profile, seated=SeatedForm.PLAIN)
        if after.startswith("Teams"):
            yield replace(profile, teams_line=TeamsLineForm.V18)
            yield replace(profile, teams_line=TeamsLineForm.PLAYING)
    if failure.clause == "BC-14" and failure.kind is FailureKind.SILENT:
        yield replace(profile, ready_for_cards=ReadyForCards.ASSUMED)
    if " Infos. " in after and profile.infos is not False:
        yield replace(profile, infos=False)
    elif " Alert. " in after and profile.alerts:
        yield replace(profile, alerts=False)
    is_silent = failure.kind is FailureKind.SILENT
    by_gap = [replace(profile, line_gap_ms=ms) for ms in GAPS_MS if failure.line_waiting and ms > profile.line_gap_ms]
    others = [replace(profile, timing=False)] if profile.timing and result.failed_after_board else []
    if is_silent and parse_server_line(after) is PlainLine.LEAD:
        others += [replace(profile, lead_gap_ms=ms) for ms in LEAD_GAPS_MS if ms > profile.lead_gap_ms]
    # A program that takes one line per read falls silent and needs a short gap; one that does not know a line leaves.
    first = by_gap[:1] if is_silent else []
    yield from (*first, *others, *by_gap[len(first) :])


def _differing(before: WireProfile, after: WireProfile) -> dict[str, Any]:
    """Return the settings of `after` that differ from `before`."""
    settings = {each.name: getattr(after, each.name) for each in fields(WireProfile)}
    return {name: setting for name, setting in settings.items() if setting != getattr(before, name)}


def wire_lines(after: WireProfile, before: WireProfile = DEFAULT) -> list[str]:
    """Return the lines of a `[team.wire]` section: what differs from the default profile, or another one."""
    return [format_setting(name, setting) for name, setting in _differing(before, after).items()]


def format_setting(name: str, setting: object) -> str:
    """Format a setting as a line of an event file."""
    if isinstance(setting, bool):
        return f"{name} = {str(setting).lower()}"
    return f"{name} = {setting}" if isinstance(setting, int) else f'{name} = "{setting}"'


def differing_settings(before: WireProfile, after: WireProfile) -> str:
    """Return the settings of `after` that differ from `before`: `timing = false, line_gap_ms = 50`."""
    return ", ".join(wire_lines(after, before))


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
