"""The boards of matches with everything on record of them: what exports are made of."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tourney.bridge import Board
from tourney.movement.seating import Room
from tourney.report.scorecard import Scorecard, load_scorecard
from tourney.scoring.victory_points import VpScale
from tourney.store.database import Database
from tourney.store.objects import BoardRecord, EventInfo, MatchInfo
from tourney.store.results import load_board_records, load_match_boards
from tourney.store.rulings import load_incidents
from tourney.store.verdicts import IncidentInfo, RulingInfo


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A board that both rooms are over with."""

    board: Board
    imps: int
    """Of the home team."""
    imps_away: int
    """Of the away team: the opposite, unless the score was adjusted."""
    forfeits: tuple[RulingInfo, ...]
    """The rulings that adjust its score."""
    records: Mapping[Room, BoardRecord]
    """The open room first; a room in which the board was forfeited without having been begun has none."""

    def is_forfeited(self, room: Room) -> bool:
        """Whether a team has lost the board by what happened in that room."""
        return any(ruling.room is room for ruling in self.forfeits)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match as far as it has been played; boards that are not over in both rooms are left out."""

    card: Scorecard
    boards: tuple[PlayedBoard, ...]
    """In the order of play."""
    incidents: tuple[IncidentInfo, ...]
    """The oldest first; those on boards that are left out are left out."""

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
        records: defaultdict[int, dict[Room, BoardRecord]] = defaultdict(dict)
        for record in load_board_records(database, match):
            records[record.board.number][record.room] = record
        deals = {board.number: board for board in load_match_boards(database, match)}
        boards = tuple(
            PlayedBoard(deals[line.number], line.imps, line.imps_away, line.forfeits, _in_order(records[line.number]))
            for line in card.boards
            if line.imps is not None and line.imps_away is not None
        )
        incidents = load_incidents(database, event.id, match)
        yield PlayedMatch(card, boards, tuple(found for found in incidents if card.shows(found.board)))


def _in_order(records: dict[Room, BoardRecord]) -> dict[Room, BoardRecord]:
    return {room: records[room] for room in Room if room in records}
