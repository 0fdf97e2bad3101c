"""Templates of pages that only a server has, beside those of the public pages, whose parts and style they share."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader

from tourney import __version__
from tourney.site.rendering import environment, printable


def render_page(package: str, template: str, context: Mapping[str, Any]) -> str:
    """Return a page of a room, which has a folder `templates`, as HTML."""
    return printable(_environment(package).get_template(template).render(context))


@cache
def _environment(package: str) -> Environment:
    public = environment()
    assert public.loader is not None
    made = public.overlay(loader=ChoiceLoader([PackageLoader(package), PackageLoader("tourney.web"), public.loader]))
    made.globals = {
        **public.globals,
        "program": f"tourney {__version__}",
        "link": lambda address: f"/{address}",
    }
    return made
