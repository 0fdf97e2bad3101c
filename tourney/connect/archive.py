"""Makes `connect.pyz`: the author's side of a tunnel in one file, for a Python without anything else installed.

The same installation always gives the same bytes, so that the organiser can tell authors their SHA-256.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import websockets

import tourney
import tourney.connect

FILE_NAME: Final = "connect.pyz"
"""The name under which it is handed out."""

_SHEBANG: Final = b"#!/usr/bin/env python3\n"

_MAIN: Final = b"""\
import sys

if sys.version_info < (3, 11):
    sys.exit("connect.pyz needs Python 3.11 or later, and this is " + sys.version.split()[0])

from tourney.connect.main import main

sys.exit(main(sys.argv[1:], "connect.pyz"))
"""

_OWN_FILES: Final = (
    *("__init__.py", "errors.py", "protocol/__init__.py", "protocol/http_requests.py"),
    *(f"protocol/tunnel/{name}.py" for name in ("__init__", "end", "events", "frames")),
)
_UNUSED_FOLDERS: Final = frozenset({"legacy", "sync", "trio", "__pycache__"})
"""The other ways to use `websockets`."""

_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file: the first that an archive can say."""


def build_archive() -> bytes:
    """Return the bytes of `connect.pyz`, made from what is installed."""
    content = io.BytesIO()
    content.write(_SHEBANG)
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted({"__main__.py": _MAIN, **dict(_files())}.items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return content.getvalue()


def archive_digest(archive: bytes) -> str:
    """Return the SHA-256 of an archive, in hexadecimal digits."""
    return hashlib.sha256(archive).hexdigest()


def _files() -> Iterator[tuple[str, bytes]]:
    own = Path(tourney.__file__).parent
    for name in _OWN_FILES:
        yield f"tourney/{name}", (own / name).read_bytes()
    for path in Path(tourney.connect.__file__).parent.glob("*.py"):
        if path.name != "archive.py":
            yield f"tourney/connect/{path.name}", path.read_bytes()
    library = Path(websockets.__file__).parent
    for path in library.rglob("*.py"):
        place = path.relative_to(library)
        if not _UNUSED_FOLDERS & set(place.parts):
            yield f"websockets/{place.as_posix()}", path.read_bytes()
    for notice in library.parent.glob("websockets-*.dist-info/licenses/LICENSE"):
        yield "websockets/LICENSE", notice.read_bytes()
