"""The formats of `tourney export`, in the order in which the command lists them.

A format is one module, with a function `export` that writes the files of a request and yields their paths, and one
entry here. The command and its help are made from the entries; a module is imported only when its format is used.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tourney.export.request import ExportRequest


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format as the command lists it."""

    name: str
    module: str
    """The module with its `export` function."""
    help: str
    """The files it writes and their contents, for the command's help."""
    is_of_boards: bool = True
    """Whether what it has is boards."""
    is_for_director: bool = False
    """Whether it shows boards that somebody still has to play, and has no other form."""

    def export(self, request: "ExportRequest") -> Iterator[Path]:
        """Writes the files; yields the path of each once it is complete.

        Raises:
            LaunchError: a file or folder cannot be written.
            StoreError: the database cannot be used.
        """
        export: Callable[[ExportRequest], Iterator[Path]] = import_module(self.module).export
        return export(request)


_FORMATS: Final = (
    ExportFormat(
        "pbn",
        "tourney.export.pbn",
        "match-001-Home-Away.pbn for each match with such a board, and all.pbn",
    ),
    ExportFormat(
        "csv",
        "tourney.export.csv",
        "standings.csv, matches.csv, boards.csv, calls.csv, cards.csv, rulings.csv, incidents.csv, analysis.csv; "
        "in pairs events travellers.csv, at rubber bridge and Chicago sheets.csv",
    ),
    ExportFormat("json", "tourney.export.json", "event.json, with everything"),
    ExportFormat(
        "html",
        "tourney.site.write",
        "a website without scripts: standings, rounds, teams, matches, boards; its first page is index.html",
    ),
    ExportFormat(
        "lin",
        "tourney.export.lin",
        "match-001-Home-Away.lin, both rooms like a vugraph file, and ...-boards.lin, a line a board for hand "
        "viewers",
    ),
    ExportFormat(
        "openspiel",
        "tourney.export.openspiel",
        "trajectories.txt, what programs learn from: the actions of OpenSpiel's bridge, a line a board and room",
    ),
    ExportFormat(
        "usebio",
        "tourney.export.usebio",
        "event.xml, USEBIO 1.2: teams, matches, and the results of both rooms; or pairs and travellers",
    ),
    ExportFormat(
        "ics",
        "tourney.export.ics",
        "schedule.ics, a calendar with the rounds that have a time to start at",
        is_of_boards=False,
    ),
    ExportFormat(
        "logs",
        "tourney.export.logs",
        "wire/match-001-open.jsonl, bots/match-001-open/north-home.log, hosts/1-a0b1c2.log and so on, as far as they "
        "are in the record; for the director only",
        is_for_director=True,
    ),
)

FORMATS: Final = {entry.name: entry for entry in _FORMATS}
"""The formats by their names."""
