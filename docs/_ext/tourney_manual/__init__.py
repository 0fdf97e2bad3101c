"""Sphinx extension that writes the derived pages of the manual while it is built.

A page asks for generated text with an empty directive on lines of its own, such as

    ```{tourney-commands}
    ```

which is replaced by Markdown before the page is parsed, so that headings, links and the table of contents treat it
like any other text. What is generated is never written to a file.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from tourney_manual.commands import render_commands
from tourney_manual.event_file import render_event_file, render_profiles
from tourney_manual.json_documents import render_json_documents
from tourney_manual.old_names import render_old_names

if TYPE_CHECKING:
    from sphinx.application import Sphinx

GENERATORS: Final[dict[str, Callable[[], str]]] = {
    "tourney-commands": render_commands,
    "tourney-event-file": render_event_file,
    "tourney-profiles": render_profiles,
    "tourney-json-documents": render_json_documents,
    "tourney-old-names": render_old_names,
}
"""What writes the text that stands in the place of each directive."""

_DIRECTIVE: Final = re.compile(r"^```\{(tourney-[a-z-]+)\}\n```$", re.MULTILINE)


def expand_generated(text: str) -> str:
    """The Markdown of a page with generated text in the place of its directives.

    Raises:
        KeyError: the page asks for text that nothing generates.
    """
    return _DIRECTIVE.sub(lambda found: GENERATORS[found[1]](), text)


def _expand_page(app: "Sphinx", _page: str, content: list[str]) -> None:
    expanded = expand_generated(content[0])
    if expanded != content[0]:
        app.env.note_reread()  # what it is derived from is not among the files that Sphinx watches
    content[0] = expanded


def setup(app: "Sphinx") -> dict[str, Any]:
    """Entry point for Sphinx."""
    app.connect("source-read", _expand_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
