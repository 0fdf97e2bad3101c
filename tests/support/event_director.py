"""A director who rules at once, without the checks and the words of an action."""

from collections.abc import Iterable, Mapping, Sequence

from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tourney.contest.draw import MatchInfo
from tourney.coordinator.director import Director, RulingBasis
from tourney.movement.seating import TableInfo
from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import AssignedResult
from tourney.store.draw.objects import EventInfo


class EventDirector(Director):
    def __init__(self, played: PlayedEvent, event: EventInfo | None = None) -> None:
        basis = RulingBasis("Jane", "heard", None, BEGINS_AT_MS)
        super().__init__(played.database, event or played.event, played.file.scales, basis)

    def adjust(self, match: MatchInfo, board: int, awards: Mapping[str, int]) -> None:
        self.give(RulingKind.ADJUSTED_SCORE, match, awards, board=board)

    def assign(self, table: TableInfo, board: int, assigned: Sequence[AssignedResult], teams: Iterable[str]) -> None:
        kind, match = RulingKind.ASSIGNED_SCORE, self._matches[table.match]
        self.give(kind, match, dict.fromkeys(teams, 0), table=table, board=board, assigned=assigned)

    def fine(self, match: MatchInfo, team: str, kind: RulingKind, amount: int) -> None:
        self.give(kind, match, {team: amount})
