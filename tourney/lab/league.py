"""A league: programs that play each other on the same deals, each two of them a duel in one folder.

A program that comes later plays its own games only; nothing that was played is touched.
"""

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Final

from tourney.bridge import Board, boards_from_seed, random_seed
from tourney.config.values import slug
from tourney.errors import ConfigError, LaunchError
from tourney.event.file import EventFile
from tourney.lab.duel import DuelSettings, DuelTeam, check_same_duel, format_duel
from tourney.lab.duel_run import open_duel
from tourney.lab.event_files import (
    duels_in,
    format_deals,
    has_same_boards,
    matches_by_default,
    results_of,
    write_event,
)
from tourney.results.scorecard import iter_scorecards
from tourney.runtime.solver import with_tables
from tourney.store.results.event_results import MatchFilter
from tourney.views.duel import load_duel
from tourney.views.league import LeagueReport, make_league
from tourney.views.strength import paired_swings

BOARDS: Final = 400
"""How many boards each two programs play by default."""
_SET: Final = "league"
"""The set of the seed whose boards are solved."""


class League:
    """The event files of a league."""

    def __init__(
        self,
        folder: Path,
        boards: int | None = None,
        matches: int | None = None,
        deals: Sequence[Board] | None = None,
        boards_name: str = "boards",
        *,
        auctions: bool = False,
        in_process: bool = False,
    ) -> None:
        """Open the folder of a league, or make it; what is None is as on disk already, else by default.

        Args:
            folder: where the duels are.
            boards: that each two programs play, over all their matches.
            matches: how many each two programs play side by side.
            deals: the boards, if they are not dealt from a seed.
            boards_name: what the file of the boards is called.
            auctions: whether no cards are played.
            in_process: whether it is played without sockets, by as many tables at once as share out the deals.

        Raises:
            ConfigError: a file in it is no event file.
            LaunchError: it cannot be made or read.
        """
        self._folder, self._auctions, self._file = folder, auctions, f"{boards_name}.pbn"
        with LaunchError.of_system(f"folder {folder} cannot be made or read"):
            folder.mkdir(parents=True, exist_ok=True)
            self._found = next(duels_in(folder), None)
        config = self._found.config if self._found is not None else None
        stage = config.stage[0] if config is not None else None
        shared = len({board.deal for board in deals}) if deals is not None else boards or BOARDS
        by_default = matches_by_default(shared if in_process else None)
        matches = matches or (stage.matches if stage is not None else by_default)
        on_disk = matches * stage.boards_per_match if stage is not None else BOARDS
        self._boards = (len(deals) if deals is not None else boards) or on_disk
        self._matches = min(matches, self._boards)
        seed = config.deals.seed if config is not None else None
        self._seed = seed if seed is not None else random_seed()
        has_file = config is not None and config.deals.pbn is not None
        if auctions and not has_file:  # solved once for all duels
            deals = with_tables(deals or boards_from_seed(self._seed, _SET, self._boards))
        self._deals, self._has_file = deals, has_file or deals is not None

    def write(self, first: DuelTeam, second: DuelTeam) -> EventFile:
        """Write the event file of two programs, unless it is there; then it must be the same.

        Raises:
            ConfigError: another duel has the file, the others of the league have other boards, or it cannot be
                written or used.
        """
        folder = self._folder
        path, reverse = folder / _file_name(first, second), folder / _file_name(second, first)
        if reverse.exists() and not path.exists():
            path, first, second = reverse, second, first
        settings = DuelSettings(
            first=first,
            second=second,
            boards=self._boards,
            matches=self._matches,
            seed=self._seed,
            deals=self._file if self._has_file else None,
            auctions=self._auctions,
            results=results_of(path),
        )
        if self._found is not None and not path.exists():  # a duel has the boards of those that are there
            on_disk, wanted = (
                text.partition("[[stage]]")[2].partition("[record]")[0]
                for text in (self._found.path.read_text(encoding="utf-8"), format_duel(settings))
            )
            check_same_duel(on_disk, wanted, str(self._found.path))
            deals = folder / self._file
            if self._deals is not None and not has_same_boards(deals, format_deals(settings, self._deals)):
                raise ConfigError(f"{deals} has other boards: play them in another --folder")
        return write_event(settings, path, self._deals, has_seed=True)


def load_league(folder: Path) -> LeagueReport:
    """Load the report of all duels in the folder of a league that have begun.

    Raises:
        ConfigError: something is wrong with an event file, or two do not have the same boards.
        StoreError: a database cannot be used.
    """
    duels = []
    before: tuple[Path, Hashable] | None = None
    for file in duels_in(folder):
        path, stage = file.path, file.config.stage[0]
        deals = file.config.deals
        boards = deals.seed, str(deals.pbn), stage.matches, stage.boards_per_match
        if before is not None and boards != before[1]:
            raise ConfigError(f"the duels of a league have the same boards, {path} has others than {before[0]}")
        before = path, boards
        with open_duel(file) as (database, event):
            if event is None:
                continue
            cards = iter_scorecards(database, event, {}, MatchFilter(event.id))
            duels.append((load_duel(database, event, stage), list(paired_swings(cards))))
    return make_league(folder.name, duels)


def _file_name(first: DuelTeam, second: DuelTeam) -> str:
    return f"{slug(first.name)}-v-{slug(second.name)}.toml"
