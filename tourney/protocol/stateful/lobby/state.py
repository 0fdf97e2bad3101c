"""What the parts of a lobby share: its clients, the players that they are, and the lines and effects that go out."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.protocol.pass_phrases import PhraseHash
from tourney.protocol.stateful.gateway import GatewayEffect, Host, LeaveTable, SeatKey, SendToClient, TakeSeat
from tourney.protocol.stateful.lobby.names import name_key
from tourney.protocol.stateful.messages import (
    Extension,
    ExtensionsMessage,
    GamesMessage,
    HelloMessage,
    NakMessage,
    NoteMessage,
    StatefulMessage,
    TournamentsMessage,
    format_message,
)

if TYPE_CHECKING:
    from tourney.protocol.stateful.lobby.games import LobbyGame
    from tourney.protocol.stateful.lobby.tournaments import LobbyTournament


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyLimits:
    """What clients may use of a lobby."""

    games: int = 250
    """Games that are open at once, forming or in play."""
    starts_per_name: int = 6
    """Games that a player may make within a minute."""
    starts_per_address: int = 30
    """Games that all players at one address together may make within a minute."""
    clients: int = 4096
    """Connections at once."""
    clients_per_address: int = 64
    tournaments: int = 10
    """Tournaments at once, those that have not begun included."""
    names: int = 1000
    """Names that are kept with a pass phrase."""
    bots: int = 0
    """Our own players in a game at most."""
    start_ms: int = 60_000
    """After how long without another player a tournament begins by itself, once it can."""
    away_ms: int = 120_000
    """How long a seat is kept for a player whose connection is lost while others sit at its table."""
    idle_ms: int = 300_000
    """How long a player may owe a call or card before its seat is free for others."""
    idle_game_ms: int = 1_800_000
    """How long nobody may say anything in a game before it is broken off; likewise for a client without a seat."""
    failed_log_ons: int = 10
    """Wrong pass phrases of an address within a minute."""


# Effects, besides those of the gateway


class KeepName(NamedTuple):
    """Put on record that a name is kept with a pass phrase, by its `name_key`."""

    key: str
    phrase: PhraseHash


class StartGame(NamedTuple):
    """Put a game on record and open its table."""

    number: int
    kind: str
    players: dict[Seat, str]


class StartTournament(NamedTuple):
    """Put a tournament on record, as an event of these pairs, and play it; `finish_tournament` follows."""

    number: int
    pairs: tuple[str, ...]


class ProbeClient(NamedTuple):
    """Find out soon whether the other end of a connection is still there; `close_client` follows if it is not."""

    client: int


class RelieveSeat(NamedTuple):
    """Have one of our own players leave its table before the next board begins: its seat is a person's then."""

    host: Host
    client: int
    reason: str


class LookAtGame(NamedTuple):
    """The table of a game has closed: find out whether the game is over (`finish_game`), or goes on."""

    number: int


class BreakOff(NamedTuple):
    """End a game as it stands; `finish_game` follows."""

    number: int
    reason: str


LobbyEffect: TypeAlias = (
    GatewayEffect | KeepName | StartGame | StartTournament | ProbeClient | RelieveSeat | LookAtGame | BreakOff
)


@dataclass(slots=True, eq=False)
class LobbyPlayer:
    """A person or program by its name, or one of our own players. It sits while `game` is not None."""

    name: str
    client: int = 0
    """The number of its connection; 0 while it has none, negative for our own players."""
    game: "LobbyGame | None" = None
    seat: Seat = Seat.NORTH
    tournament: "LobbyTournament | None" = None
    joins: bool = False
    """Whether it has asked for its seat on this connection."""
    key: SeatKey | None = None
    """Its seat at a table, while it speaks to that."""
    is_seated: bool = False
    """Whether the table has answered that it has the seat."""
    away_since_ms: int = 0
    address: str = ""
    """What counts as the address of its connection, or of its last; empty if it has none."""

    @property
    def is_person(self) -> bool:
        return self.client >= 0

    @property
    def is_placed(self) -> bool:
        """Whether it has a place in a game or a tournament."""
        return self.game is not None or self.tournament is not None

    def check_free(self) -> None:
        """Check that it may take a place elsewhere.

        Raises:
            FormatError: it plays in a tournament.
        """
        if self.tournament is not None and self.tournament.pairs:
            raise FormatError(
                f"you play in {self.tournament.id} until it is over: JOIN-T leads you back to your table"
            )

    @property
    def is_here(self) -> bool:
        """Whether it is a person whose connection is open and who has asked for its seat."""
        return self.client > 0 and self.joins


@dataclass(slots=True, eq=False)
class HeldHello:
    """A `HELLO` with a name that another connection has, which may be gone: it is answered when that is known."""

    name: str
    rival: int
    """The number of the other connection."""
    since_ms: int
    lines: list[bytes] = field(default_factory=list)
    """What the client has said after it."""


@dataclass(slots=True, eq=False)
class LobbyClient:
    """One connection; `player` is None before `HELLO`."""

    number: int
    peer: str
    address: str
    """What counts as its address for limits; empty if it has none."""
    heard_at_ms: int
    player: LobbyPlayer | None = None
    extensions: frozenset[Extension] = frozenset()
    bad_lines: int = 0
    held: HeldHello | None = None
    told_tournaments: TournamentsMessage | None = None
    """The list of tournaments that it was last sent."""
    told_games: GamesMessage | None = None
    """The list of games that it was last sent."""


class LobbyState:
    """The clients and players of one lobby, shared by its parts."""

    def __init__(self) -> None:
        self.clients: dict[int, LobbyClient] = {}
        """Open connections by number."""
        self.players: dict[str, LobbyPlayer] = {}
        """Persons by `name_key`: those who are connected, and those who have a place."""
        self.effects: list[LobbyEffect] = []
        self.owed_tournaments: set[int] = set()
        """Clients that are to be sent the list of tournaments, whether it has changed or not."""
        self.owed_games: set[int] = set()
        """The same of the games."""

    def take_clients(self, owed: set[int]) -> list[LobbyClient]:
        """Return the clients among numbers that are owed something, which they are not any more."""
        clients = [self.clients[number] for number in sorted(owed) if number in self.clients]
        owed.clear()
        return clients

    def client_of(self, player: LobbyPlayer) -> LobbyClient | None:
        """Return the connection of a player; None of one that is away, or that is ours."""
        return self.clients.get(player.client)

    def send(self, client: LobbyClient, message: StatefulMessage) -> None:
        """Send a message to a client, if it is one of those whom it is for."""
        if message.is_for(client.extensions):
            self.effects.append(SendToClient(client.number, format_message(message)))

    def note(self, player: LobbyPlayer, text: str) -> None:
        """Tell a player news that refuse nothing: `X-NOTE` where it was asked for, else `NAK`."""
        client = self.client_of(player)
        if client is not None:
            self.send(client, NoteMessage(text) if Extension.NOTE in client.extensions else NakMessage(text))

    def tell(self, players: Iterable[LobbyPlayer], message: StatefulMessage) -> None:
        """Send a message to those of some players that are connected."""
        for player in players:
            client = self.client_of(player)
            if client is not None:
                self.send(client, message)

    def link(self, player: LobbyPlayer, key: SeatKey, join: StatefulMessage) -> None:
        """Connect a player with an empty seat of a table, where it joins with this message."""
        client = self.client_of(player)
        player.key = key
        extensions = client.extensions if client is not None else frozenset((Extension.TURN,))
        asked = (ExtensionsMessage(extensions),) if extensions else ()
        said = (*asked, HelloMessage(player.name), join)
        peer = client.peer if client is not None else ""
        self.effects.append(TakeSeat(player.client, key, peer, tuple(map(format_message, said))))

    def unlink(self, player: LobbyPlayer, reason: str) -> None:
        """Disconnect a player from its table, if it is connected with one."""
        if player.key is not None:
            self.effects.append(LeaveTable(player.key.host, player.client, reason))
            player.key, player.is_seated = None, False

    def set_free(self, player: LobbyPlayer) -> None:
        """Note that a player has no place any more; one that is away is forgotten."""
        player.game = player.tournament = None
        player.joins = False
        if not player.client:
            self.players.pop(name_key(player.name), None)
