"""Players that come back whenever their table is gone, and note every line that they are told."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS, Seat
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine
from tourney.store.draw.tables import TableInfo

TRY_AGAIN_S = 0.02
"""Between two tries to reach a table that is not there."""

ACTION = re.compile(r"(?P<line>(?:North|East|South|West) (?:passes|doubles|redoubles|bids \w+|plays \w+))")
BOARD = re.compile(r"Board number (\d+)\.")


@dataclass
class Notes:
    """What one player was told at one table, a list of lines for each of its connections."""

    table_id: int
    seat: Seat
    connections: list[list[str]] = field(default_factory=list)

    def actions(self) -> Iterator[tuple[int, list[str]]]:
        """The calls and cards that it was told about, in order, by connection and board."""
        for lines in self.connections:
            board, told = 0, list[str]()
            for line in lines:
                number, action = BOARD.match(line), ACTION.match(line)
                if number is not None:
                    yield board, told
                    board, told = int(number[1]), []
                elif action is not None:
                    told.append(action["line"])
            yield board, told


class Party:
    """The four players of a table; they play until each has been told that the session is over."""

    def __init__(self, table: TableInfo, port: int) -> None:
        self.notes = [Notes(table.id, seat) for seat in SEATS]
        self._tasks = [asyncio.create_task(_play(notes, table.team(notes.seat.side), port)) for notes in self.notes]

    async def over(self) -> None:
        """Wait until all have been told that the session is over."""
        await asyncio.wait(self._tasks)

    def last_words(self) -> list[tuple[int, str, int, list[str]]]:
        """Where everybody stands."""
        return [
            (notes.table_id, notes.seat.letter, len(notes.connections), notes.connections[-1][-3:])
            for notes in self.notes
            if notes.connections
        ]

    def send_home(self) -> None:
        """Whoever still waits for a table need not any more."""
        for task in self._tasks:
            task.cancel()


async def _play(notes: Notes, team: str, port: int) -> None:
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(TRY_AGAIN_S)
            continue
        heard: list[str] = []
        notes.connections.append(heard)
        try:
            if await _sit(reader, writer, notes.seat, team, heard):
                return
        except ConnectionError:
            continue
        finally:
            writer.close()


async def _sit(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seat: Seat, team: str, heard: list[str]
) -> bool:
    """Play on one connection; whether the session came to its end."""
    core, strategy = PlayerCore(seat, team), RandomStrategy(seat)
    over = False

    def react(effects: list[PlayerEffect]) -> None:
        nonlocal over
        for effect in effects:
            match effect:
                case SendLine():
                    writer.write(effect.line.encode() + b"\r\n")
                case AskCall():
                    decision = strategy.choose_call(effect.view)
                    react(core.make_call(decision.call, decision.alert))
                case AskCard():
                    react(core.make_card(effect.hand, strategy.choose_card(effect.view, effect.hand)))
                case Leave():
                    over = effect.reason is None

    react(core.start())
    while not over and (line := await reader.readline()).endswith(b"\n"):
        heard.append(line.decode().rstrip("\r\n"))
        react(core.receive_line(line.rstrip(b"\r\n")))
    return over
