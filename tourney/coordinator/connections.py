"""`connections.json`: who connects where, for organisers' scripts and for programs that read it themselves."""

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from tourney.bridge import SEATS
from tourney.coordinator.run_context import SeatConnection
from tourney.errors import LaunchError
from tourney.store.control.hosts import load_addresses
from tourney.store.db.database import Database
from tourney.store.draw.objects import TableInfo, TeamInfo


class HostAddresses:
    """Where players find the tables of each host: at the event's address, or at one that the host has put on record.

    The record is read once for each host, when it first has an open table.
    """

    def __init__(self, database: Database, event_id: int, default: str) -> None:
        self._database = database
        self._event_id = event_id
        self._default = default
        self._found: dict[str, str] = {}

    def of_table(self, table: TableInfo) -> str:
        """Return the address of an open table."""
        if table.host is None:
            return self._default
        if table.host not in self._found:
            self._found.update(load_addresses(self._database, self._event_id))
        return self._found.setdefault(table.host, self._default)

    @property
    def are_known(self) -> bool:
        """Whether tables that are not open yet will be at the event's address, as far as is known."""
        return all(address == self._default for address in self._found.values())


def seat_places(
    table: TableInfo,
    host: str,
    teams: dict[str, TeamInfo],
    with_phrase: Collection[str] = (),
    round_: int | None = None,
    table_number: int | None = None,
    *,
    has_known_boards: bool = True,
    labels: Mapping[str, str] = MappingProxyType({}),
) -> list[SeatConnection]:
    """Return the four seats of an open table.

    Args:
        table: the table.
        host: the address that programs connect to.
        teams: the teams of the event by name.
        with_phrase: names of the teams that need a pass phrase.
        round_: the round, for a match of pairs.
        table_number: the number of the table in the movement, likewise.
        has_known_boards: whether it is known how many of its boards are played.
        labels: labels of the machines on which programs are started, by team name.
    """
    return [
        SeatConnection(
            match=table.match,
            room=table.room,
            seat=seat,
            team=table.team(seat.side),
            host=host,
            port=table.ports[seat],
            boards=table.boards if has_known_boards else None,
            boards_at_most=table.boards,
            is_ours=teams[table.team(seat.side)].command is not None,
            with_phrase=table.team(seat.side) in with_phrase,
            segment=table.segment,
            pair=table.pair(seat.side),
            round=round_,
            table=table_number,
            on=labels.get(table.team(seat.side)),
        )
        for seat in SEATS
    ]


def write_connections(path: Path, places: list[SeatConnection], stateful_port: int | None = None) -> None:
    """Replace the file atomically: a reader finds either the old list or the new one.

    The file is a list of objects with `match` (number), `room` (open, closed), `seat` (North, ...), `team`, `host`,
    `port`, `boards` (how many are played, BC-44; null where the results decide it, at a match of rubbers or of
    chicagos with redeals, which then has `boards_at_most`), `segment` of the match, `pair` of the team,
    `started_by_tourney` (whether tourney starts the program, so that nobody else need connect), `on` (the label of
    the machine on which it does so, if that is not the table's); in a movement `round`; and `pass_phrase`, true, if
    the team needs one. At pairs `pair` is the name of the pair, and `table` the number of the table in the
    movement; where each pair has its own port, the rounds to come are listed too, unless tables are on several
    machines. `host` is an address that a program elsewhere can connect to: that of the machine where the table is.
    Where the team has a port of its own (`team_ports` in `[tables]`), seats of its programs from elsewhere have that
    as `host` and `port`, and the table's as `table_host` and `table_port`. Where the event has a port for the
    stateful-server protocol, seats of programs from elsewhere have it as `stateful_port`.

    Raises:
        LaunchError: it cannot be written.
    """
    rows = [
        {
            "match": place.match,
            "room": place.room.value,
            "seat": place.seat.title,
            "team": place.team,
            "host": place.host,
            "port": place.port,
            "boards": place.boards,
            "segment": place.segment,
            "pair": place.pair,
            "started_by_tourney": place.is_ours,
        }
        | ({"boards_at_most": place.boards_at_most} if place.boards is None else {})
        | ({"round": place.round} if place.round is not None else {})
        | ({"pair": place.team, "table": place.table} if place.table is not None else {})
        | ({"pass_phrase": True} if place.with_phrase else {})
        | ({"on": place.on} if place.on is not None else {})
        | ({"table_host": place.table_host, "table_port": place.table_port} if place.table_port is not None else {})
        | ({"stateful_port": stateful_port} if stateful_port is not None and not place.is_ours else {})
        for place in places
    ]
    try:
        new = path.with_suffix(".json.new")
        new.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        os.replace(new, path)  # noqa: PTH105 # guaranteed to be atomic
    except OSError as error:
        raise LaunchError(f"{path} cannot be written: {error.strerror}") from None
