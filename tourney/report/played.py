"""The boards of matches with everything on record of them: what exports are made of."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tourney.bridge import Board
from tourney.movement.seating import Room
from tourney.report.scorecard import Scorecard, load_scorecard
from tourney.scoring.victory_points import VpScale
from tourney.store.database import Database
from tourney.store.objects import BoardRecord, EventInfo, MatchInfo
from tourney.store.results import load_board_records


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A board that both rooms have finished."""

    board: Board
    imps: int
    """Of the home team."""
    records: Mapping[Room, BoardRecord]
    """Of both rooms, the open room first."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match as far as it has been played; boards not finished in both rooms are left out."""

    card: Scorecard
    boards: tuple[PlayedBoard, ...]
    """In the order of play."""

    @property
    def match(self) -> MatchInfo:
        return self.card.match


def iter_played(
    database: Database, event: EventInfo, matches: Iterable[MatchInfo], scale: VpScale | None
) -> Iterator[PlayedMatch]:
    """Matches with their records, one in memory at a time; `scale` as for `load_scorecard`.

    Raises:
        StoreError: the database cannot be used.
    """
    for match in matches:
        card = load_scorecard(database, event, match, scale)
        # Read after the card: what the card shows is among them.
        records: dict[int, dict[Room, BoardRecord]] = {}
        for record in load_board_records(database, match):
            records.setdefault(record.board.number, {})[record.room] = record
        boards = tuple(
            PlayedBoard(records[line.number][Room.OPEN].board, line.imps, _in_order(records[line.number]))
            for line in card.boards
            if line.imps is not None
        )
        yield PlayedMatch(card, boards)


def _in_order(records: dict[Room, BoardRecord]) -> dict[Room, BoardRecord]:
    return {room: records[room] for room in Room}
