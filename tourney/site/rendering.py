"""Renders pages with the templates that ship with the package."""

import re
from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from tourney.report.match import format_assigned_outcome
from tourney.report.pairs_explained import describe_tie_of_pairs
from tourney.report.rulings import describe_author, describe_cause
from tourney.report.standings import describe_tie
from tourney.report.times import format_duration, format_utc
from tourney.scoring.victory_points import format_vp
from tourney.site import filters, urls
from tourney.site.views.pages import Page

_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that a player's text may contain but HTML (WHATWG HTML, section 13.2.3.5) or UTF-8 may not."""


def render_page(page: Page) -> str:
    """Renders a page as HTML."""
    return printable(environment().get_template(page.template).render(page.context))


def style_sheet() -> str:
    """Returns the style sheet of all pages."""
    loader = environment().loader
    assert loader is not None
    return loader.get_source(environment(), urls.STYLE)[0]


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
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {
        "assigned": format_assigned_outcome,
        "call": filters.mark_call,
        "card": filters.mark_card,
        "contract": filters.mark_contract,
        "duration": format_duration,
        "holding": filters.mark_holding,
        "minus": filters.mark_minus,
        "name": filters.mark_name,
        "over": filters.format_over,
        "par_contract": filters.mark_par_contract,
        "ruling_author": describe_author,
        "ruling_cause": describe_cause,
        "signed": filters.format_signed,
        "strain": filters.mark_strain,
        "suit": filters.mark_suit,
        "tie": describe_tie,
        "tie_of_pairs": describe_tie_of_pairs,
        "total": filters.format_total,
        "utc": format_utc,
        "vp": format_vp,
    }
    templates.globals |= {"NOTHING": filters.NOTHING, "thinking": filters.mark_thinking}
    return templates
