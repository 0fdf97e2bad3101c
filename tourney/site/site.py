"""The site of an event in one state of it: the page of any address, as bytes."""

from collections.abc import Iterator
from typing import Final

from tourney.results.played import PlayedMatch
from tourney.site import urls
from tourney.site.public import PublicView
from tourney.site.rendering import ASSETS, asset, render_page
from tourney.site.routes import ROUTES, PageRoute, Value, find_routes
from tourney.site.views.event_pages import EventPages
from tourney.site.views.frame import Frame, Page
from tourney.site.views.match_pages import MatchPages

_WRITTEN: Final = [route for route in ROUTES if isinstance(route, PageRoute) and route.file]
"""The routes of pages that a written site has."""


class Site:
    """Renders the pages of an event one by one, as a server is asked for them.

    Every page is a function of what may be shown, and nothing else is at hand. The same state gives the same bytes,
    and, but for the links, those that an export writes. Matches are loaded as they are asked for.

    Args:
        view: the event as everybody may see it.
        written_at_ms: the time that pages give as that of their writing.
        place: where the page of each address is; by default at the address.
    """

    def __init__(self, view: PublicView, written_at_ms: int, place: urls.Place = lambda address: address) -> None:
        self.frame = Frame(view, written_at_ms)
        self._view = view
        self._event = EventPages(self.frame)
        self._place = place
        self._matches = frozenset(match.number for match in view.event.matches)
        self._last: tuple[int, MatchPages] | None = None
        """The match that was asked for last, by its number: who looks at one board of it looks at the next."""

    def addresses(self) -> Iterator[str]:
        """Yields the addresses of all pages of a written site, but for those of its matches."""
        for route in _WRITTEN:
            if not route.is_of_match and route.is_there(self.frame):
                yield from (route.address(*values) for values in route.values(self._event))

    def render(self, address: str) -> bytes | None:
        """Returns the page or file at an address; None if there is none, or it may not be shown yet.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        if address in ASSETS:
            return asset(address)
        for route, values in find_routes(address):
            page = self._page(address, route, values) if isinstance(route, PageRoute) else None
            if page is not None:
                return render_page(page, self._place)
        return None

    def _page(self, address: str, route: PageRoute, values: tuple[Value, ...]) -> Page | None:
        if route.is_of_match:
            number, *rest = values
            if number not in self._matches:
                return None
            match = self._match(int(number), is_whole=bool(rest))
            context = route.view(match, *rest) if route.is_there(match) else None
        else:
            context = route.view(self._event, *values) if route.is_there(self.frame) else None
        return self.frame.page(address, route.template, context) if context is not None else None

    def _match(self, number: int, *, is_whole: bool) -> MatchPages:
        """Return the pages of a match; that of its scorecard needs no calls and cards."""
        if not is_whole:
            return MatchPages(self.frame, self._view.scored(number))
        if self._last is None or self._last[0] != number:
            self._last = number, MatchPages(self.frame, self._view.played(number))
        return self._last[1]


def pages_of_match(frame: Frame, played: PlayedMatch) -> Iterator[Page]:
    """Yields the pages of a match that a written site has.

    Raises:
        RuleError: the record of a forfeited board has an illegal auction.
    """
    match = MatchPages(frame, played)
    for route in _WRITTEN:
        if route.is_of_match and route.is_there(match):
            for values in route.values(match):
                address, context = route.address(played.match.number, *values), route.view(match, *values)
                assert context is not None, address
                yield frame.page(address, route.template, context)
