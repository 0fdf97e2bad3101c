"""The scores of matches against a withdrawn team, in an event where everybody was to meet everybody.

By the English Bridge Union's White Book 2025, section 2.4.2: when a team leaves before half of its matches were
played, all its scores are cancelled. After that they count, and each remaining opponent gets the best of its own
average, the complement of the average of the team that left, and 60 percent of the most a match is worth; fractions
of a hundredth are rounded up.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from tourney.movement.ranking import FinishedMatch
from tourney.scoring.victory_points import VpHundredths


def settle_withdrawals(
    matches: Iterable[FinishedMatch],
    withdrawn: Collection[str],
    scheduled: Mapping[str, int],
    most_vp: VpHundredths,
) -> list[FinishedMatch]:
    """Return the matches as they count.

    Args:
        matches: the finished ones; `is_walkover` marks those that were forfeited because a team had left.
        withdrawn: the teams that have left.
        scheduled: how many matches the draw has for each team.
        most_vp: the maximum of a match; the minimum that an opponent gets is already in the score of its match.
    """
    every = list(matches)
    cancelled = left_early(every, withdrawn, scheduled)
    left = [match for match in every if not cancelled & {match.home, match.away}]
    settled = []
    for match in left:
        gone = [team for team in (match.home, match.away) if team in withdrawn]
        if match.is_walkover and len(gone) == 1:
            stays = match.away if match.home == gone[0] else match.home
            award = _award(stays, gone[0], left, match, most_vp)
            is_home = stays == match.home
            score = replace(match.score, **{"vp_home" if is_home else "vp_away": award})
            settled.append(replace(match, score=score))
        else:
            settled.append(match)
    return settled


def left_early(
    matches: Sequence[FinishedMatch], withdrawn: Collection[str], scheduled: Mapping[str, int]
) -> set[str]:
    """Return the withdrawn teams that have played fewer than half of their matches."""
    return {team for team in withdrawn if 2 * len(_played(team, matches)) < scheduled[team]}


def _award(
    stays: str, gone: str, matches: Sequence[FinishedMatch], match: FinishedMatch, most_vp: VpHundredths
) -> VpHundredths:
    least = _vp(stays, match)
    own = [_vp(stays, played) for played in _played(stays, matches)]
    theirs = [_vp(gone, played) for played in _played(gone, matches)]
    averages = [-(-sum(own) // len(own))] if own else []
    # The average rounded down leaves its complement rounded up.
    averages += [most_vp - sum(theirs) // len(theirs)] if theirs else []
    return VpHundredths(max([least, *averages]))


def _played(team: str, matches: Iterable[FinishedMatch]) -> list[FinishedMatch]:
    return [match for match in matches if team in (match.home, match.away) and not match.is_walkover]


def _vp(team: str, match: FinishedMatch) -> int:
    return match.score.vp_home if team == match.home else match.score.vp_away
