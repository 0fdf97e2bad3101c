"""A match as LIN: a vugraph file of both rooms, and single boards for hand viewers, a line a board and room.

The boards of both are those that both rooms are over with, the open room's game first. One that was forfeited in a
room has the calls made there, but no cards and no result.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tourney.bridge import SEATS
from tourney.formats.lin.writer import LinCall, LinGame, LinMatch, format_lines, format_vugraph
from tourney.movement.seating import Room
from tourney.report.export_files import match_file_stem, replace_file
from tourney.report.played import PlayedBoard, PlayedMatch
from tourney.store.objects import BoardRecord, EventInfo, TableInfo

_LINES_SUFFIX: Final = "-boards.lin"


def write_event_lin(event: EventInfo, played: Iterable[PlayedMatch], folder: Path) -> Iterator[Path]:
    """Write the two files of each match that has a finished board; their paths.

    Raises:
        LaunchError: a file cannot be written.
    """
    for match in played:
        if match.boards:
            yield from write_match_lin(event, match, folder)


def write_match_lin(event: EventInfo, played: PlayedMatch, folder: Path) -> Iterator[Path]:
    """Write the two files of one match, without a board when none is finished; their paths.

    Raises:
        LaunchError: a file cannot be written.
    """
    match = lin_match(event, played)
    games = (game for pair in match.games for game in pair if game is not None)
    stem = match_file_stem(played.match)
    for name, text in ((f"{stem}.lin", format_vugraph(match)), (f"{stem}{_LINES_SUFFIX}", format_lines(games))):
        path = folder / name
        with replace_file(path) as file:
            file.write(text)
        yield path


def lin_match(event: EventInfo, played: PlayedMatch) -> LinMatch:
    """The finished boards of a match as LIN has them."""
    match = played.match
    return LinMatch(
        title=event.name,
        segment=f"{event.stage_name} {match.round}",
        teams=(match.home, match.away),
        names=(_names(match.tables[Room.OPEN]), _names(match.tables[Room.CLOSED])),
        boards=tuple(board.number for board in played.card.boards),
        games=tuple((_game(played, board, Room.OPEN), _game(played, board, Room.CLOSED)) for board in played.boards),
    )


def _game(played: PlayedMatch, board: PlayedBoard, room: Room) -> LinGame | None:
    record: BoardRecord | None = board.records.get(room)
    if record is None:
        return None
    return LinGame(
        board=board.board,
        names=_names(played.match.tables[room]),
        calls=tuple(LinCall(call.call, call.alerted, call.alert) for call in record.calls),
        cards=tuple(card.card for card in record.cards),
        result=record.result.result if record.result is not None else None,
    )


def _names(table: TableInfo) -> tuple[str, str, str, str]:
    north, east, south, west = (table.team(seat.side) for seat in SEATS)
    return north, east, south, west
