"""The state of a lobby: the names of its players (SS-39), and who is in which game or tournament.

What a name may be, and which names are kept with a passphrase; what clients may use; a player, a game and a
tournament. `LobbyState` is the front door with these players, as `games` and `tournaments` see it.
"""

import hashlib
from abc import abstractmethod
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tourney.bridge import SEATS, Seat
from tourney.errors import FormatError
from tourney.protocol.access import SEPARATOR, PhraseChecker, PhraseHash
from tourney.protocol.stateful.front_door import Client, FrontDoor, Participant, SeatKey, SeatOffer
from tourney.protocol.stateful.messages import StatefulMessage
from tourney.protocol.stateful.values import game_id

NAME_CHARS_MAX: Final = 30
"""Longest name of a player: those of two, with ` & ` between them, are the name of a pair, of at most 64."""

PHRASE_CHARS_MIN: Final = 4

JOINER: Final = " & "
"""What stands between the names of the two players of a pair."""

_REFUSED: Final = '&"<>:/\\|?*'
"""Characters that part the names of a pair, or that no file name may have."""
_RESERVED: Final = "bot"
"""The first word of the names of our own players."""
_SALT_DIGITS: Final = 32

UNPLAYED_MS: Final = 24 * 3600 * 1000
"""How long a name is kept after it was taken if nobody sits down at a table under it: a day."""

PAIRS_MIN: Final = 4
"""Pairs that a tournament has at least (SS-46)."""

PAIRS_MAX: Final = 100
"""Pairs that a tournament has at most."""


# Names


def bot_name(letter: str) -> str:
    """Return the name of our own player in a seat: `Bot N`."""
    return f"Bot {letter}"


def is_bot(name: str) -> bool:
    """Return whether a name is one of our own players'."""
    return name_key(name).partition(" ")[0] == _RESERVED


def name_key(name: str) -> str:
    """Return the form in which names are compared: blanks and case do not matter."""
    return " ".join(name.split()).casefold()


def pair_name(one: str, other: str) -> str:
    """Return the name of a pair, the same in whatever order its players are given: `Ann & Bob`."""
    return JOINER.join(sorted((one, other), key=str.casefold))


def parse_player(said: str) -> tuple[str, str | None]:
    """Parse what a client says in `HELLO`: its name, and the passphrase after a `#` if it has one.

    Raises:
        FormatError: no player may have this name.
    """
    name, separator, phrase = (part.strip() for part in said.partition(SEPARATOR))
    if not name:
        raise FormatError("a name has 1 to 30 characters, got none")
    chars = max(len(name), len(name.casefold()))  # a letter may become three when case is set aside
    if chars > NAME_CHARS_MAX:
        raise FormatError(f"a name has at most {NAME_CHARS_MAX} characters, this one has {chars}")
    wrong = next((char for char in name if char in _REFUSED or not char.isprintable()), None)
    if wrong is not None:
        raise FormatError(f"a name has letters, digits, blanks and such as ' - . ( ), got {wrong!r}")
    if not any(char.isalnum() for char in name) or name.endswith("."):
        raise FormatError(f"a name has a letter or digit, and no full stop at its end, got {name!r}")
    if is_bot(name):
        raise FormatError(f"names that begin with 'Bot' are those of this server's own players, got {name!r}")
    if separator and len(phrase) < PHRASE_CHARS_MIN:
        raise FormatError(f"a pass phrase has at least {PHRASE_CHARS_MIN} characters, this one has {len(phrase)}")
    return name, phrase if separator else None


def check_share(used: int, most: int, address: str, what: str) -> None:
    """Check that an address may use one more of what a lobby has: it leaves others three quarters, or half of a few.

    Raises:
        FormatError: it has as many as its share.
    """
    share = max(most // 4, (min(most, 8) + 1) // 2)
    if address and used >= share and used < most:  # a lobby that is full says so
        raise FormatError(f"all at {address} have {used} {what} at once, the limit is {share}")


class NameRegistry:
    """The names that are kept with a passphrase: whoever uses one first with a phrase is who has it."""

    def __init__(self, lobby: str, most: int, kept: Mapping[str, PhraseHash]) -> None:
        """Prepare.

        Args:
            lobby: the name of the lobby, which salts the hashes.
            most: how many names may be kept.
            kept: those on record, by `name_key`.
        """
        self._lobby = lobby
        self._most = most
        self._kept = dict(kept)
        self._of_addresses: Counter[str] = Counter()
        """How many of them each address has taken since the lobby opened."""
        self._unplayed: dict[str, tuple[str, int]] = {}
        """Those that were taken since and under which nobody has played: by whose address, and when."""

    def expire(self, played: Container[str], now_ms: int) -> list[str]:
        """Free the names under which nobody has played for long since they were taken; return their keys.

        Args:
            played: the keys of the names under which somebody sits at a table now.
            now_ms: the time.
        """
        self._unplayed = {key: taken for key, taken in self._unplayed.items() if key not in played}
        expired = [key for key, (_, at_ms) in self._unplayed.items() if now_ms - at_ms >= UNPLAYED_MS]
        for key in expired:
            self._of_addresses[self._unplayed.pop(key)[0]] -= 1
            del self._kept[key]
        return expired

    def check(
        self, name: str, phrase: str | None, phrases: PhraseChecker, source: str, now_ms: int
    ) -> PhraseHash | None:
        """Check that somebody at an address may use a name; return its hash if it is to be kept from now on.

        Raises:
            FormatError: it is another's, no more names are kept, or the address has as many as its share.
            PhrasePending: the passphrase has to be hashed first.
        """
        key = name_key(name)
        known = self._kept.get(key)
        if known is not None:
            if phrase is None:
                raise FormatError(f"{name} is kept with a pass phrase: HELLO {name}#phrase, or take another name")
            if not phrases.fits(known, phrase, source):
                raise FormatError(f"{name} is kept with another pass phrase")
            return None
        if phrase is None:
            return None
        check_share(self._of_addresses[source], self._most, source, "names with pass phrases")
        if len(self._kept) >= self._most:
            raise FormatError(f"this lobby keeps {self._most} names with pass phrases, and no more: leave yours out")
        salt = hashlib.sha256(f"{self._lobby}\n{key}".encode()).hexdigest()[:_SALT_DIGITS]
        self._kept[key] = phrases.hash(phrase, salt, source)
        self._of_addresses[source] += 1
        self._unplayed[key] = source, now_ms
        return self._kept[key]

    def is_kept(self, name: str) -> bool:
        """Return whether a name is kept with a passphrase."""
        return name_key(name) in self._kept


# Players, games and tournaments


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
    """Names that are kept with a passphrase."""
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
class LobbyGame:
    """A game. It forms until `is_played`, and nobody is seated any more once `is_ending`."""

    number: int
    kind: str
    heard_at_ms: int
    address: str = ""
    """That of who has made it."""
    seats: dict[Seat, LobbyPlayer] = field(default_factory=dict)
    offers: dict[Seat, SeatKey] = field(default_factory=dict)
    """The empty seats of its table."""
    board: int = 0
    """The number of the board in play; 0 between boards."""
    holders: dict[Seat, dict[str, str]] = field(default_factory=dict)
    """Who has held each seat on the board in play: addresses by `name_key`."""
    is_played: bool = False
    is_ending: bool = False

    @property
    def id(self) -> str:
        return game_id(self.number)

    @property
    def persons(self) -> list[LobbyPlayer]:
        return [player for player in self.seats.values() if player.is_person]

    @property
    def is_attended(self) -> bool:
        """Whether a person is there."""
        return any(player.is_here for player in self.persons)

    @property
    def is_listed(self) -> bool:
        """Whether it is offered to others: somebody is there, of fewer than four players, our own not counted."""
        return self.is_attended and len(self.persons) < len(SEATS) and not self.is_ending

    def note_holder(self, seat: Seat, name: str, address: str) -> None:
        """Note that a person sees the cards of a seat on the board in play."""
        self.holders.setdefault(seat, {})[name_key(name)] = address

    def why_not(self, player: LobbyPlayer, seat: Seat) -> str:
        """Return why a player may not see the cards of a seat on the board in play; empty if it may.

        Nobody sees two hands of a board: neither under one name, nor under another name from an address whose player
        has left. Several people may share an address: those who sit there do not stand in each other's way.
        """
        seated = {name_key(each.name) for each in self.persons}
        for held, holders in self.holders.items() if self.board else ():
            for key, address in holders.items():
                if held is seat:
                    continue
                if key == name_key(player.name):
                    return (
                        f"you have held seat {held.letter} of {self.id} on the board in play, and get no other on it"
                    )
                if address and address == player.address and key not in seated:
                    return (
                        f"somebody at your address has held seat {held.letter} of {self.id} on the board in play and "
                        "left: your address gets no other seat on it"
                    )
        return ""


@dataclass(slots=True, eq=False)
class LobbyTournament:
    """A tournament. Players come until it begins, with wishes for partners, and it has pairs from then on."""

    number: int
    address: str = ""
    """That of who has made it."""
    players: list[LobbyPlayer] = field(default_factory=list)
    """In the order in which they came: the first is its maker."""
    wishes: dict[str, str] = field(default_factory=dict)
    """The `name_key` of the wished partner, by that of the player."""
    wished: dict[str, str] = field(default_factory=dict)
    """The names of wished partners as they were given, by their keys."""
    pairs: dict[str, str] = field(default_factory=dict)
    """The name of the pair of each player, by `name_key`; empty before it begins."""
    offers: dict[SeatKey, SeatOffer] = field(default_factory=dict)
    """The empty seats of its tables."""
    joined_at_ms: int = 0
    """When the last player came."""

    @property
    def id(self) -> str:
        return tournament_id(self.number)

    @property
    def can_begin(self) -> bool:
        """Whether the players make pairs, and enough of them."""
        return len(self.players) >= 2 * PAIRS_MIN and len(self.players) % 2 == 0

    def add(self, player: LobbyPlayer, partner: str | None) -> list[tuple[LobbyPlayer, str]]:
        """Add a player, or replace its wish; return whose wishes cannot be met any more, each with the reason.

        Raises:
            FormatError: its own wish cannot be met, or there are too many players.
        """
        players, key = self._by_key(), name_key(player.name)
        wish = name_key(partner) if partner is not None else None
        if key not in players and len(players) >= 2 * PAIRS_MAX:
            raise FormatError(f"a tournament has at most {PAIRS_MAX} pairs, and this one has them")
        if wish == key:
            raise FormatError("a partner is somebody else")
        if wish is not None:
            theirs = self.wishes.get(wish)
            if wish in players and theirs not in (None, key):
                raise FormatError(f"{players[wish].name} wants to play with {self._name(theirs or '')}")
            rival = next((each for each, wished in self.wishes.items() if wished == wish and each != key), None)
            if rival is not None and theirs != key:
                raise FormatError(f"{players[rival].name} has asked for {partner} before")
        if player not in self.players:
            self.players.append(player)
        self.wishes.pop(key, None)
        if wish is None:
            return []
        self.wishes[key] = wish
        self.wished[wish] = " ".join((partner or "").split())
        lost = [each for each, wished in self.wishes.items() if wished == key and each != wish]
        for each in lost:
            del self.wishes[each]
        return [(players[each], f"{player.name} plays with {self._name(wish)}") for each in lost]

    def remove(self, player: LobbyPlayer) -> None:
        """Remove a player that has left before it has begun."""
        self.players.remove(player)
        self.wishes.pop(name_key(player.name), None)

    def make_pairs(self) -> tuple[list[tuple[str, str]], list[tuple[LobbyPlayer, str]]]:
        """Pair the players: those that wish for each other, then the others in the order in which they came.

        Return the pairs, and whose wishes are not met because the partner has not come, each with the reason.

        Raises:
            FormatError: they make no pairs, or too few.
        """
        players = self._by_key()
        if not self.can_begin:
            raise FormatError(
                f"a tournament has at least {PAIRS_MIN} pairs and an even number of players, there are {len(players)}"
            )
        pairs, paired, unmet = [], set[str](), []
        for key, wish in self.wishes.items():
            if wish not in players:
                unmet.append((players[key], f"{self._name(wish)} has not come"))
            elif key not in paired and wish not in paired:
                pairs.append((players[key].name, players[wish].name))
                paired |= {key, wish}
        left = [player.name for key, player in players.items() if key not in paired]
        pairs += zip(left[::2], left[1::2], strict=True)
        return pairs, unmet

    def _by_key(self) -> dict[str, LobbyPlayer]:
        return {name_key(player.name): player for player in self.players}

    def _name(self, key: str) -> str:
        player = self._by_key().get(key)
        return player.name if player is not None else self.wished.get(key, key)


def tournament_id(number: int) -> str:
    """Return the id of a tournament: `t3`."""
    return f"t{number}"


LobbyClient: TypeAlias = Client[LobbyPlayer]


class LobbyState(FrontDoor[LobbyPlayer]):
    """The clients and players of one lobby, as its games and tournaments see them."""

    def __init__(self, limits: LobbyLimits) -> None:
        super().__init__("this lobby", limits.clients, limits.clients_per_address)
        self.limits = limits
        self.players: dict[str, LobbyPlayer] = {}
        """Persons by `name_key`: those who are connected, and those who have a place."""
        self.owed_tournaments: set[int] = set()
        """Clients that are to be sent the list of tournaments, whether it has changed or not."""
        self.owed_games: set[int] = set()
        """The same of the games."""

    @abstractmethod
    def leave_place(self, player: LobbyPlayer) -> None:
        """Give up the place of a player that takes another, if it has one."""

    def send_to(self, players: Iterable[LobbyPlayer], message: StatefulMessage) -> None:
        """Send a message to those of some players that are connected."""
        for player in players:
            client = self.clients.get(player.client)
            if client is not None:
                self.send(client, message)

    def owe_lists(self, number: int) -> None:
        """Have a client sent both lists."""
        self.owed_tournaments.add(number)
        self.owed_games.add(number)

    def set_free(self, player: LobbyPlayer, reason: str) -> None:
        """Note that a player has no place any more, nor a seat at a table; one that is away is forgotten."""
        self.unlink(player, reason)
        player.game = player.tournament = None
        player.joins = False
        if not player.client:
            self.players.pop(name_key(player.name), None)
