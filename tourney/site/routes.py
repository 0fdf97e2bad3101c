"""Everything at public addresses of an event, as one table of routes: pages, JSON documents, files.

Whatever lists addresses is made from `ROUTES`: the routes of the server, its JSON interface and the OpenAPI
description of that, the files of a written site, and the navigation. A page is one entry here: an address, a view, a
template.

Several routes may have the same path, for events or matches of different kinds; the first that is there answers.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache, partial
from typing import Any, Final, TypeAlias, get_type_hints

from tourney.output.rows import Document, Row, document_of
from tourney.report.registry import PAGES, ReportEntry
from tourney.site import urls
from tourney.site.documents import view_event, view_live
from tourney.site.public import PublicView
from tourney.site.views import play
from tourney.site.views.event_pages import DUEL, EventPages
from tourney.site.views.frame import Context, Frame
from tourney.site.views.match_pages import MatchPages

Value: TypeAlias = int | str
"""A parameter of an address."""

_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_FORMS: Final = {"table": r"[0-9.]+-[a-z]+", "format": "|".join(urls.MATCH_FORMATS)}
"""What parameters look like that are no numbers."""
_NUMBER: Final = r"[1-9][0-9]{0,8}"


class Audience(Enum):
    """Who may see what is at an address."""

    EVERYBODY = auto()
    VUGRAPH = auto()
    """Those with the passphrase of the vugraph."""


@dataclass(frozen=True, kw_only=True)
class Route:
    """Addresses of one form, and what they answer."""

    path: str
    """The address, with parameters in braces: `match/{match}/board/{board}`.

    All but `table` and `format` are numbers.
    """
    summary: str
    """What is there, in a sentence."""
    audience: Audience = Audience.EVERYBODY

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, in the order of the path."""
        return tuple(_PARAMETER.findall(self.path))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        literals = map(re.escape, _PARAMETER.split(self.path)[::2])
        forms = [f"({_FORMS.get(name, _NUMBER)})" for name in self.parameters]
        return re.compile("".join(part for pair in zip(literals, [*forms, ""], strict=True) for part in pair))

    def values_in(self, address: str) -> tuple[Value, ...] | None:
        """Return the values of the parameters in an address; None if it is not of this form."""
        found = self._pattern.fullmatch(address)
        if found is None:
            return None
        return tuple(
            text if name in _FORMS else int(text) for name, text in zip(self.parameters, found.groups(), strict=True)
        )

    def address(self, *values: Value) -> str:
        """Return the address with these values of the parameters."""
        return self.path.format(**self.named(values))

    def named(self, values: Iterable[Value]) -> dict[str, Value]:
        """Return the values of the parameters by name."""
        return dict(zip(self.parameters, values, strict=True))


def _one_page(_: object) -> Iterable[tuple[int, ...]]:
    return ((),)


def _always(_: object) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class PageRoute(Route):
    """A page, or pages of one form."""

    title: str = ""
    """What navigation calls it, where it has a name of its own; `{entrant}` stands for what the event calls one."""
    template: str
    view: Callable[..., Context | None]
    """Loads views and charts for the template, given `EventPages` and the values of the parameters.

    Of a path that begins with a match, it is given the `MatchPages` of that and the other values. It returns None for
    what does not exist or may not be shown.
    """
    is_there: Callable[[Any], bool] = _always
    """Whether an event has such a page, given its `Frame`; whether a match has, given its `MatchPages`."""
    is_in_navigation: bool = False
    file: str = ""
    """The file in a written site, with the parameters in braces; empty for what only a server has."""
    values: Callable[[Any], Iterable[tuple[int, ...]]] = _one_page
    """Returns the values of the parameters of all pages that a written site has, given what `view` is given."""

    @property
    def is_of_match(self) -> bool:
        """Whether it is a page of a match."""
        return "match" in self.parameters

    def file_of(self, values: Iterable[Value]) -> str:
        """Return the path of a page in a written site."""
        return self.file.format(**self.named(values))


@dataclass(frozen=True, kw_only=True)
class DocumentRoute(Route):
    """JSON documents."""

    report: str = ""
    """The name of a report, whose `load` has the parameters of the path as keywords."""
    load: Callable[[PublicView], Row] | None = None
    """Loads what is no report."""

    @property
    def row_type(self) -> type[Row]:
        """The type of what is no report."""
        found: type[Row] = get_type_hints(self.load)["return"]
        return found

    def document(self, view: PublicView, values: Iterable[Value]) -> Document:
        """Load a document.

        Raises:
            RuleError: the report cannot show a contest of this kind.
            UsageError: there is no such round, match or board.
        """
        if self.load is None:
            return view.report(self.report, **self.named(values)).document()
        document: Document = document_of(self.load(view))
        return document


@dataclass(frozen=True, kw_only=True)
class FileRoute(Route):
    """Files as `tourney export` writes them."""

    export_format: str = ""
    """The format of a file of the whole event; empty for those of a match, which have it in their address."""
    file: str = ""
    """The file in a written site; empty for what only a server has."""


def _entrants(frame: Frame) -> Iterable[tuple[int, ...]]:
    return ((team.number,) for team in frame.event.teams)


def _report_page(entry: ReportEntry) -> PageRoute:
    """Return the route of a report with a page of its own; of a duel that is the front page."""
    is_front = entry.name == DUEL
    return PageRoute(
        path=urls.FRONT if is_front else entry.name,
        summary=f"The page of the report {entry.name!r}.",
        title=entry.page_title,
        template=entry.template,
        view=partial(EventPages.report, entry=entry),
        is_there=lambda frame: entry in frame.reports,
        is_in_navigation=is_front or entry.is_in_navigation,
        file=urls.INDEX if is_front else entry.page,
    )


def _page_of_event(
    path: str,
    summary: str,
    title: str,
    view: Callable[..., Context | None],
    is_there: Callable[[Frame], bool] = _always,
) -> PageRoute:
    """Return the route of a page to which every page leads, whose template has its name."""
    return PageRoute(
        path=path,
        summary=summary,
        title=title,
        template=f"{path}.html",
        view=view,
        is_there=is_there,
        is_in_navigation=True,
        file=f"{path}.html",
    )


def _list_page(path: str, is_there: Callable[[Frame], bool]) -> PageRoute:
    """Return the route of the list of teams, or of pairs."""
    return PageRoute(
        path=path,
        summary="All who have entered.",
        title="{entrant}s",
        template="teams.html",
        view=EventPages.teams,
        is_there=is_there,
        is_in_navigation=True,
        file=f"{path}.html",
    )


_PAGES: Final = (
    *(_report_page(entry) for entry in PAGES.values() if not entry.is_in_navigation),
    PageRoute(
        path=urls.FRONT,
        summary="The standings, what is being played, the race and the biggest swings.",
        title="Standings",
        template="index.html",
        view=EventPages.front,
        is_there=lambda frame: not frame.is_duel,
        is_in_navigation=True,
        file=urls.INDEX,
    ),
    PageRoute(
        path=urls.LIVE,
        summary="The tables in play.",
        title="Live",
        template="live.html",
        view=partial(EventPages.live, is_wall=False),
        is_in_navigation=True,
    ),
    PageRoute(
        path=urls.WALL,
        summary="The same for a screen in the hall.",
        template="live.html",
        view=partial(EventPages.live, is_wall=True),
    ),
    _page_of_event(urls.SCHEDULE, "All rounds with their matches.", "Schedule", EventPages.schedule),
    _page_of_event(
        urls.CROSSTABLE,
        "What each team made of its match against each other.",
        "Cross-table",
        EventPages.crosstable,
        lambda frame: frame.has_crosstable,
    ),
    _page_of_event(
        urls.RECAP,
        "What each pair has won in each round.",
        "Recap",
        EventPages.recap,
        lambda frame: frame.has_travellers,
    ),
    _page_of_event(
        urls.RACE,
        "How the standings came about, round by round.",
        "Race",
        EventPages.race,
        lambda frame: frame.has_race,
    ),
    *(_report_page(entry) for entry in PAGES.values() if entry.is_in_navigation),
    _list_page(urls.TEAMS, lambda frame: not frame.ranks_by_boards),
    _list_page(urls.PAIRS, lambda frame: frame.ranks_by_boards),
    _page_of_event(urls.RULINGS, "The rulings.", "Rulings", EventPages.rulings),
    PageRoute(
        path=urls.CONDITIONS,
        summary="The conditions of contest.",
        title="Conditions of contest",
        template="conditions.html",
        view=EventPages.conditions,
        is_there=lambda frame: frame.conditions is not None,
        file="conditions.html",
    ),
    PageRoute(
        path=urls.ROUND,
        summary="The results of a round.",
        template="round.html",
        view=EventPages.round,
        file="round-{round:03}.html",
        values=lambda pages: ((each.number,) for each in pages.event.rounds),
    ),
    PageRoute(
        path=urls.ROUND_BOARD,
        summary="A board at all tables of a round.",
        template="round-board.html",
        view=EventPages.board_of_round,
        file="round-{round:03}-board-{board:02}.html",
        values=lambda pages: (
            (number, board.number) for number, boards in pages.frame.compared.items() for board in boards
        ),
    ),
    PageRoute(
        path=urls.TEAM,
        summary="A team and its matches.",
        template="team.html",
        view=EventPages.team,
        is_there=lambda frame: not frame.ranks_by_boards,
        file="team-{team:03}.html",
        values=lambda pages: _entrants(pages.frame),
    ),
    PageRoute(
        path=urls.PAIR,
        summary="A pair and its boards.",
        template="team.html",
        view=EventPages.team,
        is_there=lambda frame: frame.ranks_by_boards,
        file="pair-{pair:03}.html",
        values=lambda pages: _entrants(pages.frame),
    ),
    PageRoute(
        path=urls.TRAVELLER,
        summary="A board of a pairs event with the results of all tables.",
        template="traveller.html",
        view=EventPages.traveller,
        is_there=lambda frame: len(frame.event.stages) == 1,
        file="board-{board:03}.html",
        values=lambda pages: ((board,) for _, board in pages.frame.pairs.shown),
    ),
    PageRoute(
        path=urls.STAGE_TRAVELLER,
        summary="The same in an event of several stages.",
        template="traveller.html",
        view=EventPages.traveller_of_stage,
        is_there=lambda frame: len(frame.event.stages) > 1,
        file="stage-{stage}-board-{board:03}.html",
        values=lambda pages: pages.frame.pairs.shown,
    ),
    PageRoute(
        path=urls.MATCH,
        summary="The scorecard of a match.",
        template="match.html",
        view=MatchPages.scorecard,
        is_there=lambda match: not match.names_tables,
        file=f"match-{{match:03}}/{urls.INDEX}",
    ),
    PageRoute(
        path=urls.MATCH,
        summary="The results of a table of pairs in a round.",
        template="table.html",
        view=MatchPages.table,
        is_there=lambda match: match.names_tables,
        file=f"match-{{match:03}}/{urls.INDEX}",
    ),
    PageRoute(
        path=urls.BOARD,
        summary="A board of a match, with auction and play.",
        template="board.html",
        view=MatchPages.board,
        file="match-{match:03}/board-{board:02}.html",
        values=lambda match: ((number,) for number in match.boards),
    ),
    PageRoute(
        path=urls.EMBEDDED_STANDINGS,
        summary="The standings, for pages of others to frame.",
        template="embedded-standings.html",
        view=EventPages.standings,
    ),
    PageRoute(
        path=urls.EMBEDDED_BOARD,
        summary="A board of a match, for pages of others to frame.",
        template="embedded-board.html",
        view=MatchPages.board,
    ),
    PageRoute(
        path=urls.PLAY,
        summary="The tables whose board in play may be shown.",
        template="tables.html",
        view=play.tables,
        is_there=play.is_for_everybody,
    ),
    PageRoute(
        path=urls.PLAY_TABLE,
        summary="The board in play at a table.",
        template="play.html",
        view=play.table,
        is_there=play.is_for_everybody,
    ),
    PageRoute(
        path=urls.VUGRAPH_LOGIN,
        summary="Where the passphrase of the vugraph is asked for.",
        template="phrase.html",
        view=play.login,
        is_there=play.is_vugraph,
    ),
    PageRoute(
        path=urls.VUGRAPH,
        summary="All tables with a board in play.",
        audience=Audience.VUGRAPH,
        template="tables.html",
        view=play.tables,
        is_there=play.is_vugraph,
    ),
    PageRoute(
        path=urls.VUGRAPH_TABLE,
        summary="The board in play at a table.",
        audience=Audience.VUGRAPH,
        template="play.html",
        view=play.table,
        is_there=play.is_vugraph,
    ),
    PageRoute(
        path=urls.VUGRAPH_MATCH,
        summary="The boards in play at all tables of a match.",
        audience=Audience.VUGRAPH,
        template="vugraph-match.html",
        view=play.match,
        is_there=play.is_vugraph,
    ),
)

_DOCUMENTS: Final = (
    DocumentRoute(path="api/v1/event", summary="The schedule, and how far the event has come.", load=view_event),
    DocumentRoute(path="api/v1/live", summary="The tables in play.", load=view_live),
    DocumentRoute(path="api/v1/standings", summary="The standings.", report="standings"),
    DocumentRoute(path="api/v1/rounds", summary="The results of all rounds.", report="rounds"),
    DocumentRoute(
        path="api/v1/crosstable", summary="What each team made of its match against each other.", report="crosstable"
    ),
    DocumentRoute(path="api/v1/rulings", summary="The rulings.", report="rulings"),
    DocumentRoute(path="api/v1/matches/{match_number}", summary="The scorecard of a match.", report="match"),
    DocumentRoute(
        path="api/v1/boards/{round_number}/{board}", summary="A board at all tables of a round.", report="boards"
    ),
)

_FILES: Final = (
    FileRoute(path=urls.MATCH_EXPORT, summary="The boards of a match that may be shown."),
    *(
        FileRoute(
            path=path,
            summary=f"`{urls.file_name(path)}` as `tourney export` writes it.",
            export_format=name,
            file=urls.file_name(path) if path == urls.CALENDAR else "",
        )
        for path, name in urls.EXPORTS.items()
    ),
)

ROUTES: Final[tuple[PageRoute | DocumentRoute | FileRoute, ...]] = (*_PAGES, *_DOCUMENTS, *_FILES)


def _by_beginning() -> Mapping[str, list[PageRoute | DocumentRoute | FileRoute]]:
    found = defaultdict(list)
    for route in ROUTES:
        found[route.path.partition("/")[0]].append(route)
    return found


_BY_BEGINNING: Final = _by_beginning()
"""The routes by the first part of their path, which has no parameters."""


def find_routes(address: str) -> list[tuple[PageRoute | DocumentRoute | FileRoute, tuple[Value, ...]]]:
    """Return the routes that an address may be of, with the values of their parameters."""
    candidates = _BY_BEGINNING.get(address.partition("/")[0], ())
    return [(route, values) for route in candidates if (values := route.values_in(address)) is not None]


def navigation(frame: Frame) -> list[tuple[str, str]]:
    """Return the pages that every page leads to: address and title."""
    entrant = frame.event.entrant.title()
    there = (route for route in _PAGES if route.is_in_navigation and route.is_there(frame))
    return [(route.path, route.title.format(entrant=entrant)) for route in there]


# Where pages are


@lru_cache(maxsize=10_000)
def file_of(address: str) -> str | None:
    """Return the path of a page or file in a written site; None for what only a server has."""
    if address.startswith(urls.STATIC):
        return address.removeprefix(urls.STATIC)
    for route, values in find_routes(address):
        if isinstance(route, PageRoute) and route.file:
            return route.file_of(values)
        if isinstance(route, FileRoute) and route.file:
            return route.file
    return None


def place_in_match(match: int, folder: str) -> urls.Place:
    """Return where the pages of a single match are that is exported alone, complete in a folder."""

    def place(address: str) -> str | None:
        for route, values in find_routes(address):
            if isinstance(route, PageRoute) and route.is_of_match and values[0] == match and route.file:
                return f"{folder}/{urls.file_name(route.file_of(values))}"
        return f"{folder}/{file_of(address)}" if address.startswith(urls.STATIC) else None

    return place
