"""Writes the pages of an event into a folder.

Any web server can serve them; they are read without scripts and fetch nothing from elsewhere. One match is in memory
at a time. Pages that were written before and are no more, such as that of a board which is to be replayed, are
removed; files of others never are, for a manifest beside the pages names those that were written.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from tourney.config.web import WebConfig
from tourney.errors import LaunchError
from tourney.export.files import make_export_folder, write_file
from tourney.export.request import ExportRequest
from tourney.results.played import PlayedMatch
from tourney.site import urls
from tourney.site.public import PublicView
from tourney.site.rendering import ASSETS, asset
from tourney.site.site import Site

MANIFEST: Final = ".tourney-pages.json"
"""The name of the manifest: the paths in the folder of what was written."""

_PATH: Final = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*")
"""A path in the folder; a manifest that somebody has edited leads to no other."""

Write: TypeAlias = Callable[[Iterable[tuple[str, bytes]]], None]
"""Writes pages and files, given by their addresses."""


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the pages of the event; yields the path of the first page alone."""
    view = PublicView(request.drawn, WebConfig(), request.written_at_ms)
    yield write_site(view, request.folder, request.written_at_ms, request.count)


def write_site(
    view: PublicView, folder: Path, written_at_ms: int, count: Callable[[PlayedMatch], None] = lambda _: None
) -> Path:
    """Writes the pages of an event into a folder that exists; returns the path of its front page.

    Args:
        view: the event as everybody may see it.
        folder: where the pages go.
        written_at_ms: the time that every page gives as that of its writing.
        count: is given each match as it is written.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: the record of a forfeited board has an illegal auction.
        StoreError: the database cannot be used.
    """
    site = Site(view, written_at_ms, urls.file_of)
    with _page_folder(folder) as write:
        for match in view.iter_played():
            count(match)
            write(site.pages(match))
        write(site.pages())
        if view.has_starts:
            write([(urls.CALENDAR, view.calendar)])
    return folder / urls.INDEX


@contextmanager
def _page_folder(folder: Path) -> Iterator[Write]:
    """Open a folder that exists to write all its pages; what they need is added, and what is old is removed.

    If the block raises, nothing is removed, and what was written before is remembered.

    Raises:
        LaunchError: a file cannot be read, written or removed.
    """
    before, written = _read_manifest(folder), set[str]()

    def write(pages: Iterable[tuple[str, bytes]]) -> None:
        for address, content in pages:
            name = urls.file_of(address)
            assert name is not None, address
            path = folder / name
            if path.parent != folder:
                make_export_folder(path.parent)
            write_file(path, content.decode())
            written.add(name)

    try:
        yield write
        write((address, asset(address)) for address in ASSETS)
        for name in before - written:
            (folder / name).unlink(missing_ok=True)
        before = set()
    except OSError as error:
        raise LaunchError(f"old pages in {folder} cannot be removed: {error.strerror}") from None
    finally:
        write_file(folder / MANIFEST, json.dumps(sorted(before | written), indent=0))


def _read_manifest(folder: Path) -> set[str]:
    try:
        listed = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    names = listed if isinstance(listed, list) else []
    return {name for name in names if isinstance(name, str) and _PATH.fullmatch(name) is not None}
