"""`tourney bench`: how fast tables are on this machine."""

import click


@click.group("bench")
def bench_group() -> None:
    """Measure this machine. Figures differ from run to run: compare those of one run, as ratios."""


@bench_group.command("table")
@click.option("--tables", type=click.IntRange(2, 256), default=16, show_default=True, help="Tables, an even number.")
@click.option("--boards", type=click.IntRange(1, 1000), default=16, show_default=True, help="Boards at each table.")
@click.option("--no-wire-log", is_flag=True, help="Leave the wire log out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def table_command(tables: int, boards: int, no_wire_log: bool, as_json: bool) -> None:
    """Play boards at tables of one host, on record in SQLite, with players that do not think.

    The players are in this process, the host in another. Measured are boards and lines a second, and the processor
    time of the host for a board.
    """
    import json
    from dataclasses import asdict

    from tourney.coordinator.benchmark import measure_tables
    from tourney.errors import UsageError

    if tables % 2:
        raise UsageError(f"--tables is an even number, as every match has two rooms, got {tables}")
    found = measure_tables(tables, boards, wire_log=not no_wire_log)
    if as_json:
        click.echo(json.dumps(asdict(found)))
        return
    click.echo(
        f"{found.tables} tables of {found.boards} boards, wire log {'on' if found.wire_log else 'off'}: "
        f"{found.boards_per_s} boards/s, {found.lines_per_s} lines/s, "
        f"{found.cpu_ms_per_board} ms of the host's processor time a board"
    )
