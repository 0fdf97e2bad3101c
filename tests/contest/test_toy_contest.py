"""A kind of contest of the test's own: it is drawn, played, scored and ranked without a word elsewhere.

Every entrant has one table, where it sits North-South against the next entrant's second pair. All tables play the
same boards, and the highest score of North-South wins.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.run_context import run_context
from tests.support.table_rig import TableRig, play_out
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS, Board
from tourney.contest import contest_of, register, unregister
from tourney.contest.kind import Contest
from tourney.contest.plan import Entrant, PlannedSegment, SeatSettings
from tourney.contest.record import (
    DrawnMatch,
    FieldRecord,
    Qualifier,
    RankedField,
    Ruling,
    SeatedTable,
    StageRecord,
)
from tourney.coordinator.host_pool import HostPool
from tourney.coordinator.match_runner import MatchRunner
from tourney.errors import StoreError
from tourney.movement.formats import PlannedEntry, RoundDraw, StageFormat, StageSettings
from tourney.movement.ranking import StandingRow
from tourney.movement.seating import Room, RoomSeating
from tourney.protocol.session.table import TableSettings
from tourney.results.standings import load_standings
from tourney.scoring.match import BoardComparison, ImpTotals, MatchScore
from tourney.scoring.victory_points import VpHundredths, VpScale
from tourney.store.control.table_state import assign_table, take_table
from tourney.store.draw.objects import TableInfo
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.matches import load_board_results


class OneTableEach(StageFormat):
    """One round in which every entrant is at home once, against the next one."""

    name = "highest-score"
    title = "Highest score"
    tables_per_match = 1

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        return [teams]

    def draw_first(
        self, settings: StageSettings, teams: int, entries: Sequence[PlannedEntry], head: int | None = None
    ) -> list[RoundDraw]:
        numbers = [entry.team for entry in entries]
        return [RoundDraw(tuple(zip(numbers, [*numbers[1:], numbers[0]], strict=True)))]

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        return teams


class HighestScore(Contest):
    """The points that an entrant scores at its own table, board by board."""

    rooms = (Room.OPEN,)

    def seat(self, settings: SeatSettings, home: Entrant, away: Entrant) -> tuple[PlannedSegment, ...]:
        seats = RoomSeating(Room.OPEN, home.number, away.number, ns_pair=1, ew_pair=2)
        return (PlannedSegment(0, settings.boards_per_match, {Room.OPEN: seats}),)

    def compare(
        self,
        match: DrawnMatch,
        tables: Mapping[Room, SeatedTable],
        board: Board,
        scores: Mapping[Room, int],
        rulings: Sequence[Ruling],
    ) -> BoardComparison | None:
        return BoardComparison(board.number, scores[Room.OPEN], 0) if scores else None

    def score(
        self,
        match: DrawnMatch,
        comparisons: Iterable[BoardComparison],
        rulings: Sequence[Ruling],
        scale: VpScale,
        *,
        is_complete: bool,
    ) -> MatchScore | None:
        boards = list(comparisons)
        points = self.add_up(match, boards, rulings).home
        if not is_complete:
            return None
        return MatchScore(len(boards), points, 0, VpHundredths(100 * points), VpHundredths(0))

    def add_up(
        self, match: DrawnMatch, comparisons: Iterable[BoardComparison], rulings: Sequence[Ruling]
    ) -> ImpTotals:
        return ImpTotals(sum(board.imps_home for board in comparisons), 0)

    def describe_score(self, match: DrawnMatch, score: MatchScore) -> str:
        return f"{score.imps_home} points"

    def rank(self, field: FieldRecord) -> RankedField:
        points = dict.fromkeys(field.teams, 0) | {made.home: made.score.imps_home for made in field.over}
        played = {made.home for made in field.over}
        rows = [
            StandingRow(
                rank=1 + sum(other > points[team] for other in points.values()),
                team=team,
                played=int(team in played),
                won=0,
                drawn=0,
                lost=0,
                imps_for=points[team],
                imps_against=0,
                vp=VpHundredths(100 * points[team]),
            )
            for team in sorted(field.teams, key=points.__getitem__, reverse=True)
        ]
        return RankedField(tuple(rows), (), tuple(field.over))

    def qualify(self, record: StageRecord, count: int | None) -> list[Qualifier]:
        rows = self.rank(record.field_of(1)).rows
        return [Qualifier(row.team, row.rank, row.vp) for row in rows[:count]]


NAMES = ("Ants", "Bees", "Cats")


@pytest.fixture
def contest() -> Iterator[HighestScore]:
    contest = HighestScore(OneTableEach())
    register(contest)
    yield contest
    unregister(contest)


@pytest.fixture
def drawn(contest: HighestScore, tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path, event_text(*NAMES, boards=2, stage=f'format = "{contest.format.name}"'))


def play_table(played: PlayedEvent, table: TableInfo) -> None:
    """Play a table by its core, with four players that call and play at random, and put it on record."""
    boards = played.boards(table.match)
    rig = TableRig(TableSettings(table.ns_team, table.ew_team, tuple(boards)))
    play_out(rig, {seat: RandomStrategy(seed=table.id) for seat in SEATS}, Random(table.id))
    assign_table(played.database, table.id, "host", {seat: 2000 + seat for seat in SEATS}, BEGINS_AT_MS)
    attempt = take_table(played.database, table.id, "host", BEGINS_AT_MS)
    assert attempt is not None
    ledger = TableLedger(table.id, attempt, boards_left=len(boards))
    Recorder(played.database).write((ledger, record) for record in rig.records)


def play_and_score(played: PlayedEvent) -> dict[str, int]:
    """Play all tables, score all matches; the points of each entrant at its own table."""
    for match in played.event.matches:
        for table in match.tables:
            play_table(played, table)
    played.reload()
    runner = MatchRunner(run_context(played), Mock(HostPool))
    points = {}
    for match in played.event.matches:
        results = load_board_results(played.database, match)[Room.OPEN].values()
        points[match.home] = sum(result.result.score for result in results)
        score = runner.score(match)
        assert score is not None
        assert (score.boards, score.imps_home, score.vp_home) == (2, points[match.home], 100 * points[match.home])
    return points


def test_each_entrant_is_drawn_at_a_table_of_its_own(drawn: PlayedEvent) -> None:
    (stage,) = drawn.event.stages
    assert (stage.name, stage.format.name) == ("Highest score", "highest-score")
    assert [
        [
            (table.place, table.ns_team, table.ew_team, table.ns_pair, table.ew_pair, table.boards)
            for table in m.tables
        ]
        for m in drawn.event.matches
    ] == [
        [("1-open", "Ants", "Bees", 1, 2, 2)],
        [("2-open", "Bees", "Cats", 1, 2, 2)],
        [("3-open", "Cats", "Ants", 1, 2, 2)],
    ]
    assert len({match.board_set_id for match in drawn.event.matches}) == 1


def test_the_highest_score_wins(drawn: PlayedEvent) -> None:
    points = play_and_score(drawn)
    table = load_standings(drawn.database, drawn.reload(), drawn.file.ranking_rules)
    assert len(set(points.values())) == 3, "the seeds are such that nobody shares a place"
    best_first = sorted(NAMES, key=points.__getitem__, reverse=True)
    assert [(row.rank, row.team, row.imps_for) for row in table.rows] == [
        (rank, team, points[team]) for rank, team in enumerate(best_first, 1)
    ]
    assert table.is_over


def test_an_event_of_a_kind_that_this_program_does_not_know_is_refused(drawn: PlayedEvent) -> None:
    played = contest_of(drawn.event.stages[0].format)
    unregister(played)
    try:
        with pytest.raises(StoreError, match="stage 1 is a highest-score, which this program does not know"):
            drawn.reload()
    finally:
        register(played)
