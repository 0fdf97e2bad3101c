"""The scorecard of a match: board by board, the IMPs so far, and the score once it is over.

A board counts when all of its tables have finished it, by a result or by a ruling. It is shown once nobody has it to
play any more, in this match or in another one that plays the same boards: until then a program at another table could
read how it was played here. So is a ruling on a board. Once all these matches are over nothing is held back but
boards that one table never finished.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tourney.bridge import Board, Seat, Side, Vulnerability
from tourney.contest import contest_of
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.scoring.match import BoardComparison, MatchScore
from tourney.scoring.victory_points import VpScale
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo, StoredMatchScore, TableInfo
from tourney.store.record.boards_in_play import BoardsInPlay, kept_secret, load_boards_in_play
from tourney.store.results.event_results import Scope, iter_results, load_sets
from tourney.store.results.matches import load_board_results, load_match_boards, load_match_score, load_match_scores
from tourney.store.rulings import RulingInfo, load_match_rulings, load_rulings

Scales: TypeAlias = Mapping[int, VpScale | None]
"""What margins are worth in each stage, by its number; None, or no entry, where that is not known."""


@dataclass(frozen=True, slots=True)
class ScorecardBoard:
    """One board of a match. While somebody still has to play it, it holds only what the schedule says."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    results: Mapping[Room, BoardResult]
    """The results by room, where the board came to one."""
    forfeits: tuple[RulingInfo, ...]
    """The rulings by which a team has lost the board in one room."""
    imps: int | None
    """The home team's, negative when it lost; None while the board is not shown."""
    imps_away: int | None
    """The away team's: the opposite, unless the score was adjusted."""
    rulings: tuple[RulingInfo, ...] = ()
    """All rulings that its score depends on, the oldest first."""
    is_cancelled: bool = False
    """Whether it counts for nobody: its IMPs are 0 then, and it is not among the boards of the score."""
    tables: Mapping[Room, TableInfo] = field(default_factory=dict)
    """The tables that play it, by room."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A match as far as it has been played."""

    event: str
    match: MatchInfo
    boards: tuple[ScorecardBoard, ...]
    """All of the match, in the order of play."""
    imps_home: int
    """The running total; that of the score once the match is over."""
    imps_away: int
    score: StoredMatchScore | None
    """None until the match is over: as stored, else worked out from boards and rulings."""
    rulings: tuple[RulingInfo, ...]
    """The rulings in this match, the oldest first, without those on boards that are not shown."""
    secret: frozenset[int] = frozenset()
    """Numbers of the boards that somebody still has to play."""

    @property
    def boards_finished(self) -> int:
        """How many boards are shown."""
        return sum(board.imps is not None for board in self.boards)

    @property
    def live_rulings(self) -> tuple[RulingInfo, ...]:
        """The rulings that stand."""
        return tuple(ruling for ruling in self.rulings if ruling.is_live)

    def thinking_ms(self, table: TableInfo, side: Side) -> int:
        """How long a side has thought at a table, over the boards that came to a result and are shown."""
        return sum(
            board.results[table.room].times_ms[side]
            for board in self.boards[table.first : table.first + table.boards]
            if table.room in board.results
        )

    def shows(self, board: int | None) -> bool:
        """Whether everybody may read what happened on a board, or apart from boards."""
        over = {line.number for line in self.boards if line.imps is not None}
        return board is None or board in over or (self.score is not None and board not in self.secret)


def load_scorecard(
    database: Database,
    event: EventInfo,
    match: MatchInfo,
    scale: VpScale | None,
    in_play: BoardsInPlay | None = None,
    boards: Sequence[Board] | None = None,
) -> Scorecard:
    """Load the scorecard of a match.

    Args:
        database: where the record is.
        event: the event of the match.
        match: one of its matches.
        scale: what margins are worth; None when it is not known: then a finished match has a score only when one was
            stored.
        in_play: the boards of the event that matches still have to play; loaded when it is not given.
        boards: those of the match in the order of play; loaded when they are not given.

    Raises:
        StoreError: the database cannot be used.
        RuleError: the seats are such that a board cannot be compared.
    """
    # In this order: boards in play first; a score that is there means that all results and rulings are.
    if in_play is None:
        in_play = load_boards_in_play(database, event.id, match.board_set_id)
    stored = load_match_score(database, match)
    return _load(database, event, match, scale, stored, kept_secret(in_play, match), boards)


def work_out_score(database: Database, event: EventInfo, match: MatchInfo, scale: VpScale) -> StoredMatchScore | None:
    """The score that follows from the results and rulings on record, whatever is stored; None for a match not over.

    After a ruling on a match that already has a score, store it with `replace_match_score`.

    Raises:
        StoreError: the database cannot be used.
        RuleError: the seats are such that a board cannot be compared.
    """
    return _load(database, event, match, scale, None).score


def iter_scorecards(database: Database, event: EventInfo, scales: Scales, scope: Scope) -> Iterator[Scorecard]:
    """Load the scorecards of the matches that have a result or a ruling on record, in the order of their numbers.

    Args:
        database: where the record is.
        event: the event.
        scales: what margins are worth, as for `load_scorecard`.
        scope: which matches of it.

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
    """The matches of a scope by number, including those with a stored score."""
    return [
        match
        for match in sorted(event.matches, key=lambda match: match.number)
        if scope.round in (None, match.round) and (scope.matches is None or match.number in scope.matches)
    ]


def _load(
    database: Database,
    event: EventInfo,
    match: MatchInfo,
    scale: VpScale | None,
    stored: StoredMatchScore | None,
    secret: frozenset[int] = frozenset(),
    boards: Sequence[Board] | None = None,
) -> Scorecard:
    results = load_board_results(database, match)
    rulings = load_match_rulings(database, match)
    if boards is None:
        boards = load_match_boards(database, match)
    return make_scorecard(event.name, match, boards, results, rulings, scale, stored, secret)


def make_scorecard(
    event: str,
    match: MatchInfo,
    boards: Sequence[Board],
    results: Mapping[Room, Mapping[int, BoardResult]],
    rulings: Sequence[RulingInfo],
    scale: VpScale | None,
    stored: StoredMatchScore | None,
    secret: frozenset[int] = frozenset(),
) -> Scorecard:
    """Work out a scorecard from its parts; `results` are by room and board number, `secret` boards are not shown.

    Raises:
        RuleError: the seats are such that a board cannot be compared.
    """
    contest = contest_of(match.format)
    live = [ruling for ruling in rulings if ruling.is_live]
    # The set may have extra boards that are played in a level match only.
    places = enumerate(boards[: match.boards])
    lines = [_board_line(match, match.tables_at(place), board, results, live) for place, board in places]
    comparisons = {
        line.number: BoardComparison(line.number, line.imps, line.imps_away)
        for line in lines
        if line.imps is not None and line.imps_away is not None and not line.is_cancelled
    }
    score = stored
    if stored is None and scale is not None:
        is_complete = all(line.imps is not None for line in lines)
        made = contest.score(match, comparisons.values(), live, scale, is_complete=is_complete)
        score = _stored(match, made) if made is not None else None
    lines = [_scheduled(line, line.tables) if line.number in secret else line for line in lines]
    over = {line.number for line in lines if line.imps is not None}
    may_show = over | ({line.number for line in lines} - secret if score is not None else set())
    shown = [r for r in rulings if r.board is None or r.board in may_show]
    if score is not None:
        imps_home, imps_away = score.imps_home, score.imps_away
    else:
        counting = [ruling for ruling in shown if ruling.is_live]
        visible = [compared for number, compared in comparisons.items() if number in over]
        imps_home, imps_away = contest.add_up(match, visible, counting)
    return Scorecard(event, match, tuple(lines), imps_home, imps_away, score, tuple(shown), secret)


def _scheduled(board: Board | ScorecardBoard, tables: Mapping[Room, TableInfo]) -> ScorecardBoard:
    """The board with only what the schedule says about it."""
    return ScorecardBoard(
        number=board.number,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        results={},
        forfeits=(),
        imps=None,
        imps_away=None,
        tables=tables,
    )


def total_hundredths(card: Scorecard) -> tuple[int, int]:
    """Both teams' totals so far in hundredths of IMPs, carry-over included."""
    match = card.match
    return match.carry_home + 100 * card.imps_home, match.carry_away + 100 * card.imps_away


def _board_line(
    match: MatchInfo,
    tables: Mapping[Room, TableInfo],
    board: Board,
    results: Mapping[Room, Mapping[int, BoardResult]],
    live: Sequence[RulingInfo],
) -> ScorecardBoard:
    found = {room: results[room][board.number] for room in tables if board.number in results.get(room, {})}
    rulings = tuple(r for r in live if r.board == board.number and r.kind.scores_board)
    forfeits = tuple(ruling for ruling in rulings if ruling.kind is RulingKind.BOARD_FORFEIT)
    scores = {room: result.result.score for room, result in found.items()}
    compared = contest_of(match.format).compare(match, tables, board, scores, rulings)
    if compared is None:
        return _scheduled(board, tables)
    return ScorecardBoard(
        number=board.number,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        results=found,
        forfeits=forfeits,
        imps=compared.imps_home,
        imps_away=compared.imps_away,
        rulings=rulings,
        is_cancelled=any(ruling.kind is RulingKind.BOARD_CANCELLED for ruling in rulings),
        tables=tables,
    )


def _stored(match: MatchInfo, made: MatchScore) -> StoredMatchScore:
    return StoredMatchScore(
        match=match.number,
        boards=made.boards,
        imps_home=made.imps_home,
        imps_away=made.imps_away,
        vp_home=made.vp_home,
        vp_away=made.vp_away,
        lost_home=made.lost_home,
        lost_away=made.lost_away,
    )
