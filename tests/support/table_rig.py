"""A table without a socket, driven by lines: orders, standstills, lines in transit, players."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Protocol, TypeVar

from tests.support.conversation import steps_of
from tourney.bots.strategy import Strategy, answer
from tourney.bridge import SEATS, Card, Seat
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.player import PlayerEffect, PlayerSide, SendLine
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.effects import Effect, LogRemark
from tourney.protocol.session.memory_table import MemoryLink, MemoryTable
from tourney.protocol.session.orders import FinishBoard, KickPlayer, NoteExit, Order, Pause, Resume, Stop
from tourney.protocol.session.records import BoardBegan, BoardEnded, CallMade, CardPlayed, Incident, OrderActed, Ruled
from tourney.protocol.session.table import TableSettings
from tourney.protocol.session.wire import Wire
from tourney.protocol.stateful.server import StatefulWire
from tourney.protocol.stateful.values import GameId

RecordType = TypeVar("RecordType")

_STRANGER = re.compile(r"(\S.*) logs on as (\S+)(?: from (\S+))?")

_seat = {seat.letter: seat for seat in SEATS}.__getitem__


PLACE = GameId("g1", "Spring")
"""What is played at a table, in the words of the stateful protocol."""

ON_RECORD = ("begun", "ended", "spent", "why", "ruled", "thought", "calls", "cards", "incidents")
"""What a conversation may ask of the record."""


class Peer(MemoryLink):
    """One connection as a test sees it: the lines sent to it, and whether the table has closed it."""

    def __init__(self, rig: "TableRig", number: int) -> None:
        super().__init__(number)
        self.lines: list[str] = []
        self._rig = rig

    def take(self) -> list[str]:
        """Return the lines that have arrived since the last call."""
        lines, self.lines = self.lines, []
        return lines

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:
        return self._rig.send(self, line, clock, now_ms)

    def admit(self, gap_ms: int, charset: Charset) -> None:
        self._rig.admit(self, gap_ms, charset)

    def probe(self) -> None:
        self._rig.probed.append(self.number)


class TableRig(MemoryTable[Peer]):
    """Drives one table core with lines, with a clock that a test moves; `log` has everything it did, in order."""

    def __init__(self, settings: TableSettings, *, hold_clocks: bool = False) -> None:
        self.standstills: list[tuple[int, int]] = []
        """When the table's machine stood still, for a test to add to."""
        super().__init__(settings, BlueChipWire, self.standstills)
        self.peers: dict[int, Peer] = {}
        self.seats: dict[Seat, Peer] = {}
        self.notes: list[str] = []
        """What the table has noted about the players."""
        self.log: list[Effect] = []
        self.probed: list[int] = []
        """Connections that were to be probed."""
        self.restarted: list[Seat] = []
        """Seats for which the table has asked for another program."""
        self.held_clocks: list[int] | None = [] if hold_clocks else None
        """With `hold_clocks`, the clocks of lines that wait to be written; `write_held` writes them."""
        self._held: list[tuple[Peer, str, int]] = []

    def connect(
        self,
        port_seat: Seat | None = None,
        *,
        address: str = "test",
        is_ours: bool = False,
        wire: Wire | None = None,
    ) -> Peer:
        """Open a connection; `address` is like `10.0.0.7:40000`, if it matters. It speaks Blue Chip, or `wire`."""
        peer = self.peers[len(self.peers) + 1] = Peer(self, len(self.peers) + 1)
        peer.peer, peer.port_seat, peer.is_ours, peer.wire = address, port_seat, is_ours, wire
        self.carry_out(self.driver.open(peer))
        return peer

    def send_line(self, who: Peer | Seat, line: str | bytes | Overlong) -> list[str]:
        """Send a line to the table; return what the sender has been told since it last looked.

        With `line_own_ms` of a peer its lines say how long its program took.
        """
        peer = self.seats[who] if isinstance(who, Seat) else who
        peer.line_began_ms = self.now_ms
        data = line.encode() if isinstance(line, str) else line
        began_ms, own_ms = peer.line_began_ms, peer.line_own_ms
        self.carry_out(self.core.receive_line(peer.number, data, self.now_ms, began_ms, own_ms))
        return peer.take()

    def take(self, seat: Seat) -> list[str]:
        """Return what a seat has been told since it last looked."""
        return self.seats[seat].take()

    def seat_all(self, version: dict[Seat, int] | None = None) -> None:
        """Log on four players, in the order North, East, South, West."""
        for seat in SEATS:
            self.seats[seat] = self.connect()
            team = self.core.state.settings.team(seat.side)
            number = (version or {}).get(seat, 18)
            self.send_line(seat, f'Connecting "{team}" as {seat.title} using protocol version {number}')

    def start_board(self) -> None:
        """Take four seated players to the point where the dealer may call."""
        self.all_say("ready for teams", "ready to start", "ready for deal", "ready for cards")
        for seat in SEATS:
            self.take(seat)

    def of_kind(self, kind: type[RecordType]) -> list[RecordType]:
        """Return the records of one type, in order."""
        return [record for record in self.records if isinstance(record, kind)]

    def hang_up(self, who: Peer | Seat) -> None:
        peer = self.seats[who] if isinstance(who, Seat) else who
        self.carry_out(self.driver.close(peer, "the connection was closed", self.now_ms))

    def stop(self, reason: str) -> None:
        self.order(Stop(reason))

    def order(self, order: Order) -> str:
        """Give an order to the table; return what has come of it."""
        *effects, outcome = self.core.receive_order(order, self.now_ms, order_id=0)
        assert isinstance(outcome, OrderActed)
        self.carry_out(effects)
        return outcome.outcome

    @property
    def seated(self) -> dict[Seat, str]:
        """The seated teams: the name that each program gave, by seat."""
        return {seat.seat: seat.connection.team for seat in self.core.state.seats if seat.connection is not None}

    def write_held(self) -> None:
        """Write the lines whose clocks were held."""
        assert self.held_clocks is not None
        while self._held:
            peer, line, clock = self._held.pop(0)
            self.held_clocks.remove(clock)
            self.driver.note_written(peer, line, clock, self.now_ms)

    @property
    def board_state(self) -> BoardState:
        """The current board."""
        assert self.core.state.board is not None
        return self.core.state.board.state

    def log_on(self, *seats: Seat) -> list[str]:
        """Have new programs log on; return what the last is told."""
        told: list[str] = []
        for seat in seats:
            self.seats[seat] = self.connect()
            team = self.core.state.settings.team(seat.side)
            told = self.send_line(seat, f'Connecting "{team}" as {seat.title} using protocol version 18')
        return told

    def say(self, seat: Seat, *lines: str) -> list[str]:
        """Have a seat say lines, here without its name; return what it is told to them."""
        return [told for line in lines for told in self.send_line(seat, f"{seat.title} {line}")]

    def all_say(self, *lines: str, seats: Iterable[Seat] = SEATS) -> None:
        """Have each seat say a line, and then the next."""
        for line in lines:
            for seat in seats:
                self.say(seat, line)

    def rejoin(self, *seats: Seat) -> None:
        """Have other programs log on and join."""
        self.log_on(*seats)
        self.all_say("ready for teams", "ready to start", seats=seats)

    def connect_stateful(self, seat: Seat | None = None) -> Peer:
        """Open a connection that speaks the stateful-server protocol; `seat` is that of its port, if it has one."""
        return self.connect(seat, wire=StatefulWire(PLACE))

    def reconnect(self, seat: Seat, words: str = "-") -> list[str]:
        """Have a client lose its connection and take its seat back, knowing nothing; return what it is told.

        `words` are those of the extensions that it asks for, `-` if for none.
        """
        self.hang_up(seat)
        self.seats[seat] = self.connect_stateful()
        if words != "-":
            self.send_line(seat, f"X-HELLO {words}")
        self.send_line(seat, f"HELLO {self.core.state.team(seat.side)}")
        return self.send_line(seat, "JOIN-T")

    def call(self, seat: Seat, line: str) -> None:
        """Make a call, and have the other three ask for it, so that all four are up to date."""
        self.send_line(seat, f"{seat.title} {line}")
        self.ask_all(seat, f"for {seat.title}'s bid")

    def ask_all(self, actor: Seat, what: str) -> None:
        """Let the three seats other than `actor` say that they are ready."""
        self.all_say(f"ready {what}", seats=[seat for seat in SEATS if seat is not actor])

    def play_card(self, hand: Seat, card: Card | str, *, relayed: bool = True) -> None:
        """Play a card from a hand, said by who plays it; with `relayed` the three others ask for it."""
        actor, cards = self.board_state.in_play.actor, self.board_state.in_play.play
        assert actor is not None
        assert cards is not None
        trick = len(cards.tricks) + 1
        self.send_line(actor, f"{hand.title} plays {card}")
        if relayed:
            self.ask_all(actor, f"for {hand.title}'s card to trick {trick}")

    def play_on(self, cards: int, *, relayed: bool = True) -> None:
        """Play the next cards, always the highest legal one; all ask for each with `relayed`."""
        for _ in range(cards):
            state = self.board_state
            current = state.in_play.play
            assert current is not None
            is_lead = not current.cards
            self.play_card(current.turn, state.legal_cards()[0], relayed=is_lead or relayed)
            if is_lead:
                self.all_say("ready for dummy")

    def sent(self, seat: Seat) -> list[str]:
        """Return every line sent to a seat so far, taken or not."""
        connection = self.seats[seat].number
        return [effect[1] for effect in self.log if isinstance(effect, tuple) and effect[0] == connection]

    def clear(self) -> None:
        """Forget what has been sent so far."""
        for peer in self.peers.values():
            peer.take()

    def converse(self, script: str, **own: Callable[..., list[str] | None]) -> None:
        """Hold a conversation; its steps, with seats by their letters, `own` ones by their first word:

        N: bids 1NT                       North says it; its name is put before what begins with a small letter
        E: ready for North's bid -> North bids 1NT
        E: passes -> nothing
        S hears -> North bids 1NT         what South has been told since it last looked; `any` are the four
        W has heard -> ... -> West to lead    all that West was ever told
        N S: ready for dummy              each of them says it; `all` are the four
        all hear W: plays 4S              and the three others ask for it; dummy's card is said by declarer
        ended -> 1 time N                 what is on record of the ends of boards; see `on_record`
        N was closed -> N owed a call for 300 s    why the table has closed its connection
        over -> in order                  how the session has ended, `nothing` if it goes on
        noted -> ... -> swallowed         what the table has noted about its players
        Alpha#one logs on as North from 10.0.0.7:1    over a connection of its own
        a client comes                    who speaks the stateful protocol; `a program` speaks Blue Chip
        it: HELLO Alpha -> GAMES -        the newest connection, `it is disconnected`
        seated -> N Alpha -> E Beta       who sits, by the names that programs gave
        N hangs up, N E rejoin, N logs on, N is connected, N is disconnected
        N comes back                      it rejoins, and asks for the deal and its cards
        N comes back asking for PING      a client of the stateful protocol, `-` for one without extensions
        N ends: ended with status 3       how its program has ended
        kick N: it hangs, stop: it rains  orders of the director
        pause, resume, finish, wait 1000, clear
        play 4 cards                      the highest legal ones, which all ask for
        """
        for step in steps_of(script):
            name, *words = step.what.split()
            for told in [own[name](self, *words) or []] if name in own else self._take_step(step.what):
                step.check(told)

    def _take_step(self, step: str) -> list[list[str]]:  # noqa: PLR0912 # a case for each step
        """Take a step, and return what each who says something is told."""
        who, colon, said = step.partition(": ")
        if colon:
            return self._say_step(who.split(), said)
        if found := _STRANGER.fullmatch(step):
            peer = self.connect(address=found[3] or "test")
            return [self.send_line(peer, f'Connecting "{found[1]}" as {found[2]} using protocol version 18')]
        match who.split():
            case ["any", "hears"]:
                return [[line for seat in SEATS for line in self.take(seat)]]
            case [letter, "hears"]:
                return [self.take(_seat(letter))]
            case [letter, "has", "heard"]:
                return [self.sent(_seat(letter))]
            case [letter, "logs", "on"]:
                return [self.log_on(_seat(letter))]
            case [letter, "comes", "back", "asking", "for", words]:
                return [self.reconnect(_seat(letter), words)]
            case [letter, "was", "closed"]:
                return [[self.seats[_seat(letter)].closed]]
            case [
                "begun" | "ended" | "spent" | "why" | "ruled" | "thought" | "calls" | "cards" | "incidents" as what
            ]:
                return [self.on_record(what)]
            case ["seated"]:
                return [[f"{seat.letter} {team}" for seat, team in self.seated.items()]]
            case ["over"]:
                return [["in order" if reason is None else reason for reason in self.ended]]
            case ["noted"]:
                return [self.notes]
            case words:
                self._happen(words)
                return []

    def _say_step(self, who: Sequence[str], said: str) -> list[list[str]]:
        """Have players, their programs or the director say something."""
        match who:
            case [letter, "ends"]:
                self.order(NoteExit(_seat(letter), said))
            case ["kick", letter]:
                return [[self.order(KickPlayer(_seat(letter), said))]]
            case ["stop"]:
                self.stop(said)
            case ["all", "hear", *letters]:
                for seat in map(_seat, letters):
                    if said.startswith("plays "):
                        self.play_card(seat, said.removeprefix("plays "))
                    else:
                        self.call(seat, said)
            case ["it"]:
                return [self.send_line(self.peers[len(self.peers)], said)]
            case letters:
                speakers = SEATS if letters == ["all"] else map(_seat, letters)
                return [
                    self.send_line(each, f"{each.title} {said}" if said[0].islower() else said) for each in speakers
                ]
        return []

    def _happen(self, words: Sequence[str]) -> None:  # noqa: PLR0912 # a case for each step
        """Take a step in which nobody says anything."""
        match words:
            case ["wait", ms]:
                self.wait(int(ms))
            case [who, "is", "connected" | "disconnected" as how]:
                peer = self.peers[len(self.peers)] if who == "it" else self.seats[_seat(who)]
                assert bool(peer.closed) is (how == "disconnected"), " ".join(words)
            case ["a", "client", "comes"]:
                self.connect_stateful()
            case ["a", "program", "comes"]:
                self.connect()
            case ["clear"]:
                self.clear()
            case ["pause"]:
                self.order(Pause())
            case ["resume"]:
                self.order(Resume())
            case ["finish"]:
                self.order(FinishBoard("stopped by Jane"))
            case ["play", count, "cards"]:
                self.play_on(int(count))
            case [*letters, "hangs" | "hang", "up"]:
                for seat in map(_seat, letters):
                    self.hang_up(seat)
            case [*letters, "rejoin" | "rejoins"]:
                self.rejoin(*map(_seat, letters))
            case [*letters, "come" | "comes", "back"]:
                seats = [*map(_seat, letters)]
                self.rejoin(*seats)
                self.all_say("ready for deal", "ready for cards", seats=seats)
            case _:
                raise AssertionError(f"a conversation has no step {' '.join(words)!r}")

    def on_record(self, what: str) -> list[str]:
        """Return what is on record of something, in order.

        Boards as `1`, `1 time N`, `700 0` and why, rulings as `warning NS 1`, incidents as `crash N`, thinking times
        as `300`, calls as `N 1C` or `N Pass by the table`, cards as `East TS`.
        """
        match what:
            case "begun":
                return [f"{began.board}" for began in self.of_kind(BoardBegan)]
            case "ended":
                ends = self.of_kind(BoardEnded)
                return [
                    f"{end.board} {end.end.value} {end.fault.letter if end.fault is not None else ''}".rstrip()
                    for end in ends
                ]
            case "spent":
                return [f"{end.ns_ms} {end.ew_ms}" for end in self.of_kind(BoardEnded)]
            case "why":
                return [end.reason for end in self.of_kind(BoardEnded)]
            case "incidents":
                return [
                    f"{each.kind.value} {each.seat.letter if each.seat is not None else ''}".rstrip()
                    for each in self.of_kind(Incident)
                ]
            case "calls":
                return [
                    f"{made.seat.letter} {made.call}{' by the table' if made.substituted else ''}"
                    for made in self.of_kind(CallMade)
                ]
            case "ruled":
                return [f"{ruled.kind.value} {ruled.side.value} {ruled.board}" for ruled in self.of_kind(Ruled)]
            case "thought":
                return [f"{made.thinking_ms}" for made in self.records if isinstance(made, CallMade | CardPlayed)]
            case _:
                return [
                    f"{played.seat.title} {played.card}{' by the table' if played.substituted else ''}"
                    for played in self.of_kind(CardPlayed)
                ]

    def carry_out(self, effects: list[Effect]) -> None:
        """Carry out effects, those also that the core has returned to a test itself."""
        self.log += effects
        super().carry_out(effects)

    # What the driver asks for

    def send(self, peer: Peer, line: str, clock: int | None, now_ms: int) -> bool:  # for tables with wires
        """Write a line, which here reaches its reader at once; return whether it counts as written."""
        peer.lines.append(line)
        if clock is None or self.held_clocks is None:
            return True
        self.held_clocks.append(clock)
        self._held.append((peer, line, clock))
        return False

    def admit(self, peer: Peer, gap_ms: int, charset: Charset) -> None:
        """Nothing is between the table and a player here, so there are no gaps and no letters to respect."""

    def restart_program(self, seat: Seat) -> None:
        self.restarted.append(seat)

    def log_remark(self, remark: LogRemark) -> None:
        self.notes.append(remark.text)


class TablePlayer(Protocol):
    """A player that says lines to the lines of a table."""

    def start(self) -> list[str]: ...

    def receive(self, line: str) -> list[str]: ...


class StrategyPlayer:
    """Our player's side of a language with a strategy."""

    def __init__(self, core: PlayerSide, strategy: Strategy) -> None:
        self.has_left = False
        self.why_left: str | None = None
        self.core = core
        self._strategy = strategy

    def start(self) -> list[str]:
        return self._react(self.core.start())

    def receive(self, line: str) -> list[str]:
        return self._react(self.core.receive_line(line.encode()))

    def _react(self, effects: list[PlayerEffect]) -> list[str]:
        said: list[str] = []
        for effect in answer(self._strategy, self.core, effects):
            if isinstance(effect, SendLine):
                said.append(effect.line)
            else:
                self.has_left, self.why_left = True, effect.reason
        return said


def play_to_end(
    rig: TableRig,
    players: Mapping[Seat, TablePlayer],
    order: Random,
    *,
    before_line: Callable[[Seat], None] = lambda _: None,
    reconnect: Callable[[Seat], None] | None = None,
) -> None:
    """Let players that are connected as `rig.seats` play until the session is over; who is heard next is random.

    Args:
        rig: the table.
        players: what each says to a line.
        order: chooses who is heard next.
        before_line: called before each line.
        reconnect: connects a player again whose connection the table has closed.
    """
    to_say = {seat: player.start() for seat, player in players.items()}

    def hear(seat: Seat, lines: Sequence[str]) -> None:
        peer = rig.seats[seat]
        for line in lines:
            said = players[seat].receive(line)
            if rig.seats[seat] is not peer:  # it has lost its connection, and what it was about to say
                to_say[seat] = said
                return
            to_say[seat] += said

    while True:
        for seat in players:
            hear(seat, rig.take(seat))
        if rig.ended:
            return
        for seat in players:
            if reconnect is not None and rig.seats[seat].closed:
                to_say[seat].clear()
                reconnect(seat)
        ready = [seat for seat in players if to_say[seat]]
        if ready:
            seat = order.choice(ready)
            before_line(seat)
            rig.now_ms += 1
            hear(seat, rig.send_line(seat, to_say[seat].pop(0)))
        else:
            assert rig.timers, "the players wait for ever"
            rig.wait(min(rig.timers.values()) - rig.now_ms)


def play_out(
    rig: TableRig,
    strategies: Mapping[Seat, Strategy],
    order: Random,
    before_line: Callable[[Seat], None] = lambda _: None,
) -> None:
    """Seat four players of ours at a table that speaks Blue Chip, and let them play to its end; see `play_to_end`."""
    players = {
        seat: StrategyPlayer(PlayerCore(seat, rig.core.state.settings.team(seat.side)), strategies[seat])
        for seat in SEATS
    }
    for seat in SEATS:
        rig.seats[seat] = rig.connect()
    play_to_end(rig, players, order, before_line=before_line)
    assert [(player.has_left, player.why_left) for player in players.values()] == [(True, None)] * 4
