"""How many tables one host process can hold: each takes open files, and the system allows a process only so many."""

import resource
from typing import Final

from tourney.errors import LaunchError

FILES_OF_PROCESS: Final = 64
"""Standard streams, event loop, database and journal, reaper, and what the start of a program takes for a moment."""

_CONNECTIONS: Final = 4
_PROGRAMS: Final = 4
"""A handle on each program that is started, while it runs; the file of its output is the program's own."""
_WIRE_LOG: Final = 1
_STRANGERS: Final = 3
"""Connections that are refused, or come back before their end has been noticed."""


def files_of_table(ports: int) -> int:
    """Open files that a table takes at most, listening on so many ports, 1 or 4 (BC-02)."""
    return ports + _CONNECTIONS + _PROGRAMS + _WIRE_LOG + _STRANGERS


def files_needed(tables: int, ports: int) -> int:
    """Open files of a host process with so many tables."""
    return FILES_OF_PROCESS + tables * files_of_table(ports)


def tables_allowed(files: int, ports: int) -> int:
    """Tables that one host process can hold with so many open files."""
    return max(0, files - FILES_OF_PROCESS) // files_of_table(ports)


def allow_files(wanted: int) -> int:
    """Raise this process's limit of open files to `wanted` where the system lets us; the limit from now on.

    No higher than wanted: programs inherit it, and some close every file up to the limit when they start.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted if soft == resource.RLIM_INFINITY else soft
    goal = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (goal, hard))
    except (ValueError, OSError):  # macOS has a limit of its own below an infinite hard one
        return soft
    return goal


def check_tables_fit(at_once: int, hosts: int, ports: int) -> None:
    """Check that the matches side by side fit into their hosts, whose limit of open files is raised as need be.

    Args:
        at_once: matches side by side, two tables each.
        hosts: processes that share their tables evenly.
        ports: listening ports of a table, 1 or 4.

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
