"""Scorecards of many matches at once, by one query for each kind of thing on record."""

from collections import defaultdict
from collections.abc import Iterator

from tourney.results.scorecard import Scales, Scorecard, make_scorecard
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.record.boards_in_play import kept_secret, load_boards_in_play
from tourney.store.results.bulk_results import Scope, iter_results, load_sets
from tourney.store.results.matches import load_match_scores
from tourney.store.rulings.rulings import load_rulings
from tourney.store.rulings.verdicts import RulingInfo


def iter_scorecards(database: Database, event: EventInfo, scales: Scales, scope: Scope) -> Iterator[Scorecard]:
    """The scorecards of the matches of which a result or a ruling is on record, in the order of their numbers.

    Args:
        database: where the record is.
        event: the event.
        scales: what margins are worth, as for `load_scorecard`.
        scope: which of its matches.

    Raises:
        StoreError: the database cannot be used.
    """
    # In this order, as `load_scorecard` does: a score that is there means that all results and rulings are.
    in_play = load_boards_in_play(database, event.id)
    scores = load_match_scores(database, event.id)
    rulings: defaultdict[int, list[RulingInfo]] = defaultdict(list)
    for ruling in load_rulings(database, event.id):
        if ruling.match is not None:
            rulings[ruling.match].append(ruling)
    sets = load_sets(database, scope)
    results = iter_results(database, scope)
    number, found = next(results, (None, {}))
    for match in matches_in(event, scope):
        if scope.unscored and match.number in scores:
            continue
        while number is not None and number < match.number:
            number, found = next(results, (None, {}))
        played = found if number == match.number else {}
        if played or match.number in rulings:
            yield make_scorecard(
                event.name,
                match,
                sets[match.board_set_id].boards,
                played,
                rulings[match.number],
                scales.get(match.stage),
                scores.get(match.number),
                kept_secret(in_play, match),
            )


def matches_in(event: EventInfo, scope: Scope) -> list[MatchInfo]:
    """The matches of a scope by number, those with a stored score too."""
    return [
        match
        for match in sorted(event.matches, key=lambda match: match.number)
        if scope.round in (None, match.round) and (scope.matches is None or match.number in scope.matches)
    ]
