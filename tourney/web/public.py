"""What the public addresses of the server answer: pages, documents of the API, files of the exports.

All of it is made from a `PublicView`, and nothing else is at hand here: neither the store nor the ways of reports to
load. What may not be shown yet is None, as what does not exist.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from starlette.convertors import Convertor, IntegerConvertor, StringConvertor, register_url_convertor
from starlette.routing import compile_path

from tourney.errors import RuleError, UsageError
from tourney.export.registry import FORMATS
from tourney.output.rows import document_of
from tourney.site import urls
from tourney.site.pages.play_on import NO_CARD
from tourney.site.public import PublicView
from tourney.site.routes import ROUTES, Route, Value
from tourney.site.site import Site

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json"
_TYPES: Final = {
    ".json": JSON,
    ".pbn": "text/plain; charset=utf-8",
    ".lin": "text/plain; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".xml": "application/xml",
    ".ics": "text/calendar; charset=utf-8",
    ".atom": "application/atom+xml; charset=utf-8",
    ".png": "image/png",
}


@dataclass(frozen=True, slots=True)
class Content:
    """What an address answers."""

    body: bytes
    content_type: str


def content_type_of(name: str) -> str:
    """Return the type of a file by its name."""
    return _TYPES.get(Path(name).suffix, HTML)


# Which route an address is of


class _Number(IntegerConvertor):
    regex = "[1-9][0-9]{0,8}"


class _Word(StringConvertor):
    def __init__(self, regex: str) -> None:
        self.regex = regex  # type: ignore[misc] # of the class in Starlette, whose convertors have one each


_WORDS: Final = {
    "table": _Word(r"[0-9.]+-[a-z]+"),
    "room": _Word("open|closed"),
    "seat": _Word("[NESW]"),
    "cards": _Word(f"{NO_CARD}|(?:[SHDC][2-9TJQKA]){{1,52}}"),
}
"""The parameters that are no numbers."""
register_url_convertor("number", _Number())
for _name, _convertor in _WORDS.items():
    register_url_convertor(_name, _convertor)


def _compile() -> Iterator[tuple[re.Pattern[str], Mapping[str, Convertor[Any]], Route, str]]:
    for route in ROUTES:
        kinds = {name: name if name in _WORDS else "number" for name in route.parameters}
        path = route.path.format(**{name: f"{{{name}:{kind}}}" for name, kind in kinds.items()})
        for suffix in route.suffixes:
            pattern, _, convertors = compile_path(f"/{path}{suffix}")
            yield pattern, convertors, route, suffix


_COMPILED: Final = list(_compile())


def find(address: str) -> tuple[Route, tuple[Value, ...], str] | None:
    """Return the route of an address, the values of its parameters and its suffix; None if it is of none."""
    for pattern, convertors, route, suffix in _COMPILED:
        if (found := pattern.fullmatch(f"/{address}")) is not None:
            values = tuple(convertors[name].convert(text) for name, text in found.groupdict().items())
            return route, values, suffix
    return None


class PublicSite:
    """Everything at public addresses in one look at an event.

    Args:
        view: the look.
        now_ms: the time at which files of matches say that they are written.
    """

    def __init__(self, view: PublicView, now_ms: int) -> None:
        self._view = view
        self._now_ms = now_ms

    @cached_property
    def _site(self) -> Site:
        return Site(self._view)

    def content(self, address: str) -> Content | None:
        """Return what is at an address; None if there is nothing, or nothing that may be shown.

        Raises:
            StoreError: the database cannot be used.
        """
        found = find(address)
        if found is None or found[0].export_format:  # files of the whole event are made elsewhere
            return None
        route, values, suffix = found
        try:
            if not suffix:
                body = self._site.render(route, values)
            elif suffix in urls.PICTURES:
                body = self._site.draw(route, values, is_hidden=suffix != urls.PICTURES[0])
            elif route.formats:
                body = self._exported(suffix.removeprefix("."), *values)
            else:
                body = self._document(route, values, suffix).encode()
        except (UsageError, RuleError):
            return None
        return Content(body, content_type_of(f"{route.path}{suffix}")) if body is not None else None

    def _document(self, route: Route, values: tuple[Value, ...], suffix: str) -> str:
        if route.load is not None:
            document = document_of(route.load(self._view))
        else:
            report = self._view.report(route.report, **route.arguments(values))
            if suffix == ".csv":
                return report.csv().text()
            document = report.document()
        return f"{json.dumps(document, ensure_ascii=False)}\n"

    def _exported(self, name: str, number: Value) -> bytes | None:
        """Return the file of a match."""
        match = self._view.event.matches_by_number.get(int(number))
        if match is None or self._view.is_frozen(match.round):
            return None
        with TemporaryDirectory(prefix="tourney-serve-") as folder:
            request = self._view.export_request(Path(folder), self._now_ms, match)
            written = list(FORMATS[name].export(request))
            return written[0].read_bytes() if written else None
