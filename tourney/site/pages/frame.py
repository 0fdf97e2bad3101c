"""What every page of an event has in common: its names, words and order, and the pages it leads to."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, TypeAlias

from tourney.bridge import SUITS_DOWN, Seat, Side
from tourney.bridge.auction import AUCTION_COLUMNS
from tourney.conditions.document import Conditions
from tourney.contest import common_word
from tourney.contest.draw import RoundInfo, StageInfo
from tourney.errors import ConfigError
from tourney.export.files import PROGRAM
from tourney.output.content import (
    BoardLink,
    EntrantLink,
    Link,
    MatchLink,
    PageLink,
    RoundBoardLink,
    RoundLink,
    TravellerLink,
)
from tourney.site import urls
from tourney.site.pages.pairs import PairsViews
from tourney.site.public import PublicTable, PublicView
from tourney.views.boards import BoardComparisons
from tourney.views.registry import PAGES
from tourney.views.schedule import describe_round
from tourney.views.travellers import SCORING_NAMES

Context: TypeAlias = Mapping[str, Any]
"""What a template shows, by its names there."""

COMPASS_ORDER: Final = (Seat.NORTH, Seat.WEST, Seat.EAST, Seat.SOUTH)
"""The order in which the hands are read, also by screen readers."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be rendered."""

    address: str
    """Its address in the site, as `urls` has it."""
    template: str
    context: Context


_ADDRESSES: Final[Mapping[type[Link], str]] = {
    RoundLink: urls.ROUND,
    RoundBoardLink: urls.ROUND_BOARD,
    MatchLink: urls.MATCH,
    BoardLink: urls.BOARD,
}
"""The forms of the addresses that are made of what a link has."""

RATED_TEAMS_MAX: Final = 64
"""The most teams of an event that has a page of ratings: the time it takes grows with the square of the teams."""


class Frame:
    """Makes the pages of one event, each with what all of them have.

    Args:
        view: the event as everybody may see it.
        written_at_ms: the time that every page gives as that of its writing; None for none.
    """

    def __init__(self, view: PublicView, written_at_ms: int | None) -> None:
        self.view = view
        self.event = event = view.event
        self.pairs = PairsViews(view)
        formats = [stage.format for stage in event.stages]
        self.front = PAGES.get(formats[0].front)
        """The report that is the front page; None where the standings are."""
        self.words = {
            "entrant": event.entrant.title(),
            "front": self.front.page_title if self.front is not None else "Standings",
            "crosstable": common_word((each.crosstable_title for each in formats), "Cross-table"),
        }
        """Words in the titles of pages."""
        lacking = frozenset.intersection(*(stage.board_scale.lacks | stage.format.lacks for stage in event.stages))
        if len(event.teams) > RATED_TEAMS_MAX:
            lacking |= {"strength"}
        self.reports = [entry for name, entry in PAGES.items() if name not in lacking]
        teams = {team.name: urls.ENTRANT.format(entrant=team.number) for team in event.teams}
        players = {side: players for match in event.matches for side, players in match.players.items()}
        names = {round_.number: describe_round(event, round_.number) for round_ in event.all_rounds}
        self.compared = cache(self._compare)
        """Returns the boards of a round that several of its matches play; None if none are."""
        self._common: dict[str, Any] = {
            "frame": self,
            "outline": "base.html",
            "event": event,
            "program": PROGRAM,
            "written_at_ms": written_at_ms and written_at_ms - written_at_ms % 1000,  # to the second
            "zone": view.zone,
            "state": view.state,
            "state_words": self.state_words,
            "side_order": (Side.NS, Side.EW),
            "suits": SUITS_DOWN,
            "share": None,
            "card_page": urls.CARD,
            "auction_order": AUCTION_COLUMNS,
            "compass_order": COMPASS_ORDER,
            "rounds_word": formats[0].rounds_word,
            "lengths": {stage.name: words for stage in event.stages if (words := self._length_of(stage))},
            "address_of": self._address_of,
            "round_name": names.__getitem__,
            "team_page": teams.__getitem__,
            "entrants_of": lambda team: players.get(team, (team,)),
        }

    def page(self, address: str, template: str, context: Context) -> Page:
        """Makes a page."""
        return Page(address, template, {**self._common, "here": address, **context})

    def _compare(self, round_number: int) -> BoardComparisons | None:
        rounds = self.event.rounds
        is_shared = round_number <= len(rounds) and shares_boards(rounds[round_number - 1])
        return self.view.compared(round_number) if is_shared else None

    @cached_property
    def conditions(self) -> Conditions | None:
        """The conditions of contest; None for a lobby, which has none, and if the event file cannot be read.

        The record can be shown without it.
        """
        try:
            return self.view.conditions
        except ConfigError:
            return None

    @cached_property
    def in_play(self) -> Mapping[int, Sequence[PublicTable]]:
        """The tables of each match that is being played, those that have begun."""
        begun: defaultdict[int, list[PublicTable]] = defaultdict(list)
        for table in self.view.tables:
            if table.is_playing or table.finished:
                begun[table.match.number].append(table)
        return {number: own for number, own in begun.items() if any(table.is_playing for table in own)}

    def _address_of(self, link: Link) -> str:
        match link:
            case EntrantLink(name):
                return str(self._common["team_page"](name))
            case TravellerLink(stage, board):
                return self.pairs.page_of(stage, board)
            case PageLink(address):
                return address
            case _:
                return _ADDRESSES[type(link)].format(**link._asdict())

    @cached_property
    def state_words(self) -> str:
        """Describe how far the event has come: `Round 3 of 9, being played`, `Final results`."""
        state = self.view.state
        if state.final:
            return "Final results"
        return self.event.stages[0].format.describe_state(state.round, state.rounds, is_playing=state.playing)

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Returns the files of the event that people ask for most: address and what they hold."""
        formats = [stage.format for stage in self.event.stages]
        is_in_usebio = len({each.usebio_type for each in formats}) == 1 and not any(
            each.why_no_usebio for each in formats
        )
        return (
            ("export/all.pbn", "all boards, with calls and play"),
            ("export/event.json", "everything"),
            *([("export/event.xml", "USEBIO")] if is_in_usebio else []),
            ("export/standings.csv", "standings"),
            ("export/matches.csv", "matches"),
            ("export/boards.csv", "results of the boards"),
        )

    def _length_of(self, stage: StageInfo) -> str:
        found = self.pairs.stages.get(stage.number)
        words = stage.format.describe_length(stage)
        return f"{words}, {SCORING_NAMES[found.scoring]}" if found is not None else words


def shares_boards(round_: RoundInfo) -> bool:
    """Whether several matches of a round, each in two rooms, play the same boards."""
    matches = round_.matches
    return (
        len(matches) > 1
        and len({match.board_set_id for match in matches}) == 1
        and all(len(match.segments[0].tables) == 2 for match in matches)
    )
