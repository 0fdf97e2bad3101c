"""The scorecard of a match: its boards, the IMPs so far, and the score once it has finished.

A board counts once all its tables have finished it, by a result or by a ruling. It is shown once nobody in any event
still has its hands to play (`store.results.secrecy`): until then a program at another table could read how it was
played here. The same holds for a ruling on a board. After that, only boards that one table never finished are
withheld.

Totals go by the boards that are shown, so that none of them tells what a hidden board was worth: while a finished
match has one, it has no score here, and its totals are those so far. `[reports] totals` may say otherwise.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from tourney.bridge import Board, Deal, Seat, Side, Vulnerability
from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling, SeatedBoard, finished_match
from tourney.movement.ranking import FinishedMatch
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import RulingKind
from tourney.scoring.match import NO_TOTALS, BoardComparison, ImpTotals, MatchScore, total_imps
from tourney.scoring.victory_points import VpHundredths, VpScale
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.record.results import BoardResult, load_forfeited_times
from tourney.store.results.event_results import MatchFilter, StoredSet, iter_results, load_begun_matches, load_sets
from tourney.store.results.matches import load_board_results, load_match_boards, load_match_score, load_match_scores
from tourney.store.results.secrecy import HiddenBoards, load_hidden_boards
from tourney.store.rulings import load_match_rulings, load_rulings

_READ_BY_NUMBER_MAX: Final = 200
"""The most matches that are named in a statement; with more, all of the event are read."""

ForfeitedTimes: TypeAlias = Mapping[tuple[int, int], Mapping[Side, int]]
"""The thinking time on forfeited boards in milliseconds, by id of the table and number of the board."""

Scales: TypeAlias = Mapping[int, VpScale | None]
"""The victory point scale of each stage, by its number; None, or no entry, if it is not known."""


@dataclass(frozen=True, slots=True)
class ScorecardBoard:
    """One board of a match. While somebody still has to play it, it holds only what is in the schedule."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    results: Mapping[Room, BoardResult]
    """The results by room, for rooms where the board has one."""
    comparison: BoardComparison | None
    """What each team scores on it; None while it is not shown."""
    rulings: tuple[Ruling, ...]
    """All rulings that its score depends on, the oldest first."""
    tables: Mapping[Room, TableInfo]
    """The tables that play it, by room."""
    times_ms: Mapping[Room, Mapping[Side, int]]
    """The thinking time of both sides by room, for rooms where the board has a result or was forfeited."""
    deal: Deal | None
    """What was dealt; None while somebody still has to play it."""

    @property
    def imps(self) -> int | None:
        """The home team's IMPs, negative if it lost, or figure of another scale; None while it is not shown."""
        return self.comparison.imps_home if self.comparison is not None else None

    @property
    def imps_away(self) -> int | None:
        """The away team's IMPs: the opposite, unless the score was adjusted."""
        return self.comparison.imps_away if self.comparison is not None else None

    @property
    def is_cancelled(self) -> bool:
        """Whether it is cancelled for both teams: its IMPs are 0, and it is not among the boards of the score."""
        return self.comparison is not None and self.comparison.is_cancelled

    @property
    def forfeits(self) -> tuple[Ruling, ...]:
        """The rulings by which a team has lost the board in one room."""
        return tuple(ruling for ruling in self.rulings if ruling.kind is RulingKind.BOARD_FORFEIT)

    @property
    def scheduled(self) -> "ScorecardBoard":
        """The board with only what is in the schedule."""
        return replace(self, results={}, comparison=None, rulings=(), times_ms={}, deal=None)

    def seated(self, board: Board) -> SeatedBoard:
        """Return the board with everything that its score depends on."""
        results = {room: found.result for room, found in self.results.items()}
        return SeatedBoard(board, self.tables, results, self.rulings)


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A match as far as it has been played."""

    match: MatchInfo
    boards: tuple[ScorecardBoard, ...] = ()
    """All boards of the match, in the order of play; none where nothing of it is on record that may be shown."""
    totals: ImpTotals = NO_TOTALS
    """The running totals; those of the final score once the match has finished."""
    score: MatchScore | None = None
    """The stored score, or else the one computed from boards and rulings; None until the match has finished, and
    while it is withheld."""
    rulings: tuple[Ruling, ...] = ()
    """The rulings in this match, the oldest first, without those on boards that are not shown."""
    hidden: frozenset[int] = frozenset()
    """Numbers of boards that somebody still has to play."""
    replayed: frozenset[int] = frozenset()
    """Numbers of boards that are not finished because a room has to play them again."""
    is_withheld: bool = False
    """Whether the match has finished and its score would tell what hidden boards were worth."""

    @property
    def totals_hundredths(self) -> tuple[int, int]:
        """Both teams' totals so far in hundredths of IMPs or points, carry-over included."""
        match, scale = self.match, self.match.board_scale
        home, away = map(scale.hundredths, self.totals[:2])
        return match.carry_home + home, match.carry_away + away

    @property
    def vp(self) -> tuple[VpHundredths, VpHundredths] | None:
        """Both teams' victory points; None until the match has finished, and where nothing ranks by them."""
        if self.score is None or self.match.ranking_scale is None:
            return None
        return self.score.vp_home, self.score.vp_away

    @property
    def finished(self) -> FinishedMatch | None:
        """The match with all its figures; None until it has finished."""
        return finished_match(self.match, self.score, self.live_rulings) if self.score is not None else None

    @property
    def running_totals(self) -> Mapping[int, tuple[int, int]]:
        """Both teams' totals up to each board that is shown, by its number.

        They are in hundredths, with what was carried over and without fines.
        """
        scale = self.match.board_scale
        home: int = self.match.carry_home
        away: int = self.match.carry_away
        totals = {}
        for board in self.boards:
            if board.comparison is not None:
                won = total_imps([board.comparison], board_scale=scale)
                home, away = home + scale.hundredths(won.home), away + scale.hundredths(won.away)
                totals[board.number] = home, away
        return totals

    @property
    def boards_finished(self) -> int:
        """Number of boards shown."""
        return sum(board.imps is not None for board in self.boards)

    @property
    def live_rulings(self) -> tuple[Ruling, ...]:
        """The rulings still in force."""
        return tuple(ruling for ruling in self.rulings if ruling.is_live)

    def thinking_ms(self, table: TableInfo, side: Side) -> int:
        """Return a side's thinking time at a table, over the boards that are over there and are shown."""
        return sum(
            board.times_ms[table.room][side] for board in self.boards[table.span] if table.room in board.times_ms
        )

    def shows(self, board: int | None) -> bool:
        """Return whether events on a board may be shown to everybody; those on no board (None) always may."""
        over = {line.number for line in self.boards if line.imps is not None}
        is_finished = self.score is not None or self.is_withheld
        return board is None or board in over or (is_finished and board not in self.hidden)


def load_scorecard(
    database: Database,
    event: EventInfo,
    match: MatchInfo,
    scale: VpScale | None,
    hidden: HiddenBoards | None = None,
    boards: Sequence[Board] | None = None,
) -> Scorecard:
    """Load the scorecard of a match.

    Args:
        database: where the record is.
        event: the event of the match.
        match: one of its matches.
        scale: the victory point scale; if it is not known (None), a finished match has a score only if one is stored.
        hidden: the boards of the event that must not be shown; loaded if not given.
        boards: those of the match in the order of play; loaded if not given.

    Raises:
        StoreError: the database cannot be used.
        RuleError: a team sat the same way in both rooms, so that a board cannot be compared.
    """
    # Loaded in this order: hidden boards first; if a match has a score, all its results and rulings are on record.
    if hidden is None:
        hidden = load_hidden_boards(database, event, match.board_set_id)
    stored = load_match_score(database, match)
    return _load(database, match, scale, stored, hidden, boards)


def work_out_scorecard(
    database: Database, match: MatchInfo, scale: VpScale | None, rulings: Sequence[Ruling] | None = None
) -> Scorecard:
    """Load a scorecard with every board, and the score that results and rulings make; one on record does not count.

    After a ruling on a match that already has a score, store it with `save_match_score`. With other `rulings`, the
    card is what it would be by them.

    Raises:
        StoreError: the database cannot be used.
        RuleError: a team sat the same way in both rooms, so that a board cannot be compared.
    """
    return _load(database, match, scale, None, HiddenBoards(), rulings=rulings)


def iter_scorecards(
    database: Database,
    event: EventInfo,
    scales: Scales,
    scope: MatchFilter,
    hidden: HiddenBoards | None = None,
    sets: Mapping[int, StoredSet] | None = None,
) -> Iterator[Scorecard]:
    """Load the scorecards of the matches that have a result or a ruling on record, in the order of their numbers.

    Args:
        database: where the record is.
        event: the event.
        scales: the victory point scales, as for `load_scorecard`.
        scope: which matches of the event.
        hidden: the boards of the event that must not be shown; loaded if not given.
        sets: the boards of these matches by the id of their set; loaded if not given.

    Raises:
        StoreError: the database cannot be used.
    """
    # Loaded in the same order as in `load_scorecard`, for the same reason.
    if hidden is None:
        hidden = load_hidden_boards(database, event)
    scores = load_match_scores(database, event.id)
    matches = matches_in(event, scope)
    rulings = group_rulings(load_rulings(database, event.id))
    if sets is None:
        sets = load_sets(database, scope)
    forfeited = _load_forfeited(database, matches, chain.from_iterable(rulings.values()))
    results = iter_results(database, scope)
    number, found = next(results, (None, {}))
    for match in matches:
        while number is not None and number < match.number:
            number, found = next(results, (None, {}))
        played = found if number == match.number else {}
        if played or match.number in rulings:
            yield make_scorecard(
                match,
                sets[match.board_set_id].boards,
                played,
                rulings[match.number],
                scales.get(match.stage),
                scores.get(match.number),
                hidden.of_match(match),
                in_totals=hidden.in_totals,
                forfeited=forfeited,
            )


def load_withheld(
    database: Database, event: EventInfo, scores: Collection[int], hidden: HiddenBoards
) -> frozenset[int]:
    """Load which matches of those with a score (`scores`) would tell by it what hidden boards were worth.

    Raises:
        StoreError: the database cannot be used.
    """
    if hidden.in_totals or not hidden.by_set:
        return frozenset()
    of_match = {match.number: hidden.of_match(match) for match in event.matches if match.number in scores}
    asked = sorted(number for number, boards in of_match.items() if boards)
    if not asked:
        return frozenset()
    scope = MatchFilter(event.id, matches=asked if len(asked) <= _READ_BY_NUMBER_MAX else None)
    withheld = {
        number
        for number, rooms in iter_results(database, scope)
        if any(not of_match.get(number, frozenset()).isdisjoint(boards) for boards in rooms.values())
    }
    withheld |= {
        ruling.match
        for ruling in load_rulings(database, event.id)
        if ruling.match in of_match and ruling.kind.scores_board and ruling.board in of_match[ruling.match]
    }
    return frozenset(withheld)


class FinishedCards:
    """The scorecards of matches that have a score, kept from one look at an event to the next.

    Such a card stays the same for as long as the score, the rulings on the match and what is hidden of it do; of
    everything that a long event has played, only the matches that go on are then read anew.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Any, Scorecard]] = {}
        """What a card depends on, and the card, by number of the match."""
        self._scheduled: dict[int, tuple[MatchInfo, Scorecard]] = {}
        """The cards of matches of which nothing is shown."""
        self._sets: dict[int, StoredSet] = {}
        """The boards of matches that go on, by the id of their set."""
        self._sets_of: tuple[int, str, str] | None = None
        """The draw that they are of: the event, its seed, its plan."""

    def scheduled(self, match: MatchInfo, load: Callable[[MatchInfo], Scorecard]) -> Scorecard:
        """Return the card of a match of which nothing is shown; `load` makes it, once."""
        kept = self._scheduled.get(match.number)
        if kept is None or kept[0] != match:
            kept = self._scheduled[match.number] = match, load(match)
        return kept[1]

    def load(
        self, database: Database, event: EventInfo, scales: Scales, hidden: HiddenBoards
    ) -> dict[int, Scorecard]:
        """Load the scorecards of the matches that have a result or a ruling, by number.

        Args:
            database: where the record is.
            event: the event.
            scales: the victory point scales, as for `load_scorecard`.
            hidden: the boards of the event that must not be shown, which were loaded before.

        Raises:
            StoreError: the database cannot be used.
        """
        scores = load_match_scores(database, event.id)
        rulings = group_rulings(load_rulings(database, event.id))
        keys = {
            match.number: (
                match,
                scores[match.number],
                tuple(rulings[match.number]),
                hidden.of_match(match),
                hidden.in_totals,
            )
            for match in event.matches
            if match.number in scores
        }
        same = {number: kept[1] for number, kept in self._kept.items() if keys.get(number) == kept[0]}
        begun = load_begun_matches(database, event.id)
        missing = [match for match in event.matches if match.number in begun and match.number not in same]
        if not missing:
            return same
        numbers = [match.number for match in missing]
        scope = MatchFilter(event.id, matches=numbers if len(missing) <= _READ_BY_NUMBER_MAX else None)
        if self._sets_of != (event.id, event.seed, event.plan):
            self._sets, self._sets_of = {}, (event.id, event.seed, event.plan)
        sets = self._load_sets(database, scope, missing)
        found = iter_scorecards(database, event, scales, scope, hidden, sets)
        cards = {card.match.number: card for card in found} | same
        self._kept = {number: (key, cards[number]) for number, key in keys.items() if number in cards}
        return cards

    def _load_sets(
        self, database: Database, scope: MatchFilter, matches: Sequence[MatchInfo]
    ) -> Mapping[int, StoredSet] | None:
        """Load the boards of matches once; None where they change, as in rubber bridge, or matches are too many."""
        if scope.matches is None or any(match.game is not None for match in matches):
            return None
        wanted = {match.board_set_id for match in matches}
        if not wanted <= self._sets.keys():
            self._sets = load_sets(database, scope)
        self._sets = {set_id: boards for set_id, boards in self._sets.items() if set_id in wanted}
        return self._sets


def group_rulings(rulings: Iterable[Ruling]) -> defaultdict[int | None, list[Ruling]]:
    """Return rulings by number of their match, in their order; those on no match are under None."""
    by_match: defaultdict[int | None, list[Ruling]] = defaultdict(list)
    for ruling in rulings:
        by_match[ruling.match].append(ruling)
    return by_match


def matches_in(event: EventInfo, scope: MatchFilter) -> list[MatchInfo]:
    """Return the matches of a scope by number, including those with a stored score."""
    return [
        match
        for match in sorted(event.matches, key=lambda match: match.number)
        if scope.round in (None, match.round) and (scope.matches is None or match.number in scope.matches)
    ]


def _load(
    database: Database,
    match: MatchInfo,
    scale: VpScale | None,
    stored: MatchScore | None,
    hidden: HiddenBoards,
    boards: Sequence[Board] | None = None,
    rulings: Sequence[Ruling] | None = None,
) -> Scorecard:
    results = load_board_results(database, match)
    if rulings is None:
        rulings = load_match_rulings(database, match)
    if boards is None:
        boards = load_match_boards(database, match)
    return make_scorecard(
        match,
        boards,
        results,
        rulings,
        scale,
        stored,
        hidden.of_match(match),
        in_totals=hidden.in_totals,
        forfeited=_load_forfeited(database, [match], rulings),
    )


def _load_forfeited(database: Database, matches: Iterable[MatchInfo], rulings: Iterable[Ruling]) -> ForfeitedTimes:
    """Load the thinking time on forfeited boards, if there may be any."""
    if all(ruling.kind is not RulingKind.BOARD_FORFEIT for ruling in rulings):
        return {}
    return load_forfeited_times(database, [table.id for match in matches for table in match.tables])


def make_scorecard(
    match: MatchInfo,
    boards: Sequence[Board],
    results: Mapping[Room, Mapping[int, BoardResult]],
    rulings: Sequence[Ruling],
    scale: VpScale | None,
    stored: MatchScore | None,
    hidden: frozenset[int] = frozenset(),
    *,
    in_totals: bool = False,
    forfeited: ForfeitedTimes = MappingProxyType({}),
) -> Scorecard:
    """Build a scorecard from its parts; `results` are by room and board number, `hidden` boards are not shown.

    With `in_totals` they count in the score of a finished match all the same. `forfeited` has the thinking time on
    boards without a result (`load_forfeited_times`).

    Raises:
        RuleError: a team sat the same way in both rooms, so that a board cannot be compared.
    """
    contest = match.format
    live = [ruling for ruling in rulings if ruling.is_live]
    # The set may have extra boards that are played only in a tied match.
    dealt = boards[: match.boards]
    begun = [
        _board_line(match.tables_at(place), board, results, live, forfeited) for place, board in enumerate(dealt)
    ]
    compared = contest.compare_boards(match, [line.seated(board) for line, board in zip(begun, dealt, strict=True)])
    lines = [
        line.scheduled if found is None else replace(line, comparison=found)
        for line, found in zip(begun, compared, strict=True)
    ]
    comparisons = [each for each in compared if each is not None]
    score = stored
    if stored is None and scale is not None:
        is_complete = all(line.imps is not None for line in lines)
        score = contest.score(match, comparisons, live, scale, is_complete=is_complete)
    told = {number for of_room in results.values() for number in of_room}
    told |= {ruling.board for ruling in live if ruling.board is not None and ruling.kind.scores_board}
    is_withheld = score is not None and not in_totals and not hidden.isdisjoint(told)
    if is_withheld:
        score = None
    again = {ruling.board for ruling in live if ruling.kind is RulingKind.BOARD_REPLAY}
    replayed = frozenset(line.number for line in lines if line.imps is None and line.number in again)
    lines = [line.scheduled if line.number in hidden else line for line in lines]
    card = Scorecard(match, tuple(lines), score=score, hidden=hidden, replayed=replayed, is_withheld=is_withheld)
    card = replace(card, rulings=tuple(ruling for ruling in rulings if card.shows(ruling.board)))
    visible = [compared for compared in comparisons if compared.board not in hidden]
    totals = score.totals if score is not None else contest.add_up(match, visible, card.live_rulings)
    return replace(card, totals=totals)


def _board_line(
    tables: Mapping[Room, TableInfo],
    board: Board,
    results: Mapping[Room, Mapping[int, BoardResult]],
    live: Sequence[Ruling],
    forfeited: ForfeitedTimes,
) -> ScorecardBoard:
    """Return a board with all that is on record, which has not been compared yet."""
    number = board.number
    found = {room: results[room][number] for room in tables if number in results.get(room, {})}
    times = {room: forfeited[table.id, number] for room, table in tables.items() if (table.id, number) in forfeited}
    times |= {room: result.times_ms for room, result in found.items()}
    rulings = tuple(r for r in live if r.board == number and r.kind.scores_board)
    return ScorecardBoard(number, board.dealer, board.vulnerability, found, None, rulings, tables, times, board.deal)
