"""What an export is asked for: an event or a match, and what of the record its files are made from."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tourney.contest.draw import MatchInfo
from tourney.event.drawn import DrawnEvent
from tourney.export.files import match_file_stem
from tourney.results.played import PlayedMatch, iter_played
from tourney.results.standings import Standings, load_cancelled, load_standings
from tourney.results.travellers import StageTravellers, load_travellers
from tourney.store.draw.objects import EventInfo
from tourney.store.results.secrecy import HiddenBoards, load_hidden_boards


@dataclass(kw_only=True)
class ExportRequest:
    """A request to export an event or a match to a folder."""

    drawn: DrawnEvent
    match: MatchInfo | None
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
    def event(self) -> EventInfo:
        return self.drawn.event

    @property
    def matches(self) -> tuple[MatchInfo, ...]:
        return self.event.matches if self.match is None else (self.match,)

    @property
    def stem(self) -> str:
        """The name of a single file, without its ending."""
        return "event" if self.match is None else match_file_stem(self.match)

    @cached_property
    def standings(self) -> Standings:
        """The standings of the event, loaded on first access."""
        return load_standings(self.drawn.database, self.event, self.drawn.ranking_rules)

    @cached_property
    def travellers(self) -> Mapping[int, StageTravellers]:
        """The pairs stages, by number, loaded on first access."""
        return {stage.stage.number: stage for stage in load_travellers(self.drawn)}

    @cached_property
    def hidden(self) -> HiddenBoards:
        """The boards that must not be shown, loaded on first access: those that finish afterwards stay hidden."""
        return load_hidden_boards(self.drawn.database, self.event)

    def played(self, matches: Iterable[MatchInfo] | None = None) -> Iterator[PlayedMatch]:
        """Yields the matches, or those given, one at a time, so that a long event need not fit into memory."""
        drawn, wanted = self.drawn, self.matches if matches is None else matches
        cancelled = load_cancelled(drawn)
        for match in iter_played(drawn.database, self.event, wanted, drawn.scales, self.hidden, cancelled):
            self.count(match)
            yield match

    def count(self, match: PlayedMatch) -> None:
        """Counts the boards of a match that is exported."""
        self.boards += len(match.boards)
