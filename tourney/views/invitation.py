"""An invitation: what the author of a team's programs has to know to connect them, from the event file and the draw.

It has the team's passphrase, so nothing but `tourney invite` shows it.
"""

import re
import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from operator import itemgetter
from typing import Annotated, Any, Final

from tourney.bridge import SEATS, Seat, Side
from tourney.config import PortPlan, TeamConfig
from tourney.config.command import format_check_bot
from tourney.contest.draw import RoundAssignment
from tourney.event.drawn import find_entrant
from tourney.event.file import EventFile
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.output.content import Instant
from tourney.output.rows import ABSENT, NOTHING, Cell, Row, Unit
from tourney.output.tables import Parts, make_table
from tourney.output.units import MatchNumber, Moment
from tourney.plurals import count
from tourney.protocol.access import format_login
from tourney.protocol.wires import VERSIONS, Language
from tourney.runtime.address import TableAddress, is_loopback
from tourney.store.draw.objects import EventInfo
from tourney.views.report import Report
from tourney.views.schedule import PairNumber, describe_round

_OPEN: Final = (TableState.OPEN, TableState.PLAYING)

TEXT_COLUMNS: Final = 78
"""The width of the sentences, which are sent by mail."""

_PROGRAM: Final = "PROGRAM {host} {port} {seat} {team}"
_STATEFUL_PROGRAM: Final = "PROGRAM {host} {port} {team}"
"""What stands for a command that only the author knows."""


def _format_ports(ports: Mapping[Seat, int | None]) -> str:
    known = [str(port) for port in ports.values() if port is not None]
    return ", ".join(known if len(set(known)) > 1 else known[:1]) or NOTHING


class InvitedTable(Row, kw_only=True):
    """A table at which the team plays, with the ports of its two seats."""

    round: int
    """The number of the round, counted through the event from 1."""
    starts: Moment | None
    """When the round starts; null for as soon as the round before has finished."""
    match: MatchNumber
    """The number of the match."""
    opponent: str
    """The name of the other team."""
    log_on_as: str = ABSENT
    """The name of both partners, under which a player of an individual logs on; missing for a team or a pair."""
    segment: int
    """The segment of the match, from 1."""
    room: str
    """The room: open or closed."""
    pair: PairNumber
    """Which pair of the team sits there, 1 or 2."""
    boards: int | None
    """The number of boards played there; null where their results decide it."""
    ports: Annotated[
        Mapping[Seat, int | None],
        Unit(
            form=dict[str, int | None],
            json=lambda ports: {seat.title: port for seat, port in ports.items()},
        ),
    ]
    """The port of each seat of the team, by seat; null if it is known only when the match begins."""
    open: bool
    """Whether the table is open; before that, the ports are those it takes unless another program has them."""

    @property
    def has_ports(self) -> bool:
        """Whether its ports are known."""
        return None not in self.ports.values()


class InvitationDocument(Row, kw_only=True):
    """What the author of a team's programs has to know. It may have a secret: the passphrase."""

    event: str
    """The name of the event."""
    team: str
    """The name of the team, as its programs send it."""
    started_by_tourney: bool
    """Whether the organiser's computer starts the programs."""
    host: str
    """The address to connect to."""
    first_port: int
    """The first port of the range that the tables use; the port of the team, if it has one of its own."""
    last_port: int
    """The last port of that range; the same one, if the team has one of its own."""
    port_plan: str
    """`per-table` if the four seats of a table share a port, `per-seat` if each has its own."""
    pass_phrase: str | None
    """The secret passphrase of the team; null if it has none."""
    protocol: str
    """The protocol of its programs: `blue-chip` or `stateful`."""
    log_on: str
    """The line with which the program for North logs on, with the passphrase."""
    profile: str
    """The name of the wire profile of the team."""
    wire: dict[str, bool | int | str]
    """Settings of the team that replace those of its profile."""
    allow: list[str]
    """The addresses and networks from which its programs may connect; empty if any may."""
    outbound: str
    """What the firewall in front of the programs has to let out, as a sentence."""
    inbound: str | None
    """The nftables command that lets them in where the tables are; null if only programs there can connect."""
    check_bot: str
    """The command that tries the program."""
    drawn: bool
    """Whether the event has been drawn."""
    tables: list[InvitedTable]
    """The tables at which the team has still to play, as far as they are drawn, in the order of play."""
    byes: list[int]
    """The rounds in which the team does not play."""
    rounds_to_draw: list[int]
    """The rounds that are drawn later, from results."""
    notices: list[str]
    """Sentences for the organiser."""


class Invitation(Report):
    """What is sent to the author of a team's programs."""

    file: EventFile
    team: TeamConfig
    address: TableAddress
    event: EventInfo | None
    """The event as drawn; None before the draw."""
    client_digest: str | None
    """The SHA-256 of `connect.pyz`, where programs may come through a tunnel."""

    # What is in it

    @property
    def log_on(self) -> str:
        """The line with which the program for North logs on (BC-05, SS-05)."""
        players = (name for name, partners in self.file.config.partnerships.items() if self.team in partners)
        login = format_login(next(players, self.team.name), self.team.pass_phrase)
        if self.team.protocol is Language.STATEFUL:
            return f'HELLO "{login}"'
        return f'Connecting "{login}" as North using protocol version {VERSIONS[0]}'

    @property
    def check_bot(self) -> str:
        """The command that tries the program."""
        team = self.team
        program = _STATEFUL_PROGRAM if self.stateful_port is not None else _PROGRAM
        return format_check_bot(team.name, team.command or program, team.profile, team.protocol)

    @property
    def allow(self) -> list[str]:
        """The addresses and networks from which the programs may connect; empty if any may."""
        networks = self.team.allow or ()
        return [str(net.network_address if net.num_addresses == 1 else net) for net in networks]

    @property
    def ports(self) -> str:
        """The range of ports that the tables use, or the one that the team does."""
        return str(self.own_port or self.file.config.tables.ports)

    @property
    def team_port(self) -> int | None:
        """The port to which the team's programs connect all event long, if it has one of its own; else None."""
        config = self.file.config
        drawn = self.event.team_names if self.event is not None else []
        names = drawn or [team.name for team in config.team]
        return config.team_port(self.team, names.index(self._name) + 1) if self._name in names else None

    @property
    def stateful_port(self) -> int | None:
        """The event's port if the team's programs speak the stateful-server protocol there; else None."""
        return self.file.config.stateful_port(self.team)

    @property
    def own_port(self) -> int | None:
        """The one port that its programs connect to all event long, if there is one; else None."""
        return self.stateful_port or self.team_port

    @property
    def inbound(self) -> str | None:
        """The nftables command that lets the team's programs in; None if only this machine can connect."""
        if is_loopback(self.file.config.tables.host):
            return None
        networks = self.team.allow or []
        by_version = {
            family: [text for text, network in zip(self.allow, networks, strict=True) if network.version == version]
            for family, version in (("ip", 4), ("ip6", 6))
        }
        sources = [f"{family} saddr {{ {', '.join(texts)} }} " for family, texts in by_version.items() if texts]
        rule = "nft add rule inet filter input {}tcp dport {} accept"
        return " && ".join(rule.format(source, self.ports) for source in sources or [""])

    @property
    def notices(self) -> list[str]:
        """Sentences for the organiser, not for the author."""
        notices = [self.address.notice] if self.address.notice and self.team.command is None else []
        if self.client_digest is not None and not self.file.config.web.hosts and self.team.command is None:
            notices.append("put the address of the pages for ADDRESS; `hosts` in [web] has it from then on")
        if self.team.pass_phrase is not None:
            notices.append(f"the passphrase of {self.team.name} is in this text: send it to its author only")
        if self.inbound is not None and self.team.command is None:
            notices.append(f"to let its programs in, on the machine of the tables: {self.inbound}")
        if self.event is not None and self._name not in self.event.team_names:
            notices.append(f"{self.team.name} is not in the draw: `tourney schedule` and `tourney run` bring it in")
        return notices

    @property
    def _name(self) -> str:
        return self.team.name

    def tables(self) -> list[InvitedTable]:
        """Return the tables at which the team has still to play, as far as they are drawn."""
        return [
            InvitedTable(
                round=round_.number,
                starts=round_.starts_at_ms,
                match=match,
                opponent=table.team(side.other),
                log_on_as=table.team(side) if match.players else ABSENT,
                segment=table.segment,
                room=table.room.value,
                pair=table.pair(side),
                boards=match.boards_known and table.boards,
                ports={seat: ports.get(seat) for seat in SEATS if match.player_at(table, seat) == self._name},
                open=table.state in _OPEN,
            )
            for round_ in (self.event.rounds if self.event is not None else ())
            for place, assignment in enumerate(round_.assignments)
            for match in [assignment.match]
            for table in assignment.tables
            if not table.is_over
            for ports in [self._ports(place, assignment, table)]
            for side in Side
            if self._name in match.entrants_of(table.team(side))
        ]

    def _ports(self, place: int, assignment: RoundAssignment, table: TableInfo) -> Mapping[Seat, int]:
        """Return the ports of a table; none if they are known only when the match begins."""
        config = self.file.config.tables
        if self.own_port is not None:
            return dict.fromkeys(Seat, self.own_port)
        if table.ports:
            return table.ports
        if place >= config.at_once:
            return {}
        number = assignment.match.format.tables_per_match * place + assignment.rooms.index(table.room)
        return config.wished_ports(number)

    @property
    def byes(self) -> list[int]:
        """The rounds, as far as they are drawn, in which the team does not play."""
        return [round_.number for round_ in self.event.rounds if self._name in round_.byes] if self.event else []

    @property
    def rounds_to_draw(self) -> list[int]:
        """The rounds that are drawn later, from results."""
        return [round_.number for round_ in self.event.all_rounds if not round_.is_drawn] if self.event else []

    # How it is shown

    def content(self) -> InvitationDocument:
        """Return all of it."""
        team, tables = self.team, self.file.config.tables
        return InvitationDocument.from_attributes(
            self,
            team,
            event=self.file.config.event.name,
            team=team.name,
            started_by_tourney=team.command is not None,
            host=self.address.host,
            first_port=self.own_port or tables.ports.first,
            last_port=self.own_port or tables.ports.last,
            port_plan=tables.port_plan.value,
            protocol=team.protocol.value,
            wire=self._settings,
            drawn=self.event is not None,
            tables=self.tables(),
        )

    @property
    def outbound(self) -> str:
        """What the firewall in front of the programs has to let out."""
        ports = "port" if self.ports.isdecimal() else "ports"
        return f"let your programs out to {self.address.host}, TCP {ports} {self.ports}; nothing comes in"

    def text(self) -> Parts:
        """Yield the lines to send."""
        team = self.team
        yield f"{self.file.config.event.name}: invitation for {team.name}"
        yield ""
        if team.command is not None:
            yield "The organiser's computer starts your programs at every seat: you need not connect anything."
        else:
            yield from self._connection()
        yield ""
        yield (
            "To try the program, with tourney installed"
            + ("" if team.command else " and its command for PROGRAM")
            + ":"
        )
        yield f"  {self.check_bot}"
        yield ""
        yield from self._matches()

    def _connection(self) -> Parts:
        """Yield how the programs connect."""
        team, tables = self.team, self.file.config.tables
        share = {
            PortPlan.PER_TABLE: "one for each table",
            PortPlan.PER_SEAT: "one for each seat",
        }[tables.port_plan]
        yield _wrap(
            "Your programs connect to the tables over TCP: one connection, usually one program, for each seat."
        )
        yield ""
        facts = {"Address": self.address.host}
        if self.stateful_port is not None:
            facts["Port"] = f"{self.ports}, all event long: the server gives each program its seat"
            facts["Protocol"] = "stateful-server protocol"
            facts["Log-on"] = f"{self.log_on}, then JOIN-T"
        else:
            if self.team_port is not None:
                facts["Port"] = f"{self.ports}, all event long: it leads each program to its seat"
            else:
                facts["Ports"] = f"{self.ports}, {share}: see the matches below"
            facts["Protocol"] = f"Blue Chip table manager protocol, version {' or '.join(map(str, VERSIONS))}"
            facts["Log-on"] = self.log_on
        if team.pass_phrase is not None:
            facts["Passphrase"] = f"{team.pass_phrase}   (secret: anyone who has it can take your seats)"
        if self.stateful_port is None:
            facts["Profile"] = self._profile
        if team.allow:
            facts["Allowed from"] = f"{', '.join(self.allow)} only"
        facts["Firewall"] = self.outbound
        yield make_table([Cell("", itemgetter(0)), Cell("", itemgetter(1))], facts.items())
        if self.client_digest is not None:
            # How they come across the internet from where they are; the key is not among it.
            name = re.sub(r"[^a-z0-9]+", "-", team.name.lower()).strip("-") or "team"
            yield ""
            yield _wrap(
                "From anywhere else: programs stay on your machine and connect to 127.0.0.1 port 2000 there, while "
                "this runs, with Python 3.11 or later. Your key comes by a separate link: save it in a file."
            )
            hosts = self.file.config.web.hosts
            site = f"https://{hosts[0] if hosts else 'ADDRESS'}/"
            command = ["connect.pyz", site, "--team", team.name, "--key-file", f"{name}.key"]
            yield f"  python3 {shlex.join(command)}"
            yield f"The file connect.pyz is at {site}connect.pyz. Its SHA-256:"
            yield f"  {self.client_digest}"

    @property
    def _settings(self) -> dict[str, Any]:
        """The settings of the team that replace those of its profile."""
        return self.team.wire.model_dump(mode="json", exclude_none=True)

    @property
    def _profile(self) -> str:
        settings = ", ".join(f"{key} = {value}".lower() for key, value in self._settings.items())
        return f"{self.team.profile}, with {settings}" if settings else self.team.profile

    def _matches(self) -> Parts:
        """Yield the matches that are known, and when the others will be."""
        if self.event is None:
            yield _wrap(
                "The draw has not been made. When it has, your opponents, rooms, seats and ports are known, and this "
                "invitation lists them; the ports are certain once a table is open."
            )
            return
        tables = self.tables()
        if tables:
            yield make_table(list(self._columns(tables)), tables)
        else:
            yield f"No match is known that your {self.event.entrant} has still to play."
        for number in self.byes:
            yield f"Round {number}: your {self.event.entrant} sits out."
        for number in self.rounds_to_draw:
            yield f"{describe_round(self.event, number)}: drawn when the rounds before it have finished."
        if self.team.command is not None or self.own_port is not None:
            return
        if any(not table.open and table.has_ports for table in tables):
            yield ""
            yield _wrap(
                "The ports of a table that is not open yet are those it takes unless another program has them. They "
                "are certain once it is open, and the organiser then has them in connections.json."
            )
        if not all(table.has_ports for table in tables):
            yield ""
            at_once = count(self.file.config.tables.at_once, "match is", "matches are")
            yield _wrap(f"A dash for a port: {at_once} played at once, and later ones take ports that become free.")

    def _columns(self, tables: Sequence[InvitedTable]) -> Iterator[Cell]:
        """Yield the columns of the tables, without those that would say the same of all."""
        zone = self.file.place.names.zone or UTC
        yield Cell(">Round", "round")
        if any(table.starts is not None for table in tables):
            yield Cell("Starts", lambda table: Instant(table.starts, zone) if table.starts is not None else "at once")
        yield Cell(">Match", "match.number")
        yield Cell("Opponent", "opponent")
        if any(table.match.players for table in tables):
            yield Cell("Log on as", "log_on_as")
        if any(len(table.match.segments) > 1 for table in tables):
            yield Cell(">Segment", "segment")
        yield Cell("Room", lambda table: table.match.format.name_room(Room(table.room)), if_any=True)
        yield Cell("Seats", lambda table: ", ".join(seat.title for seat in table.ports))
        if self.team.command is None:
            yield Cell("Port", lambda table: _format_ports(table.ports))
        yield Cell(">Boards", lambda table: str(table.boards or f"up to {table.match.boards}"))
        yield Cell("", lambda table: "open" if table.open else "")


def find_team(event_file: EventFile, name: str) -> TeamConfig:
    """Return the team of that name, in any case.

    Raises:
        UsageError: the event file has no such team.
    """
    teams = {team.name: team for team in event_file.config.team}
    return teams[find_entrant(name, list(teams), f"teams of {event_file.config.event.name!r}")]


def _wrap(text: str) -> str:
    return textwrap.fill(text, TEXT_COLUMNS)
