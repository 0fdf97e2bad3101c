"""`python -m bench`: how fast tables and reports are on this machine, beside the limit of its wire."""

from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tourney.cli._output import Printer, print_json
from tourney.cli.main import RefusingGroup, main
from tourney.output.rows import NOTHING, Cell
from tourney.output.tables import make_table

if TYPE_CHECKING:
    from bench.figures import Turnround

_Function = TypeVar("_Function", bound=Callable[..., Any])

_TABLES_MAX: Final = 1000
_BOARDS_MAX: Final = 64


@click.group("bench", cls=RefusingGroup, context_settings={"help_option_names": ["-h", "--help"]})
def bench_group() -> None:
    """Measure this machine. Figures differ from run to run: compare those of one run, as ratios."""


_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def _sizes(tables: int, boards: int) -> Callable[[_Function], _Function]:
    def add(function: _Function) -> _Function:
        function = _JSON(function)
        for name, most, default, text in (
            ("--boards", _BOARDS_MAX, boards, "Boards at each table."),
            ("--tables", _TABLES_MAX, tables, "Tables."),
        ):
            kind = click.IntRange(1, most)
            function = click.option(name, type=kind, default=default, show_default=True, help=text)(function)
        return function

    return add


def _phases(seconds: float, phase: str) -> Callable[[_Function], _Function]:
    def add(function: _Function) -> _Function:
        kind, text = click.FloatRange(1, 600), f"How long each {phase} lasts."
        function = _FILE(_JSON(function))
        return click.option("--seconds", type=kind, default=seconds, show_default=True, help=text)(function)

    return add


_FILE = click.option(
    "--file", type=click.Path(dir_okay=False, path_type=Path), help="Write the table of Markdown here, too."
)
_ROUNDS = click.option(
    "--rounds",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="Number of rounds; the median is printed.",
)
_DATABASE = click.option(
    "--database",
    metavar="URL",
    help="A PostgreSQL server on which a database may be created, or an SQLite file that does not exist; "
    "by default an SQLite file in the folder for temporary files.",
)


@bench_group.command("wire")
@_sizes(tables=16, boards=16)
@_ROUNDS
def wire_command(tables: int, boards: int, rounds: int, as_json: bool) -> None:
    """Measure the limit: a relay without bridge knowledge passes on the lines of a board.

    The lines are those of a real table: as many and as long, each waiting for the same lines before it.
    Players are in another process, as they are in `table`.
    """
    from bench.tables import measure_wire

    found = measure_wire(tables, boards, rounds)
    text = (
        f"{tables} tables of {boards} boards, {found.lines_per_board} lines a board: {found.boards_per_s} boards/s, "
        f"{found.lines_per_s} lines/s, {found.cpu_ms_per_board} ms of the relay's processor time a board"
    )
    _show(found, text, as_json=as_json)


@bench_group.command("solver")
@_sizes(tables=4, boards=8)
@_ROUNDS
@click.option(
    "--thinking-ms",
    type=click.IntRange(0, 60_000),
    default=200,
    show_default=True,
    help="Longest thinking time of players; times are spread evenly from 0.",
)
def solver_command(tables: int, boards: int, rounds: int, thinking_ms: int, as_json: bool) -> None:
    """Play boards at tables with and without a process beside them that solves deals as a run does."""
    from bench.solving import measure_solver

    found = measure_solver(tables, boards, rounds, thinking_ms)
    text = (
        f"{tables} tables, thinking up to {thinking_ms} ms, medians of {rounds} rounds: "
        f"{_turnround(found.alone)} alone, {_turnround(found.beside)} beside the solver"
    )
    _show(found, text, as_json=as_json)


@bench_group.command("table")
@_sizes(tables=16, boards=16)
@_ROUNDS
@click.option(
    "--hosts", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that share the tables."
)
@click.option(
    "--durability",
    type=click.Choice(["full", "process"]),
    default="full",
    show_default=True,
    help="That of the record: whether calls and cards wait for the disk.",
)
@click.option(
    "--sync-delay-ms",
    type=click.FloatRange(0, 1000),
    default=0,
    show_default=True,
    help="Have the disk take so much longer for what waits for it.",
)
@_DATABASE
def table_command(
    tables: int,
    boards: int,
    rounds: int,
    hosts: int,
    durability: str,
    sync_delay_ms: float,
    database: str | None,
    as_json: bool,
) -> None:
    """Play boards at tables of table hosts, everything on record, with players that do not think.

    Alternates the relay of `wire`, tables with wire log and tables without. Figures are with wire log unless they
    say otherwise.
    """
    from bench.tables import measure_tables
    from tourney.config import Durability

    if hosts > tables:
        raise click.UsageError(f"--hosts is at most the number of tables, {tables}, got {hosts}")
    found = measure_tables(hosts, tables, boards, rounds, database, Durability(durability), sync_delay_ms)
    if as_json:
        _print_json(found)
        return
    memory = f", {found.kb_per_table} kB a table" if found.kb_per_table is not None else ""
    click.echo(
        f"{tables} tables of {boards} boards, {found.database}: {found.boards_per_s} boards/s, "
        f"{found.ratio_to_floor} of the relay's {found.floor_boards_per_s}; {found.lines_per_s} lines/s, "
        f"{found.cpu_ms_per_board} ms of processor time a board, {_turnround(found.turnround_ms)}"
        f" (requests {found.requests_ms.p50}/{found.requests_ms.p99}/{found.requests_ms.max}){memory}; "
        f"{found.commits_per_board} transactions a board, of which one of one row takes {found.commit_ms} ms\n"
        f"without wire log: {found.without_wire_log.boards_per_s} boards/s, "
        f"{found.without_wire_log.cpu_ms_per_board} ms of processor time a board"
    )


@bench_group.command("play")
@click.option("--boards", type=click.IntRange(1, 100_000), default=500, show_default=True, help="Boards of a round.")
@_ROUNDS
@_JSON
def play_command(boards: int, rounds: int, as_json: bool) -> None:
    """Play boards of random players without sockets, as `tourney.lab.play` does, beside the relay of `wire`."""
    from bench.in_process import measure_play

    found = measure_play(boards, rounds)
    text = (
        f"{boards} boards of random players in one process: {found.boards_per_s} boards/s, {found.ratio_to_relay} of "
        f"the relay's {found.relay_boards_per_s}; {found.cpu_ms_per_board} ms of processor time a board, "
        f"{found.relay_cpu_ms_per_board} of the relay's; {found.jobs_boards_per_s} boards/s of {found.jobs} processes"
    )
    _show(found, text, as_json=as_json)


@bench_group.command("auctions")
@click.option("--boards", type=click.IntRange(8, 100_000), default=500, show_default=True, help="Boards of a round.")
@_ROUNDS
@_JSON
def auctions_command(boards: int, rounds: int, as_json: bool) -> None:
    """Play auctions alone without sockets, and whole boards of the same players in the same run.

    The players are random, basic and a network in numpy with four hidden layers of 1,024, which is asked at 128
    tables at once. With OPENBLAS_NUM_THREADS=1 no processor time is spent on threads that wait for each other.
    """
    from bench.auctions import measure_auctions

    found = measure_auctions(boards, rounds)
    if as_json:
        _print_json(found)
        return
    for each in found.players:
        click.echo(
            f"{each.player}: {each.auctions_per_s} auctions/s of {each.calls_per_board} calls, {each.ratio} times as "
            f"many as whole boards ({each.whole_boards_per_s})"
        )
    click.echo(
        f"network, batches of {found.batch}: {found.network_us_per_call} us of processor time a call, "
        f"{found.agent_us_per_call} of its agents to encode and choose, {found.table_us_per_call} of the table; "
        f"{100 * found.outside_network:.0f} % outside the network, {100 * found.outside_agents:.0f} % outside agents"
    )


@bench_group.command("duel")
@click.option(
    "--matches",
    type=click.IntRange(1, 16),
    default=2,
    show_default=True,
    help="Matches side by side, two tables each.",
)
@click.option(
    "--boards",
    type=click.IntRange(1, _BOARDS_MAX),
    default=32,
    show_default=True,
    help="Boards of a match, at each of its tables.",
)
@_ROUNDS
@_JSON
def duel_command(matches: int, boards: int, rounds: int, as_json: bool) -> None:
    """Play duels of the random bot with `tourney duel`, and as many boards at tables as in `table`.

    Boards are counted at each table. The same programs also play at plain tables, with no duel around them: what is
    lost beside those is the duel's. The players of `table` do not think, and one process plays them all; those of a
    duel are programs, eight for each match, that share the cores with the tables.
    """
    from bench.duels import measure_duels

    found = measure_duels(matches, boards, rounds)
    text = (
        f"{matches} matches of {boards} boards: {found.boards_per_s} boards/s, {found.ratio_to_programs} of the "
        f"{found.programs_boards_per_s} of the same programs at plain tables, {found.ratio_to_table} of the "
        f"{found.table_boards_per_s} of tables alone; {found.cpu_ms_per_board} ms of processor time a board with the "
        f"programs, {found.table_cpu_ms_per_board} of tables alone; {found.seconds} s, {found.start_s} of them "
        "before the first board and after the last\n"
        f"two light players, a process for all seats of each: {found.players_boards_per_s} boards/s, "
        f"{found.ratio_to_seat_processes} of a process for each seat; {found.players_cpu_ms_per_board} ms of "
        "processor time a board"
    )
    _show(found, text, as_json=as_json)


@bench_group.command("hostile")
@_phases(6.0, "attack")
def hostile_command(seconds: float, file: Path | None, as_json: bool) -> None:
    """Attack the door of a table, and measure a quiet table beside it.

    Exit status 1 when something does not hold that is to hold under each attack; the page lists all that is.
    """
    from bench.hostile import format_attacks, measure_attacks

    found = measure_attacks(seconds)
    text = format_attacks(found)
    _show(found, text, file, as_json=as_json)
    if found.has_failed:
        raise click.exceptions.Exit(1)


@bench_group.command("tunnel")
@_phases(10.0, "phase")
def tunnel_command(seconds: float, file: Path | None, as_json: bool) -> None:
    """Measure what the tunnel of remote teams adds, and a quiet table beside a client that means ill."""
    from bench.tunnels import format_tunnel, measure_tunnel

    found = measure_tunnel(seconds)
    text = format_tunnel(found)
    _show(found, text, file, as_json=as_json)


@bench_group.command("hostile-web")
@_phases(6.0, "attack")
def hostile_web_command(seconds: float, file: Path | None, as_json: bool) -> None:
    """Attack the web server, and measure a browser and the console beside it. Linux only.

    Exit status 1 when one of them had no answer, or when the server has kept what strangers sent.
    """
    from bench.hostile_web import format_web_attacks, measure_web_attacks

    found = measure_web_attacks(seconds)
    text = format_web_attacks(found)
    _show(found, text, file, as_json=as_json)
    if found.has_failed:
        raise click.exceptions.Exit(1)


@bench_group.command("hostile-tunnels")
@_phases(6.0, "attack")
def hostile_tunnels_command(seconds: float, file: Path | None, as_json: bool) -> None:
    """Attack the server's end of tunnels, and measure teams that play through it. Linux only.

    Exit status 1 when a board was lost, a team was kept waiting, or the server went beyond its bounds.
    """
    from bench.hostile_tunnels import format_tunnel_attacks, measure_tunnel_attacks

    found = measure_tunnel_attacks(seconds)
    text = format_tunnel_attacks(found)
    _show(found, text, file, as_json=as_json)
    if found.has_failed:
        raise click.exceptions.Exit(1)


@bench_group.command("hold")
@_sizes(tables=500, boards=1)
@click.option(
    "--protocol",
    type=click.Choice(["blue-chip", "stateful"]),
    default="blue-chip",
    show_default=True,
    help="Language of the players. In the stateful protocol all are at one port, 275 tables at most.",
)
@_DATABASE
def hold_command(tables: int, boards: int, protocol: str, database: str | None, as_json: bool) -> None:
    """Hold many tables at a human pace: trick pause 1 s, thinking time 0 to 200 ms.

    Exit status 1 when anything is missing from the record.
    """
    from bench.holding import measure_hold
    from tourney.protocol.wires import Language

    found = measure_hold(tables, boards, database, Language(protocol))
    if as_json:
        _print_json(found)
    else:
        memory = f", {found.kb_per_table} kB a table" if found.kb_per_table is not None else ""
        click.echo(
            f"{tables} tables of {boards} boards, {found.connections} connections, {found.database}: "
            f"{100 * found.cpu_share:.0f} % of a core, {found.cpu_ms_per_board} ms of processor time a board, "
            f"{_turnround(found.turnround_ms)}{memory}, "
            f"a transaction of one row takes {found.commit_ms} ms; lost: {found.lost}"
        )
    if found.lost:
        raise click.exceptions.Exit(1)


@bench_group.command("lock")
@click.option("--times", type=click.IntRange(1, 100), default=3, show_default=True, help="How often it is held.")
@_JSON
def lock_command(times: int, as_json: bool) -> None:
    """Measure how soon a lobby answers while another process holds the lock of its record. Linux only.

    Its players think, so that nobody has anything to record. Exit status 1 when one answer in a hundred took longer
    than 50 ms.
    """
    import asyncio
    import tempfile

    from bench.locking import measure_lock

    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        found = asyncio.run(measure_lock(Path(folder), times))
    if as_json:
        _print_json(found)
    else:
        click.echo(
            f"the lock held {times} times for {found.held_s:g} s, answers after p50/p99/max ms: "
            + ", ".join(
                f"{where} {of.p50}/{of.p99}/{of.max} of {answers}"
                for where, of, answers in (
                    ("at four tables", found.at_tables, found.at_tables_answers),
                    ("at a table of another host", found.at_other_host, found.at_other_host_answers),
                    ("in the lobby", found.in_lobby, found.in_lobby_answers),
                )
            )
        )
    if found.has_failed:
        raise click.exceptions.Exit(1)


@bench_group.command("hosts")
@click.option("--hosts", type=click.IntRange(2, 64), default=4, show_default=True, help="How many beside one.")
@_sizes(tables=64, boards=4)
@_ROUNDS
@click.option(
    "--durability",
    type=click.Choice(["full", "process"]),
    default="full",
    show_default=True,
    help="That of the record: whether calls and cards wait for the disk.",
)
@click.option(
    "--sync-delay-ms",
    type=click.FloatRange(0, 1000),
    default=0,
    show_default=True,
    help="Have a host wait so much longer for what is to be on the disk, as for a slow one.",
)
@_DATABASE
def hosts_command(
    hosts: int,
    tables: int,
    boards: int,
    rounds: int,
    durability: str,
    sync_delay_ms: float,
    database: str | None,
    as_json: bool,
) -> None:
    """Compare several hosts of one database with one host, by turns. On Linux only.

    Players are in the hosts' processes and repeat recorded lines, without sockets, so that hosts and database are all
    that works. With a slow disk (--sync-delay-ms) hosts mostly wait, which takes no processor: the ratio then shows
    whether they wait for each other, however few cores there are.
    """
    from bench.hosts import measure_hosts
    from tourney.config import Durability

    if hosts > tables:
        raise click.UsageError(f"--hosts is at most the number of tables, {tables}, got {hosts}")
    found = measure_hosts(hosts, tables, boards, rounds, database, Durability(durability), sync_delay_ms)
    if as_json:
        _print_json(found)
    else:
        columns = [
            Cell(">hosts", lambda speed: str(speed.hosts)),
            Cell(">boards/s", lambda speed: f"{speed.boards_per_s:.1f}"),
            Cell(">host CPU ms a board", lambda speed: f"{speed.host_cpu_ms_per_board:.2f}"),
            Cell(">server CPU ms a board", lambda speed: _two_decimals(speed.server_cpu_ms_per_board)),
            Cell(">cores busy", lambda speed: f"{speed.cores_busy:.2f}"),
            Cell(">commits a board", lambda speed: f"{speed.commits_per_board:.1f}"),
        ]
        Printer().print(make_table(columns, (found.one, found.several)))
        allowed = f", {found.ratio_of_cores:.2f} as far as cores go" if found.ratio_of_cores is not None else ""
        click.echo(f"{tables} tables of {boards} boards, {found.database}: ratio {found.ratio:.2f}{allowed}")
        if found.waits:
            click.echo(
                "the server: " + ", ".join(f"{100 * share:.1f} % {kind}" for kind, share in found.waits.items())
            )
    if found.lost:
        raise click.exceptions.Exit(1)


@bench_group.command("cluster")
@click.option("--tables", type=click.IntRange(2, _TABLES_MAX), default=16, show_default=True, help="Tables.")
@click.option(
    "--boards", type=click.IntRange(1, _BOARDS_MAX), default=16, show_default=True, help="Boards at each table."
)
@click.option(
    "--placed", type=click.IntRange(4, 256), default=200, show_default=True, help="Tables placed on four workers."
)
@_ROUNDS
@click.option(
    "--database",
    metavar="URL",
    help="A PostgreSQL server on which a database may be created; by default one that runs for so long.",
)
@_JSON
def cluster_command(tables: int, boards: int, placed: int, rounds: int, database: str | None, as_json: bool) -> None:
    """Compare runs whose table hosts a cluster starts with runs that start them, by turns.

    Both have two hosts, in one cluster of two workers. Then many tables are placed on a cluster of four workers,
    and a worker is killed with its hosts and the programs of its tables. On Linux only.
    """
    from bench.cluster import measure_cluster
    from bench.suite import server

    for option, number in (("--tables", tables), ("--placed", placed)):
        if number % 2:
            raise click.UsageError(f"a match has two tables: {option} is an even number, got {number}")
    with server(database) as url:
        found = measure_cluster(tables, boards, rounds, placed, url)
    if as_json:
        _print_json(found)
        return
    again = ", ".join(f"{seconds:.2f}" for seconds in found.again_s)
    click.echo(
        f"{tables} tables, {found.database}: {found.cluster_boards_per_s} boards/s on {found.workers} workers, "
        f"{found.ratio} of the {found.local_boards_per_s} of as many hosts of the run; tables open after "
        f"{found.cluster_open_s} and {found.local_open_s} s; {placed} tables placed on {found.placed_workers} "
        f"workers in {found.placed_s} s, {found.placed_from_start_s} s from the start of the run; tables of a killed "
        f"worker play again after {again} s, with lease_s = {found.lease_s}"
    )


@bench_group.command("serve")
@_sizes(tables=16, boards=64)
@click.option(
    "--watchers", type=click.IntRange(1, 5000), default=200, show_default=True, help="Browsers that watch a page."
)
@_ROUNDS
@_DATABASE
def serve_command(tables: int, boards: int, watchers: int, rounds: int, database: str | None, as_json: bool) -> None:
    """Measure live pages while tables play at full speed, and what they cost the tables.

    Each round plays the same boards with nobody watching, then with all; at the end they are played once more with a
    director at the console.
    """
    from bench.serving import measure_serve

    found = measure_serve(tables, boards, watchers, rounds, database)
    text = (
        f"{watchers} watchers of {tables} tables: {found.boards_per_s} boards/s, {found.ratio} of "
        f"{found.alone_boards_per_s} with nobody watching; server {100 * found.cpu_share:.1f} % of a core once "
        f"all watch ({found.arrival_cpu_s} s of processor time before), "
        f"{found.peak_mb} MB; first byte of the watched page {found.stored_p50_ms} ms, p99 {found.stored_p99_ms} ms, "
        f"of others {found.seldom_p50_ms} ms, p99 {found.seldom_p99_ms} ms; {found.fetched} fetches, "
        f"{found.failed} failed; ends in {found.end_s} s; a change is told after {found.public_told_p50_ms} ms, on "
        f"public screens after {found.public_p50_ms} ms, at most {found.public_max_ms} ms; on the console after "
        f"{found.desk_p50_ms} ms, at most {found.desk_max_ms} ms"
    )
    _show(found, text, as_json=as_json)


@bench_group.command("seats")
@click.option("--seats", type=click.IntRange(2, 200), default=40, show_default=True, help="People who play.")
@click.option(
    "--watchers", type=click.IntRange(0, 5000), default=200, show_default=True, help="Browsers that watch a page."
)
@click.option("--seconds", type=click.IntRange(1, 3600), default=30, show_default=True, help="How long is measured.")
@_JSON
def seats_command(seats: int, watchers: int, seconds: int, as_json: bool) -> None:
    """Measure how soon people who play in their browsers see their own cards and those of others. Linux only."""
    from bench.seats import measure_seats

    found = measure_seats(seats, watchers, seconds)
    text = (
        f"{seats} people at tables, {watchers} watchers, {found.moves} calls and cards: the own one is on the page "
        f"after {found.echo_p50_ms} ms, p95 {found.echo_p95_ms} ms, on that of another after {found.others_p50_ms} "
        f"ms, p95 {found.others_p95_ms} ms; the web server takes {100 * found.server_cpu_share:.1f} % of a core"
    )
    _show(found, text, as_json=as_json)


@bench_group.command("console")
@_sizes(tables=256, boards=16)
@click.option("--looks", type=click.IntRange(1, 1000), default=20, show_default=True, help="Looks of each kind.")
@_DATABASE
def console_command(tables: int, boards: int, looks: int, database: str | None, as_json: bool) -> None:
    """Measure what the director's console costs while a round of many tables is in play, and how long its page is.

    Nothing is played: the round is written as hosts do, and looked at as the server does.
    """
    from bench.console import measure_console

    found = measure_console(tables, boards, looks, database)
    text = (
        f"{tables} tables in play, {found.database}: a look of the console takes {found.unchanged_ms} ms of "
        f"processor time if nothing was written, {found.heartbeat_ms} ms after heartbeats alone, "
        f"{found.changed_ms} ms after a card; the page has {found.page_bytes / 1000:.0f} kB and takes "
        f"{found.page_ms} ms"
    )
    _show(found, text, as_json=as_json)


@bench_group.command("soak")
@click.option(
    "--tables", type=click.IntRange(1, _TABLES_MAX), default=64, show_default=True, help="Tables at the same time."
)
@click.option(
    "--minutes", type=click.FloatRange(0.1, 1440), default=20, show_default=True, help="For how long they play."
)
@_JSON
def soak_command(tables: int, minutes: float, as_json: bool) -> None:
    """Play table after table at one host, and watch its memory.

    Exit status 1 when it is more than 5 % larger at the end than after the first two minutes, when a board is not on
    record, or when the wire log of a finished table has not been packed. On Linux only.
    """
    from bench.soak import GROWTH_MAX, measure_soak

    found = measure_soak(tables, minutes)
    if as_json:
        _print_json(found)
    else:
        click.echo(
            f"{tables} tables at once, {found.tables_played} played with {found.boards_played} boards in {minutes:g} "
            f"minutes: {found.settled_kb / 1024:.1f} MB, then {found.last_kb / 1024:.1f} MB, "
            f"{100 * found.growth:+.1f} %; lost: {found.lost}; wire logs not packed: {found.wire_logs_left}\n"
            f"minute by minute, MB: {' '.join(f'{kb / 1024:.1f}' for kb in found.memory_kb)}"
        )
        for name, more in found.grown.items():
            click.echo(f"{more:+8} {name}")
    if found.growth > GROWTH_MAX or found.lost or found.wire_logs_left:
        raise click.exceptions.Exit(1)


@bench_group.command("report")
@click.option(
    "--teams",
    "sizes",
    type=click.IntRange(2, 256),
    multiple=True,
    default=(8, 64),
    show_default=True,
    help="Teams of an event; repeat it for each size.",
)
@click.option(
    "--boards", type=click.IntRange(1, _BOARDS_MAX), default=32, show_default=True, help="Boards of a match."
)
@click.option(
    "--whole",
    type=click.IntRange(0, 256),
    default=256,
    help="Largest number of teams at which `verify` and `export`, which read every card, are measured.",
)
@_JSON
def report_command(sizes: tuple[int, ...], boards: int, whole: int, as_json: bool) -> None:
    """Measure the reports of big events from a cold start of the command.

    Makes double round robins with every call and card on record in the folder for temporary files: 64 teams with
    matches of 32 boards take 2 GB there, their PBN 2 GB more. The last line divides the figures of
    the largest event by those of the smallest.
    """
    from bench.reports import measure_reports

    found = measure_reports(sizes, boards, [teams for teams in sizes if teams <= whole])
    if as_json:
        _print_json(found)
        return
    names = ("standings", "match", "crosstable", "verify", "export_pbn")
    rows = [
        (str(size.teams), str(size.results), *(_two_decimals(getattr(size, f"{name}_s")) for name in names))
        for size in found.sizes
    ]
    if found.growth:
        times = [found.growth.get(name) for name in ("results", *names)]
        rows.append(("growth", *("-" if time is None else f"x {time:g}" for time in times)))
    headings = (">teams", ">results", *(f">{name} s" for name in names))
    Printer().print(make_table([Cell(each, itemgetter(place)) for place, each in enumerate(headings)], rows))
    click.echo(f"tourney --help: {found.help_s:.2f} s")


@bench_group.command("start")
@click.option(
    "--teams", type=click.IntRange(2, 256), default=64, show_default=True, help="Teams of the event that is made."
)
@click.option(
    "--boards", type=click.IntRange(1, _BOARDS_MAX), default=32, show_default=True, help="Boards of a match."
)
@click.option(
    "--event",
    "event_path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An event file whose event is measured in place of one that is made.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    help="How often each command is measured; the median is printed.",
)
@_JSON
def start_command(teams: int, boards: int, event_path: Path | None, rounds: int, as_json: bool) -> None:
    """Measure the processor time of short commands, beside `python -c "import sqlalchemy"` by turns.

    Commands start cold, as a user starts them. `match` and the event's first match are those of a double round robin
    with every call and card on record.
    """
    from bench.starts import measure_starts

    found = measure_starts(teams, boards, rounds, event_path)
    if as_json:
        _print_json(found)
        return
    columns = [
        Cell("command", lambda row: row[0]),
        Cell(">CPU ms", lambda row: f"{row[1].cpu_ms:.0f}"),
        Cell(">of the import", lambda row: f"{row[1].ratio:.2f}"),
    ]
    Printer().print(make_table(columns, found.commands.items()))
    click.echo(f'python -c "import sqlalchemy": {found.sqlalchemy_cpu_ms:.0f} ms')


@bench_group.command("calls")
@click.option("--boards", type=click.IntRange(1, _BOARDS_MAX), default=16, show_default=True, help="Boards to play.")
@_JSON
def calls_command(boards: int, as_json: bool) -> None:
    """Count the Python function calls that a board costs a table, its record and wire log included.

    The figure is exact and the same on every machine. There are no sockets, and players are not counted.
    """
    from bench.calls import measure_calls

    found = measure_calls(boards)
    text = f"{found.calls_per_board} Python calls a board, {found.lines_per_board} lines of players"
    _show(found, text, as_json=as_json)


@bench_group.command("line")
@click.option("--boards", type=click.IntRange(1, _BOARDS_MAX), default=16, show_default=True, help="Boards to play.")
@_JSON
def line_command(boards: int, as_json: bool) -> None:
    """Time a call or card in a table that is alone on its host, and its transaction, without sockets.

    The record does not wait for the disk. What is not SQLite's of a transaction is Python's.
    """
    from bench.lines import measure_lines

    found = measure_lines(boards)
    text = (
        f"a call or card: {found.line_ms} ms from its bytes to the last relayed line, {found.transaction_ms} ms of "
        f"it in its transaction (SQLite {found.sqlite_ms} ms, Python {found.python_ms} ms); "
        f"{found.cpu_ms_per_board} ms of processor time a board"
    )
    _show(found, text, as_json=as_json)


def _turnround(found: "Turnround") -> str:
    return f"turn-round {found.p50}/{found.p99}/{found.max} ms (p50/p99/max)"


def _two_decimals(figure: float | None) -> str:
    return NOTHING if figure is None else f"{figure:.2f}"


def _print_json(found: Any) -> None:  # a dataclass
    from dataclasses import asdict

    print_json(asdict(found))


def _show(found: object, text: str, file: Path | None = None, *, as_json: bool) -> None:
    """Print figures as their text or as JSON; the text goes to a file, too, if one is given."""
    if file is not None:
        file.write_text(text, encoding="utf-8")
    if as_json:
        _print_json(found)
    else:
        click.echo(text.rstrip())


if __name__ == "__main__":
    main(bench_group)
