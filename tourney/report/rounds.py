"""The results round by round: every match with its IMPs and victory points, byes, and what is still being played.

Of a match that is not over there are the IMPs of the boards that both rooms are over with, as on its scorecard. No
board of a match with a stored score is read.
"""

import enum
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tourney.results.scorecard import Scales, Scorecard
from tourney.results.scorecards import iter_scorecards, matches_in
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo, StoredMatchScore
from tourney.store.models import TableState
from tourney.store.results.bulk_results import Scope
from tourney.store.results.matches import load_match_scores
from tourney.store.rulings.rulings import load_rulings
from tourney.store.rulings.verdicts import RulingInfo


class MatchState(enum.StrEnum):
    """How far a match is."""

    TO_COME = "to-come"
    PLAYING = "playing"
    """Players sit at one of its tables, or are waited for there."""
    STOPPED = "stopped"
    """Boards are on record, and nobody plays now."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match. Figures are None before a board is over in both rooms, victory points until the match is."""

    match: MatchInfo
    state: MatchState
    boards: int
    """Boards of the match."""
    boards_over: int
    """How many both rooms are over with; once the match is over, how many are in its score."""
    imps_home: int | None
    imps_away: int | None
    vp_home: VpHundredths | None
    vp_away: VpHundredths | None
    rulings: tuple[RulingInfo, ...]
    """Those that are in these figures."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    number: int
    stage: int
    starts_at_ms: int | None
    byes: tuple[str, ...]
    matches: tuple[MatchLine, ...]

    @property
    def matches_over(self) -> int:
        return sum(line.state is MatchState.OVER for line in self.matches)


@dataclass(frozen=True, slots=True)
class RoundResults:
    event: str
    rounds: tuple[RoundLine, ...]


def load_rounds(
    database: Database, event: EventInfo, scales: Scales, round_number: int | None = None
) -> RoundResults:
    """The results of all rounds, or of one.

    Raises:
        StoreError: the database cannot be used.
    """
    lines = {
        line.match.number: line for line in load_match_lines(database, event, scales, Scope(event.id, round_number))
    }
    rounds = tuple(
        RoundLine(
            round_.number,
            round_.stage,
            round_.starts_at_ms,
            round_.byes,
            tuple(lines[match.number] for match in round_.matches),
        )
        for round_ in event.rounds
        if round_number in (None, round_.number)
    )
    return RoundResults(event.name, rounds)


def load_match_lines(database: Database, event: EventInfo, scales: Scales, scope: Scope) -> list[MatchLine]:
    """The matches of a scope in the order of their numbers.

    Raises:
        StoreError: the database cannot be used.
    """
    unscored = Scope(scope.event_id, scope.round, scope.matches, unscored=True)
    cards = {card.match.number: card for card in iter_scorecards(database, event, scales, unscored)}
    # Read after the boards: a match that got its score in between has it.
    scores = load_match_scores(database, event.id)
    rulings: defaultdict[int | None, list[RulingInfo]] = defaultdict(list)
    for ruling in (each for each in load_rulings(database, event.id) if each.changes_score):
        rulings[ruling.match].append(ruling)
    return [
        _line(match, match.boards, scores.get(match.number), cards, rulings[match.number])
        for match in matches_in(event, scope)
    ]


def _line(
    match: MatchInfo,
    boards: int,
    score: StoredMatchScore | None,
    cards: Mapping[int, Scorecard],
    rulings: Iterable[RulingInfo],
) -> MatchLine:
    card = cards.get(match.number)
    if score is None and card is not None:
        score = card.score
    if score is not None:
        figures = (score.imps_home, score.imps_away, score.vp_home, score.vp_away)
        return MatchLine(match, MatchState.OVER, boards, score.boards, *figures, tuple(rulings))
    over = card.boards_finished if card is not None else 0
    shown = {ruling.id for ruling in card.live_rulings} if card is not None else set()
    return MatchLine(
        match=match,
        state=_state(match, has_begun=card is not None),
        boards=boards,
        boards_over=over,
        imps_home=card.imps_home if card is not None and over else None,
        imps_away=card.imps_away if card is not None and over else None,
        vp_home=None,
        vp_away=None,
        rulings=tuple(ruling for ruling in rulings if ruling.id in shown),
    )


def _state(match: MatchInfo, *, has_begun: bool) -> MatchState:
    states = {table.state for table in match.tables}
    if states & {TableState.OPEN, TableState.PLAYING, TableState.ASSIGNED}:
        return MatchState.PLAYING
    return MatchState.STOPPED if has_begun or states != {TableState.WAITING} else MatchState.TO_COME
