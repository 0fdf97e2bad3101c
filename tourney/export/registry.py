"""The formats of `tourney export`, in the order in which the command lists them.

A format is one module, with a function `export` that writes the files of a request and yields their paths, and one
entry here. The command and its help are made from the entries; a module is imported only when its format is used.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.results.played import PlayedMatch
    from tourney.results.standings import Standings
    from tourney.results.travellers import StageTravellers
    from tourney.store.draw.objects import EventInfo, MatchInfo
    from tourney.store.results.secrecy import HiddenBoards


@dataclass(kw_only=True)
class ExportRequest:
    """A request to export an event or a match to a folder."""

    drawn: "DrawnEvent"
    match: "MatchInfo | None"
    """The only match; None for the whole event."""
    folder: Path
    """The folder for the files, which exists."""
    written_at_ms: int
    """The time of the export, for formats that give it."""
    boards: int = 0
    """Number of boards exported so far."""
    logs: int = 0
    """Number of logs exported so far."""

    @property
    def event(self) -> "EventInfo":
        return self.drawn.event

    @property
    def matches(self) -> "tuple[MatchInfo, ...]":
        return self.event.matches if self.match is None else (self.match,)

    @property
    def stem(self) -> str:
        """The name of a single file, without its ending."""
        from tourney.export.files import match_file_stem  # noqa: PLC0415 # the command loads this module for its help

        return "event" if self.match is None else match_file_stem(self.match)

    @cached_property
    def standings(self) -> "Standings":
        """The standings of the event, loaded on first access."""
        from tourney.results.standings import load_standings  # noqa: PLC0415

        return load_standings(self.drawn.database, self.event, self.drawn.ranking_rules)

    @cached_property
    def travellers(self) -> "Mapping[int, StageTravellers]":
        """The pairs stages, by number, loaded on first access."""
        from tourney.results.travellers import load_travellers  # noqa: PLC0415

        return {stage.stage.number: stage for stage in load_travellers(self.drawn)}

    @cached_property
    def hidden(self) -> "HiddenBoards":
        """The boards that must not be shown, loaded on first access: those that finish afterwards stay hidden."""
        from tourney.store.results.secrecy import load_hidden_boards  # noqa: PLC0415

        return load_hidden_boards(self.drawn.database, self.event)

    @cached_property
    def cancelled(self) -> "Collection[int]":
        """The numbers of the matches that do not count because a team left early, loaded on first access."""
        from tourney.results.cancelled import load_cancelled  # noqa: PLC0415

        return load_cancelled(self.drawn.database, self.event, lambda: self.drawn.ranking_rules)

    def played(self, matches: "Iterable[MatchInfo] | None" = None) -> "Iterator[PlayedMatch]":
        """Yields the matches, or those given, one at a time, so that a long event need not fit into memory."""
        from tourney.results.played import iter_played  # noqa: PLC0415

        wanted = self.matches if matches is None else matches
        drawn = self.drawn
        for match in iter_played(drawn.database, self.event, wanted, drawn.scales, self.hidden, self.cancelled):
            self.count(match)
            yield match

    def count(self, match: "PlayedMatch") -> None:
        """Counts the boards of a match that is exported."""
        self.boards += len(match.boards)


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

    def export(self, request: ExportRequest) -> Iterator[Path]:
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
