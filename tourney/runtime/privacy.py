"""What keeps a run and its table hosts to themselves: no other process reads their memory, nobody else their files.

A run and its hosts know every deal, every passphrase and the password of the database; programs of teams run on the
same machine, perhaps as the same user.
"""

import ctypes
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

CLOSED_TO_OTHERS: Final = 0o027
"""The mask of files that the owner writes and the group reads: files are 0640, folders 0750."""

CLOSED_FOLDER_MODE: Final = 0o750
_OPEN_FOLDER: Final = 0o755
_OF_OTHERS: Final = 0o007

_PR_SET_DUMPABLE: Final = 4  # prctl(2)
_FIRST_PROCESS: Final = Path("/proc/1/stat")

_SECRET_VARIABLES: Final = ("TOURNEY_DATABASE", "PGPASSWORD")
"""Environment variables of an organiser: the database with its password."""


def forbid_tracing(*, forbidden: bool = True) -> None:
    """Keep other processes of this user from tracing this one and reading its memory and environment (on Linux).

    There `/proc/PID/environ`, `mem` and `fd` belong to root meanwhile, and `ptrace` is refused. What this process
    starts is not affected. Where `/proc` hides the processes of other users, it would hide this one from its own
    user's, who could not tell that it is at work, and nothing is done.
    """
    if sys.platform == "linux" and _FIRST_PROCESS.exists():
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, int(not forbidden), 0, 0, 0)


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment for a child without what opens the database."""
    return {name: value for name, value in environment.items() if name not in _SECRET_VARIABLES}


@contextmanager
def closed_files() -> Iterator[None]:
    """Close new files and folders to users outside the group."""
    before = os.umask(CLOSED_TO_OTHERS)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def private_process(*, share: bool = False) -> Iterator[None]:
    """Forbid tracing, and close new files and folders to users outside the group, unless they are to be shared."""
    forbid_tracing()
    try:
        with nullcontext() if share else closed_files():
            yield
    finally:
        forbid_tracing(forbidden=False)


def share_folder(folder: Path) -> None:
    """Let everybody on the machine list a folder.

    Raises:
        OSError: it is another user's.
    """
    folder.chmod(folder.stat().st_mode | _OPEN_FOLDER)


def close_folder(folder: Path) -> None:
    """Make a folder if it is not there, and keep users outside the group from all that is in it.

    Raises:
        OSError: it cannot be made, or is another user's.
    """
    folder.mkdir(CLOSED_FOLDER_MODE, parents=True, exist_ok=True)
    folder.chmod(stat.S_IMODE(folder.stat().st_mode) & ~_OF_OTHERS)
