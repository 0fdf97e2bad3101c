"""What the parts of a lobby share: its clients, the players that they are, and the lines and effects that go out."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.protocol.stateful.front_door import Client, FrontDoor, Participant
from tourney.protocol.stateful.lobby.names import name_key
from tourney.protocol.stateful.messages import Extension, NakMessage, NoteMessage, StatefulMessage

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


@dataclass(slots=True, eq=False)
class LobbyPlayer(Participant):
    """A person or program by its name, or one of our own players. It sits while `game` is not None."""

    game: "LobbyGame | None" = None
    seat: Seat = Seat.NORTH
    tournament: "LobbyTournament | None" = None
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


LobbyClient: TypeAlias = Client[LobbyPlayer]


class LobbyState:
    """The clients and players of one lobby, shared by its parts."""

    def __init__(self, front_door: FrontDoor[LobbyPlayer]) -> None:
        self.front_door = front_door
        self.players: dict[str, LobbyPlayer] = {}
        """Persons by `name_key`: those who are connected, and those who have a place."""
        self.owed_tournaments: set[int] = set()
        """Clients that are to be sent the list of tournaments, whether it has changed or not."""
        self.owed_games: set[int] = set()
        """The same of the games."""

    def client_of(self, player: LobbyPlayer) -> LobbyClient | None:
        """Return the connection of a player; None of one that is away, or that is ours."""
        return self.front_door.clients.get(player.client)

    def log_remark(self, player: LobbyPlayer, text: str) -> None:
        """Tell a player news that refuse nothing: `X-NOTE` where it was asked for, else `NAK`."""
        client = self.client_of(player)
        if client is not None:
            self.front_door.send(
                client, NoteMessage(text) if Extension.NOTE in client.extensions else NakMessage(text)
            )

    def send_to(self, players: Iterable[LobbyPlayer], message: StatefulMessage) -> None:
        """Send a message to those of some players that are connected."""
        for player in players:
            client = self.client_of(player)
            if client is not None:
                self.front_door.send(client, message)

    def set_free(self, player: LobbyPlayer) -> None:
        """Note that a player has no place any more; one that is away is forgotten."""
        player.game = player.tournament = None
        player.joins = False
        if not player.client:
            self.players.pop(name_key(player.name), None)
