"""Templates of pages that only a server has, beside those of the public pages, whose parts and style they share."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader

from tourney import __version__
from tourney.site.rendering import environment, printable
from tourney.web.public import SCRIPT


class ServerTemplates:
    """The templates of one room; they are loaded when the first page is rendered.

    Args:
        package: the room, which has a folder `templates`.
        shown: what all its pages know.
    """

    def __init__(self, package: str, **shown: Any) -> None:
        self._package = package
        self._shown = shown

    def render(self, template: str, context: Mapping[str, Any]) -> str:
        """Return a page as HTML."""
        return printable(self._environment.get_template(template).render(context))

    @cached_property
    def _environment(self) -> Environment:
        public = environment()
        assert public.loader is not None
        made = public.overlay(
            loader=ChoiceLoader([PackageLoader(self._package), PackageLoader("tourney.web"), public.loader])
        )
        made.globals = {
            **public.globals,
            "script": f"/{SCRIPT}",
            "program": f"tourney {__version__}",
            "link": lambda address: f"/{address}",
            **self._shown,
        }
        return made
