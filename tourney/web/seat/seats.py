"""People who have a seat in their browsers: a session of play for each, known by a cookie.

A seat here is to the server of players what a terminal is: it speaks the lines of the second wire over a connection
of its own, and knows what was said on it and nothing else. No module of this room reads the record.
"""

import asyncio
import contextlib
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Final, Protocol

from tourney.bridge import Seat
from tourney.client.server_link import ServerAddress, ServerLink
from tourney.client.session import WANTED, News, PlaySession, SeatAddress
from tourney.errors import TourneyError
from tourney.protocol.stateful.messages import ClockMessage, Extension
from tourney.runtime.event_loop import end_tasks
from tourney.web.doors import source_of
from tourney.web.hub import Hub

EXTENSIONS: Final = WANTED | {Extension.READY, Extension.CLOCK, Extension.MAY}
"""What a page shows of the second wire: a terminal's, the break after a board, the clock, what may be asked for."""

SEATS_MAX: Final = 200
"""Seats that a server has at once."""
SEATS_OF_ADDRESS_MAX: Final = 8
"""How many of them may come from one address."""
STREAMS_MAX: Final = 3
"""Pages of one seat that may be open at once."""
MOVES_PER_S: Final = 5
"""Forms that are taken from one seat within a second."""
MOVE_WAIT_S: Final = 2.0
"""How long a form waits at most because there are more; it is refused if it would have to wait for longer."""

SAID_SHOWN: Final = 10
"""How many of the last sentences on what has happened a page shows."""
SAID_S: Final = 10.0
"""It shows all that are not older than so many seconds, so that none is lost when many come at once."""
SAID_MAX: Final = 200
"""How many it shows at most."""

KEPT_S: Final = 60.0
"""A seat whose pages have all gone stays connected for so long: a locked telephone comes back."""
SEATED_S: Final = 12 * 3600.0
"""How long a seat lasts at most, and its cookie: who comes back within that time is connected again."""
LEFT_MAX: Final = 1000
"""Seats without a page that are kept for who comes back, at most; the one that was left first is forgotten."""

ANSWER_S: Final = 5.0
"""How long a page waits for what the server of players says to a name or a move."""
WAIT_S: Final = 300.0
"""How long a server of players that is away is waited for."""

SWEEP_S: Final = 2.0
"""How often it is looked which seats nobody has come back to."""


@dataclass(frozen=True, slots=True)
class LinkedSeat:
    """What a link leads to."""

    team: str
    team_number: int
    """The number of the team in the event."""
    room: str | None = None
    """The room that it is for; None where the person chooses."""
    seat: Seat | None = None
    """The seat that it is for; None where the person chooses."""


class SeatLinks(Protocol):
    """The links of an event. Either method may raise what a page answers where the record is away."""

    async def find_seat(self, token: str) -> LinkedSeat | None:
        """Return where a link leads that can still be used; None if it is not valid, or no longer."""

    async def use_seat(self, token: str) -> LinkedSeat | None:
        """The same, and the link can be used no more."""


class NoSeat(TourneyError):  # noqa: N818 # a refusal
    """A seat cannot be had; the sentence says why."""


class NameRefused(NoSeat):
    """The server of players has refused the name, perhaps because its passphrase is wrong."""


@dataclass(eq=False)
class BrowserSeat:
    """One person's seat."""

    key: str
    """The hash of the cookie."""
    session: PlaySession
    source: str
    """Where the person comes from, as `source_of` has it."""
    began_at_s: float
    opening: Callable[[], bytes] = bytes
    """Returns what a connection begins with."""
    link: ServerLink | None = None
    task: "asyncio.Task[None] | None" = None
    failure: str = ""
    """Why its connection has ended for good; empty if it has not."""
    refusal: str = ""
    """Why the server of players has refused the name; it may have closed the connection since."""
    streams: int = 0
    """Pages that are open."""
    seen_at_s: float = 0.0
    """When a page was last asked for, or closed."""
    moves_at_s: deque[float] = field(default_factory=lambda: deque(maxlen=MOVES_PER_S))
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    version: int = 0
    """Counts what has changed."""
    said: deque[tuple[float, str, bool]] = field(default_factory=lambda: deque(maxlen=SAID_MAX))
    """The last sentences on what has happened, the newest last: each with when it came, and whether it says what the
    picture of the table does not show."""
    said_count: int = 0
    """How many there have been."""
    asked_in: str = ""
    """The name of the field in which the player has last typed something; empty after a button."""
    clock: ClockMessage | None = None
    """What the server has said last of the time that is left."""
    clock_at_s: float = 0.0
    """When it said so."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come: the person has left, the server has said farewell, or it was lost."""
        return self.session.is_over or bool(self.failure)

    @property
    def has_answer(self) -> bool:
        """Whether the server of players has given a seat or said why not."""
        session = self.session
        return self.is_over or self.is_known or bool(session.refused or self.refusal)

    @property
    def is_known(self) -> bool:
        """Whether the server of players has taken the name."""
        return self.session.is_known or self.session.view.seat is not None

    @property
    def numbered_said(self) -> list[tuple[int, str, bool]]:
        """The last sentences, each with its number from 1, by which a page knows which of them are new."""
        first = self.said_count - len(self.said) + 1
        return [(number, sentence, is_news) for number, (_, sentence, is_news) in enumerate(self.said, first)]

    def hear(self, now_s: float) -> None:
        """Take the new sentences of the session, and its clock; what the prompt says is not said twice."""
        if self.session.clock is not self.clock:
            self.clock, self.clock_at_s = self.session.clock, now_s
        if not self.is_known:
            self.refusal = self.refusal or self.session.refused
        prompt = self.session.prompt
        for sentence in self.session.take_messages():
            if sentence != prompt:
                self.said.append((now_s, sentence, isinstance(sentence, News)))
                self.said_count += 1
        while len(self.said) > SAID_SHOWN and self.said[0][0] < now_s - SAID_S:
            self.said.popleft()

    @property
    def position(self) -> str:
        """The moment of the board that a page shows: board, calls, cards. A click on an older one is refused."""
        view = self.session.view
        number = view.board.number if view.board is not None else 0
        trick = len(view.trick.cards) if view.trick is not None else 0
        return f"{number}.{len(view.calls)}.{len(view.winners)}.{trick}"

    @property
    def offer(self) -> str:
        """The number of what the player is to accept or reject; empty if it is nothing."""
        asked = self.session.view.asked
        return str(asked.number) if asked is not None else ""


class BrowserSeats:
    """The seats of a web server.

    Args:
        server: where the players of the event or lobby connect.
        hub: the pages that show seats; the topic of a seat is its key.
        opening: returns what a connection begins with, for a person at an address and perhaps of a team.
        now_s: a clock that only goes forward.
        sleep: waits for seconds.
    """

    def __init__(
        self,
        server: ServerAddress,
        hub: Hub,
        opening: Callable[[str, int | None], bytes] = lambda _, __: b"",
        now_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._sleep = sleep
        self._server = server
        self._hub = hub
        self._opening = opening
        self._now_s = now_s
        self._seats: dict[str, BrowserSeat] = {}
        self._left: dict[str, BrowserSeat] = {}
        """Seats that nobody looked at for too long, without a connection: who has the cookie may come back."""
        self._sweeping: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._seats)

    def start(self) -> None:
        """Begin to look for seats that nobody comes back to."""
        self._sweeping = asyncio.create_task(self._keep_sweeping())

    async def close(self) -> None:
        """End all seats: their connections are closed, and the server of players keeps their places for a while."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        for seat in list(self._seats.values()):
            await self._end(seat)

    # A seat

    def find(self, token: str) -> BrowserSeat | None:
        """Return the seat of a cookie; None if there is none."""
        seat = self._seats.get(_key_of(token)) if token else None
        if seat is not None:
            seat.seen_at_s = self._now_s()
        return seat

    async def resume(self, token: str) -> BrowserSeat | None:
        """Return the seat of a cookie, connected again if its pages had been closed; None if there is none."""
        seat = self._left.get(_key_of(token)) if token else None
        if seat is None or self._why_full(seat.source):
            return self.find(token)
        del self._left[seat.key]
        seat.seen_at_s = self._now_s()
        self._connect(seat)
        await self.wait_for(seat, lambda: seat.is_over or seat.session.is_connected)
        return seat

    def _why_full(self, source: str) -> str:
        """Return why nobody can sit down now from where somebody comes from; empty if somebody can."""
        if len(self._seats) >= SEATS_MAX:
            return f"all {SEATS_MAX} seats for browsers are taken: try again later"
        if sum(each.source == source for each in self._seats.values()) >= SEATS_OF_ADDRESS_MAX:
            return f"your address has {SEATS_OF_ADDRESS_MAX} seats already, which is as many as it may have"
        return ""

    def _connect(self, seat: BrowserSeat) -> None:
        self._seats[seat.key] = seat
        seat.link = ServerLink(seat.session, self._server, lambda: self._note_change(seat), seat.opening)
        seat.task = asyncio.create_task(self._keep(seat))

    async def open(
        self, name: str, phrase: str, place: SeatAddress, address: str, team: int | None = None
    ) -> tuple[str, BrowserSeat]:
        """Connect for a person, and wait for the answer to its name; returns the token of the seat and the seat.

        Args:
            name: as the person wants to be called, or the name of its team.
            phrase: the passphrase of that name; empty without one.
            place: where the person wants to sit.
            address: where it comes from.
            team: the number of the team that it is known to play for; None if its passphrase is to show that.

        Raises:
            NoSeat: there are too many, the name is refused, or the server of players cannot be reached.
        """
        source = source_of(address)
        if self._why_full(source):
            for each in [each for each in self._seats.values() if each.is_over]:
                await self._end(each)
        if why := self._why_full(source):
            raise NoSeat(why)
        token, now_s = secrets.token_hex(32), self._now_s()
        session = PlaySession(f"{name}#{phrase}" if phrase else name, place, EXTENSIONS, is_typed=False)
        opening = partial(self._opening, address, team)
        seat = BrowserSeat(_key_of(token), session, source, now_s, opening, seen_at_s=now_s)
        self._connect(seat)
        await self.wait_for(seat, lambda: seat.has_answer)
        if seat.failure or not seat.is_known:
            await self._end(seat)
            if seat.refusal:
                raise NameRefused(seat.refusal)
            raise NoSeat(seat.failure or "the table has not answered to the name: try again in a minute")
        return token, seat

    async def leave(self, seat: BrowserSeat) -> None:
        """End a seat because its person leaves."""
        if seat.link is not None:
            seat.link.send(seat.session.receive_typed("leave"))
            seat.session.receive_typed("quit")
        await self._end(seat)

    async def say(self, seat: BrowserSeat, typed: str, *, waits: bool) -> None:
        """Do what a person has typed or clicked.

        Args:
            seat: the person's seat.
            typed: what was typed, or what a button stands for.
            waits: whether to wait for what the server of players says to it: a page without a stream needs that.
        """
        version = seat.version
        lines = seat.session.receive_typed(typed)
        self._note_change(seat)
        if lines and seat.link is not None:
            seat.link.send(lines)
            if waits:
                await self.wait_for(seat, lambda: seat.version > version + 1)

    def left_s(self, seat: BrowserSeat) -> int | None:
        """Return how many seconds the player in turn at a table may still think; None without a limit."""
        if seat.clock is None:
            return None
        return max(0, round(seat.clock.left_ms / 1000 - (self._now_s() - seat.clock_at_s)))

    def refuse(self, seat: BrowserSeat, why: str) -> None:
        """Tell a person why nothing is done."""
        seat.session.refuse(why)
        self._note_change(seat)

    async def wait_for(self, seat: BrowserSeat, is_it: Callable[[], bool]) -> None:
        """Wait until something is so at a seat, but not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                while not is_it():
                    seat.changed.clear()
                    await seat.changed.wait()

    # Pages

    def open_stream(self, seat: BrowserSeat) -> bool:
        """Note that a page of a seat is open; return whether it may have one more."""
        if seat.streams >= STREAMS_MAX:
            return False
        seat.streams += 1
        return True

    def close_stream(self, seat: BrowserSeat) -> None:
        """Note that a page of a seat is closed."""
        seat.streams -= 1
        seat.seen_at_s = self._now_s()

    async def pace_move(self, seat: BrowserSeat) -> bool:
        """Wait until a form that has come from a seat may be taken; return whether it may at all."""
        at_s = now_s = self._now_s()
        if len(seat.moves_at_s) == MOVES_PER_S:  # at once unless many came within the last second
            at_s = max(now_s, seat.moves_at_s[0] + 1.0)
        if at_s - now_s > MOVE_WAIT_S:
            return False
        seat.moves_at_s.append(at_s)
        if at_s > now_s:
            await self._sleep(at_s - now_s)
        return True

    # What goes on

    async def _keep(self, seat: BrowserSeat) -> None:
        assert seat.link is not None
        try:
            await seat.link.run()
        except TourneyError as error:
            seat.failure = error.message
        self._note_change(seat)

    def _note_change(self, seat: BrowserSeat) -> None:
        seat.hear(self._now_s())
        seat.version += 1
        seat.changed.set()
        self._hub.publish([seat.key])

    async def _end(self, seat: BrowserSeat) -> None:
        self._seats.pop(seat.key, None)
        if seat.task is not None:
            await end_tasks(seat.task)
        if seat.link is not None:
            await seat.link.close()
        seat.session.lose_connection()

    async def _keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            await self.sweep()

    async def sweep(self) -> None:
        """Disconnect the seats that nobody looks at, and forget those that have lasted long enough."""
        now_s = self._now_s()
        for seat in list(self._seats.values()):
            is_left = not seat.streams and now_s - seat.seen_at_s > KEPT_S
            if is_left or now_s - seat.began_at_s > SEATED_S:
                await self._end(seat)
                if not seat.is_over:
                    self._left[seat.key] = seat
        for key, seat in list(self._left.items()):
            if now_s - seat.began_at_s > SEATED_S or len(self._left) > LEFT_MAX:
                del self._left[key]


def _key_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()
