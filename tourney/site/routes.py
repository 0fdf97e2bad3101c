"""Everything at public addresses of an event, as one list of routes: pages, their JSON and CSV, files.

Whatever lists addresses is made from `ROUTES`: the server, the OpenAPI description of it, the written site, and the
navigation. A page is one entry here: an address, a view, a template; with the name of a report, `.json` and `.csv` on
the same address are its document and its table.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, TypeAlias

from tourney.output.rows import Row
from tourney.site import urls
from tourney.site.documents import view_event, view_live
from tourney.site.pages import play
from tourney.site.pages.event_pages import EventPages
from tourney.site.pages.frame import Context, Frame
from tourney.site.pages.match_pages import MatchPages
from tourney.site.public import PublicView
from tourney.views.registry import PAGES, REPORTS, ReportEntry

Value: TypeAlias = int | str
"""A parameter of an address."""

_KEYWORDS: Final = {"match": "match_number", "round": "round_number", "entrant": "pair"}
"""What reports call parameters of addresses, where that differs."""


@dataclass(frozen=True, kw_only=True)
class Route:
    """Addresses of one form, and what they answer."""

    path: str
    """The address, with parameters in braces: `match/{match}/board/{board}`; all but `table` are numbers."""
    title: str = ""
    """What navigation calls the page, if every page leads to it; in braces what the event calls it."""
    template: str = "report.html"
    """The template of the page, if there is one, where the view does not say another."""
    view: Callable[..., Context | None] | None = None
    """Loads views and charts for the template, given `EventPages` and the values of the parameters.

    Of a path with a match, it is given the `MatchPages` of that and the other values. It returns None for what does
    not exist or may not be shown.
    """
    is_there: Callable[[Frame], bool] = lambda _: True
    """Whether an event has such a page."""
    values: Callable[[Any], Iterable[tuple[int, ...]]] = lambda _: ((),)
    """Returns the values of the parameters of all pages that a written site has, given what `view` is given."""
    pictured: Callable[..., Context | None] | None = None
    """The view of which there is a picture for sharing; None without one."""
    report: str = ""
    """The report that is the JSON document and the CSV table, with the parameters of the path."""
    load: Callable[[PublicView], Row] | None = None
    """Loads the JSON document, where no report has it."""
    formats: tuple[str, ...] = ()
    """The formats of files of a match, which are the suffixes of its address."""
    export_format: str = ""
    """The format of a file of the whole event, whose name the path has."""

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters, in the order of the path."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))

    @cached_property
    def suffixes(self) -> tuple[str, ...]:
        """What the path ends with: nothing for a page, else a form such as `.json`."""
        return (
            *(("",) if self.view is not None or self.export_format else ()),
            *((".json",) if self.report or self.load is not None else ()),
            *((".csv",) if self.report else ()),
            *(urls.PICTURES if self.pictured is not None else ()),
            *(f".{name}" for name in self.formats),
        )

    @property
    def is_of_match(self) -> bool:
        """Whether its page is one of a match."""
        return "match" in self.parameters

    @property
    def is_written(self) -> bool:
        """Whether a written site has its pages."""
        return self.view is not None and self.path.partition("/")[0] not in urls.SERVED_ONLY

    def address(self, *values: Value) -> str:
        """Return the address with these values of the parameters."""
        return self.path.format(**dict(zip(self.parameters, values, strict=True)))

    def arguments(self, values: Iterable[Value]) -> dict[str, Value]:
        """Return the values of the parameters as the report of the route has them."""
        named = zip((_KEYWORDS.get(name, name) for name in self.parameters), values, strict=True)
        kinds = {each.name: each.kind for each in REPORTS[self.report].parameters}
        return {name: kinds[name](value) for name, value in named}


def _report(entry: ReportEntry) -> Route:
    """Return the route of a report with a page of its own."""
    return Route(
        path=entry.name,
        title=entry.page_title if entry.is_in_navigation else "",
        template=entry.template,
        view=partial(EventPages.report, entry=entry),
        is_there=lambda frame: entry in frame.reports,
        report=entry.name if entry.name in REPORTS else "",
    )


ROUTES: Final = (
    Route(path="", title="{front}", template="index.html", view=EventPages.front),
    Route(path=urls.CARD, pictured=EventPages.front),
    Route(path=urls.FEED, template=urls.FEED, view=EventPages.feed),
    Route(path="standings", report="standings"),
    Route(path="rounds", report="rounds"),
    *(_report(entry) for entry in PAGES.values() if not entry.is_in_navigation),
    Route(
        path="live",
        title="Live",
        template="live.html",
        view=partial(EventPages.live, is_wall=False),
        load=view_live,
    ),
    Route(path="live/wall", template="live.html", view=partial(EventPages.live, is_wall=True)),
    Route(path="schedule", title="Schedule", view=EventPages.schedule, load=view_event),
    Route(path="entrants", title="{entrant}s", view=EventPages.entrants),
    *(_report(entry) for entry in PAGES.values() if entry.is_in_navigation),
    Route(
        path="conditions",
        template="conditions.html",
        view=EventPages.conditions,
        is_there=lambda frame: frame.conditions is not None,
    ),
    Route(
        path=urls.ROUND,
        view=EventPages.round,
        values=lambda pages: ((each.number,) for each in pages.event.rounds),
        report="rounds",
    ),
    Route(
        path=urls.ROUND_BOARD,
        view=EventPages.board_of_round,
        values=lambda pages: (
            (round_.number, each.board.number)
            for round_ in pages.event.rounds
            for each in pages.boards_of_round(round_.number)
        ),
        report="boards",
    ),
    Route(
        path=urls.ENTRANT,
        view=EventPages.entrant,
        values=lambda pages: ((team.number,) for team in pages.event.teams),
        report="pair",
    ),
    Route(
        path=urls.TRAVELLER,
        view=lambda pages, number: pages.traveller(1, number),
        is_there=lambda frame: len(frame.event.stages) == 1,
        values=lambda pages: ((board,) for _, board in pages.frame.pairs.shown),
        report="boards",
    ),
    Route(
        path=urls.STAGE_TRAVELLER,
        view=EventPages.traveller,
        is_there=lambda frame: len(frame.event.stages) > 1,
        values=lambda pages: pages.frame.pairs.shown,
    ),
    Route(path=urls.MATCH, template="match.html", view=MatchPages.match, pictured=MatchPages.match, report="match"),
    Route(
        path=urls.BOARD,
        template="board.html",
        view=MatchPages.board,
        pictured=MatchPages.board,
        values=lambda match: ((number,) for number in match.boards),
    ),
    Route(path=urls.PLAY_ON, template="play-on.html", view=MatchPages.play_on),
    Route(path="embed/standings", template="embedded-standings.html", view=EventPages.standings),
    Route(path="embed/match/{match}/board/{board}", template="embedded-board.html", view=MatchPages.board),
    Route(path=urls.PLAY, template="tables.html", view=play.tables, is_there=play.is_for_everybody),
    Route(path="live/board/{table}", template="play.html", view=play.table, is_there=play.is_for_everybody),
    Route(path=urls.VUGRAPH_LOGIN, template="phrase.html", view=lambda _: {}, is_there=play.is_vugraph),
    Route(path=urls.VUGRAPH, template="tables.html", view=play.tables, is_there=play.is_vugraph),
    Route(path=urls.VUGRAPH_MATCH, template="play.html", view=play.match, is_there=play.is_vugraph),
    Route(path="vugraph/{table}", template="play.html", view=play.table, is_there=play.is_vugraph),
    Route(path=urls.MATCH_EXPORT, formats=urls.MATCH_FORMATS),
    *(Route(path=path, export_format=name) for path, name in urls.EXPORTS.items()),
)


def navigation(frame: Frame) -> list[tuple[str, str]]:
    """Return the pages that every page leads to: address and title."""
    return [(each.path, each.title.format(**frame.words)) for each in ROUTES if each.title and each.is_there(frame)]
