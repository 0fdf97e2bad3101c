"""The scores of matches against a withdrawn team, in an event where everybody was to meet everybody.

By the English Bridge Union's White Book 2025, section 2.4.2: when a team leaves before half of its matches were
played, all its scores are cancelled. After that they count, and each remaining opponent gets the best of its own
average, the complement of the average of the team that left, and 60 percent of the most a match is worth; fractions
of a hundredth are rounded up. A fine counts once, in the match that it is for: averages are those of what was scored
at the tables, and what an opponent gets is less its own fines in that match.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from tourney.movement.ranking import FinishedMatch, RankingRules
from tourney.scoring.victory_points import VpHundredths


def settle_withdrawals(
    matches: Iterable[FinishedMatch], withdrawn: Collection[str], scheduled: Mapping[str, int], rules: RankingRules
) -> list[FinishedMatch]:
    """Return the matches as they count.

    Without a scale of victory points, averages are less the fines in IMPs. Where the scores of early leavers are not
    forgotten, their opponents still to come have the score of a forfeited match.

    Args:
        matches: the finished ones; `is_walkover` marks those that were forfeited because a team had left.
        withdrawn: the teams that have left.
        scheduled: how many matches the draw has for each team.
        rules: those of the stage; the minimum that an opponent gets is already in the score of its match.
    """
    every = list(matches)
    early = left_early(every, withdrawn, scheduled)
    left = [match for match in every if not early & set(match.teams)] if rules.forgets_early_leavers else every
    settled = []
    for match in left:
        gone = [team for team in match.teams if team in withdrawn]
        if match.is_walkover and len(gone) == 1 and gone[0] not in early:
            place = 1 - match.teams.index(gone[0])
            award = _award(match.teams[place], gone[0], left, match, rules) - match.vp_fines[place]
            score = replace(match.score, **{("vp_home", "vp_away")[place]: VpHundredths(award)})
            settled.append(replace(match, score=score))
        else:
            settled.append(match)
    return settled


def left_early(
    matches: Sequence[FinishedMatch], withdrawn: Collection[str], scheduled: Mapping[str, int]
) -> set[str]:
    """Return the withdrawn teams that have played fewer than half of their matches."""
    return {team for team in withdrawn if 2 * len(_played(team, matches)) < scheduled[team]}


def _award(stays: str, gone: str, matches: Sequence[FinishedMatch], match: FinishedMatch, rules: RankingRules) -> int:
    place = match.teams.index(stays)
    least = (match.score.vp_home, match.score.vp_away)[place] + match.vp_fines[place]
    own = [played.vp_without_fines(stays, rules.vp_scale) for played in _played(stays, matches)]
    theirs = [played.vp_without_fines(gone, rules.vp_scale) for played in _played(gone, matches)]
    averages = [-(-sum(own) // len(own))] if own else []
    # The average rounded down leaves its complement rounded up.
    averages += [rules.most_vp - sum(theirs) // len(theirs)] if theirs else []
    return max([least, *averages])


def _played(team: str, matches: Iterable[FinishedMatch]) -> list[FinishedMatch]:
    return [match for match in matches if team in match.teams and not match.is_walkover]
