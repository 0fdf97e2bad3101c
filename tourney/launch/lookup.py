"""Where a program that a command names is found on this machine, before anything is started."""

import os
import shutil
import stat
import sys
from pathlib import Path


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
