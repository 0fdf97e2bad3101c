"""The site of an event in one state of it: the page of any address, as bytes."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from tourney.config.event import ReportsConfig
from tourney.errors import ConfigError
from tourney.export.files import PROGRAM
from tourney.report.registry import pages_of
from tourney.results.played import PlayedMatch
from tourney.results.scorecard import Scorecard
from tourney.results.standings import Standings
from tourney.site import urls
from tourney.site.public import PublicView
from tourney.site.rendering import ASSETS, asset, render_page
from tourney.site.views.event_pages import EventPages, PublicEvent
from tourney.site.views.frame import Frame, Page
from tourney.site.views.match_pages import MatchPages
from tourney.site.views.pairs import PairsViews
from tourney.store.draw.objects import EventInfo

_OF_MATCH: Final = re.compile(r"(embed/)?match/([1-9]\d{0,8})(?:/board/([1-9]\d{0,8}))?", re.ASCII)


class Site:
    """Renders the pages of an event one by one, as a server is asked for them.

    Every page is a function of what it is given, which is without what nobody may see yet. The same state gives the
    same bytes, and, but for the links, those that an export writes.

    Args:
        frame: what all pages have in common.
        state: the event as everybody may see it.
        load_match: loads a match by its number, as everybody may see it.
        load_scored: loads as much of it as the page of its scorecard needs.
        place: where the page of each address is; by default at the address.
    """

    def __init__(
        self,
        frame: Frame,
        state: PublicEvent,
        load_match: Callable[[int], PlayedMatch],
        load_scored: Callable[[int], PlayedMatch],
        place: urls.Place = lambda address: address,
    ) -> None:
        self._frame = frame
        self._event = EventPages(frame, state)
        self._load_match = load_match
        self._load_scored = load_scored
        self._place = place
        self._matches = frozenset(card.match.number for card in state.cards)
        self._last: tuple[int, MatchPages] | None = None
        """The match that was asked for last, by its number: who looks at one board of it looks at the next."""

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
        number, board = int(found[2]), int(found[3]) if found[3] is not None else None
        if number not in self._matches or (found[1] and board is None):
            return None
        if board is None:
            return MatchPages(self._frame, self._load_scored(number)).scorecard()
        pages = self._pages_of(number)
        return pages.embedded_board(board) if found[1] else pages.board(board)

    def _pages_of(self, number: int) -> MatchPages:
        if self._last is None or self._last[0] != number:
            self._last = number, MatchPages(self._frame, self._load_match(number))
        return self._last[1]


def frame_of(view: PublicView, written_at_ms: int, *, has_site: bool = True) -> Frame:
    """Returns what all pages of an event have in common.

    Args:
        view: the event as everybody may see it.
        written_at_ms: the time that pages give as that of their writing.
        has_site: whether there are pages beside those of a single match.
    """
    return Frame(
        view.event,
        PROGRAM,
        written_at_ms,
        _pairs_of(view) if has_site else None,
        state=view.state if has_site else None,
        scales=view.scales,
        tables=view.tables if has_site else (),
        load_cards=(lambda: view.cards) if has_site else tuple,
        load_cancelled=lambda: view.cancelled,
        notice=view.rules.notice,
        has_site=has_site,
    )


def event_of(view: PublicView, cards: Sequence[Scorecard]) -> PublicEvent:
    """Returns what the pages of the event as a whole are made from; `cards` are those of all matches of the view."""
    standings = view.standings
    newest = max(_rounds_finished(standings, view.event), default=0)
    before = view.standings_after(newest - 1) if newest > 1 else None
    try:
        conditions, settings = view.conditions, view.report_settings
    except ConfigError:  # the record can be shown without the file
        conditions, settings = None, ReportsConfig()
    return PublicEvent(
        event=view.event,
        standings=standings,
        cards=cards,
        reports=[(entry, partial(view.report, entry.name)) for entry in pages_of(view.event)],
        state=view.state,
        tables=view.tables,
        before=before,
        rulings=view.rulings.rulings,
        conditions=conditions,
        datum=settings.butler_datum,
        trim=settings.butler_trim,
        live=view.rules.live,
    )


def site_of(view: PublicView, written_at_ms: int, place: urls.Place = lambda address: address) -> Site:
    """Returns the site of an event as everybody may see it; its matches are loaded as they are asked for."""
    return Site(frame_of(view, written_at_ms), event_of(view, view.cards), view.played, view.scored, place)


def _pairs_of(view: PublicView) -> PairsViews:
    if not any(stage.format.is_of_pairs for stage in view.event.stages):
        return PairsViews()
    return PairsViews(
        view.travellers, view.report_settings.matchpoints, has_several_stages=len(view.event.stages) > 1
    )


def _rounds_finished(standings: Standings, event: EventInfo) -> set[int]:
    """Returns the rounds in which a match is finished."""
    rounds = {match.number: match.round for match in event.matches}
    return {rounds[match.number] for field in standings.fields or (standings,) for match in field.counted}
