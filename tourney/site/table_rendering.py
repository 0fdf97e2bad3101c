"""The templates of the picture of a table, for pages that may not know a record, such as those of who plays at it.

An import contract holds that nothing here, nor what it imports, can read a record: what a seat has not been told, its
pages cannot show.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from tourney.site import filters
from tourney.site.pages.table_picture import card_words

TABLE_FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "call": filters.mark_call,
    "card_words": card_words,
    "contract": filters.mark_contract,
    "face": filters.mark_face,
    "name": filters.mark_name,
    "pip": filters.mark_pip,
    "rank": filters.format_rank,
}
"""The filters of `table-picture.html`."""


def make_environment(used: Mapping[str, Callable[..., Any]]) -> Environment:
    """Returns an environment with the templates of all pages; they escape all text except our own markup.

    Args:
        used: the filters that they may use, by name.
    """
    templates = Environment(
        loader=PackageLoader("tourney.site"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # they are part of the program: nobody has to look whether they have changed
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= used
    templates.globals["NOTHING"] = filters.NOTHING
    return templates
