"""The site of an event in one state of it: the page of any address, as bytes."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from tourney.results.played import PlayedMatch
from tourney.site import urls
from tourney.site.rendering import ASSETS, asset, render_page
from tourney.site.views.event_pages import EventPages, PublicEvent
from tourney.site.views.frame import Frame, Page
from tourney.site.views.match_pages import MatchPages

_OF_MATCH: Final = re.compile(r"match/([1-9]\d{0,8})(?:/board/([1-9]\d{0,8}))?", re.ASCII)


class Site:
    """Renders the pages of an event one by one, as a server is asked for them.

    Every page is a function of what it is given, which is without what nobody may see yet. The same state gives the
    same bytes, and, but for the links, those that an export writes.

    Args:
        frame: what all pages have in common.
        state: the event as everybody may see it.
        load_match: loads a match by its number, as everybody may see it.
        place: where the page of each address is; by default at the address.
    """

    def __init__(
        self,
        frame: Frame,
        state: PublicEvent,
        load_match: Callable[[int], PlayedMatch],
        place: urls.Place = lambda address: address,
    ) -> None:
        self._frame = frame
        self._event = EventPages(frame, state)
        self._load_match = load_match
        self._place = place
        self._matches = frozenset(card.match.number for card in state.cards)

    def addresses(self) -> Iterator[str]:
        """Yields the addresses of all pages but those of boards in a match, and of the files that pages need."""
        yield from ASSETS
        yield from self._event.addresses()
        for number in sorted(self._matches):
            yield urls.match_page(number)

    def render(self, address: str) -> bytes | None:
        """Returns the page or file at an address; None if there is none, or it may not be shown yet.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        if address in ASSETS:
            return asset(address)
        page = self._page(address)
        return render_page(page, self._place) if page is not None else None

    def _page(self, address: str) -> Page | None:
        found = _OF_MATCH.fullmatch(address)
        if found is None:
            return self._event.page(address)
        if (number := int(found[1])) not in self._matches:
            return None
        pages = MatchPages(self._frame, self._load_match(number))
        return pages.board(int(found[2])) if found[2] is not None else pages.scorecard()
