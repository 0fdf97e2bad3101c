"""Who connects where: announced when tables have opened, and kept in `connections.json`.

The file is for organisers' scripts and for programs that read it themselves.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tourney.bridge import SEATS, Seat
from tourney.coordinator.run_context import OpenTable, RunContext, SeatConnection, TablesOpened
from tourney.errors import LaunchError
from tourney.movement.seating import TableInfo
from tourney.plurals import plural
from tourney.store.control.hosts import load_addresses


class Connections:
    """Tells programs of an event where they connect.

    Tables are at the event's address, or at one that their host has put on record, which is read once for each host.
    """

    def __init__(self, run: RunContext) -> None:
        self.announced: dict[int, tuple[str, dict[Seat, int]]] = {}
        """The address and the ports of each table that has been announced, by its id."""
        self._run = run
        self._default = run.file.address.host
        self._addresses: dict[str, str] = {}
        """Where players find the tables of each host, by its name."""

    def address_of(self, table: TableInfo) -> str:
        """Return the address of an open table."""
        if table.host is None:
            return self._default
        if table.host not in self._addresses:
            self._addresses.update(load_addresses(*self._run.record))
        return self._addresses.setdefault(table.host, self._default)

    def forget(self, table_ids: Iterable[int]) -> None:
        """Announce these tables again when they open, wherever that is."""
        for table_id in table_ids:
            self.announced.pop(table_id, None)

    def announce(self, tables: Sequence[OpenTable]) -> None:
        """Announce who connects where, if anything of it is new.

        Args:
            tables: all open tables.

        Raises:
            LaunchError: the file cannot be written.
            StoreError: the database cannot be used.
        """
        found = {table.info.id: (table.host, table.info.ports) for table in tables}
        new = {table_id for table_id, where in found.items() if self.announced.get(table_id) != where}
        if not new:
            return
        ours = {(each.host, port): each.info.place for each in tables for port in each.info.ports.values()}
        opened: list[SeatConnection] = []
        everybody: list[SeatConnection] = []
        for table in tables:
            seats = self.seats_of(table)
            everybody += seats
            if table.info.id in new:
                opened += seats
                self._report_taken_ports(table, ours)
        self.announced |= found
        file = self._run.file
        write_connections(file.results / "connections.json", everybody)
        self._run.report(TablesOpened(opened))

    def seats_of(self, table: OpenTable) -> list[SeatConnection]:
        """Return the four seats of a table that has its ports."""
        number = self._run.tables_of(self._run.event.stage_of(table.match)).get(table.match.number)
        return [self._seat(table, seat, number) for seat in SEATS]

    def _seat(self, open_table: OpenTable, seat: Seat, number: int | None) -> SeatConnection:
        """Return a seat as programs reach it: from elsewhere at the event's port, or at the port of their team.

        `number` is that of the table in a movement of pairs.
        """
        table, host = open_table.info, open_table.host
        file, config = self._run.file, self._run.config
        team, port = self._run.teams[table.team(seat.side)], table.ports[seat]
        player = team.at(seat)
        in_file = file.team(player.name)
        team_port = config.team_port(in_file, player.number)
        at_table = host, port
        if team_port is not None:
            host, port = file.address.host, team_port
        return SeatConnection(
            at=open_table,
            seat=seat,
            team=team.name,
            host=host,
            port=port,
            is_ours=player.command is not None,
            with_phrase=bool(in_file.pass_phrase),
            number=number,
            at_table=at_table if team_port is not None else None,
            stateful_port=config.stateful_port(in_file),
        )

    def _report_taken_ports(self, table: OpenTable, ours: Mapping[tuple[str, int], str]) -> None:
        """Say where a table is not on the ports that the event file gives it.

        `ours` has the tables of the run by address and open port.
        """
        wished, ports = self._run.config.tables.wished_ports(table.place), table.info.ports
        if not set(wished.values()) - set(ports.values()):
            return
        place = table.info.place
        taken = sorted({port for seat, port in wished.items() if ports.get(seat) != port})
        holders = (ours.get((table.host, port), place) for port in taken)
        holder = next((f"table {each}" for each in holders if each != place), None)
        what = plural(len(taken), "port {} is", "ports {} are").format(_ports_text(taken))
        advice = "" if holder else "; end that program before a run, or give other `ports` in [tables]"
        self._run.notify(
            f"{place}: {what} taken by {holder or 'another program'}, so its players connect to "
            f"{_ports_text(sorted(set(ports.values())))}{advice}"
        )


def _ports_text(ports: Sequence[int]) -> str:
    """Format neighbouring ports: `2000`, or `2000-2003`."""
    return str(ports[0]) if len(ports) == 1 else f"{ports[0]}-{ports[-1]}"


def write_connections(path: Path, places: list[SeatConnection]) -> None:
    """Replace the file atomically: a reader finds either the old list or the new one.

    The file is a list of objects with `match` (number), `room` (open, closed), `seat` (North, ...), `team`, `host`,
    `port`, `boards` (how many are played, BC-44; null where the results decide it, at a match of rubbers or of
    chicagos with redeals, which then has `boards_at_most`), `segment` of the match, `pair` of the team,
    `started_by_tourney` (whether tourney starts the program, so that nobody else need connect); `round`, the round;
    and `pass_phrase`, true, if the team needs one. In pairs events `pair` is the name of the pair, and `table` the
    number of the table in the movement. `host` is an address that a program elsewhere can connect to: that of the
    machine where the table is. Where the team has a port of its own (`team_ports` in `[tables]`), seats of its
    programs from elsewhere have that as `host` and `port`, and the table's as `table_host` and `table_port`. Where
    the event has a port for the stateful-server protocol, seats of programs from elsewhere that speak it have it as
    `stateful_port`.

    Raises:
        LaunchError: it cannot be written.
    """
    with LaunchError.of_system(f"{path} cannot be written"):
        new = path.with_suffix(".json.new")
        new.write_text(json.dumps([_row(place) for place in places], indent=1) + "\n", encoding="utf-8")
        new.replace(path)  # which is atomic


def _row(place: SeatConnection) -> dict[str, object]:
    table, has_known_boards = place.at.info, place.at.match.boards_known is not None
    table_host, table_port = place.at_table or (None, None)
    optional = {
        "boards_at_most": None if has_known_boards else table.boards,
        "table": place.number,
        "pass_phrase": place.with_phrase or None,
        "table_host": table_host,
        "table_port": table_port,
        "stateful_port": place.stateful_port,
    }
    return {
        "match": table.match,
        "room": table.room.value,
        "seat": place.seat.title,
        "team": place.team,
        "host": place.host,
        "port": place.port,
        # Players are not told it on the wire (BC-44).
        "boards": table.boards if has_known_boards else None,
        "segment": table.segment,
        "pair": table.pair(place.seat.side) if place.number is None else place.team,
        "started_by_tourney": place.is_ours,
        "round": place.at.round,
        **{key: value for key, value in optional.items() if value is not None},
    }
