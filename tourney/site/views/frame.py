"""What every page of an event has in common: its names, words and order, and the pages it leads to."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tourney.bridge import SUITS_DOWN, Seat, Side, Vulnerability
from tourney.movement.seating import Room
from tourney.plurals import count
from tourney.report.schedule import describe_round
from tourney.results.scorecard import Scorecard
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.double_dummy import DECLARERS, STRAINS
from tourney.scoring.games import GameKind
from tourney.scoring.victory_points import VpScale
from tourney.site import urls
from tourney.site.public import EventState, PublicTable
from tourney.site.views.board import AUCTION_ORDER
from tourney.site.views.field_boards import FieldBoard, compare_field
from tourney.site.views.front import describe_state
from tourney.site.views.pairs import PairsViews, format_rank
from tourney.site.views.rulings import RulingWords
from tourney.store.draw.objects import EventInfo, StageInfo

COMPASS_ORDER: Final = (Seat.NORTH, Seat.WEST, Seat.EAST, Seat.SOUTH)
"""The order in which the hands are read, also by screen readers."""

VULNERABLE: Final = {
    Vulnerability.NONE: "none",
    Vulnerability.NS: "North-South",
    Vulnerability.EW: "East-West",
    Vulnerability.ALL: "all",
}
"""Who is vulnerable, in words."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be rendered."""

    address: str
    """Its address in the site, as `urls` has it."""
    template: str
    context: Mapping[str, Any]


class Frame:
    """Makes the pages of one event, each with what all of them have.

    Args:
        event: the event.
        program: the program that made the pages, for the footers.
        written_at_ms: when it made them, which every page says.
        pairs: its stages of pairs; without it, tables have their results but no scores.
        state: how far the event has come; without it, pages do not say.
        scales: the victory point scale of each stage, where it is known.
        tables: the tables of all matches, with how far they are.
        load_cards: loads the scorecards of all matches, from which boards are compared over all tables.
        load_cancelled: loads the numbers of the matches that do not count because a team has left early.
        notice: a line of the organiser's for every page.
        has_site: whether there are pages beside those of a single match.
    """

    def __init__(
        self,
        event: EventInfo,
        program: str,
        written_at_ms: int,
        pairs: PairsViews | None = None,
        *,
        state: EventState | None = None,
        scales: Mapping[int, VpScale | None] | None = None,
        tables: Sequence[PublicTable] = (),
        load_cards: Callable[[], Sequence[Scorecard]] = tuple,
        load_cancelled: Callable[[], Collection[int]] = frozenset,
        notice: str = "",
        has_site: bool = True,
    ) -> None:
        self.event = event
        self.pairs = pairs if pairs is not None else PairsViews()
        self.has_site = has_site
        self._tables = tables
        self._load_cards = load_cards
        self._load_cancelled = load_cancelled
        self.scales = scales if scales is not None else {}
        self.is_duel = any(stage.format.is_duel for stage in event.stages)
        self.has_crosstable = not self.is_duel and any(
            not stage.format.is_knockout and not stage.format.is_of_pairs for stage in event.stages
        )
        self.has_pairs = any(stage.format.is_of_pairs for stage in event.stages)
        self.has_swings = any(
            not stage.format.is_at_one_table and not stage.board_scale.is_in_points for stage in event.stages
        )
        self.has_race = not self.is_duel and any(not stage.format.is_knockout for stage in event.stages)
        self.is_of_pairs = all(stage.format.is_of_pairs for stage in event.stages)
        self.entrant_page = urls.pair_page if self.is_of_pairs else urls.team_page
        self.teams_page = urls.PAIRS if self.is_of_pairs else urls.TEAMS
        teams = {team.name: self.entrant_page(team.number) for team in event.teams}
        names = {round_.number: describe_round(event, round_.number) for round_ in event.all_rounds}
        self._common: dict[str, Any] = {
            "event": event,
            "program": program,
            "written_at_ms": written_at_ms - written_at_ms % 1000,  # to the second
            "has_site": has_site,
            "state": state,
            "state_words": describe_state(state),
            "notice": notice,
            "ways": self._ways() if has_site else (),
            "rooms": tuple(Room),
            "side_order": (Side.NS, Side.EW),
            "suits": SUITS_DOWN,
            "auction_order": AUCTION_ORDER,
            "compass_order": COMPASS_ORDER,
            "declarers": DECLARERS,
            "strains": STRAINS,
            "files": self._files() if has_site else (),
            "has_crosstable": self.has_crosstable,
            "has_pairs": self.has_pairs,
            "entrant": event.entrant,
            "teams_page": self.teams_page,
            "pairs": self.pairs,
            "pair_rank": format_rank,
            "ranked_in": _ranked_in,
            "rulings_in": RulingWords(event, self.pairs),
            "length_of": self._length_of,
            "board_page": urls.board_page,
            "match_page": urls.match_page,
            "round_name": names.__getitem__,
            "round_page": urls.round_page,
            "team_page": teams.__getitem__,
        }

    def page(self, address: str, template: str, context: Mapping[str, Any]) -> Page:
        """Makes a page."""
        return Page(address, template, {**self._common, "here": address, **context})

    @cached_property
    def compared(self) -> dict[int, tuple[FieldBoard, ...]]:
        """The boards that several matches of a round have played, by the number of the round."""
        return compare_field(self.event, self._load_cards())

    def is_cancelled(self, match: int) -> bool:
        """Returns whether a match does not count because a team has left early."""
        return match in self._cancelled

    @cached_property
    def _cancelled(self) -> Collection[int]:
        return self._load_cancelled()

    def tables_in_play(self, match: int) -> list[PublicTable]:
        """Returns the tables of a match that is being played, those that have begun; none of any other match."""
        own = [table for table in self._tables if table.match.number == match]
        is_playing = any(table.is_playing for table in own)
        return [table for table in own if is_playing and (table.is_playing or table.finished)]

    def _ways(self) -> tuple[tuple[str, str], ...]:
        """Returns the pages that every page leads to: address and title; `/live` is left out of an export."""
        ways = [
            (urls.FRONT, "Duel" if self.is_duel else "Standings", True),
            (urls.LIVE, "Live", True),
            (urls.SCHEDULE, "Schedule", True),
            (urls.CROSSTABLE, "Cross-table", self.has_crosstable),
            (urls.RECAP, "Recap", self.has_pairs),
            (urls.RACE, "Race", self.has_race),
            (urls.SWINGS, "Swings", self.has_swings),
            (urls.BUTLER, "Butler", self.has_swings),
            (self.teams_page, f"{self.event.entrant.title()}s", True),
            (urls.RULINGS, "Rulings", True),
        ]
        return tuple((address, title) for address, title, is_there in ways if is_there)

    def _files(self) -> tuple[tuple[str, str], ...]:
        """Returns the files of the event that people ask for most: address and what they hold."""
        stages = self.event.stages
        is_in_usebio = (
            not any(stage.format.game is not None for stage in stages) and self.has_pairs == self.is_of_pairs
        )
        files = [
            ("export/all.pbn", "all boards, with calls and play", True),
            ("export/event.json", "everything", True),
            ("export/event.xml", "USEBIO", is_in_usebio),
            ("export/standings.csv", "standings", True),
            ("export/matches.csv", "matches", True),
            ("export/boards.csv", "results of the boards", True),
        ]
        return tuple((address, holds) for address, holds, is_there in files if is_there)

    def _length_of(self, stage: StageInfo) -> str:
        """Format how long a match of one table is: `2 boards a round, matchpoints`, `1 rubber a match`."""
        if stage.format.is_of_pairs:
            return f"{count(stage.boards_per_match, 'board')} a round{self.pairs.scoring_words(stage.number)}"
        if stage.format.is_duel:
            return f"at most {count(sum(match.boards for match in stage.matches), 'board')}"
        game = next((match.game for match in stage.matches), None)
        if game is None:
            return ""
        if game.length is None:
            return f"{count(stage.boards_per_match, 'deal')} a match"
        counted = "deal" if game.kind is GameKind.MINIBRIDGE else game.kind.value
        return f"{count(game.length, counted)} a match"


def _ranked_in(scale: BoardScale) -> str:
    """Returns the unit that teams rank by, as it follows a figure: `VP`, `points`."""
    return scale.unit if scale.ranks_by_points else "VP"
