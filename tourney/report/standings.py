"""The standings, from the stored scores of matches and the rulings: boards are read for some tie-breaks only."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tourney.movement.ranking import (
    NO_BOARDS,
    BoardTotals,
    FinishedMatch,
    RankingRules,
    StandingRow,
    rank_teams,
)
from tourney.movement.tie_breaks import Tie, TieBreak
from tourney.movement.withdrawals import settle_withdrawals
from tourney.protocol.records import RulingKind
from tourney.report.rulings import counts
from tourney.scoring.victory_points import VpHundredths
from tourney.store.database import Database
from tourney.store.finalisation import load_finalisation
from tourney.store.objects import EventInfo, MatchInfo, StoredMatchScore
from tourney.store.results import load_match_scores
from tourney.store.rulings import load_rulings
from tourney.store.team_totals import load_board_totals
from tourney.store.verdicts import RULE_AUTHOR, RulingInfo


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
    tie_breaks: tuple[TieBreak, ...]
    """What has parted teams equal in victory points, the first one first."""
    ties: tuple[Tie, ...]
    """These teams, and how they were parted; best first."""
    final_since_ms: int | None
    """When the results were made final; None while they are provisional."""

    def rulings_on(self, team: str) -> tuple[RulingInfo, ...]:
        """Those against one team."""
        return tuple(ruling for ruling in self.rulings if ruling.team == team)

    def is_withdrawn(self, team: str) -> bool:
        """Whether a team has left the event."""
        return any(ruling.kind is RulingKind.WITHDRAWAL for ruling in self.rulings_on(team))


def load_standings(database: Database, event: EventInfo, rules: RankingRules, rounds: int | None = None) -> Standings:
    """The standings.

    Args:
        database: where the record is.
        event: the event, as it was drawn.
        rules: those of the event file: they are no part of the draw.
        rounds: how many rounds count; None for all.

    Raises:
        StoreError: the database cannot be used.
    """
    scores = load_match_scores(database, event.id)
    return rank_event(database, event, scores, rules, rounds)


def rank_event(
    database: Database,
    event: EventInfo,
    scores: Mapping[int, StoredMatchScore],
    rules: RankingRules,
    rounds: int | None = None,
) -> Standings:
    """The standings from the scores of matches by number; those of later rounds do not count.

    Raises:
        StoreError: the database cannot be used.
    """
    rulings = load_rulings(database, event.id)
    needs_boards = any(tie_break.needs_boards for tie_break in rules.tie_breaks)
    totals = load_board_totals(database, event.id) if needs_boards else {}
    counted = event.rounds[:rounds]
    matches = [match for round_ in counted for match in round_.matches]
    over = {match.number for match in matches if match.number in scores}
    counting = tuple(r for r in rulings if counts(r) and (r.match is None or r.match in over))
    by_match: defaultdict[int | None, list[RulingInfo]] = defaultdict(list)
    for ruling in counting:
        by_match[ruling.match].append(ruling)
    finished = [
        _finished(match, scores[match.number], by_match[match.number], totals.get(match.number, NO_BOARDS))
        for match in matches
        if match.number in over
    ]
    is_over = len(over) == len(matches)
    word = load_finalisation(database, event.id)
    withdrawn = {r.team for r in counting if r.kind is RulingKind.WITHDRAWAL}
    if withdrawn and rules.forgets_early_leavers:
        finished = settle_withdrawals(finished, withdrawn, _scheduled(event), rules.most_vp)
    byes = Counter(
        round_.bye
        for round_ in counted
        if round_.bye is not None
        and round_.bye not in withdrawn
        and all(match.number in over for match in round_.matches)
    )
    ranked = rank_teams(
        [team.name for team in event.teams],
        finished,
        rules.tie_breaks,
        lot_seed=event.seed if is_over else None,
        byes={team: VpHundredths(count * rules.bye_vp) for team, count in byes.items()},
    )
    return Standings(
        event=event.name,
        rows=ranked.rows,
        rounds=len(counted),
        matches=len(matches),
        matches_over=len(over),
        rulings=counting,
        tie_breaks=tuple(rules.tie_breaks),
        ties=ranked.ties,
        final_since_ms=word.at_ms if word is not None and word.is_final else None,
    )


def _scheduled(event: EventInfo) -> Counter[str]:
    """How many matches the draw has for each team."""
    return Counter(team for match in event.matches for team in (match.home, match.away))


def _finished(
    match: MatchInfo, score: StoredMatchScore, rulings: Sequence[RulingInfo], totals: BoardTotals
) -> FinishedMatch:
    return FinishedMatch(
        match.home,
        match.away,
        score.imps_home,
        score.imps_away,
        score.vp_home,
        score.vp_away,
        lost_home=score.lost_home,
        lost_away=score.lost_away,
        forfeits=frozenset(ruling.team for ruling in rulings if ruling.kind is RulingKind.MATCH_FORFEIT),
        totals=totals,
        is_walkover=any(r.kind is RulingKind.MATCH_FORFEIT and r.author == RULE_AUTHOR for r in rulings),
    )
