"""The lines that four players and a table exchange in a session, and what each line waits for.

A script is taken from a session that was played: a player repeats a line once it has received as many lines as it had
then; a relay without bridge knowledge sends a line once each player has sent as many as it had then.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bench.load_players import Said
from tourney.bridge import SEATS, Seat
from tourney.errors import FormatError

_ACTIONS: Final = frozenset({b"bids", b"passes", b"doubles", b"redoubles", b"plays"})
"""The second word of a call or card."""


class Step(NamedTuple):
    """A line that a player sends."""

    after: int
    """Lines that the player has received before."""
    data: bytes
    """The bytes written, line end included."""
    is_action: bool
    """Whether it is a call or card, which takes thinking time."""


class Relayed(NamedTuple):
    """A line that the table sends."""

    needs: tuple[int, int, int, int]
    """Lines received from each player before, in the order of `SEATS`."""
    seat: int
    """The receiver, as an index of `SEATS`."""
    data: bytes
    """The bytes written, line end included."""


@dataclass(frozen=True, slots=True)
class Script:
    """One session of one table."""

    boards: int
    steps: Mapping[Seat, Sequence[Step]]
    """The lines of each player; the first is its log-on."""
    received: Mapping[Seat, int]
    """How many lines each player receives."""
    relayed: Sequence[Relayed]

    @property
    def lines(self) -> int:
        """Counts the lines in both directions."""
        return sum(map(len, self.steps.values())) + len(self.relayed)

    @property
    def actions(self) -> int:
        """Counts the calls and cards."""
        return sum(step.is_action for steps in self.steps.values() for step in steps)


def make_script(boards: int, said: Mapping[Seat, Iterable[Said]], wire_log: Iterable[str]) -> Script:
    """Makes the script of a session from what its players saw and from its wire log.

    Args:
        boards: how many boards were played.
        said: the lines of each seat, in order.
        wire_log: the JSON objects that `WireLog` writes.

    Raises:
        FormatError: players and wire log do not agree on the lines.
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
            # Before its log-on a program has no seat; the log-on names the one it wants.
            seat = entry["seat"] or next(seat.letter for seat in SEATS if f" as {seat.title} " in line)
            needs[places[seat]] += 1
    return relayed


def format_relayed(relayed: Iterable[Relayed]) -> str:
    """Formats the relayed lines as JSON for the relay process."""
    return json.dumps([[*line.needs, line.seat, line.data.decode("ascii")] for line in relayed])


def format_script(script: Script) -> str:
    """Formats the lines of the players as JSON, for another process: a script without what the table sends."""
    steps = {
        seat.letter: [[step.after, step.data.decode("ascii"), step.is_action] for step in own]
        for seat, own in script.steps.items()
    }
    received = {seat.letter: lines for seat, lines in script.received.items()}
    return json.dumps({"boards": script.boards, "steps": steps, "received": received})


def parse_script(text: str) -> Script:
    """Parses what `format_script` has written."""
    found = json.loads(text)
    steps = {
        Seat.from_letter(letter): [Step(after, data.encode("ascii"), is_action) for after, data, is_action in own]
        for letter, own in found["steps"].items()
    }
    received = {Seat.from_letter(letter): lines for letter, lines in found["received"].items()}
    return Script(found["boards"], steps, received, ())


def parse_relayed(text: str) -> list[Relayed]:
    """Parses what `format_relayed` has written."""
    return [
        Relayed((north, east, south, west), seat, line.encode("ascii"))
        for north, east, south, west, seat, line in json.loads(text)
    ]
