"""What the public addresses of the server answer: pages, documents of the API, files of the exports.

All of it is made from a `PublicView`, and nothing else is at hand here: neither the store nor the ways of reports to
load. What may not be shown yet is None, as what does not exist.
"""

import json
import re
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tourney.errors import RuleError, UsageError
from tourney.export.registry import FORMATS
from tourney.site import urls
from tourney.site.public import PublicView
from tourney.site.rendering import ASSETS, asset
from tourney.site.routes import DocumentRoute, FileRoute, PageRoute, Value, find_routes
from tourney.site.site import Site

_ADDRESS: Final = re.compile(r"(?:[A-Za-z0-9_.-]{1,40}/){0,5}[A-Za-z0-9_.-]{0,40}", re.ASCII)
"""What an address may look like; everything else is nothing, without a look at the record."""

SCRIPT: Final = "static/live.js"
"""The script that keeps pages up to date; it is on no page that is written to a folder."""
SEAT_SCRIPT: Final = "static/seat.js"
"""The script of the page of a seat."""
HAND: Final = "static/hand.js"
"""The script of a hand whose cards are buttons."""
SEAT_STYLE: Final = "static/seat.css"
"""How it looks."""

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json"
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": JSON,
    ".pbn": "text/plain; charset=utf-8",
    ".lin": "text/plain; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".xml": "application/xml",
    ".ics": "text/calendar; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Content:
    """What an address answers."""

    body: bytes
    content_type: str


def is_address(text: str) -> bool:
    """Whether there may be anything at an address, as far as its form says."""
    return _ADDRESS.fullmatch(text) is not None and ".." not in text


def content_type_of(name: str) -> str:
    """Return the type of a file by its name."""
    return _TYPES.get(Path(name).suffix, HTML)


class PublicSite:
    """Everything at public addresses in one look at an event.

    Args:
        view: the look.
        written_at_ms: the time that pages give as that of their writing.
    """

    def __init__(self, view: PublicView, written_at_ms: int) -> None:
        self._view = view
        self._written_at_ms = written_at_ms

    @cached_property
    def _site(self) -> Site:
        return Site(self._view, self._written_at_ms, place)

    def content(self, address: str) -> Content | None:
        """Return what is at an address; None if there is nothing, or nothing that may be shown.

        Raises:
            StoreError: the database cannot be used.
        """
        try:
            for route, values in find_routes(address):
                if isinstance(route, PageRoute):
                    return self._page(address)
                if isinstance(route, DocumentRoute):
                    return self._document(route, values)
                if not route.export_format:  # those of the whole event are made elsewhere
                    return self._exported(route, values)
        except (UsageError, RuleError):
            pass
        return None

    def _page(self, address: str) -> Content | None:
        page = self._site.render(address)
        if (
            page is None or address == urls.VUGRAPH_LOGIN
        ):  # it is at whatever address was asked for, and never changes
            return Content(page, HTML) if page is not None else None
        events = "vugraph/events" if address.startswith(urls.VUGRAPH) else "events"
        source = urls.link(address, place(SCRIPT))
        script = f'<script src="{source}" data-topic="{address}" data-events="{events}" defer></script>\n</head>'
        return Content(page.replace(b"</head>", script.encode(), 1), HTML)

    def _document(self, route: DocumentRoute, values: tuple[Value, ...]) -> Content:
        text = json.dumps(route.document(self._view, values), ensure_ascii=False)
        return Content(f"{text}\n".encode(), JSON)

    def _exported(self, route: FileRoute, values: tuple[Value, ...]) -> Content | None:
        """Return the file of a match."""
        named = route.named(values)
        match = next((match for match in self._view.event.matches if match.number == named["match"]), None)
        if match is None or self._view.is_frozen(match.round):
            return None
        name = str(named["format"])
        with TemporaryDirectory(prefix="tourney-serve-") as folder:
            request = self._view.export_request(Path(folder), self._written_at_ms, match)
            written = list(FORMATS[name].export(request))
            return Content(written[0].read_bytes(), content_type_of(f".{name}")) if written else None


# Files of pages


def place(address: str) -> str:
    """Return where the page or file of an address is on the server: the place of files has a hash of all of them."""
    if address.startswith(urls.STATIC):
        return f"{urls.STATIC}{_assets_hash()}/{address.removeprefix(urls.STATIC)}"
    return address


def static_file(address: str) -> Content | None:
    """Return a file of the pages by its place on the server; None if there is none."""
    return _static_files().get(address)


@cache
def _assets() -> dict[str, bytes]:
    own = files("tourney.web")
    scripts = {address: own.joinpath(address).read_bytes() for address in (SCRIPT, SEAT_SCRIPT, SEAT_STYLE)}
    return {**{address: asset(address) for address in (*ASSETS, HAND)}, **scripts}


@cache
def _assets_hash() -> str:
    together = sha256()
    for address, body in sorted(_assets().items()):
        together.update(f"{address} {len(body)}\n".encode() + body)
    return together.hexdigest()[:16]


@cache
def _static_files() -> dict[str, Content]:
    return {place(address): Content(body, content_type_of(address)) for address, body in _assets().items()}
