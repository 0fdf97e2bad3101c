"""A disk that can be full. Needs root on Linux."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, kb: int = 64) -> Iterator[None]:
    """A disk of so many kB in place of a folder."""
    folder.mkdir(parents=True)
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a small disk is mounted, which takes root on Linux")
    command = ["mount", "-t", "tmpfs", "-o", f"size={kb}k", "none", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(path: Path) -> None:
    """Take what room there is."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)
