"""What the workers of pytest-xdist have together: a folder, and locks in it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def common_folder(factory: pytest.TempPathFactory) -> Path:
    """A folder of this run of pytest, the same for all workers."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """While this is entered no other process is, that locks the same file; the file is made where there is none."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
