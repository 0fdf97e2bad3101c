"""What the public addresses of the server answer: pages, documents of the API, files of the exports.

All of it is made from a `PublicView`, and nothing else is at hand here: neither the store nor the ways of reports to
load. What may not be shown yet is None, as what does not exist.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tourney.config.values import LiveBoards
from tourney.errors import RuleError, UsageError
from tourney.export.registry import FORMATS
from tourney.site import urls
from tourney.site.documents import event_document, live_document
from tourney.site.public import PublicView
from tourney.site.rendering import ASSETS, asset, render_page
from tourney.site.site import Site, frame_of, site_of
from tourney.site.views.play import phrase_page, play_page, tables_page

_ADDRESS: Final = re.compile(r"(?:[A-Za-z0-9_.-]{1,40}/){0,5}[A-Za-z0-9_.-]{0,40}", re.ASCII)
"""What an address may look like; everything else is nothing, without a look at the record."""

_API: Final = "api/v1/"
_OF_MATCH: Final = re.compile(r"matches/([1-9]\d{0,8})", re.ASCII)
_OF_BOARD: Final = re.compile(r"boards/([1-9]\d{0,8})/([1-9]\d{0,8})", re.ASCII)
_EXPORT: Final = re.compile(r"export/match-([1-9]\d{0,8})\.(pbn|lin|json)", re.ASCII)

VUGRAPH: Final = "vugraph"
"""The boards in play for those with the pass phrase; each has its page below it."""

ENTER: Final = "vugraph/enter"
"""Where the pass phrase is asked for."""

SCRIPT: Final = "static/live.js"
"""The script that keeps pages up to date; it is on no page that is written to a folder."""

_HTML: Final = "text/html; charset=utf-8"
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
    return _TYPES.get(Path(name).suffix, _HTML)


class PublicSite:
    """Everything at public addresses in one look at an event.

    Args:
        view: the look.
        written_at_ms: the time that pages give as that of their writing.
    """

    def __init__(self, view: PublicView, written_at_ms: int) -> None:
        self._view = view
        self._written_at_ms = written_at_ms
        self._site: Site | None = None
        documents: Mapping[str, Callable[[], Mapping[str, Any]]] = {
            "event": lambda: event_document(view),
            "live": lambda: live_document(view),
            "standings": lambda: view.report("standings").document(),
            "rounds": lambda: view.report("rounds").document(),
            "crosstable": lambda: view.report("crosstable").document(),
            "rulings": lambda: view.report("rulings").document(),
        }
        self._documents = documents

    def content(self, address: str) -> Content | None:
        """Return what is at an address; None if there is nothing, or nothing that may be shown.

        Raises:
            StoreError: the database cannot be used.
        """
        try:
            if address.startswith(_API):
                return self._document(address.removeprefix(_API))
            if found := _EXPORT.fullmatch(address):
                return self._exported(int(found[1]), found[2])
            return self._page(address)
        except (UsageError, RuleError):
            return None

    def _page(self, address: str) -> Content | None:
        if address in ASSETS:  # they are at addresses of their own
            return None
        above, _, below = address.rpartition("/")
        if address in (urls.PLAY, VUGRAPH, ENTER) or above in (urls.PLAY, VUGRAPH):
            page = self._play(address, below)
        else:
            if self._site is None:
                self._site = site_of(self._view, self._written_at_ms, place)
            page = self._site.render(address)
        if page is None:
            return None
        if address == ENTER:  # it is at whatever address was asked for, and never changes
            return Content(page, _HTML)
        events = "vugraph/events" if address.startswith(VUGRAPH) else "events"
        source = urls.link(address, place(SCRIPT))
        script = f'<script src="{source}" data-topic="{address}" data-events="{events}" defer></script>\n</head>'
        return Content(page.replace(b"</head>", script.encode(), 1), _HTML)

    def _play(self, address: str, below: str) -> bytes | None:
        """Return a page of boards in play; those of the vugraph are for a view of those with the pass phrase only."""
        view = self._view
        if view.rules.live is LiveBoards.FINISHED or view.rules.is_vugraph != address.startswith(VUGRAPH):
            return None
        frame = frame_of(view, self._written_at_ms)
        if address == ENTER:
            return render_page(phrase_page(frame, address), place)
        if address in (urls.PLAY, VUGRAPH):
            playing = sum(table.board is not None for table in view.tables)
            return render_page(tables_page(frame, address, view.tables_shown, playing), place)
        table = next((each for each in view.tables_shown if each.place == below), None)
        board = view.board_in_play(table) if table is not None else None
        if table is None or board is None:
            return None
        return render_page(play_page(frame, address, table, board), place)

    def _document(self, name: str) -> Content | None:
        if make := self._documents.get(name):
            document = make()
        elif found := _OF_MATCH.fullmatch(name):
            document = self._view.report("match", match_number=int(found[1])).document()
        elif found := _OF_BOARD.fullmatch(name):
            numbers = {"round_number": int(found[1]), "board": int(found[2])}
            document = self._view.report("boards", **numbers).document()
        else:
            return None
        return Content(f"{json.dumps(document, ensure_ascii=False)}\n".encode(), JSON)

    def _exported(self, number: int, name: str) -> Content | None:
        match = next((match for match in self._view.event.matches if match.number == number), None)
        if match is None or self._view.is_frozen(match.round):
            return None
        with TemporaryDirectory(prefix="tourney-serve-") as folder:
            request = self._view.export_request(Path(folder), self._written_at_ms, match)
            written = list(FORMATS[name].export(request))
            return Content(written[0].read_bytes(), content_type_of(f".{name}")) if written else None


# Files of pages


def place(address: str) -> str:
    """Return where the page or file of an address is on the server: the place of files has a hash of all of them."""
    if address.startswith("static/"):
        return f"static/{_assets_hash()}/{address.removeprefix('static/')}"
    return address


def static_file(address: str) -> Content | None:
    """Return a file of the pages by its place on the server; None if there is none."""
    return _static_files().get(address)


@cache
def _assets() -> dict[str, bytes]:
    script = files("tourney.web").joinpath("static/live.js").read_bytes()
    return {**{address: asset(address) for address in ASSETS}, SCRIPT: script}


@cache
def _assets_hash() -> str:
    together = sha256()
    for address, body in sorted(_assets().items()):
        together.update(f"{address} {len(body)}\n".encode() + body)
    return together.hexdigest()[:16]


@cache
def _static_files() -> dict[str, Content]:
    return {place(address): Content(body, content_type_of(address)) for address, body in _assets().items()}
