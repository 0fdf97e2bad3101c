"""A folder that pages are written into again and again: it removes what it wrote before and does not write now.

What it has written is in a manifest beside the pages. Files of others are never removed, whatever their names.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tourney.errors import LaunchError
from tourney.export.files import make_export_folder, replace_file

MANIFEST: Final = ".tourney-pages.json"
"""The name of the manifest: the path of each file in the folder, and the SHA-256 of what was written."""

_PATH: Final = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*")
"""A path in the folder; a manifest that somebody has edited leads to no other."""
_BOARD_FILE: Final = re.compile(r"(stage-\d+-|round-\d+-)?board-\d+\.html")
_OWN_MARK: Final = b'<meta name="generator" content="tourney '
"""What each page has. It tells the pages of a version without a manifest from those of others."""


class PageFolder:
    """Writes files into a folder, and knows which of the files there it has written itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._before = _read_manifest(folder)
        self._written: dict[str, str] = {}

    def write(self, name: str, content: bytes) -> None:
        """Write a file; `name` is its path in the folder.

        Raises:
            LaunchError: it cannot be written.
        """
        path = self.folder / name
        if path.parent != self.folder:
            make_export_folder(path.parent)
        with replace_file(path) as file:
            file.write(content.decode())
        self._written[name] = _digest(content)

    def remove_old(self) -> None:
        """Remove what was written at an earlier time and not now, unless somebody has changed it since.

        Raises:
            LaunchError: a file cannot be removed.
        """
        try:
            for name in sorted(self._before.keys() - self._written.keys()):
                path = self.folder / name
                if path.is_file() and _digest(path.read_bytes()) == self._before[name]:
                    path.unlink()
        except OSError as error:
            raise LaunchError(f"old pages in {self.folder} cannot be removed: {error.strerror}") from None
        self._before = {}

    def save_manifest(self) -> None:
        """Write down which files are there now.

        Raises:
            LaunchError: it cannot be written.
        """
        with replace_file(self.folder / MANIFEST) as file:
            json.dump(self._before | self._written, file, indent=0, sort_keys=True)


@contextmanager
def page_folder(folder: Path) -> Iterator[PageFolder]:
    """Open a folder that exists to write all its pages; at the end, what it wrote at an earlier time is removed.

    If the block raises, nothing is removed, and what was written before is remembered.

    Raises:
        LaunchError: a file cannot be read, written or removed.
    """
    pages = PageFolder(folder)
    try:
        yield pages
        pages.remove_old()
    finally:
        pages.save_manifest()


def _read_manifest(folder: Path) -> dict[str, str]:
    path = folder / MANIFEST
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _find_boards(folder)
    except (OSError, ValueError):
        return {}
    if not isinstance(listed, dict):
        return {}
    return {name: str(digest) for name, digest in listed.items() if _PATH.fullmatch(name) is not None}


def _find_boards(folder: Path) -> dict[str, str]:
    """Return the pages of boards that a version without a manifest has written here."""
    found = {}
    try:
        for path in (*folder.glob("*.html"), *folder.glob("match-*/*.html")):
            content = path.read_bytes() if _BOARD_FILE.fullmatch(path.name) is not None else b""
            if _OWN_MARK in content:
                found[path.relative_to(folder).as_posix()] = _digest(content)
    except OSError as error:
        raise LaunchError(f"pages in {folder} cannot be read: {error.strerror}") from None
    return found


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
