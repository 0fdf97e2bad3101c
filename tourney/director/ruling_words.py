"""Rulings that are about to be given, in words: what each team gets, in full, and nothing of what was played."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import AssignedResult
from tourney.store.draw.objects import MatchInfo
from tourney.store.rulings import RulingInfo


def describe_given(match: MatchInfo, rulings: Iterable[RulingInfo]) -> Iterator[str]:
    """Describe rulings on a match, a sentence for all of a kind on the same board."""
    for (kind, room, board), same in groupby(rulings, key=lambda each: (each.kind, each.room, each.board)):
        given, scale = list(same), match.board_scale
        in_room = f" in the {room.value} room" if room is not None and scale.has_rooms else ""
        place = f"board {board} of match {match.number}{in_room}"
        if kind in (RulingKind.ADJUSTED_SCORE, RulingKind.ASSIGNED_SCORE):
            yield f"{place}: {'; '.join(_describe_scores(match, given))}"
        else:
            yield from (_describe(match, each, place) for each in given)


def _describe_scores(match: MatchInfo, rulings: Iterable[RulingInfo]) -> Iterator[str]:
    """Describe what teams get on a board, those together that get the same, and who keeps what was played."""
    by_score: dict[str, list[str]] = {}
    for ruling in rulings:
        is_assigned = ruling.kind is RulingKind.ASSIGNED_SCORE
        score = _describe_results(ruling.assigned) if is_assigned else match.board_scale.describe_award(ruling.amount)
        by_score.setdefault(score, []).append(ruling.team)
    for score, teams in by_score.items():
        yield f"{' and '.join(teams)}: {score}"
    named = [team for teams in by_score.values() for team in teams]
    if others := [team for team in match.teams if team not in named]:
        yield f"{' and '.join(others)}: {'as at the tables' if match.game is None else 'nothing'}"


def _describe(match: MatchInfo, ruling: RulingInfo, place: str) -> str:
    team, scale = ruling.team, match.board_scale
    match ruling.kind:
        case RulingKind.BOARD_CANCELLED:
            return f"{place} counts for nobody"
        case RulingKind.BOARD_FORFEIT:
            return f"{place}: {team} forfeits it{_describe_averages(match, team)}"
        case RulingKind.MATCH_FORFEIT:
            others = " and ".join(each for each in match.teams if each != team)
            return f"{team} forfeits match {match.number} against {others}"
        case RulingKind.PENALTY_IMPS:
            return f"{team} loses {scale.describe_penalty(ruling.amount)} in match {match.number}"
        case RulingKind.PENALTY_VP:
            return f"{team} loses {scale.describe_vp_penalty(ruling.amount)} in match {match.number}"
        case _:
            return f"{team} is warned in match {match.number}: no score changes"


def _describe_averages(match: MatchInfo, team: str) -> str:
    """Describe what the teams get for a board that one of them forfeits; nothing where there are no averages."""
    scale = match.board_scale
    if not scale.averages:
        return ""
    others = " and ".join(each for each in match.teams if each != team)
    return f": {team}: {scale.describe_award(scale.minus)}; {others}: {scale.describe_award(scale.plus)}"


def _describe_results(results: Iterable[AssignedResult]) -> str:
    """Describe assigned results: `60 % 4S by North, 10 tricks, and 40 % 4S by North, 9 tricks`."""
    parts = list(results)
    if len(parts) == 1:
        return _describe_result(parts[0])
    return ", and ".join(f"{part.weight} % {_describe_result(part)}" for part in parts)


def _describe_result(result: AssignedResult) -> str:
    if result.contract is None:
        return "passed out"
    return f"{result.contract} by {result.contract.declarer.title}, {result.tricks} tricks"
