"""How many tables a host process can hold, and a web server connections: the system limits a process's open files."""

import resource
from typing import Final

from tourney.errors import LaunchError

FILES_OF_PROCESS: Final = 64
"""Standard streams, event loop, database and journal, and what starting a program needs."""

_CONNECTIONS: Final = 4
_PROGRAMS: Final = 8
"""A handle for each running program of the table, and the pipe that it prints to."""
_WIRE_LOG: Final = 1
_OWN_PORTS: Final = 4
"""The ports that only the programs know which tourney starts, one for each."""

UNAUTHENTICATED_OF_TABLE: Final = 3
"""Connections that are refused, or that return before the end of the old one has been noticed; where there is room
for more, there may be more."""

FILES_OF_SERVER: Final = 64
"""What a web server needs beside connections: streams, event loop, databases, files that are being sent or made."""

BESIDE_WATCHERS: Final = 500
"""Connections of a web server beside those of watchers: browsers open up to six each for a moment."""

BACKLOG: Final = 1024
"""Connections that may wait for a web server: 1000 watchers come back at once when it has been started again."""

FILES_AT_START: Final = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
"""The limit of open files with which this process began."""


def files_of_table(ports: int) -> int:
    """Return the maximum number of open files of a table with `ports` listening ports, 1 or 4 (BC-02)."""
    return ports + _OWN_PORTS + _CONNECTIONS + _PROGRAMS + _WIRE_LOG + UNAUTHENTICATED_OF_TABLE


def files_needed(tables: int, ports: int) -> int:
    """Return the number of open files of a host process with `tables` tables."""
    return FILES_OF_PROCESS + tables * files_of_table(ports)


def tables_allowed(files: int, ports: int) -> int:
    """Return how many tables a host process with at most `files` open files can hold."""
    return max(0, files - FILES_OF_PROCESS) // files_of_table(ports)


def files_served(watchers: int, console_reserve: int) -> int:
    """Return the number of open files of a web server with all its connections, while others are being accepted."""
    return watchers + BESIDE_WATCHERS + console_reserve + BACKLOG + FILES_OF_SERVER


def connections_allowed(files: int, console_reserve: int) -> int:
    """Return how many connections a web server with at most `files` open files can keep, beside that reserve."""
    return max(1, files - FILES_OF_SERVER - console_reserve - min(BACKLOG, files // 4))


def files_available() -> int | None:
    """Return how many open files this machine lets a process have; None if there is no limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if hard == resource.RLIM_INFINITY else hard


def allow_files(wanted: int) -> int:
    """Raise this process's limit of open files to `wanted` if the system allows it; return the resulting limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted if soft == resource.RLIM_INFINITY else soft
    goal = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (goal, hard))
    except (ValueError, OSError):  # macOS has a lower limit of its own when the hard limit is infinite
        return soft
    return goal


def files_of_program() -> int | None:
    """Return the limit of open files that a program is given back: that before ours was raised; None if it was not.

    Some programs close every file up to the limit when they start.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FILES_AT_START if soft != FILES_AT_START else None


def check_tables_fit(at_once: int, hosts: int, ports: int) -> None:
    """Check that the matches played in parallel fit into their hosts, which raise their limit of open files for it.

    Args:
        at_once: matches in parallel, two tables each.
        hosts: processes that share their tables evenly.
        ports: listening ports per table, 1 or 4.

    Raises:
        LaunchError: they do not fit; the sentence says how many would.
    """
    tables = -(-2 * at_once // hosts)
    wanted = files_needed(tables, ports)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = allow_files(wanted)
    if files >= wanted:
        if files != before[0]:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)  # it is the hosts that need it
        return
    fit = tables_allowed(files, ports) * hosts // 2
    raise LaunchError(
        f"at_once = {at_once} does not fit: {tables} tables a host need {wanted} open files, and a process may have "
        f"{files} here, enough for at_once = {fit}; lower it, or raise the limit (ulimit -n)"
    )
