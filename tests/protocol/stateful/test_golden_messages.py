"""What is sent and refused for 1,500 lines, good and bad, is what it was before the messages became a table.

`tests/golden/README.md` says where the lines and the answers come from.
"""

import dataclasses
import json
from pathlib import Path

import pytest

from tourney.bridge import Contract, Seat
from tourney.errors import FormatError
from tourney.protocol.stateful.messages import format_message, parse_player_message, parse_server_message

GOLDEN = Path(__file__).parents[2] / "golden" / "stateful_lines.json"


def plain(value: object) -> object:
    """A field of a message without its classes."""
    if isinstance(value, Contract):
        return f"{value}{value.declarer.letter}"
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if isinstance(value, Seat):
        return str(value.value)
    return value if type(value) in (bool, int, str, type(None)) else str(value)


def answer_of(sender: str, line: bytes) -> tuple[str | None, dict[str, object] | None]:
    """How the message of a line is formatted, and its fields; the refusal and None; twice None if it is ignored."""
    try:
        message = (parse_player_message if sender == "player" else parse_server_message)(line)
    except FormatError as error:
        return str(error), None
    if message is None:
        return None, None
    names = [each.name for each in dataclasses.fields(message)]
    fields = {"class": type(message).__name__} | {name: plain(getattr(message, name)) for name in names}
    return format_message(message), fields


@pytest.mark.clause("SS-02", "SS-04")
@pytest.mark.parametrize("sender", ["player", "server"])
def test_each_line_is_read_and_refused_as_ever(sender: str) -> None:
    for line, *answer in json.loads(GOLDEN.read_text(encoding="ascii"))[sender]:
        assert [*answer_of(sender, line.encode(errors="surrogateescape"))] == answer, line
