"""Exports boards as trajectories of OpenSpiel's `bridge`, which programs learn from: a line a board and room.

A board is turned so that North deals. Vulnerability has no place in a trajectory, so that boards of any are there.
Boards without a result, and those that ended without their cards, are left out.
"""

from collections.abc import Iterator
from pathlib import Path

from tourney.export.files import replace_file
from tourney.export.request import ExportRequest
from tourney.formats.trajectories import format_trajectory
from tourney.protocol.session.records import BoardEnd


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the file."""
    path = request.folder / "trajectories.txt"
    with replace_file(path) as file:
        for played in request.played():
            for board in played.boards:
                for record in board.records.values():
                    cards = record.play.cards
                    if record.ended is BoardEnd.PASSED_OUT or len(cards) == 52:
                        calls = [made.call for made in record.calls]
                        file.write(format_trajectory(board.board, calls, cards) + "\n")
    yield path
