"""A team's program that tries all that it should not be able to do, and prints what it could, as JSON.

It is run by any Python, without tourney: `attacker.py TARGETS`, a JSON object with what there is to attack.
"""

import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

PTRACE_ATTACH, PTRACE_DETACH = 16, 17  # ptrace(2)


def tried(attempt: Callable[[], object]) -> object:
    """What an attempt has got; None if it failed."""
    try:
        return attempt() or True
    except (OSError, ValueError):
        return None


def read(path: str) -> str:
    with Path(path).open("rb") as file:
        return file.read(4096).decode("latin-1")


def write(path: str) -> int:
    with Path(path).open("ab") as file:
        return file.write(b"?")


def list_folder(path: str) -> list[str]:
    return [entry.name for entry in Path(path).iterdir()]


def trace(pid: int) -> None:
    """Attach to a process as a debugger does, and let go of it."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.ptrace(PTRACE_ATTACH, pid, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(pid, 0)
    library.ptrace(PTRACE_DETACH, pid, 0, 0)


def send_signal(pid: int) -> None:
    """Send what does no harm: whoever may send it, may send all."""
    os.kill(pid, signal.SIGCONT)


def command_lines() -> str:
    """What `ps` shows of all processes that can be seen, but for this one."""
    pids = [name for name in list_folder("/proc") if name.isdecimal() and int(name) != os.getpid()]
    return "\n".join(str(tried(partial(read, f"/proc/{pid}/cmdline"))) for pid in pids)


def connect(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=2):
        pass


def attempts(targets: dict[str, dict[str, int] | list[str]]) -> dict[str, Callable[[], object]]:
    """All attacks by name."""
    found: dict[str, Callable[[], object]] = {}
    for path in targets["files"]:
        found[f"read {path}"] = partial(read, path)
        found[f"write {path}"] = partial(write, path)
    for path in targets["folders"]:
        found[f"list {path}"] = partial(list_folder, path)
    processes, ports = targets["processes"], targets["ports"]
    assert isinstance(processes, dict)
    for name, pid in processes.items():
        for file in ("environ", "mem", "maps", "fd/0"):
            found[f"read {file} of {name}"] = partial(read, f"/proc/{pid}/{file}")
        found[f"list fd of {name}"] = partial(list_folder, f"/proc/{pid}/fd")
        found[f"trace {name}"] = partial(trace, pid)
        found[f"signal {name}"] = partial(send_signal, pid)
    for port in ports:
        found[f"connect to {port}"] = partial(connect, int(port))
    return found


def main() -> None:
    """Attack, and say what came of it."""
    outcomes = {name: tried(attempt) for name, attempt in attempts(json.loads(sys.argv[1])).items()}
    report = {
        "got": {name: outcome for name, outcome in outcomes.items() if outcome is not None},
        "ps": command_lines(),
        "own": tried(partial(write, f"{os.environ['HOME']}/notes")),
        "login": os.environ.get("TOURNEY_LOGIN"),
        "variables": sorted(os.environ),
        "uid": os.getuid(),
    }
    sys.stdout.write(json.dumps(report) + "\n")


main()
