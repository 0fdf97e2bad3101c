"""Ends the PostgreSQL server of tests that were killed: `python postgres_guard.py PLACE LOCK TESTS`.

PLACE is a link to the folder of the server, LOCK the file that whoever starts or ends it has locked, TESTS the number
of a process with tests. Standard input is a pipe from that: when it closes without a word, the process is gone. The
last one ends the server.
"""

import fcntl
import json
import os
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

END_S = 10


def runs(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def end_server(place: Path, gone: int) -> None:
    """End the server, unless somebody still has it.

    The process `gone` has not: it has closed its pipe, though nobody may have waited for it yet.
    """
    folder = place.readlink()
    pids = json.loads((folder / "data" / ".handle_pids.json").read_text(encoding="utf-8"))
    if any(pid != gone and runs(pid) for pid in pids):
        return
    pid = int((folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
    os.kill(pid, signal.SIGQUIT)  # at once; nobody needs its data
    deadline = time.monotonic() + END_S
    while runs(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    shutil.rmtree(folder, ignore_errors=True)
    place.unlink()


def main() -> None:
    """Wait for the process with tests to end."""
    place, lock, tests = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if sys.stdin.buffer.read() == b"done":
        return
    with lock.open("a") as file, suppress(OSError, ValueError, IndexError):  # it has ended already
        fcntl.flock(file, fcntl.LOCK_EX)
        end_server(place, tests)


if __name__ == "__main__":
    main()
