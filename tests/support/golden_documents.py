"""The documents of three events, every form that programs read: what `tests/golden/documents` holds.

    python -m tests.support.golden_documents

writes them anew. Do that only when a document is meant to change, and say so in the changelog: other programs read
these.
"""

import contextlib
import json
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.support.analysed import put_costs, put_worth
from tests.support.commands import run
from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tourney.bridge import Contract, Seat, Strain
from tourney.coordinator.draw import draw_next
from tourney.export.files import PROGRAM
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, IncidentKind, RulingKind
from tourney.scoring.assigned import AssignedResult

FOLDER: Final = Path(__file__).parents[1] / "golden" / "documents"

OPEN, CLOSED = Room.OPEN, Room.CLOSED

_COMMANDS: Final = {
    kind: {name: words.split() for name, words in commands.items()}
    for kind, commands in tomllib.loads(
        (FOLDER.parent / "document_commands.toml").read_text(encoding="utf-8")
    ).items()
}
READING, JSON_ONLY = _COMMANDS["reading"], _COMMANDS["json_only"]
AT_PAIRS, AT_PAIRS_JSON_ONLY = _COMMANDS["at_pairs"], _COMMANDS["at_pairs_json_only"]

COMMANDS: Final = {
    "league": (READING, JSON_ONLY | {"analyse": ["analyse", "--match", "1"]}),  # all boards of the match are solved
    "stages": (READING, JSON_ONLY),
    "pairs": (AT_PAIRS, AT_PAIRS_JSON_ONLY),
}
"""The commands of each event: those with a CSV table, and those without."""

EXPORTED: Final = ("json", "csv")

FIRST_PROGRAM: Final = "tourney 0.1.0"
"""What the documents name as the program that wrote them, whichever version did."""


MISINFORMED: Final[dict[str, Any]] = {
    "assigned": (AssignedResult(60, Contract(4, Strain.SPADES, 0, Seat.NORTH), 10), AssignedResult(40, None, 0)),
    "law": "Law 12C1",
    "author": "Jane",
    "after_ms": 60_000,
}


def play_league(folder: Path) -> PlayedEvent:
    """Four teams all against all: two rounds with rulings of every kind that scores, a third that is being played."""
    played = draw_event(folder, event_text("Ants", "Bees", "Cats", "Dogs", name="Golden League", boards=3))
    converse(
        played,
        """
        match 1 boards 1 2 are played
        1-open board 3: 4S N 10 in 61500 2000 15 ms
        """,
    )
    played.claim(1, CLOSED, 3, cards=7, tricks=4, seed="2")
    converse(played, "2-open board 1: 3NT N 10 in 1 2 ms\n2-closed board 1: 3NTX S 7")
    played.play(2, [OPEN], [2], seed="2")
    converse(
        played,
        f"""
        2-closed board 2: Pass
        match 2 board 3: 4S N 10, 6NTXX E 12
        3-closed board 1 is played
        3-open board 1: E forfeits after 5 cards
        match 3 board 2 is played
        3-open board 3: 1NT N 7
        rule 3-closed board 3 board-forfeit {played.table(3, CLOSED).ns_team}: never came
        4-open board 1: 5C W 9 in 0 500 ms
        4-open board 2: 5C W 9 in 0 1000 ms
        4-open board 3: 5C W 9 in 0 1500 ms
        4-closed board 1: 3NT W 9 in 0 500 ms
        4-closed board 2: 3NT W 9 in 0 1000 ms
        4-closed board 3: 3NT W 9 in 0 1500 ms
        """,
    )
    first, second, third, fourth = played.event.matches[:4]
    converse(
        played,
        f"""
        rule 1 warning {first.home}: slow
        rule 1 penalty-imps {first.away} 2: late
        rule 1 penalty-vp {first.home} 150: late again
        ruling 5 is withdrawn
        Jane rules 2 penalty-vp {second.home} 50: smoking
        rule 4 board 1 adjusted-score {fourth.home} 3: fouled board (Law 12C2)
        rule 4 board 1 adjusted-score {fourth.away} -3: fouled board (Law 12C2)
        """,
    )
    cancelled: dict[str, Any] = {"law": "Law 6D3", "author": "Jane", "after_ms": 50_000}
    played.rule(4, "", RulingKind.BOARD_CANCELLED, "wrong deal", board=2, **cancelled)
    played.rule(3, third.home, RulingKind.ASSIGNED_SCORE, "misinformation", room=OPEN, board=2, **MISINFORMED)
    played.incident(1, OPEN, 1, IncidentKind.ILLEGAL_CALL, Seat.NORTH, "NORTH bids 8NT")
    played.incident(3, OPEN, None, IncidentKind.PAUSED, None, "")
    put_worth(played, 1, 1)
    put_costs(played, 1, OPEN, 1, {1: 2, 30: 1})
    put_costs(played, 1, CLOSED, 1, {})
    put_worth(played, 1, 2, par_ns=0, contracts=[])
    put_costs(played, 1, OPEN, 2, {2: 1})
    put_costs(played, 1, CLOSED, 2, {1: 1})
    put_worth(played, 1, 3, par_ns=-630, contracts=["3NT E +1"])
    put_costs(played, 1, CLOSED, 3, {3: 1})
    converse(
        played,
        """
        match 5 board 1 is played
        5-open board 2 is played
        match 6 board 1: 2H S 8, 2H S 9
        6-open board 2: 2 calls
        scored
        """,
    )
    return played


STAGES: Final = """
groups = 2
segments = 2
seats = "alternate"
starts = [2027-02-03T23:30:00Z, 2027-02-04T10:00:00.250Z, 2027-02-04T12:00:00Z]
[[stage]]
name = "Semi-finals"
format = "knockout"
boards_per_match = 2
teams = 4
third_place = true
[stage.carry_over]
by_rank = [2.5, 1]
"""


def play_stages(folder: Path) -> PlayedEvent:
    """Two groups of three in two segments, of which one team withdraws, then a knockout with carry-over."""
    teams = ("Ants", "Bees", "Cats", "Dogs", "Eels", "Frogs")
    played = draw_event(folder, event_text(*teams, name="Golden Cup", boards=2, stage=STAGES))
    for match in played.event.matches:
        winner = min(match.home, match.away)
        for board in played.boards(match.number):
            for room in Room:
                tricks = 10 if played.table(match.number, room, board.number).ns_team == winner else 9
                played.record(match.number, room, board.number, "4S N", tricks, ns_ms=1000 * tricks)
    played.score()
    played.rule(None, "Frogs", RulingKind.WITHDRAWAL, "went home", law="CoC 7", author="Jane")
    assert draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS) == [4]
    played.reload()
    semi_final = played.event.rounds[3].matches[0].number
    played.play(semi_final)
    played.forfeit(semi_final + 1, OPEN, 1, Seat.NORTH, BoardEnd.TIME, "North owed a card for 60 s", cards=3)
    played.play(semi_final + 1, [CLOSED], [1])
    played.score()
    return played


def play_pairs(folder: Path) -> PlayedEvent:
    """Seven pairs and a phantom in a Howell of six rounds, of which five are played, with rulings of every kind."""
    names = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta")
    pairs = "".join(f'[[pair]]\nname = "{name}"\n' for name in names)
    stage = 'format = "howell"\nphantom = true\nboards_per_round = 1\nties = ["own-meeting", "boards-won"]'
    played = draw_event(folder, f'[event]\nname = "Golden Pairs"\n{pairs}[[stage]]\n{stage}\n[deals]\nseed = 1\n')
    made = ("3NT N", "4S S", "2H E", "5DX W", "Pass")
    for match in played.event.matches:
        if match.round <= 6 and match.number not in (4, 9):
            number = match.number
            played.record(number, OPEN, played.boards(number)[0].number, made[number % 5], 7 + number % 4)
    fouled = played.match(4)
    converse(
        played,
        f"""
        rule 4 board {played.boards(4)[0].number} adjusted-score {fouled.home} 3: fouled board (Law 12C2)
        rule 4 board {played.boards(4)[0].number} adjusted-score {fouled.away} -3: fouled board (Law 12C2)
        9-open board {played.boards(9)[0].number}: E forfeits after 5 cards
        Jane rules 1 penalty-vp {played.match(1).home} 2500: late
        """,
    )
    wronged, board = played.match(5).home, played.boards(5)[0].number
    played.rule(5, wronged, RulingKind.ASSIGNED_SCORE, "misinformation", room=OPEN, board=board, **MISINFORMED)
    played.rule(8, "", RulingKind.BOARD_CANCELLED, "wrong deal", board=played.boards(8)[0].number, author="Jane")
    played.score()
    return played


EVENTS: Final = {"league": play_league, "stages": play_stages, "pairs": play_pairs}


def documents_of(name: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The documents of an event by the name of their file; it is played in the folder, which is empty."""
    played = EVENTS[name](folder)
    played.database.close()
    with_table, json_only = COMMANDS[name]
    for title, words in (with_table | json_only).items():
        yield f"{name}/{title}.json", _print(played.path, words, "--json")
    for title, words in with_table.items():
        yield f"{name}/{title}.csv", _print(played.path, words, "--csv")
    if name == "pairs":
        return
    status = json.loads(_print(played.path, ["status"], "--json"))
    yield f"{name}/status.json", _format(status | {"at": "2026-11-22T12:00:00Z"})
    verification = json.loads(_print(played.path, ["verify"], "--json"))
    for finding in verification["findings"]:
        finding["text"] = "a sentence for people, which may change"
    yield f"{name}/verify.json", _format(verification)
    for file_format in EXPORTED:
        out = folder / file_format
        _print(played.path, ["export", "--format", file_format], "--out", str(out))
        for path in sorted(out.iterdir()):
            yield f"{name}/export/{path.name}", path.read_bytes().decode().replace(PROGRAM, FIRST_PROGRAM)
    _print(played.path, ["export", "--format", "pbn"], "--out", str(folder))
    score = run("score", next(folder.glob("match-001-*.pbn")), "--json")
    yield f"{name}/score.json", score.stdout.replace(str(folder), ".")


def _format(document: Any) -> str:  # what json.dumps takes
    return json.dumps(document, indent=2) + "\n"


def _print(path: Path, words: list[str], *more: str) -> str:
    """What a command prints; the document of a refusal is its sentence."""
    if "{event}" in words:
        words = [str(path) if word == "{event}" else word for word in words]
    else:
        words = [words[0], str(path), *words[1:]]
    done = run(*words, *more)
    if done.exit_code != 0 and not done.stdout:
        assert isinstance(done.exception, SystemExit), words
        return f"exit status {done.exit_code}: {done.stderr.replace(str(path.parent), '.')}"
    assert done.exception is None or isinstance(done.exception, SystemExit), words
    return done.stdout


def closed_schema(schema: Any) -> Any:  # any part of a schema
    """The schema with every object closed, so that a field it does not name is an error."""
    if isinstance(schema, list):
        return [closed_schema(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed_schema(part) for key, part in schema.items()}
    return parts | {"additionalProperties": False} if "properties" in schema else parts


def main() -> None:
    """Write all documents anew."""
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(FOLDER)
    for name in EVENTS:
        with tempfile.TemporaryDirectory() as folder:
            for file, text in documents_of(name, Path(folder)):
                path = FOLDER / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode())


if __name__ == "__main__":
    main()
