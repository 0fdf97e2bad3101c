"""The standings, from the stored scores of matches and the rulings alone: no board is read."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tourney.movement.ranking import FinishedMatch, StandingRow, standings
from tourney.protocol.records import RulingKind
from tourney.report.rulings import counts
from tourney.scoring.adjusted import AVERAGE_MINUS
from tourney.store.database import Database
from tourney.store.objects import EventInfo, MatchInfo, StoredMatchScore
from tourney.store.results import load_match_scores
from tourney.store.rulings import load_rulings
from tourney.store.verdicts import RulingInfo


@dataclass(frozen=True, slots=True)
class Standings:
    """Who stands where after the rounds asked for."""

    event: str
    rows: tuple[StandingRow, ...]
    """Best first."""
    rounds: int
    """How many rounds count: all of the event, or fewer."""
    matches: int
    """How many matches these rounds have."""
    matches_over: int
    """How many of them have a score."""
    rulings: tuple[RulingInfo, ...]
    """Those that have changed a score here, and withdrawals; the oldest first."""

    def rulings_on(self, team: str) -> tuple[RulingInfo, ...]:
        """Those against one team."""
        return tuple(ruling for ruling in self.rulings if ruling.team == team)

    def is_withdrawn(self, team: str) -> bool:
        """Whether a team has left the event."""
        return any(ruling.kind is RulingKind.WITHDRAWAL for ruling in self.rulings_on(team))


def load_standings(database: Database, event: EventInfo, rounds: int | None = None) -> Standings:
    """The standings, of the first `rounds` rounds when that is given.

    Raises:
        StoreError: the database cannot be used.
    """
    scores = load_match_scores(database, event.id)
    return rank_event(event, scores, load_rulings(database, event.id), rounds)


def rank_event(
    event: EventInfo, scores: dict[int, StoredMatchScore], rulings: Iterable[RulingInfo], rounds: int | None = None
) -> Standings:
    """The standings from the scores of matches by number; those of later rounds do not count."""
    counted = event.rounds[:rounds]
    matches = [match for round_ in counted for match in round_.matches]
    over = {match.number for match in matches if match.number in scores}
    counting = tuple(r for r in rulings if counts(r) and (r.match is None or r.match in over))
    by_match: defaultdict[int | None, list[RulingInfo]] = defaultdict(list)
    for ruling in counting:
        by_match[ruling.match].append(ruling)
    finished = [
        _finished(match, scores[match.number], by_match[match.number]) for match in matches if match.number in over
    ]
    return Standings(
        event=event.name,
        rows=standings([team.name for team in event.teams], finished),
        rounds=len(counted),
        matches=len(matches),
        matches_over=len(finished),
        rulings=counting,
    )


def _finished(match: MatchInfo, score: StoredMatchScore, rulings: Sequence[RulingInfo]) -> FinishedMatch:
    # No board counts in a match that was forfeited without a score of its own, and no loss on one either.
    lost = _lost_imps(rulings) if score.boards else {}
    return FinishedMatch(
        match.home,
        match.away,
        score.imps_home,
        score.imps_away,
        score.vp_home,
        score.vp_away,
        lost_home=lost.get(match.home, 0),
        lost_away=lost.get(match.away, 0),
        forfeits=frozenset(ruling.team for ruling in rulings if ruling.kind is RulingKind.MATCH_FORFEIT),
    )


def _lost_imps(rulings: Iterable[RulingInfo]) -> dict[str, int]:
    """IMPs that each team has lost and its opponents have not won, in one match."""
    lost: defaultdict[str, int] = defaultdict(int)
    at_fault: defaultdict[int | None, set[str]] = defaultdict(set)
    for ruling in rulings:
        if ruling.kind is RulingKind.PENALTY_IMPS:
            lost[ruling.team] += ruling.amount
        elif ruling.kind is RulingKind.BOARD_FORFEIT:
            at_fault[ruling.board].add(ruling.team)
    for teams in at_fault.values():
        if len(teams) == 2:
            for team in teams:
                lost[team] -= AVERAGE_MINUS
    return lost
