"""Files that come into being whole: built in a folder of their own, on the disk before they get their name."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tourney.errors import StoreError


def make_file(path: Path, build: Callable[[Path], None]) -> None:
    """Make a file that is not there yet, or leave no trace.

    Nobody but its owner and its group may read it: it holds boards that are still to be played.

    Args:
        path: what it will be called; its folder is there.
        build: writes it at the path it is given, in a folder that holds nothing else.

    Raises:
        FileExistsError: there is one of this name by now; it stays as it is.
        StoreError: it cannot be written, or what `build` raises.
    """
    if path.exists():
        raise FileExistsError(path)
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
            part = Path(folder, path.name)
            build(part)
            part.chmod(part.stat().st_mode & ~0o007)
            sync_path(part)
            _name(part, path)
        sync_path(path.parent)
    except FileExistsError:
        raise
    except OSError as error:
        raise StoreError(f"file {path} cannot be written: {error.strerror}") from None


def _name(part: Path, path: Path) -> None:
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as that of a memory stick
        if path.exists():
            raise FileExistsError(path) from None
        part.rename(path)


def sync_path(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
