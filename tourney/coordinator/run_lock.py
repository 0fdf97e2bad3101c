"""One run at a time: a lock on a file of the results folder, which the system lets go when its holder dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tourney.errors import LaunchError


@contextmanager
def hold_run_lock(results: Path) -> Iterator[None]:
    """Hold the event for this run.

    Raises:
        LaunchError: another run holds it, or the results folder cannot be written.
    """
    path = results / "run.lock"
    try:
        results.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except FileExistsError:
        raise LaunchError(f"results folder {results} cannot be made: a file has this name") from None
    except OSError as error:
        raise LaunchError(f"results folder {results} cannot be written: {error.strerror}") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 40).decode("ascii", "replace").strip() or "another process"
            raise LaunchError(f"this event is being run already, by {holder}") from None
        except OSError as error:
            raise LaunchError(f"{path} cannot be locked: {error.strerror}") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def is_run_going(results: Path) -> bool:
    """Whether a run of this machine holds the event.

    Raises:
        LaunchError: the lock cannot be read.
    """
    path = results / "run.lock"
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise LaunchError(f"{path} cannot be read: {error.strerror}") from None
    try:
        # Shared, and for a moment: two that look do not see each other as a run.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        raise LaunchError(f"{path} cannot be locked: {error.strerror}") from None
    finally:
        os.close(descriptor)
    return False
