"""The front door of the stateful-server protocol: one port, from which clients are led to tables elsewhere.

The port of an event (`gateway`) and that of a lobby (`lobby`) are subclasses, each with its own rule about who sits
where, its **seating**. The door is a state machine without sockets: it knows connections, lines and tables; the
seating knows teams, or games and tournaments. `host.front_door` has the sockets.

A connection lives as long as its program likes, a seat as long as its table. That is why they are two things here,
and why a client comes back to the state in which it waits. It is in one of three states, known by two fields:

| state | known by | what it costs | what leads to the next state |
| --- | --- | --- | --- |
| unauthenticated | no `player` | a place among few, for a time that the shell limits | its `HELLO`: `admit` |
| waiting | no `player.key` | a place in the budget | it is given a seat: `link` |
| at a table | `player.key` | a seat of a table | its table ends: it waits |

What may happen in each of them:

| | unauthenticated | waiting | at a table |
| --- | --- | --- | --- |
| `X-HELLO` | noted | noted, answered | noted, and passed to the table |
| `HELLO` | to the seating | to the seating: is it still the same? | to the table, or to the seating (`own_words`) |
| a ping | refused | answered here | to the table |
| any other line | refused | to the seating | to the table, or to the seating (`own_words`) |
| refused for the 20th time | closed | closed | closed, if the seating has refused; the table judges what it is sent |
| the port is full | the oldest of the address with most is closed | stays | stays |
| its time is up | closed, by the shell | stays; a lobby closes a silent one | stays; the table judges it |
| a line of a table | cannot be | dropped: it was for a seat that is gone | sent, once the table has said `JOINED` |
| the table closes its side | cannot be | nothing: it has left | waits again, or is closed if it was sent away |
| the table's host is gone | nothing | its offers are forgotten | waits again |
| the connection ends | forgotten | the seating is told | its table and the seating are told |

Why so:

- *Who has not said who it is must not cost anybody who has.* Only an unauthenticated connection gives way to another
  (`admission`), and it must hurry. From `AdmitClient` on it may take its time.
- *One that has no seat must not slow one that has.* What is read for clients without a seat is limited for all of
  them together, by the shell (`host.connection`). What is read for one at a table is limited for itself alone.
- *A table need not know the door.* A seat is taken for a client by the log-on that it would have made there
  (`TakeSeat`). What the table answers to that is kept back, as the client has been told; from `JOINED` on it is sent
  every line (`is_seated`).
- *What a table says of its session it does not say of the connection.* Its `X-END` and `X-STOPPED` are kept back.
  When the session is over, or the table has not taken the client at all, the client waits again; otherwise the table
  has sent it away, and its connection is closed. A host that is gone has sent nobody away.
- *A connection ends once*, in whatever state, whoever ends it: its client is forgotten, and its table and the seating
  are told. What comes for it afterwards is dropped.

Our own players in a lobby have no connection: they are in `own_players` by negative numbers, and are led to tables as
clients are.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.protocol.access import PhraseChecker, PhraseHash, peer_key
from tourney.protocol.admission import ConnectionBudget, SlidingWindow
from tourney.protocol.lines import Overlong
from tourney.protocol.stateful.messages import (
    EndMessage,
    Extension,
    ExtensionsMessage,
    HelloMessage,
    NakMessage,
    NoteMessage,
    PingMessage,
    PongMessage,
    StatefulMessage,
    StoppedMessage,
    format_message,
    parse_player_message,
)
from tourney.protocol.stateful.player import OFFERS

BAD_LINES_MAX: Final = 20
"""Lines of a client without a seat at a table that are refused; the last closes the connection (SS-12)."""

COMES_PER_PLACE: Final = 4
"""How often in a minute each place that an address may take can be taken anew; whoever comes more often costs those
who play."""

OWN_WORDS: Final = OFFERS | {Extension.TURN, Extension.ASK}
"""What our own players ask for: they have no connection that could be lost."""

_VERDICTS: Final = ("JOINED ", "NAK ")
"""What a table says of the log-on that is made for a client. What else comes before that is no news to the client, or
is still of the table at which it sat before."""

_ENDINGS: Final = ("X-END ", "X-STOPPED ")
"""What a table sends when its session ends or stops; the connection of a client stays."""

Host: TypeAlias = int
"""The number of a table host's link to the port."""


class SeatKey(NamedTuple):
    """An empty seat of one table host's."""

    host: Host
    table: int
    seat: Seat


class SeatOffer(NamedTuple):
    """An empty seat: whose it is, in which game. Games are given out in the order of their ids."""

    team: str
    game: str


# Effects


class SendToClient(NamedTuple):
    """Write one line to a client."""

    client: int
    line: str


class CloseClient(NamedTuple):
    """Close a client's connection once everything sent to it has been written."""

    client: int
    reason: str


class AdmitClient(NamedTuple):
    """A client is known: it need not hurry any more."""

    client: int


class ProbeClient(NamedTuple):
    """Find out soon whether the other end of a connection is still there; `close_client` follows if it is not."""

    client: int


class TakeSeat(NamedTuple):
    """Open a connection to a table for a client, and send it these lines of the client's."""

    client: int
    key: SeatKey
    peer: str
    lines: tuple[str, ...]
    team_number: int | None = None
    """The number of the team that the client has shown to belong to; None if it has not."""


class SendToTable(NamedTuple):
    """Pass a client's line to its table."""

    host: Host
    client: int
    line: bytes
    own_ms: int | None = None
    """How long its program took for it, as the client of a tunnel says."""


class LeaveTable(NamedTuple):
    """Tell a table that its client is gone."""

    host: Host
    client: int
    reason: str


class KeepName(NamedTuple):
    """Put on record that a name is kept with a passphrase, by its `name_key`; without one, that it is free again."""

    key: str
    phrase: PhraseHash | None


class StartGame(NamedTuple):
    """Put a game on record and open its table."""

    number: int
    kind: str
    players: dict[Seat, str]


class StartTournament(NamedTuple):
    """Put a tournament on record, as an event of these pairs, and play it; `finish_tournament` follows."""

    number: int
    pairs: tuple[str, ...]


class BreakOff(NamedTuple):
    """End a game as it stands; `finish_game` follows."""

    number: int
    reason: str


GameEffect: TypeAlias = KeepName | StartGame | StartTournament | BreakOff
"""What a lobby has put on record."""

FrontDoorEffect: TypeAlias = (
    SendToClient | CloseClient | AdmitClient | ProbeClient | TakeSeat | SendToTable | LeaveTable | GameEffect
)


# Clients


@dataclass(slots=True, eq=False)
class Participant:
    """Who a client is; one of our own players has no connection, and a negative number."""

    name: str
    """What is said for it in `HELLO` at a table."""
    client: int = 0
    """The number of its connection; 0 while it has none."""
    joins: bool = False
    """Whether it has asked for a seat on this connection."""
    key: SeatKey | None = None
    """Its seat at a table, while it speaks to that."""
    is_seated: bool = False
    """Whether the table has answered that it has the seat."""
    team_number: int | None = None
    """The number of the team that it has shown to belong to; None where there are no teams."""


P = TypeVar("P", bound=Participant)


@dataclass(slots=True, eq=False)
class Client(Generic[P]):
    """One connection; `player` is None before `HELLO`."""

    number: int
    peer: str
    address: str
    """What counts as its address for limits; empty if it has none."""
    heard_at_ms: int
    team_number: int | None = None
    """The number of the team that it has shown to belong to, by a key; None for any other."""
    player: P | None = None
    extensions: frozenset[Extension] = frozenset()
    bad_lines: int = 0


class FrontDoor(ABC, Generic[P]):
    """The clients of one port, and the way of each to its table; a subclass says who sits where."""

    own_words: ClassVar[frozenset[bytes]] = frozenset()
    """What a client that sits at a table says to the seating, not to the table."""

    def __init__(self, what: str, in_all: int, per_address: int) -> None:
        """Prepare.

        Args:
            what: what refusals call the port, such as `this lobby`.
            in_all: how many connections it takes at once.
            per_address: how many of one address.
        """
        self.clients: dict[int, Client[P]] = {}
        """Open connections by number."""
        self.own_players: dict[int, P] = {}
        self.effects: list[FrontDoorEffect] = []
        self.phrases = PhraseChecker()
        """Checks passphrases; the shell puts one in its place that does not hash at once."""
        self._what = what
        self._budget = ConnectionBudget[int](in_all, per_address)
        self._comes = SlidingWindow(COMES_PER_PLACE * per_address)

    # What a subclass says of its seating. What handles a line of a client raises `FormatError` to refuse it.

    @abstractmethod
    def offer_seat(self, key: SeatKey, offer: SeatOffer) -> list[FrontDoorEffect]:
        """Note an empty seat of a table, and give it to whoever it is for."""

    @abstractmethod
    def withdraw_seat(self, key: SeatKey) -> None:
        """Note that a seat is not empty any more, or that its table has ended."""

    def hears(self, client: Client[P], line: bytes | Overlong, now_ms: int) -> bool:  # noqa: ARG002 # see subclasses
        """Note that a client has said something; return whether it is to be read now."""
        return True

    @abstractmethod
    def log_on(self, client: Client[P], said: str, now_ms: int) -> None:
        """Handle what a client has said in `HELLO`."""

    @abstractmethod
    def receive_request(self, client: Client[P], player: P, message: StatefulMessage, now_ms: int) -> None:
        """Handle what a client says that is known."""

    @abstractmethod
    def free(self, player: P, key: SeatKey, *, was_seated: bool, is_over: bool) -> None:
        """Handle that a table has ended its side, by which the player is not sent away.

        Args:
            player: whose seat it was.
            key: the seat.
            was_seated: whether the table had given it.
            is_over: whether the table's session is over.
        """

    def lose(self, client: Client[P], now_ms: int, *, is_gone: bool) -> None:
        """Handle the end of a client, `is_gone` if its connection has ended by itself."""

    def complete(self) -> None:
        """Add what a step leaves to be sent, before its effects are carried out."""

    # What the shell reports

    def open_client(
        self, number: int, peer: str, now_ms: int, team_number: int | None = None
    ) -> list[FrontDoorEffect]:
        """Handle a new connection, for which another one may have to go.

        With the number of a team, it has shown that it belongs to that.
        """
        address = peer_key(peer)
        self.clients[number] = Client(number, peer, address, now_ms, team_number)
        if wait_ms := self._comes.wait_ms(address, now_ms):
            why = f"{self._what} takes {self._comes.most} connections a minute from {address}: come back in"
            self.send_away(self.clients[number], f"{why} {-(-wait_ms // 1000)} s", now_ms)
            return self.take_effects()
        self._comes.note(address, now_ms)
        eviction = self._budget.enter(number, address)
        if eviction is not None:
            is_share = eviction.is_share_used
            most = self._budget.per_address if is_share else self._budget.in_all
            why = f"{self._what} takes {most} connections at once{f' from {address}' if is_share else ''}"
            evicts = ", and the oldest gives way" if eviction.connection != number else ""
            self.send_away(self.clients[eviction.connection], f"{why}{evicts}", now_ms)
        return self.take_effects()

    def make_room(self, now_ms: int) -> list[FrontDoorEffect]:
        """Close the connection that is the next to give way: its place is needed."""
        oldest = self._budget.choose_eviction()
        if oldest is not None:
            why = "many connections have not said HELLO, and the oldest gives way"
            self.send_away(self.clients[oldest], why, now_ms)
        return self.take_effects()

    def receive_line(
        self, number: int, line: bytes | Overlong, now_ms: int, own_ms: int | None = None
    ) -> list[FrontDoorEffect]:
        """Handle a line of a client, without its end.

        Never raises but where a passphrase has to be hashed first, whatever the bytes are.

        Args:
            number: the client.
            line: the line.
            now_ms: the time.
            own_ms: how long its program took for it, if it has come through a tunnel whose client says so.

        Raises:
            PhrasePending: pass the line on again when the phrase has been hashed, and others after it.
        """
        client = self.clients.get(number)
        if client is None:
            return []
        client.heard_at_ms = now_ms
        if self.hears(client, line, now_ms) and number in self.clients:
            self.read_line(client, line, now_ms, own_ms)
        return self.take_effects()

    def disconnect(self, number: int, reason: str, now_ms: int) -> list[FrontDoorEffect]:
        """Close a connection that exceeds one of the shell's limits, and tell its program why."""
        if (client := self.clients.get(number)) is not None:
            self.send_away(client, reason, now_ms)
        return self.take_effects()

    def close_client(self, number: int, reason: str, now_ms: int) -> list[FrontDoorEffect]:
        """Handle the end of a client's connection."""
        if (client := self.clients.get(number)) is not None:
            self._forget(client, reason, now_ms, is_gone=True)
        return self.take_effects()

    def interrupt(self, reason: str, *, is_over: bool = False) -> list[FrontDoorEffect]:
        """Tell every client that nothing more is to come, for now or at all, and close its connection."""
        for client in self.clients.values():
            self.send(client, EndMessage(reason) if is_over else StoppedMessage(reason))
            self.effects.append(CloseClient(client.number, reason))
        return self.take_effects()

    def receive_table_line(self, host: Host, number: int, line: str) -> list[FrontDoorEffect]:
        """Pass a line of a table to its client."""
        player = self._player_at(host, number)
        if player is None or line.startswith(_ENDINGS):
            return []  # the connection is not closed when a table's session ends
        if not player.is_seated:
            if not line.startswith(_VERDICTS):
                return []
            player.is_seated = line.startswith("JOINED ")
        return [SendToClient(number, line)]

    def leave_table(
        self, host: Host, number: int, reason: str, now_ms: int, *, is_over: bool
    ) -> list[FrontDoorEffect]:
        """Handle that a table has closed its end of a client's connection.

        Args:
            host: the host that has the table.
            number: the client.
            reason: why.
            now_ms: the time.
            is_over: whether the table's session is over, or its seat was not to be had, so that the client waits for
                another; otherwise the client was sent away.
        """
        player, client = self._player_at(host, number), self.clients.get(number)
        if player is not None and player.key is not None:
            key, was_seated = player.key, player.is_seated
            player.key, player.is_seated = None, False
            if client is not None and was_seated and not is_over:
                self._end_connection(client, reason, now_ms)
            else:
                self.free(player, key, was_seated=was_seated, is_over=is_over)
        return self.take_effects()

    def take_effects(self) -> list[FrontDoorEffect]:
        """Return what is to be done, in order."""
        self.complete()
        effects, self.effects = self.effects, []
        return effects

    # What the seating uses

    def admit(self, client: Client[P], player: P) -> None:
        """Note who a client is."""
        client.player = player
        player.client, player.joins = client.number, False
        self._budget.authenticate(client.number)
        self.effects.append(AdmitClient(client.number))
        if client.extensions:
            self.send(client, ExtensionsMessage(frozenset(Extension)))

    def read_line(self, client: Client[P], line: bytes | Overlong, now_ms: int, own_ms: int | None = None) -> None:
        """Take a line to the table of a client, or find out what it says."""
        word = line.lstrip()[:8].partition(b" ")[0].rstrip().upper() if isinstance(line, bytes) else b""
        at_table = client.player.key if client.player is not None else None
        if at_table is not None and word not in self.own_words:
            data = line if isinstance(line, bytes) else b"?" * (line.limit + 1)
            if word == b"X-HELLO":
                _note_extensions(client, data)
            self.effects.append(SendToTable(at_table.host, client.number, data, own_ms))
        elif isinstance(line, Overlong):
            self.refuse(client, f"a line has at most {line.limit} bytes, this one is longer")
        else:
            try:
                self._receive(client, parse_player_message(line), now_ms)
            except FormatError as error:
                self.refuse(client, str(error))

    def _receive(self, client: Client[P], message: StatefulMessage, now_ms: int) -> None:
        player = client.player
        match message:
            case HelloMessage():
                self.log_on(client, message.name, now_ms)
            case ExtensionsMessage():
                client.extensions = message.extensions
                if player is not None:
                    self.send(client, ExtensionsMessage(frozenset(Extension)))
            case _ if player is None:
                raise FormatError("HELLO and a name come first")
            case PingMessage():
                self.send(client, PongMessage(message.token))
            case PongMessage():
                pass
            case _:
                self.receive_request(client, player, message, now_ms)

    def link(self, player: P, key: SeatKey, join: StatefulMessage) -> None:
        """Connect a player with an empty seat of a table, where it joins with this message."""
        client = self.clients.get(player.client)
        player.key, player.is_seated = key, False
        extensions = client.extensions if client is not None else OWN_WORDS
        asked = (ExtensionsMessage(extensions),) if extensions else ()
        said = (*asked, HelloMessage(player.name), join)
        peer = client.peer if client is not None else ""
        self.effects.append(TakeSeat(player.client, key, peer, tuple(map(format_message, said)), player.team_number))

    def unlink(self, player: P, reason: str) -> None:
        """Disconnect a player from its table, if it is connected with one."""
        if player.key is not None:
            self.effects.append(LeaveTable(player.key.host, player.client, reason))
            player.key, player.is_seated = None, False

    def send_to_table(self, player: P, message: StatefulMessage) -> None:
        """Say something to the table of a player for it, if it is connected with one."""
        if player.key is not None:
            self.effects.append(SendToTable(player.key.host, player.client, format_message(message).encode()))

    def send(self, client: Client[P], message: StatefulMessage) -> None:
        """Send a message to a client, if it is one of those whom it is for."""
        if message.is_for(client.extensions):
            self.effects.append(SendToClient(client.number, format_message(message)))

    def send_note(self, client: Client[P], text: str) -> None:
        """Tell a client news that refuse nothing: `X-NOTE` where it was asked for, else `NAK`."""
        self.send(client, NoteMessage(text) if Extension.NOTE in client.extensions else NakMessage(text))

    def refuse(self, client: Client[P], why: str) -> None:
        """Refuse a line of a client; one line too many closes its connection."""
        self.send(client, NakMessage(why))
        client.bad_lines += 1
        if client.bad_lines >= BAD_LINES_MAX:
            why = f"{client.bad_lines} lines were refused, the limit is {BAD_LINES_MAX}"
            self.send_away(client, why, client.heard_at_ms)

    def send_away(self, client: Client[P], reason: str, now_ms: int) -> None:
        """Close a connection, and tell its program why."""
        self.send(client, NakMessage(reason))
        self._end_connection(client, reason, now_ms)

    # Basics

    def _player_at(self, host: Host, number: int) -> P | None:
        """Return the player with a number if it is at a table of a host."""
        client = self.clients.get(number)
        player = client.player if client is not None else self.own_players.get(number)
        return player if player is not None and player.key is not None and player.key.host == host else None

    def _end_connection(self, client: Client[P], reason: str, now_ms: int) -> None:
        self.send(client, EndMessage(reason))
        self.effects.append(CloseClient(client.number, reason))
        self._forget(client, reason, now_ms, is_gone=False)

    def _forget(self, client: Client[P], reason: str, now_ms: int, *, is_gone: bool) -> None:
        if self.clients.pop(client.number, None) is None:
            return
        self._budget.leave(client.number)
        if client.player is not None:
            self.unlink(client.player, reason)
        self.lose(client, now_ms, is_gone=is_gone)


def is_call_or_card(line: bytes) -> bool:
    """Return whether a line of a client at a table is to make a call or card."""
    return line.lstrip()[:5].upper().startswith((b"BID ", b"PLAY "))


def _note_extensions(client: Client[P], data: bytes) -> None:
    """Note what a client asks for that says it to its table."""
    try:
        message = parse_player_message(data)
    except FormatError:
        return  # its table says why
    if isinstance(message, ExtensionsMessage):
        client.extensions = message.extensions
