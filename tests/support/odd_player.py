"""A player with one peculiarity, on the event loop of the test, for `tourney check-bot` to find out about."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from tourney.bots.basic import BasicStrategy
from tourney.bridge import SEATS, Seat, parse_call
from tourney.compliance.bluechip import BLUE_CHIP
from tourney.compliance.check import CheckReport, check_program
from tourney.compliance.context import CheckSettings
from tourney.compliance.findings import StepKind, StepOutcome, StepResult
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine
from tourney.protocol.wires import WireProfile

CONNECT: Final = re.compile(r"connect now: host (\S+), port (\d+), seat (\w+), team (.*)")


@dataclass
class Oddity:
    """How a player differs from one that follows the protocol to the letter."""

    one_line_a_read: bool = False
    """It loses whatever comes after the first line in the same read, as RoboBridge does."""
    leaves_at: str = ""
    """It closes its connection when it gets a line that matches."""
    falls_silent_at: str = ""
    """It falls silent after a line that matches."""
    leaves_out: str = ""
    """It does not send lines that match."""
    stays: bool = False
    """It never leaves, even if the table closes the connection."""
    comes_back: bool = False
    """It connects again when its connection is cut."""
    leads_unasked: bool = False
    """It leads as soon as it has won a trick."""
    says_instead: tuple[str, str] = ("", "")
    """A pattern and its replacement in the lines it sends."""
    alert: str = ""
    """It alerts every call with this text."""
    always_opens: bool = False
    """It bids 1NT, whatever it holds, where nobody has bid: no board is passed out."""
    version: int = 18
    leaves_after_timing_at: str = ""
    """It closes its connection when it gets a line that matches, at any time after a line of times."""
    boards: int = field(default=0, init=False)
    """How often it was told to start a board, over all its connections."""


class OddPlayer:
    """Plays over one connection after another, each until the end of its session."""

    def __init__(self, oddity: Oddity) -> None:
        self.oddity = oddity
        self._strategy = BasicStrategy(1)

    async def play(self, host: str, port: int, seat: Seat, team: str) -> None:
        while not await self._play_once(host, port, seat, team) and self.oddity.comes_back:
            pass

    async def _play_once(self, host: str, port: int, seat: Seat, team: str) -> bool:
        """Play over one connection; return whether the session, or the player, has come to its end."""
        reader, writer = await asyncio.open_connection(host, port)
        self._writer = writer
        self._core = PlayerCore(seat, team, version=self.oddity.version)
        self._over = self._is_silent = self._heard_timing = False
        try:
            self._carry_out(self._core.start())
            lines = LineBuffer()
            while not self._over:
                data = await reader.read(65536)
                if not data:
                    if self.oddity.stays:
                        await asyncio.Event().wait()
                    return False
                received = lines.feed(data)
                for line in received[:1] if self.oddity.one_line_a_read else received:
                    assert isinstance(line, bytes)
                    self._hear(line)
        except ConnectionError:
            return False
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
        return True

    def _hear(self, line: bytes) -> None:
        text, oddity = line.decode(), self.oddity
        oddity.boards += text == "Start of board"
        self._heard_timing = self._heard_timing or text.startswith("Timing")
        leaves_at = [oddity.leaves_at, oddity.leaves_after_timing_at if self._heard_timing else ""]
        if any(pattern and re.search(pattern, text) for pattern in leaves_at):
            self._over = True
        elif oddity.falls_silent_at and re.search(oddity.falls_silent_at, text):
            self._is_silent = True
        if not self._over and not self._is_silent:
            self._carry_out(self._core.receive_line(line))
            if oddity.leads_unasked and " plays " in text:
                self._lead_unasked()

    def _carry_out(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    self._say(effect.line)
                case AskCall():
                    call = self._strategy.choose_call(effect.view).call
                    if self.oddity.always_opens and effect.view.auction.last_bid is None:
                        call = parse_call("1NT")
                    self._carry_out(self._core.make_call(call, self.oddity.alert))
                case AskCard():
                    card = self._strategy.choose_card(effect.view, effect.hand)
                    self._carry_out(self._core.make_card(effect.hand, card))
                case Leave():
                    self._over = not self.oddity.stays

    def _lead_unasked(self) -> None:
        view = self._core.view
        if view is None or view.turn is not view.seat:
            return
        if view.current is not None and not view.current.cards:
            self._say(f"{view.seat.title} plays {view.held(view.seat)[0]}")

    def _say(self, line: str) -> None:
        if self.oddity.leaves_out and re.search(self.oddity.leaves_out, line):
            return
        line = re.sub(*self.oddity.says_instead, line) if self.oddity.says_instead[0] else line
        self._writer.write(line.encode() + b"\r\n")


async def check_player(
    oddity: Oddity,
    *kinds: StepKind,
    seat: Seat = Seat.NORTH,
    timeout_s: float = 1.0,
    slow_s: float = 0.01,
    profile: str = "default",
    told: list[str] | None = None,
) -> CheckReport:
    """Check the player in some steps at one seat; it is started when the check asks for it."""
    player = OddPlayer(oddity)
    tasks: list[asyncio.Task[None]] = []

    def tell(text: str) -> None:
        if told is not None:
            told.append(text)
        asked = CONNECT.fullmatch(text)
        if asked is not None:
            where = next(s for s in SEATS if s.title == asked[3])
            tasks.append(asyncio.create_task(player.play(asked[1], int(asked[2]), where, asked[4])))

    settings = CheckSettings(
        seats=(seat,), kinds=frozenset(kinds), timeout_s=timeout_s, connect_s=0.7, slow_s=slow_s, profile=profile
    )
    try:
        return await check_program(settings, tell)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def result_of(report: CheckReport, kind: StepKind) -> StepResult:
    """Return the result of a step at the only seat."""
    (result,) = report.step(BLUE_CHIP.by_kind[kind].number).results
    return result


def profile_of(report: CheckReport) -> WireProfile:
    """Return the settings found for a program that has played."""
    assert report.found is not None
    return report.found


def outcomes(report: CheckReport) -> set[StepOutcome]:
    return {result.outcome for result in report.results}
