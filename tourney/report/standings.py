"""The standings, from the stored scores of matches alone: no board is read."""

from dataclasses import dataclass

from tourney.movement.ranking import FinishedMatch, StandingRow, standings
from tourney.store.database import Database
from tourney.store.objects import EventInfo, MatchInfo, StoredMatchScore
from tourney.store.results import load_match_scores


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


def load_standings(database: Database, event: EventInfo, rounds: int | None = None) -> Standings:
    """The standings, of the first `rounds` rounds when that is given.

    Raises:
        StoreError: the database cannot be used.
    """
    return rank_event(event, load_match_scores(database, event.id), rounds)


def rank_event(event: EventInfo, scores: dict[int, StoredMatchScore], rounds: int | None = None) -> Standings:
    """The standings from the scores of matches by number; those of later rounds do not count."""
    counted = event.rounds[:rounds]
    matches = [match for round_ in counted for match in round_.matches]
    finished = [_finished(match, scores[match.number]) for match in matches if match.number in scores]
    return Standings(
        event=event.name,
        rows=standings([team.name for team in event.teams], finished),
        rounds=len(counted),
        matches=len(matches),
        matches_over=len(finished),
    )


def _finished(match: MatchInfo, score: StoredMatchScore) -> FinishedMatch:
    return FinishedMatch(match.home, match.away, score.imps_home, score.imps_away, score.vp_home, score.vp_away)
