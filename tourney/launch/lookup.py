"""Where a program that a command names is found on this machine, before anything is started."""

import os
import shutil
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
    if not path.exists():
        return "does not exist"
    if path.is_dir():
        return "is a folder"
    return None if os.access(path, os.X_OK) else "cannot be executed: make it so with `chmod +x`"
