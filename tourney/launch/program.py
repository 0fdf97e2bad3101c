"""What a program is started with: a folder of its own, words, an environment, and where programs are found."""

import errno
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tourney.errors import LaunchError, ResourcesShort
from tourney.runtime.privacy import CLOSED_FOLDER_MODE

_OWN_FOLDER_MODE: Final = 0o700

_SHORTAGES: Final = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.ENOBUFS, errno.ENOSPC, errno.EDQUOT}
)
"""What the system says when this machine lacks something, which is no fault of the program."""


def launch_error(error: OSError, what: str) -> LaunchError:
    """Return the error for something that could not be started: whether the program is to blame, or this machine."""
    kind = ResourcesShort if error.errno in _SHORTAGES else LaunchError
    return kind(f"{what}: {error.strerror}")


def make_own_folder(path: Path) -> None:
    """Make the folder of a program, where it may write, and which is kept; nobody else may look into it.

    Raises:
        OSError: it cannot be written.
    """
    for folder in reversed(path.parents[:2]):  # of all programs, and of those of its table
        folder.mkdir(CLOSED_FOLDER_MODE, parents=True, exist_ok=True)
    path.mkdir(_OWN_FOLDER_MODE, exist_ok=True)


class Start(NamedTuple):
    """How a child is started."""

    words: list[str]
    environment: dict[str, str]
    before: Callable[[], None] | None
    """What the child does before its program."""
    channel: int | None = None
    """A descriptor that it inherits."""
    stdin: int = subprocess.DEVNULL
    """A descriptor for its standard input; by default it has none."""
    is_wrapped: bool = False
    """Whether the leader of the group is a wrapper of the program, as bubblewrap is: it ends with the program, and
    takes with it whatever that has started."""


def describe_end(status: int, line: str) -> str:
    """Describe how a program ended, with the line that says what happened, if there is one."""
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    return f"{how}: {line}" if line else how


# Where a program that a command names is found, before anything is started


def search_path() -> str:
    """Return where programs are looked for: first where tourney itself runs from, which has `tourney bot`."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])


def why_not_found(program: str, folder: Path) -> str | None:
    """Return why a program cannot be started from a folder, in words that follow its name; None if it can be."""
    if os.sep not in program:
        return None if shutil.which(program, path=search_path()) is not None else "is not on the path"
    path = folder / Path(program).expanduser()
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist"
    except OSError as error:  # a folder that may not be looked into, for one
        return f"cannot be looked at: {error.strerror}"
    if stat.S_ISDIR(mode):
        return "is a folder"
    return None if os.access(path, os.X_OK) else "cannot be executed: make it so with `chmod +x`"


def is_missing(path: Path) -> bool:
    """Return whether there is certainly no file of that name; one that may not be looked at may be there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
