"""Programs that play by a deck, one of each wire: what they say depends on nothing but what they have read.

They are no part of tourney, and go on where the deck is left, for instance once the table has acted for somebody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from tests.support.wire_logs.decks import Deck, add
from tourney.bridge import (
    DOUBLE,
    PASS,
    REDOUBLE,
    Bid,
    BoardInPlay,
    Call,
    Card,
    Seat,
    Suit,
    parse_call,
    parse_card,
)

ACTIONS: Final = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}
_WORDS: Final = {word: call for call, word in ACTIONS.items()}
_STATEFUL_CALLS: Final[dict[Call, str]] = {PASS: "PASS", DOUBLE: "DOUBLE", REDOUBLE: "REDOUBLE"}


class World(Protocol):
    """What a program may look up."""

    @property
    def decks(self) -> Mapping[int, Deck]: ...

    def on_record(self) -> tuple[int, Sequence[Call | Card]]:
        """Return the board in play, or the last one, and its calls and cards on record; 0 before the first."""


@dataclass(frozen=True)
class Said:
    """A line, and how long the program thinks before it."""

    line: str
    after_ms: int = 0


@dataclass
class Manner:
    """How a program speaks; a scenario may set each of these."""

    language: str = "blue-chip"
    team: str = ""
    version: str = "18"
    """The version number and what follows it."""
    log_on: str = ""
    """The whole of its first line, if it is not the usual one."""
    case: str = "title"
    """`title`, `upper` or `lower`, for seats."""
    stop: str = ""
    """What ends its ready messages."""
    asks_for_cards: bool = True
    twice: bool = False
    """Whether it says each ready message twice."""
    ahead: bool = False
    """Whether it asks for the call or card after the next as well."""
    alert: list[str] = field(default_factory=lambda: [" Alert. {}"])
    """Forms of what follows a call that the deck has a text for, in turn."""
    signals: bool = False
    """Whether it says the deck's texts with cards, too."""
    claims: str = ""
    """Its answer to a claim: `accepts` or `rejects`; none if empty."""
    think_ms: list[int] = field(default_factory=lambda: [20])
    """How long it thinks over calls and cards, in turn."""
    trickles_ms: int = 0
    """How long its calls and cards take from their first byte to their last."""
    hello: str = ""
    """The extensions it asks for, on the stateful wire."""
    joins: str = "JOIN-M g1 {}"


class Program:
    """A program at one seat; a subclass speaks a language."""

    def __init__(self, seat: Seat, manner: Manner, world: World) -> None:
        self.seat = seat
        self.manner = manner
        self.world = world
        self.is_mute = False
        self._thoughts = 0
        self._texts = 0

    def start(self) -> list[Said]:
        raise NotImplementedError

    def receive(self, line: str) -> list[Said]:
        raise NotImplementedError

    def _think_ms(self) -> int:
        times = self.manner.think_ms
        self._thoughts += 1
        return times[(self._thoughts - 1) % len(times)]


class BlueChipProgram(Program):
    """Follows version 18 line by line."""

    def __init__(self, seat: Seat, manner: Manner, world: World) -> None:
        super().__init__(seat, manner, world)
        self._forget()

    def _forget(self) -> None:
        self._deck: Deck | None = None
        self._in_play: BoardInPlay | None = None
        self._made: list[Call | Card] = []
        self._asked_to_lead = self._has_asked_dummy = self._has_seen_dummy = False
        self._has_cards = self._was_refused = False
        self._asked = 0
        """For how many calls and cards it has asked."""

    @property
    def _name(self) -> str:
        return self._spelled(self.seat)

    def _spelled(self, seat: Seat) -> str:
        return getattr(seat.title, self.manner.case)()  # type: ignore[no-any-return]

    def start(self) -> list[Said]:
        manner = self.manner
        usual = f'Connecting "{manner.team}" as {self._name} using protocol version {manner.version}'
        return [Said(manner.log_on or usual)]

    def _ready(self, what: str) -> list[Said]:
        return [Said(f"{self._name} ready {what}{self.manner.stop}")] * (1 + self.manner.twice)

    def resume(self) -> list[Said]:
        """Go on over another connection as if nothing had happened."""
        self._asked = len(self._made)
        return self._act()

    def receive(self, line: str) -> list[Said]:
        words = line.split()
        if line.endswith(" seated"):
            self.seat = Seat[words[0].upper()]
            return self._ready("for teams")
        if line.startswith("Teams"):
            return self._ready("to start")
        if line == "Start of board":
            self._forget()
            return self._ready("for deal")
        if line.startswith("Board number"):
            self._deck = self.world.decks[int(words[2].rstrip("."))]
            return self._ready("for cards") if self.manner.asks_for_cards else []
        if line.startswith(f"{self.seat.title}'s cards") and self._deck is not None and not self._has_cards:
            self._has_cards = True
            self._in_play = BoardInPlay(self._deck.board)
            return self._act()
        if self._in_play is None:
            return []
        return self._receive_in_play(line, words)

    def _receive_in_play(self, line: str, words: list[str]) -> list[Said]:
        if line.startswith("Dummy's cards"):
            self._has_seen_dummy = True
        elif line.endswith("to lead"):
            self._asked_to_lead = True
        elif line.endswith("claim is to be answered first"):
            self._was_refused = True
        elif line.endswith("claim is rejected"):
            self._say_again()
        elif len(words) == 2 and words[1] == "claims":
            return self._answer_claim(words[0])
        elif len(words) > 1 and words[1].rstrip(".") in ("bids", "plays", *_WORDS):
            self._note(words)
        else:
            return []
        return self._act()

    def _say_again(self) -> None:
        """Take back what was refused because of a claim."""
        if self._was_refused and self._deck is not None:
            self._was_refused = False
            self._made = self._made[: len(self.world.on_record()[1])]
            self._in_play = self._deck.replay(self._made)
            self._asked_to_lead = True

    def _answer_claim(self, claimant: str) -> list[Said]:
        assert self._in_play is not None
        contract = self._in_play.contract
        if not self.manner.claims or contract is None or self.seat is contract.dummy:
            return []
        return [Said(f"{self._name} {self.manner.claims} {claimant}'s claim", self._think_ms())]

    def _note(self, words: list[str]) -> None:
        """Note a call or card; one that the table made in the program's place takes the place of its own."""
        assert self._in_play is not None
        assert self._deck is not None
        turn = self._in_play.turn
        if turn is None or words[0].upper() != turn.title.upper():
            _, made = self.world.on_record()
            pairs = enumerate(zip(self._made, made, strict=False), 1)
            differs = next((number for number, (ours, theirs) in pairs if ours != theirs), 0)
            if differs:
                self._made = list(made[:differs])
                self._in_play = self._deck.replay(self._made)
            return
        said = words[2].rstrip(".") if len(words) > 2 else ""
        if words[1] == "plays":
            self._add(parse_card(said))
        else:
            self._add(parse_call(said) if words[1] == "bids" else _WORDS[words[1].rstrip(".")])

    def _add(self, made: Call | Card) -> None:
        assert self._in_play is not None
        add(self._in_play, made)
        self._made.append(made)
        begins_play = self._in_play.play is not None and not self._in_play.play.cards
        self._asked = len(self._made) if begins_play else max(self._asked, len(self._made))
        self._asked_to_lead = False

    def _act(self) -> list[Said]:
        """Call or play as long as it is its turn, then ask for what comes next."""
        said: list[Said] = []
        in_play, deck = self._in_play, self._deck
        assert in_play is not None
        assert deck is not None
        while not in_play.is_over:
            if in_play.dummy_is_open and in_play.contract is not None and self.seat is not in_play.contract.dummy:
                if not self._has_asked_dummy:
                    self._has_asked_dummy = True
                    said += self._ready("for dummy")
                if not self._has_seen_dummy:
                    return said
            if in_play.actor is not self.seat:
                return said + self._ask()
            is_lead = in_play.play is not None and not in_play.play.current.cards
            if is_lead and not self._asked_to_lead:
                return said
            said.append(Said(self._action(deck.choose(self._made)), self._think_ms()))
            self._add(deck.choose(self._made))
        return said

    def _ask(self) -> list[Said]:
        in_play = self._in_play
        assert in_play is not None
        assert in_play.turn is not None
        said: list[Said] = []
        if self._asked <= len(self._made):
            self._asked = len(self._made) + 1
            said += self._ready(self._request(in_play.turn))
        follows_soon = in_play.play is None or len(in_play.play.current.cards) < 3
        if self.manner.ahead and follows_soon and self._asked == len(self._made) + 1:
            following = in_play.turn.next
            if following is not self.seat and in_play.contract is None:
                self._asked += 1
                said += self._ready(self._request(following))
        return said

    def _request(self, hand: Seat) -> str:
        in_play = self._in_play
        assert in_play is not None
        if in_play.contract is None or in_play.play is None:
            return f"for {self._spelled(hand)}'s bid"
        whose = "dummy" if hand is in_play.contract.dummy else self._spelled(hand)
        return f"for {whose}'s card to trick {len(in_play.play.tricks) + 1}"

    def _action(self, made: Call | Card) -> str:
        in_play, deck = self._in_play, self._deck
        assert in_play is not None
        assert in_play.turn is not None
        assert deck is not None
        text = deck.texts.get(len(self._made), "")
        if isinstance(made, Card):
            signal = f". {text}" if text and self.manner.signals else ""
            return f"{self._spelled(in_play.turn)} plays {made}{signal}"
        said = f"bids {made}" if isinstance(made, Bid) else ACTIONS[made]
        if text:
            form = self.manner.alert[self._texts % len(self.manner.alert)]
            self._texts += 1
            said += form.format(text)
        return f"{self._name} {said}"


class StatefulProgram(Program):
    """Keeps nothing but where it sits: it acts on `AUCOPEN` and `TRICK` with its own position, or its dummy's."""

    def start(self) -> list[Said]:
        hello = [f"X-HELLO {self.manner.hello}"] if self.manner.hello else []
        return [
            Said(line) for line in (*hello, f"HELLO {self.manner.team}", self.manner.joins.format(self.seat.letter))
        ]

    def resume(self) -> list[Said]:
        """Begin anew: this program remembers nothing."""
        return self.start()

    def receive(self, line: str) -> list[Said]:
        name, _, rest = line.partition(" ")
        if name == "X-PING":
            return [Said(f"X-PONG {rest}")]
        if name == "JOINED" and len(rest.split()) == 2:
            self.seat = Seat.from_letter(rest.split()[1])
        number, made = self.world.on_record()
        if name not in ("AUCOPEN", "TRICK") or not number:
            return []
        deck = self.world.decks[number]
        in_play = deck.replay(made)
        if in_play.actor is not self.seat or in_play.turn is None or rest.split()[0] != in_play.turn.letter:
            return []
        chosen = deck.choose(made)
        if isinstance(chosen, Card):
            return [Said(f"PLAY {_stateful_card(chosen)}", self._think_ms())]
        text = deck.texts.get(len(made), "")
        alert = [Said(f'X-ALERT {self.seat.letter} "{text}"')] if text and "ALERT" in self.manner.hello else []
        call = _STATEFUL_CALLS.get(chosen, str(chosen))
        return [*alert, Said(f"BID {call}", self._think_ms())]


def _stateful_card(card: Card) -> str:
    rank = str(card)[0].replace("T", "10")
    return f"{rank}{Suit(card.suit).letter}"
