"""The site of an event in one state of it: the page of any address, as bytes."""

from collections.abc import Iterable, Iterator
from typing import Any

from tourney.results.played import PlayedMatch
from tourney.site import urls
from tourney.site.pages.event_pages import EventPages
from tourney.site.pages.frame import Frame
from tourney.site.pages.match_pages import MatchPages
from tourney.site.public import PublicView
from tourney.site.rendering import render_page
from tourney.site.routes import ROUTES, Route, Value, navigation


class Site:
    """Renders the pages of an event one by one, as a server is asked for them, or all that a written site has.

    Every page is a function of what may be shown, and nothing else is at hand. The same state gives the same bytes,
    but for the links and the time of writing. Matches are loaded as they are asked for.

    Args:
        view: the event as everybody may see it.
        written_at_ms: the time that pages give as that of their writing; None for pages that are kept up to date.
        place: where the page of each address is; by default at the address.
    """

    def __init__(
        self,
        view: PublicView,
        written_at_ms: int | None = None,
        place: urls.Place = lambda address: address,
    ) -> None:
        self._frame = Frame(view, written_at_ms)
        self._event = EventPages(self._frame)
        self._place = place
        self._matches = view.event.matches_by_number
        self._last: tuple[int, MatchPages] | None = None
        """The match that was asked for last, by its number: who looks at one board of it looks at the next."""

    def render(self, route: Route, values: Iterable[Value] = ()) -> bytes | None:
        """Returns the page of a route; None if there is none, or it may not be shown yet.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        given = list(values)
        shown, _ = self._shown_by(route, given)
        return self._render(route, shown, *given) if shown is not None else None

    def draw(self, route: Route, values: Iterable[Value], *, is_hidden: bool) -> bytes | None:
        """Returns the picture for sharing of a route, `is_hidden` without results; None if it may not be shown yet.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        from tourney.site.share_card import draw_card  # noqa: PLC0415 # a written site does without Pillow

        assert route.pictured is not None
        shown, own = self._shown_by(route, list(values))
        card = (route.pictured(shown, *own) or {}).get("share") if shown is not None else None
        return draw_card(card.hidden() if is_hidden else card) if card is not None else None

    def _shown_by(self, route: Route, values: list[Value]) -> tuple[EventPages | MatchPages | None, list[Value]]:
        """Return what has the views of a route, None if there is no such match, and the values that they take."""
        if not route.is_of_match:
            return self._event, values
        number = int(values[0])
        return self._match(number) if number in self._matches else None, values[1:]

    def pages(self, played: PlayedMatch | None = None) -> Iterator[tuple[str, bytes]]:
        """Yields the pages that a written site has, with their addresses: those of a match, or all but those.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        shown = self._event if played is None else MatchPages(self._frame, played.match, played)
        above = () if played is None else (played.match.number,)
        for route in ROUTES:
            if route.is_written and route.is_of_match == (played is not None) and route.is_there(self._frame):
                for values in route.values(shown):
                    page = self._render(route, shown, *above, *values)
                    assert page is not None, route.path
                    yield route.address(*above, *values), page

    def _render(self, route: Route, shown: EventPages | MatchPages, *values: Value) -> bytes | None:
        own: Any = values[1:] if route.is_of_match else values
        if route.view is None or not route.is_there(self._frame):
            return None
        context = route.view(shown, *own)
        if context is None:
            return None
        template = context.get("template", route.template)
        context = {**context, "navigation": navigation(self._frame)}
        return render_page(self._frame.page(route.address(*values), template, context), self._place)

    def _match(self, number: int) -> MatchPages:
        """Return the pages of a match."""
        if self._last is None or self._last[0] != number:
            self._last = number, MatchPages(self._frame, self._matches[number])
        return self._last[1]
