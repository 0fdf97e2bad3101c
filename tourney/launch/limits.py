"""How many tables a host process can hold: each needs open files, and the system limits the number per process."""

import resource
from typing import Final

from tourney.errors import LaunchError

FILES_OF_PROCESS: Final = 64
"""Standard streams, event loop, database and journal, orphan reaper, and what starting a program needs."""

_CONNECTIONS: Final = 4
_PROGRAMS: Final = 4
"""A handle for each running program of the table; the file of its output is opened by the program itself."""
_WIRE_LOG: Final = 1
_OWN_PORTS: Final = 4
"""The ports that only the programs know which tourney starts, one for each."""

STRANGERS_OF_TABLE: Final = 3
"""Connections that are refused, or that return before the end of the old one has been noticed; where there is room
for more, there may be more."""


def files_of_table(ports: int) -> int:
    """Return the maximum number of open files of a table with `ports` listening ports, 1 or 4 (BC-02)."""
    return ports + _OWN_PORTS + _CONNECTIONS + _PROGRAMS + _WIRE_LOG + STRANGERS_OF_TABLE


def files_needed(tables: int, ports: int) -> int:
    """Return the number of open files of a host process with `tables` tables."""
    return FILES_OF_PROCESS + tables * files_of_table(ports)


def tables_allowed(files: int, ports: int) -> int:
    """Return how many tables a host process with at most `files` open files can hold."""
    return max(0, files - FILES_OF_PROCESS) // files_of_table(ports)


def allow_files(wanted: int) -> int:
    """Raise this process's limit of open files to `wanted` if the system allows it; return the resulting limit.

    The limit is not raised further: programs inherit it, and some close every file up to the limit when they start.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted if soft == resource.RLIM_INFINITY else soft
    goal = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (goal, hard))
    except (ValueError, OSError):  # macOS has a lower limit of its own when the hard limit is infinite
        return soft
    return goal


def check_tables_fit(at_once: int, hosts: int, ports: int) -> None:
    """Check that the matches played in parallel fit into their hosts, whose limit of open files is raised as needed.

    Args:
        at_once: matches in parallel, two tables each.
        hosts: processes that share their tables evenly.
        ports: listening ports per table, 1 or 4.

    Raises:
        LaunchError: they do not fit; the sentence says how many would.
    """
    tables = -(-2 * at_once // hosts)
    wanted = files_needed(tables, ports)
    files = allow_files(wanted)
    if files >= wanted:
        return
    fit = tables_allowed(files, ports) * hosts // 2
    raise LaunchError(
        f"at_once = {at_once} does not fit: {tables} tables a host need {wanted} open files, and a process may have "
        f"{files} here, enough for at_once = {fit}; lower it, or raise the limit (ulimit -n)"
    )
