"""What four players and a table say to each other in a session, line by line, and what each line waits for.

Taken from a session that was played: a player says a line again as soon as it has received as many lines as then; a
relay that knows no bridge passes a line on as soon as each player has said as much as then.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from tourney.bots.load import Said
from tourney.bridge import SEATS, Seat
from tourney.errors import FormatError

_ACTIONS: Final = frozenset({b"bids", b"passes", b"doubles", b"redoubles", b"plays"})
"""The second word of a call or card."""


class Step(NamedTuple):
    """A line of a player."""

    after: int
    """Lines that it has received before."""
    data: bytes
    """As it is written, its end included."""
    is_action: bool
    """A call or a card: somebody may think about it."""


class Relayed(NamedTuple):
    """A line of the table."""

    needs: tuple[int, int, int, int]
    """Lines that have come from each player before, in the order of `SEATS`."""
    seat: int
    """To whom it goes, as an index of `SEATS`."""
    data: bytes
    """As it is written, its end included."""


@dataclass(frozen=True, slots=True)
class Script:
    """One session of one table."""

    boards: int
    steps: Mapping[Seat, Sequence[Step]]
    """The first of each is its log-on."""
    received: Mapping[Seat, int]
    """Lines that each player receives."""
    relayed: Sequence[Relayed]

    @property
    def lines(self) -> int:
        """In both directions."""
        return sum(map(len, self.steps.values())) + len(self.relayed)

    @property
    def actions(self) -> int:
        """Calls and cards."""
        return sum(step.is_action for steps in self.steps.values() for step in steps)


def make_script(boards: int, said: Mapping[Seat, Iterable[Said]], wire_log: Iterable[str]) -> Script:
    """The script of a session, from what its players saw and the lines of its wire log.

    Args:
        boards: that were played.
        said: by seat, in order.
        wire_log: the JSON objects that `WireLog` writes.

    Raises:
        FormatError: the two do not speak of the same lines.
    """
    steps: dict[Seat, list[Step]] = {seat: [] for seat in SEATS}
    received = dict.fromkeys(SEATS, 0)
    for seat, lines in said.items():
        for by_player, line in lines:
            if by_player:
                steps[seat].append(Step(received[seat], line + b"\r\n", _is_action(line)))
            else:
                received[seat] += 1
    relayed = _relayed(wire_log)
    script = Script(boards, steps, received, relayed)
    counted = [sum(line.seat == place for line in relayed) for place in range(len(SEATS))]
    if counted != [received[seat] for seat in SEATS]:
        raise FormatError(f"the wire log has {counted} lines to the players, they received {list(received.values())}")
    return script


def _is_action(line: bytes) -> bool:
    words = line.split(b" ", 2)
    return len(words) > 1 and words[1] in _ACTIONS


def _relayed(wire_log: Iterable[str]) -> list[Relayed]:
    needs = [0, 0, 0, 0]
    places = {seat.letter: place for place, seat in enumerate(SEATS)}
    relayed = []
    for entry in map(json.loads, wire_log):
        line = entry["line"]
        if entry["dir"] == "out":
            north, east, south, west = needs
            data = line.encode("ascii") + b"\r\n"
            relayed.append(Relayed((north, east, south, west), places[entry["seat"]], data))
        elif entry["dir"] == "in":
            # Before its log-on a program has no seat, and its log-on says which it wants.
            seat = entry["seat"] or next(seat.letter for seat in SEATS if f" as {seat.title} " in line)
            needs[places[seat]] += 1
    return relayed


def format_relayed(relayed: Iterable[Relayed]) -> str:
    """As JSON, for the process of the relay."""
    return json.dumps([[*line.needs, line.seat, line.data.decode("ascii")] for line in relayed])


def parse_relayed(text: str) -> list[Relayed]:
    """What `format_relayed` has written."""
    return [
        Relayed((north, east, south, west), seat, line.encode("ascii"))
        for north, east, south, west, seat, line in json.loads(text)
    ]
