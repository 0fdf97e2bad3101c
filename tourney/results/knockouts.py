"""Who has won the matches of a knockout, and how far each team has come."""

from collections.abc import Iterable, Mapping, Sequence

from tourney.movement.knockout import KnockoutRound, bracket_size, rank_knockout
from tourney.movement.ranking import FinishedMatch
from tourney.store.draw.objects import MatchInfo, RoundInfo, StageInfo


def margin(finished: FinishedMatch) -> int:
    """Hundredths of IMPs of the home team more than the away team's, what both have brought along included."""
    return 100 * (finished.imps_home - finished.imps_away) + finished.carried


def winner_of(stage: StageInfo, match: MatchInfo, finished: FinishedMatch) -> str:
    """Who goes on: by IMPs, but for a match that one team has forfeited; a level one goes to the better seed."""
    if len(finished.forfeits) == 1:
        return match.away if match.home in finished.forfeits else match.home
    made = margin(finished)
    if made:
        return match.home if made > 0 else match.away
    seeds = {entry.team: entry.seed for entry in stage.entries}
    return min(match.home, match.away, key=seeds.__getitem__)


def winners_of(
    stage: StageInfo, round_: RoundInfo, finished: Mapping[int, FinishedMatch], *, as_drawn: bool = True
) -> list[str] | None:
    """The winners of a round, match by match; None before all of them are over.

    With `as_drawn` those who are in the round after it, once that is drawn: a ruling that comes later changes the
    score, but not who goes on.
    """
    if not round_.is_drawn or any(match.number not in finished for match in round_.matches):
        return None
    after = stage.rounds[round_.number_in_stage] if round_.number_in_stage < len(stage.rounds) else None
    gone_on: set[str] = set()
    if as_drawn and after is not None and after.is_drawn:
        gone_on.update(after.byes)
        gone_on.update(
            team for match in after.matches if not match.is_third_place for team in (match.home, match.away)
        )
    winners = []
    for match in round_.matches:
        here = gone_on & {match.home, match.away}
        winners.append(here.pop() if len(here) == 1 else winner_of(stage, match, finished[match.number]))
    return winners


def knockout_places(
    stage: StageInfo, rounds: Iterable[RoundInfo], finished: Mapping[int, FinishedMatch]
) -> list[list[str]]:
    """The places after these rounds, best first, teams that share one by seed; `finished` by number of the match."""
    teams = [entry.team for entry in stage.entries]
    if len(teams) < 2:
        return [teams]
    seeds = {team: seed for seed, team in enumerate(teams, 1)}
    played: list[tuple[KnockoutRound, Sequence[int]]] = []
    for round_ in rounds:
        winners = winners_of(stage, round_, finished)
        if winners is None:
            break
        pairs = [(seeds[match.home], seeds[match.away]) for match in round_.matches]
        byes = tuple(seeds[team] for team in round_.byes)
        has_third_place = any(match.is_third_place for match in round_.matches)
        drawn = KnockoutRound(tuple(pairs), byes, has_third_place)
        played.append((drawn, [seeds[team] for team in winners]))
    places = rank_knockout(list(seeds.values()), bracket_size(len(teams)), played)
    return [[teams[seed - 1] for seed in place] for place in places]
