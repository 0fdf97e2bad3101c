"""Loads everything that standings depend on: match scores, rulings, and the totals that tie-breaks need."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tourney.bridge import Side, format_deal
from tourney.contest.draw import MatchInfo, StageInfo
from tourney.contest.record import BoardScores, BoardsOfMatch, Ruling, StageRecord, finished_match
from tourney.movement.ranking import NO_BOARDS, BoardTotals, FinishedMatch, RankingRules
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.scorecard import group_rulings, load_withheld
from tourney.scoring.match import MatchScore
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.event_results import MatchFilter, iter_results, load_sets
from tourney.store.results.matches import load_board_numbers, load_match_boards, load_match_scores
from tourney.store.results.secrecy import HiddenBoards, load_hidden_boards, load_shown_rulings
from tourney.store.rulings import load_finalisation, load_rulings

EventRules: TypeAlias = Mapping[int, RankingRules]
"""How teams are ranked in each stage, by its number."""


@dataclass(frozen=True, slots=True)
class ResultsChange:
    """What something that is not on record would change of the results: standings can be worked out with it."""

    scores: Mapping[int, MatchScore | None] = field(default_factory=dict)
    """Other scores of matches, by number; None where a match would have none."""
    given: tuple[Ruling, ...] = ()
    """Rulings besides those on record."""
    withdrawn: frozenset[int] = frozenset()
    """The ids of rulings that would not count any more."""
    voided: frozenset[tuple[int, Room, int]] = frozenset()
    """Results that would not count any more, by match, room and board."""


NO_CHANGE: Final = ResultsChange()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventResults:
    """An event with everything on record that its standings depend on."""

    event: EventInfo
    rules: EventRules
    scores: Mapping[int, MatchScore]
    """Scores of the finished matches, by match number, without those that are withheld."""
    rulings: tuple[Ruling, ...]
    """Rulings that change a score, and withdrawals, the oldest first; none on a board that is hidden."""
    finished: Mapping[int, FinishedMatch]
    """The finished matches, by number, likewise."""
    board_scores: Mapping[int, BoardScores]
    """Board results by match number, in an event with a contest that ranks by them; otherwise empty."""
    boards: Mapping[int, BoardsOfMatch]
    """The boards of each match, likewise."""
    rulings_by_match: Mapping[int, Sequence[Ruling]]
    """The rulings on each match that change a score, also those on hidden boards."""
    lot_seeds: Mapping[int, str]
    """Seeds for drawing lots, by number of the stage, for the stages that may need one."""
    final_since_ms: int | None
    """When the results were made final; None while they are provisional."""

    def of_stage(self, stage: StageInfo) -> StageRecord:
        """Return the part that concerns one stage."""
        return StageRecord(
            stage=stage,
            finished=self.finished,
            withdrawn=frozenset(r.team for r in self.rulings if r.kind is RulingKind.WITHDRAWAL),
            rules=self.rules.get(stage.number, RankingRules()),
            lot_seed=self.lot_seeds.get(stage.number),
            scores=self.board_scores,
            boards=self.boards,
            rulings=self.rulings_by_match,
        )


def load_results(
    database: Database,
    event: EventInfo,
    rules: EventRules,
    hidden: HiddenBoards | None = None,
    *,
    change: ResultsChange = NO_CHANGE,
) -> EventResults:
    """Load the results of an event, as far as it was drawn; boards are read only if a tie-break needs them.

    A finished match counts when its score tells nothing of boards that are hidden from who looks (`event.sight`).

    Args:
        database: where the record is.
        event: the event; of `seen_whole()`, everything counts.
        rules: those of the event file; they are not part of the draw.
        hidden: the boards of the event that must not be shown; loaded if not given.
        change: what is not on record and counts nevertheless.

    Raises:
        StoreError: the database cannot be used.
    """
    # Loaded in this order: boards that finish in the meantime stay hidden, and if a match has a score, all rulings on
    # it are already loaded.
    if hidden is None:
        hidden = load_hidden_boards(database, event)
    changed = {**load_match_scores(database, event.id), **change.scores}
    scores = {number: score for number, score in changed.items() if score is not None}
    on_record = [ruling for ruling in load_rulings(database, event.id) if ruling.id not in change.withdrawn]
    rulings = [ruling for ruling in (*on_record, *change.given) if ruling.changes_score]
    needs_boards = any(tie_break.needs_boards for rule in rules.values() for tie_break in rule.tie_breaks)
    numbers = load_board_numbers(database, event.id) if needs_boards else {}
    by_match = group_rulings(rulings)
    by_boards = {match.number for stage in event.pairs_stages for match in stage.matches}
    # A contest that ranks by boards leaves out those that are hidden; the score of a match has no figures there.
    for number in load_withheld(database, event, scores, hidden) - by_boards:
        del scores[number]
    results = iter_results(database, MatchFilter(event.id)) if by_boards or needs_boards else ()
    board_scores: dict[int, BoardScores] = {
        match: {
            room: {
                number: board.result.score
                for number, board in boards.items()
                if (match, room, number) not in change.voided
            }
            for room, boards in rooms.items()
        }
        for match, rooms in results
    }
    word = load_finalisation(database, event.id)
    return EventResults(
        event=event,
        rules=rules,
        scores=scores,
        rulings=tuple(load_shown_rulings(database, event, rulings)),
        finished={
            match.number: finished_match(
                match,
                scores[match.number],
                by_match[match.number],
                _add_up_boards(
                    match,
                    numbers[match.board_set_id],
                    board_scores.get(match.number, {}),
                    {ruling.board for ruling in by_match[match.number] if ruling.kind.scores_board},
                )
                if numbers and scores[match.number].boards
                else NO_BOARDS,
            )
            for match in event.matches
            if match.number in scores
        },
        board_scores=board_scores,
        boards=_load_boards(database, event, hidden) if by_boards else {},
        rulings_by_match={number: given for number, given in by_match.items() if number is not None},
        lot_seeds=_load_lot_seeds(database, event, rules),
        final_since_ms=word.at_ms if word is not None and word.is_final else None,
    )


def _add_up_boards(
    match: MatchInfo, numbers: Sequence[int], scores: BoardScores, ruled: Collection[int | None]
) -> BoardTotals:
    """Add up total points and boards won of the boards of a match that have a result in both rooms.

    A board whose score a ruling has changed counts for nobody, for points were not what it was decided by.
    """
    totals = NO_BOARDS
    for position, number in enumerate(numbers[: match.boards]):
        in_rooms = [
            scores[room][number] * (1 if table.side_of(match.home) is Side.NS else -1)
            for room, table in match.tables_at(position).items()
            if number in scores.get(room, {}) and number not in ruled
        ]
        if len(in_rooms) == len(Room):
            margin = sum(in_rooms)
            totals = BoardTotals(
                totals.points_home + sum(max(score, 0) for score in in_rooms),
                totals.points_away + sum(max(-score, 0) for score in in_rooms),
                totals.half_boards_home + (margin >= 0) + (margin > 0),
                totals.half_boards_away + (margin <= 0) + (margin < 0),
            )
    return totals


def _load_boards(database: Database, event: EventInfo, hidden: HiddenBoards) -> dict[int, BoardsOfMatch]:
    """Load the boards of matches without those that are hidden, unless they count."""
    sets = load_sets(database, MatchFilter(event.id))
    kept = {match.number: frozenset() if hidden.in_totals else hidden.of_match(match) for match in event.matches}
    return {
        match.number: {
            board.number: board.vulnerability
            for board in sets[match.board_set_id].boards[: match.boards]
            if board.number not in kept[match.number]
        }
        for match in event.matches
    }


def _load_lot_seeds(database: Database, event: EventInfo, rules: EventRules) -> dict[int, str]:
    """Return the seeds for drawing lots, by number of the stage.

    The seed of the event would reveal boards that later stages still have to play. If any stages follow, lots come
    from the boards of the last match instead: nobody knew them in advance, and no ruling changes them.
    """
    seeds = {}
    for stage in event.stages:
        stage_rules = rules.get(stage.number)
        if stage_rules is None or not stage.matches or not stage.format.draws_lots(stage_rules):
            continue
        if stage.number == len(event.stages):
            seeds[stage.number] = event.seed
        else:
            boards = load_match_boards(database, stage.matches[-1])
            seeds[stage.number] = " ".join(format_deal(board.deal) for board in boards)
    return seeds
