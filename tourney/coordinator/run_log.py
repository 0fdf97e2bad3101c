"""The log of a run: each event reported to a display is also logged, as a line with its fields."""

import logging
from typing import Any, Final

from tourney.coordinator.listener import RunListener, SeatPlace
from tourney.plurals import count
from tourney.scoring.match import MatchScore
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, SegmentInfo, Sitting, TableInfo
from tourney.store.rulings import RulingInfo

_LOGGER: Final = logging.getLogger(__name__)


class LoggedListener:
    """A `RunListener` that logs every call and passes it on to another."""

    def __init__(self, listener: RunListener) -> None:
        self._listener = listener

    def run_started(self, event: EventInfo, matches_left: int) -> None:
        _info(
            "run_started",
            f"{event.name}: {count(matches_left, 'match', 'matches')} to play",
            event=event.name,
            matches=matches_left,
        )
        self._listener.run_started(event, matches_left)

    def rounds_drawn(self, rounds: list[RoundInfo]) -> None:
        for round_ in rounds:
            _info("round_drawn", f"round {round_.number} is drawn", round=round_.number)
        self._listener.rounds_drawn(rounds)

    def round_waits(self, round_: RoundInfo) -> None:
        _info("round_waits", f"round {round_.number} waits for its time", round=round_.number)
        self._listener.round_waits(round_)

    def round_started(self, round_: RoundInfo, sittings: list[Sitting]) -> None:
        numbers = [sitting.match.number for sitting in sittings]
        _info("round_started", f"round {round_.number} begins", round=round_.number, matches=numbers)
        self._listener.round_started(round_, sittings)

    def segment_started(self, match: MatchInfo, segment: SegmentInfo) -> None:
        text = f"match {match.number} goes on with segment {segment.number}"
        _info("segment_started", text, match=match.number, segment=segment.number)
        self._listener.segment_started(match, segment)

    def tables_opened(self, places: list[SeatPlace]) -> None:
        for place in places:
            _info(
                "seat_opened",
                f"{place.team} connects to {place.host} port {place.port} as {place.seat.title}",
                match=place.match,
                room=place.room.value,
                seat=place.seat.title,
                port=place.port,
            )
        self._listener.tables_opened(places)

    def table_progressed(self, match: MatchInfo, table: TableInfo, boards_finished: int) -> None:
        text = f"{boards_finished} of {table.boards} boards are finished"
        _debug("table_progressed", text, **_place_of(table), boards=boards_finished)
        self._listener.table_progressed(match, table, boards_finished)

    def table_failed(self, match: MatchInfo, table: TableInfo, reason: str) -> None:
        _warn("table_failed", reason, **_place_of(table))
        self._listener.table_failed(match, table, reason)

    def swept(self, sentence: str) -> None:
        _warn("orphan_ended", sentence)
        self._listener.swept(sentence)

    def told(self, sentence: str) -> None:
        _warn("notice", sentence)
        self._listener.told(sentence)

    def ruling_given(self, ruling: RulingInfo) -> None:
        fields = {"ruling": ruling.id, "kind": ruling.kind.value, "team": ruling.team, "match": ruling.match}
        _info("ruling_given", ruling.reason, **fields)
        self._listener.ruling_given(ruling)

    def match_held(self, match: MatchInfo) -> None:
        _info("match_held", f"match {match.number} is stopped by the director", match=match.number)
        self._listener.match_held(match)

    def host_failed(self, reason: str) -> None:
        _warn("host_failed", reason)
        self._listener.host_failed(reason)

    def match_finished(self, match: MatchInfo, score: MatchScore) -> None:
        scale = match.board_scale
        home, away = scale.format(score.imps_home), scale.format(score.imps_away)
        text = f"match {match.number}: {match.home} {home} - {match.away} {away} {scale.unit}"
        figures = {"points_home": home, "points_away": away}
        if not scale.is_in_points:
            figures = {"imps_home": home, "imps_away": away}
        _info("match_finished", text, match=match.number, **figures)
        self._listener.match_finished(match, score)


def _place_of(table: TableInfo) -> dict[str, object]:
    return {"match": table.match, "room": table.room.value, "table": table.id, "host": table.host}


def _debug(action: str, message: str, **fields: Any) -> None:
    _LOGGER.debug(message, extra={"action": action, **fields})


def _info(action: str, message: str, **fields: Any) -> None:
    _LOGGER.info(message, extra={"action": action, **fields})


def _warn(action: str, message: str, **fields: Any) -> None:
    _LOGGER.warning(message, extra={"action": action, **fields})
