"""Which setting of a profile explains a failure, and which profile suits what was found."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Final

from tourney.compliance.findings import Failure, Trouble
from tourney.compliance.phases import Phase
from tourney.protocol.bluechip import PROFILES, WireProfile
from tourney.protocol.bluechip.profile import DEFAULT, LINE_GAP_MS_MAX, ReadyForCards, SeatedForm, TeamsLineForm
from tourney.protocol.bluechip.wire.server_parse import LeadLine, parse_server_line

GAPS_MS: Final = (DEFAULT.line_gap_ms, 50, 300, LINE_GAP_MS_MAX)
"""The gaps that are tried: the default, and what programs in use were found to need."""

LEAD_GAPS_MS: Final = (300, 500)
"""The pauses before a lead that are tried: those that programs in use were found to need."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A profile with one setting changed; `setting` is its line in an event file."""

    setting: str
    profile: WireProfile


def explanations(failure: Failure, phase: Phase, profile: WireProfile) -> list[Explanation]:
    """Settings that may make a failed step pass, the likeliest first.

    Only silence and a lost connection can be explained; what a program says wrongly no setting mends.
    """
    return [
        Explanation(", ".join(_differing(profile, changed)), changed)
        for changed in _explaining_profiles(failure, phase, profile)
    ]


def _explaining_profiles(failure: Failure, phase: Phase, profile: WireProfile) -> Iterator[WireProfile]:
    if failure.trouble not in (Trouble.SILENT, Trouble.CLOSED):
        return
    after = failure.after
    if phase is Phase.GREET:
        if "seated" in after:
            yield replace(profile, seated=SeatedForm.PLAIN)
        if after.startswith("Teams"):
            yield replace(profile, teams_line=TeamsLineForm.V18)
            yield replace(profile, teams_line=TeamsLineForm.PLAYING)
    if failure.clause == "BC-14" and failure.trouble is Trouble.SILENT:
        yield replace(profile, ready_for_cards=ReadyForCards.ASSUMED)
    if " Infos. " in after and profile.infos is not False:
        yield replace(profile, infos=False)
    elif " Alert. " in after and profile.alerts:
        yield replace(profile, alerts=False)
    is_silent = failure.trouble is Trouble.SILENT
    by_gap = [replace(profile, line_gap_ms=ms) for ms in GAPS_MS if failure.line_waiting and ms > profile.line_gap_ms]
    others = [replace(profile, timing=False)] if profile.timing and phase is Phase.BETWEEN else []
    if is_silent and isinstance(parse_server_line(after), LeadLine):
        others += [replace(profile, lead_gap_ms=ms) for ms in LEAD_GAPS_MS if ms > profile.lead_gap_ms]
    # One that takes a line a read falls silent, and needs no long gap; one that does not know a line breaks off.
    first = by_gap[:1] if is_silent else []
    yield from (*first, *others, *by_gap[len(first) :])


def _differing(before: WireProfile, after: WireProfile) -> list[str]:
    """The settings of `after` that are not those of `before`, as lines of an event file."""
    settings = [(field.name, getattr(after, field.name)) for field in fields(WireProfile)]
    return [_line(name, setting) for name, setting in settings if setting != getattr(before, name)]


def _line(name: str, setting: object) -> str:
    if isinstance(setting, bool):
        return f"{name} = {str(setting).lower()}"
    return f"{name} = {setting}" if isinstance(setting, int) else f'{name} = "{setting}"'


def wire_lines(profile: WireProfile) -> list[str]:
    """The lines of a `[team.wire]` table: what differs from the default profile."""
    return _differing(DEFAULT, profile)


def suitable_profile(found: WireProfile) -> str | None:
    """The name of the profile that suits: all settings as found, and the least gaps that are enough.

    None when none does; then `wire_lines` say it.
    """
    same = {
        name: profile
        for name, profile in PROFILES.items()
        if replace(profile, line_gap_ms=found.line_gap_ms, lead_gap_ms=found.lead_gap_ms) == found
        and profile.line_gap_ms >= found.line_gap_ms
        and profile.lead_gap_ms >= found.lead_gap_ms
    }
    return min(same, key=lambda name: (same[name].line_gap_ms, same[name].lead_gap_ms), default=None)
