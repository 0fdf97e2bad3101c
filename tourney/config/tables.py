"""`[tables]`, `[limits]`, `[clock]` and `[rules]`: where tables listen, whom they let in, what rules they apply."""

import re
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, BeforeValidator, Field

from tourney.bridge import SEATS, Seat
from tourney.config.base import OneOf, Section, between
from tourney.config.values import (
    PortPlan,
    PortRange,
    Processes,
    check_host,
    one_of,
    parse_hundredths,
    parse_port_range,
    shown,
)
from tourney.protocol.access import CONNECTIONS_MAX, ConnectionLimits
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import (
    AlertMode,
    Penalty,
    Rejoin,
    RemedyName,
    TableRules,
    TimeLimit,
    TimeRules,
    UndoRule,
)

SECONDS_MAX: Final = 86_400
READY_S_MIN: Final = 30
"""The smallest `ready_s`: existing programs take up to seven seconds to send a `ready` line (BC-51)."""
NETWORK_MS_MAX: Final = 5000
"""The largest `network_ms`: a longer delay is a broken line, not a distant one."""
PENALTY_IMPS_MAX: Final = 100
PENALTY_VP_MAX: Final = 20
_PENALTY: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,9})?) ?(IMPs?|points?|VPs?)")

_CLOCK_REMEDIES: Final = tuple(name for name in RemedyName if name is not RemedyName.SUBSTITUTE)


def _clock_remedy(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, str) and value in tuple(_CLOCK_REMEDIES):
        return RemedyName(value)
    raise ValueError(one_of(_CLOCK_REMEDIES, value))


def _parse_penalty(value: Any) -> Penalty:  # before pydantic has looked at the type
    found = _PENALTY.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f'a penalty is such as "3 IMPs", "100 points" or "0.5 VP", got {shown(value)}')
    if found[2].startswith("VP"):
        amount = parse_hundredths(Decimal(found[1]), PENALTY_VP_MAX, "victory points", may_be_none=False)
        return Penalty(RulingKind.PENALTY_VP, amount)
    unit = "points" if found[2].startswith("point") else "IMPs"
    if not found[1].isdecimal() or not 1 <= int(found[1]) <= PENALTY_IMPS_MAX:
        raise ValueError(f"1 to {PENALTY_IMPS_MAX} whole {unit} are allowed, got {shown(value)}")
    return Penalty(RulingKind.PENALTY_IMPS, int(found[1]))


_DEFAULTS: Final = ConnectionLimits()

Seconds = Annotated[int, between(1, SECONDS_MAX)]
ClockRemedy = Annotated[RemedyName, BeforeValidator(_clock_remedy)]


def _parse_ports(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise ValueError(f'ports are a range such as "2000-4999", got {shown(value)}')  # noqa: TRY004 # pydantic's way
    return parse_port_range(value)


class TablesConfig(Section):
    """`[tables]`."""

    host: Annotated[str, AfterValidator(check_host)] = "127.0.0.1"
    """The address that the tables listen on. `"127.0.0.1"` admits programs on this machine only, `"0.0.0.0"`
    programs from everywhere; then give each team a `pass_phrase` or an `allow` list. `tourney run` says so
    when other machines can connect."""
    public_host: Annotated[str, AfterValidator(check_host)] | None = None
    """The address that programs elsewhere connect to, for `connections.json` and `tourney invite`: the outer
    address of a router, a name such as `"bridge.example.org"`. By default `host`; where that is `"0.0.0.0"` or
    `"::"`, the address of this machine in its network."""
    ports: Annotated[PortRange, BeforeValidator(_parse_ports)] = PortRange(2000, 4999)
    """The ports that tables may use, between 1024 and 65535. Each match needs two tables, each table one port or
    four."""
    port_plan: OneOf[PortPlan] = PortPlan.PER_TABLE
    """`"per-table"`: the four seats of a table share one port. `"per-seat"`: each seat has its own port, as
    version 18 of the protocol says."""
    team_ports: Annotated[PortRange, BeforeValidator(_parse_ports)] | None = None
    """One port for each team, such as `"5001-5016"`: the first for the first team of this file, and so on. Programs
    from elsewhere connect to the port of their team all event long. They are led to their seats, at whichever table
    and on whichever machine they play next. `tourney run` opens the ports on its own machine, at the address
    `host`. By default there are none."""
    connect_port: Annotated[int, between(1024, 65_535)] | None = None
    """The port of this machine to which the web server in front passes `/connect`. By it programs of teams come
    across the internet with `tourney connect`: [its page](connect.md) has the whole way. It is opened at `127.0.0.1`
    alone. By default nobody comes that way."""
    trick_pause_ms: Annotated[int, between(0, 60_000)] = 1000
    """How long a table pauses after each trick, for the sake of spectators, in milliseconds."""
    at_once: Annotated[int, between(1, 1000)] = 16
    """How many matches of a round are played side by side."""
    wire_log: bool = True
    """Whether every line to and from the players is kept in a file of the results folder, one for each table.
    It is compressed once its table has ended: `match-001-open.jsonl` becomes `match-001-open.jsonl.gz`, a tenth as
    large, which `zcat` prints."""
    connect_s: Annotated[int, between(1, 3600)] = 60
    """How long a program that tourney has started may take to sit down, in seconds."""
    lease_s: Annotated[int, between(2, 3600)] = 10
    """After this many seconds of silence a table host is taken for dead, and another one takes its tables over.
    The same holds for the run itself."""
    orphan_s: Annotated[int, between(5, 86_400)] = 60
    """For how many seconds table hosts play on without a run, which may come back and find them again. After
    that they finish the boards in hand and end."""
    outage_s: Annotated[int, between(1, 86_400)] = 60
    """For how many seconds the database may be unavailable. Tables wait and go on where they were; after that
    they give up."""

    def wished_ports(self, place: int) -> dict[Seat, int]:
        """Return the ports that a table takes if they are free; `place` is its number among those in play, from 0.

        A match keeps its place while it is played, so its ports are the same after a restart.
        """
        first = self.ports.first + place * self.port_plan.ports_per_table
        return {seat: first + (seat if self.port_plan is PortPlan.PER_SEAT else 0) for seat in SEATS}


class StatefulConfig(Section):
    """`[stateful]`."""

    port: Annotated[int, between(1024, 65_535)]
    """The port to which programs that speak it connect, all event long and whatever table they play at: any number
    outside `ports` of `[tables]`, 1024 to 65535."""


class LimitsConfig(Section):
    """`[limits]`: what one connection, or one address, may ask of a table."""

    lines_per_s: Annotated[int, between(10, 100_000)] = _DEFAULTS.lines_per_s
    """Lines per second on one connection; a line counts once more for each 256 bytes. That many may arrive at
    once; whatever comes faster waits."""
    connections_per_address: Annotated[int, between(1, CONNECTIONS_MAX)] = _DEFAULTS.connections_per_address
    """Connections to one table from one address: four programs, and those that return before the table knows
    that they were gone. When one more comes, the oldest that has not logged on gives way. The first 64 bits of an
    IPv6 address count as one address."""

    @property
    def of_connections(self) -> ConnectionLimits:
        return self.settings(ConnectionLimits)


class ClockConfig(Section):
    """`[clock]`: limits of thinking time in seconds, and what follows when one is exceeded (BC-45)."""

    call_s: Seconds | None = None
    """Limit for one call or card. By default there is none."""
    board_s: Seconds | None = None
    """Limit for a side on one board. By default there is none; 120 is the custom at world championships."""
    match_s: Seconds | None = None
    """Limit for a side on all boards of one room of a match. By default there is none."""
    remedy: ClockRemedy | None = None
    """What follows when one of these is exceeded, for `board_s` once a board and side, for `match_s` once a match:
    `"warn"`, `"penalty"` (see `[rules]`), `"forfeit-board"` (3 IMPs to the other team) or `"forfeit-match"`. By
    default a call or card that takes too long costs the board, and all else a penalty."""
    stall_s: Seconds = 300
    """A player that has owed a call or card for this long has stalled: its side forfeits the board, and its
    program is disconnected."""
    ready_s: Annotated[int, between(READY_S_MIN, SECONDS_MAX)] = 300
    """The same for any other line that a player owes."""
    absence_s: Seconds = 120
    """How long the others wait between two boards for a seat to be taken again; then its side forfeits the
    match."""
    rejoin_s: Seconds = 60
    """How long they wait in the middle of a board for a player whose connection was lost; then its side forfeits
    the board."""
    network_ms: Annotated[int, between(0, NETWORK_MS_MAX)] = 0
    """How much of the network's delay of a call or card is not charged, in milliseconds, where its program comes
    through a tunnel. A side gets at most 52 times as much on a board. A limit comes later by that much for such a
    program. The delay is what the table measured beyond what the author's own computer says that the program took.
    That can be forged: this is a gift of at most so much a call. By default delays are on record and shown, and
    charged."""


class RulesConfig(Section):
    """`[rules]`: irregularities, penalties, rejoining, claims, manual alerting (BC-46, BC-48, BC-40, BC-25)."""

    irregularities: Annotated[int, between(1, 1000)] = 3
    """From this many illegal or out-of-turn calls and cards of a side on one board on, each is followed by the
    remedy."""
    irregularity_remedy: OneOf[RemedyName] = RemedyName.SUBSTITUTE
    """What follows then: `"warn"`, `"penalty"`, `"substitute"` (the table passes, or plays the lowest legal
    card, in the player's place), `"forfeit-board"` or `"forfeit-match"`."""
    penalty: Annotated[Penalty, BeforeValidator(_parse_penalty)] = Field(default="3 IMPs", validate_default=True)
    """What `"penalty"` costs: up to 100 IMPs, `"3 IMPs"`, or up to 20 victory points with at most two decimals,
    `"0.5 VP"`. At rubber bridge and Chicago it is in points, `"100 points"`, and must be given. Where teams rank by
    points of board-a-match, victory points are these points; there is no penalty in IMPs at board-a-match."""
    rejoin: OneOf[Rejoin] = Rejoin.REPLAY
    """What happens when a program comes back into a board that it has left.

    - `"replay"`: it is told the board again and repeats what it had said, while the others wait. If it says
      something else than before, the board is restarted.
    - `"restart"`: the board is started again for all four.
    - `"forfeit"`: the board was lost with the connection; the program may join the next one.

    Likewise a board whose table host has died is continued (`"replay"`) or started again.
    """
    rejoins: Annotated[int, between(1, 100)] = 3
    """Maximum reconnections per seat and board."""
    restarts: Annotated[int, between(0, 100)] = 1
    """How many times a board is started again because of one side; after that the side forfeits it."""
    claims: bool = False
    """Whether players may claim."""
    undo: OneOf[UndoRule] = UndoRule.NEVER
    """What a person who plays in the stateful-server protocol may take back if both opponents agree: `"never"`,
    `"calls"`, or `"all"`, calls and cards. In a team event it is always `"never"`."""
    alerting: OneOf[AlertMode] = AlertMode.OFF
    """Whether the table waits for an operator to explain calls (`tourney table alert`).

    - `"off"`: it does not.
    - `"calls"`: after every call that is not on the protocol's list of calls that need no pause.
    - `"keyword"`: after a call with a bare `Alert`.
    - `"auction"`: at the end of the auction.
    """
    alert_wait_s: ClassVar[int] = 60
    """How long it waits, in seconds; after that the call counts as not alertable."""
    process_plays: OneOf[Processes] = Processes.SEAT
    """What one process of a team may play. A `"seat"` is one hand. A `"room"` is the team's two seats at a table,
    which see each other's hand. The `"team"` is all its seats at the tables of a host, which see the hands of the
    other room too.
    It stands in the conditions of contest, and pages name the teams whose `processes` make use of it. A duel allows
    all."""
    strikes: Annotated[int, between(0, 1000)] = 0
    """After this many crashes in the event a team is withdrawn; 0 for never.

    A crash is a program that ended by itself in the middle of a board, whether it came back or not; not one that the
    table had sent away.
    """


def table_rules(clock: ClockConfig, rules: RulesConfig) -> TableRules:
    """Converts the two sections to rules for a table. Methods of pairs are set by the teams."""
    return rules.settings(
        TableRules,
        time=clock.settings(
            TimeRules,
            call=_limit(clock.call_s, clock.remedy or RemedyName.FORFEIT_BOARD),
            board=_limit(clock.board_s, clock.remedy or RemedyName.PENALTY),
            match=_limit(clock.match_s, clock.remedy or RemedyName.PENALTY),
        ),
        irregularities_max=rules.irregularities,
        rejoins_max=rules.rejoins,
        restarts_max=rules.restarts,
    )


def _limit(seconds: int | None, remedy: RemedyName) -> TimeLimit:
    return TimeLimit(seconds * 1000 if seconds is not None else None, remedy)
