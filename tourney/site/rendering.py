"""Renders pages with the templates that ship with the package."""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from tourney.bridge.minibridge import announced_points
from tourney.conditions.document import Conditions, format_html
from tourney.output.content import linked
from tourney.site import filters, urls
from tourney.site.pages.axes import Chart
from tourney.site.pages.frame import Context, Page
from tourney.site.pages.table_picture import card_words
from tourney.site.pages.tables import tone_of, view_report
from tourney.times import format_duration, format_utc
from tourney.views.report import Report
from tourney.views.rulings import describe_ruling

_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that a player's text may contain but HTML (WHATWG HTML, section 13.2.3.5) or UTF-8 may not."""

ASSETS: Final = (
    "static/style.css",
    "static/table.js",
    "static/suits.js",
    "static/replay.js",
    "static/page.js",
)
"""The addresses of the files that pages need."""

_FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "announced": announced_points,
    "call": filters.mark_call,
    "card": filters.mark_card,
    "card_words": card_words,
    "content": filters.mark_content,
    "contract": filters.mark_contract,
    "duration": format_duration,
    "face": filters.mark_face,
    "holding": filters.mark_holding,
    "minus": filters.mark_minus,
    "moment": filters.mark_moment,
    "name": filters.mark_name,
    "outcome": filters.mark_outcome,
    "pip": filters.mark_pip,
    "rank": filters.format_rank,
    "seconds": filters.format_seconds,
    "ruling": partial(describe_ruling, with_match=False),
    "suit": filters.mark_suit,
    "tone": tone_of,
    "utc": format_utc,
    "vulnerable": filters.VULNERABLE.__getitem__,
    "total": filters.format_total,
}


def render_page(page: Page, place: urls.Place) -> bytes:
    """Renders a page as HTML, in UTF-8.

    Args:
        page: the page.
        place: where each page of the site is; a file and an answer of the server differ only in the links that
            follow from it.
    """
    source = place(page.address)
    assert source is not None, page.address
    at: str = source

    def link(address: str | None, fragment: str = "") -> str | None:
        """Returns the link to an address; None if there is no such page here."""
        target = place(address) if address is not None else None
        if target is None:
            return None
        if not fragment:
            return urls.link(at, target)
        return f"#{fragment}" if target == at else f"{urls.link(at, target)}#{fragment}"

    text = environment().get_template(page.template).render({**page.context, "link": link})
    return printable(text).encode()


def render_alone(report: Report, title: str, charts: Sequence[Chart], program: str, written_at_ms: int) -> bytes:
    """Renders a report of what is not an event, such as a league, as a page by itself, in UTF-8.

    Args:
        report: the report.
        title: its heading.
        charts: what stands above its tables.
        program: what writes it.
        written_at_ms: the time that it gives as that of its writing.
    """
    context = view_report(report, title, charts=charts)
    return _render_alone("report.html", report, context, program, written_at_ms - written_at_ms % 1000)


def render_conditions(conditions: Conditions, program: str) -> bytes:
    """Renders the conditions of contest as a page by itself, in UTF-8; `program` writes it."""
    context = {"contents": format_html(conditions)}
    return _render_alone("conditions.html", conditions.event.config.event, context, program, None)


def _render_alone(template: str, subject: object, context: Context, program: str, written_at_ms: int | None) -> bytes:
    common = {
        "subject": subject,
        "program": program,
        "written_at_ms": written_at_ms,
        "style_sheet": style_sheet(),
        "outline": "standalone.html",
        "link": lambda _: None,
        "address_of": lambda _: None,
        "entrants_of": lambda side: (side,),
    }
    return printable(environment().get_template(template).render({**common, **context})).encode()


def asset(address: str) -> bytes:
    """Returns a file that pages need, by its address in the site: the style sheet."""
    return files("tourney.site").joinpath(address).read_bytes()


def style_sheet() -> str:
    """Returns the style sheet of all pages."""
    return asset("static/style.css").decode()


def printable(page: str) -> str:
    """Returns the page with a replacement character for each character that no page may have."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", page)


@cache
def environment() -> Environment:
    """Returns the template environment; the templates escape all text except our own markup."""
    templates = Environment(
        loader=PackageLoader("tourney.site"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # they are part of the program: nobody has to look whether they have changed
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= _FILTERS
    templates.globals |= {
        "NOTHING": filters.NOTHING,
        "linked": linked,
        "thinking": filters.mark_thinking,
        "urls": urls,
    }
    return templates
