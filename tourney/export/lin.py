"""Exports matches as LIN: a vugraph file of both rooms, and single boards for hand viewers, a line a board and room.

Both have the boards that both rooms have finished, the open room's game first. One that was forfeited in a
room has the calls made there, but no cards and no result.

A vugraph file begins with the score that the teams bring along: what they carried over into the match, and the IMPs
of the boards in the segments before, as far as they are shown. Penalties belong to no segment and are not in it.

In pairs events, and in rubber bridge and Chicago, a match is one table, so both files have its games alone. In pairs
events these are the games of one round, with the two pairs in place of teams.
"""

from collections.abc import Iterator
from pathlib import Path

from tourney.contest.draw import SegmentInfo
from tourney.export.files import match_file_stem, write_file
from tourney.export.request import ExportRequest
from tourney.formats.lin.writer import LinCall, LinGame, LinMatch, format_lines, format_vugraph
from tourney.movement.seating import Room
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.scorecard import Scorecard
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.victory_points import format_hundredths
from tourney.store.draw.objects import BoardRecord, EventInfo


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the two files of each match that has a finished board, or those of the only match.

    Vugraph names the players once a file, so each segment has its own.
    """
    scorings = {
        number: "P" if stage.scoring is PairsScoring.MATCHPOINTS else "I"
        for number, stage in request.travellers.items()
    }
    for played in request.played():
        if not played.boards and request.match is None:
            continue
        scoring = scorings.get(played.match.stage)
        matches = [lin_match(request.event, played, segment, scoring) for segment in played.match.segments]
        games = (game for match in matches for pair in match.games for game in pair if game is not None)
        stem = match_file_stem(played.match)
        names = [f"{stem}.lin"]
        if len(matches) > 1:
            names = [f"{stem}-segment-{number}.lin" for number in range(1, len(matches) + 1)]
        files = dict(zip(names, map(format_vugraph, matches), strict=True))
        for name, text in (files | {f"{stem}-boards.lin": format_lines(games)}).items():
            path = request.folder / name
            write_file(path, text)
            yield path


def lin_match(event: EventInfo, played: PlayedMatch, segment: SegmentInfo, scoring: str | None = None) -> LinMatch:
    """Returns the finished boards of a segment in the form LIN needs; in pairs events `scoring` is its letter."""
    match = played.match
    card = played.card.boards[segment.span]
    numbers = [board.number for board in card]
    boards = [board for board in played.boards if board.board.number in numbers]
    tables = segment.tables
    begins = _scores_before(played.card, segment)
    part = f", {segment.number}" if len(match.segments) > 1 else ""
    return LinMatch(
        title=event.name,
        segment=f"{event.stage_of(match).name} {match.round}{part}",
        scoring=scoring or match.board_scale.lin_scoring,
        teams=(tables[Room.OPEN].ns_team, tables[Room.OPEN].ew_team),
        scores_before=(begins[tables[Room.OPEN].ns_team], begins[tables[Room.OPEN].ew_team]),
        names=(
            played.names_at(tables[Room.OPEN], None),
            played.names_at(tables.get(Room.CLOSED, tables[Room.OPEN]), None),
        ),
        boards=tuple(numbers),
        games=tuple((_game(played, board, Room.OPEN), _game(played, board, Room.CLOSED)) for board in boards),
    )


def _scores_before(card: Scorecard, segment: SegmentInfo) -> dict[str, str]:
    """Returns the IMPs or points with which each team begins a segment."""
    match, before = card.match, {line.number for line in card.boards[: segment.first]}
    totals = [so_far for number, so_far in card.running_totals.items() if number in before]
    home, away = totals[-1] if totals else (match.carry_home, match.carry_away)
    return {match.home: format_hundredths(home), match.away: format_hundredths(away)}


def _game(played: PlayedMatch, board: PlayedBoard, room: Room) -> LinGame | None:
    record: BoardRecord | None = board.records.get(room)
    if record is None:
        return None
    return LinGame(
        board=board.board,
        names=played.names_at(record.table, record.began_at_ms),
        calls=tuple(LinCall(call.call, call.alerted, call.alert) for call in record.calls),
        cards=tuple(card.card for card in record.cards),
        result=record.result.result if record.result is not None else None,
    )
