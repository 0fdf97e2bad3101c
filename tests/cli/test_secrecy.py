"""No command tells what may not be known yet, unless the director asks for it by name.

Each command that reads an event is run on two records that differ only in what is hidden; without `--director` it has
to print the same for both, byte for byte, and none of the hidden hands or words.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.commands import refusal, run
from tests.support.live_event import ask, say_doing, set_state, sit, take_up
from tests.support.played_event import BEGINS_AT_MS, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import SEATS, Seat, Suit
from tourney.cli import reports
from tourney.cli.main import COMMANDS
from tourney.contest import ROUND_ROBIN
from tourney.coordinator.run_lease import hold_run_lock
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import IncidentKind, RulingKind
from tourney.store.control.tables import Wait
from tourney.store.db.database import Database
from tourney.views.registry import REPORTS

SECRET = "canary"

ARGUMENTS = {"match": ["1"], "team": ["Ants"], "pair": ["Ants"]}
"""What reports need besides the event."""

NOT_OF_AN_EVENT = (
    "init merge check invite demo vp score bot play check-bot new-player duel lobby connect lab cluster "
    "analyse"  # what it shows is searched in tests of reports
)
"""Commands that read no record of an event."""

OF_THE_ORGANISER = "run serve rule table results deals db user verify team-key"
"""Commands that act, and print what they have done; pages are crawled elsewhere."""


def draw(folder: Path, url: str | None) -> PlayedEvent:
    folder.mkdir()
    text = event_text("Ants", "Bees", "Cats", "Dogs", boards=4, deals="seed = 777333")
    if url is not None:
        text = text.replace("[event]\n", f'[event]\ndatabase = "{url}"\n')
    return draw_event(folder, text)


def play(played: PlayedEvent, way: str) -> None:
    """Board 1 is over everywhere; what match 1 has made of the others, and does now, goes one of two ways."""
    table = take_up(played, 1, OPEN)
    sit(played, table, *SEATS)
    played.play(1, boards=[1])
    played.play(2, boards=[1])
    for room, tricks in zip(Room, {"a": (10, 9), "b": (10, 7)}[way], strict=True):
        played.record(1, room, 2, {"a": "4S N", "b": "4H S"}[way], tricks, ns_ms={"a": 1000, "b": 9000}[way])
    played.play(1, boards=[3], seed=way)
    played.begin(1, OPEN, 4, calls={"a": 1, "b": 3}[way])
    set_state(played, table, TableState.PLAYING, f"{SECRET} {way}")
    waits = [Wait(Seat.EAST if way == "a" else Seat.WEST, "call", BEGINS_AT_MS - 1)]
    say_doing(played, table, last=f"{SECRET} {way} bids 1NT", waits=waits, problem=f"{SECRET} {way}")
    ask(played, table, 4, 0, Seat.NORTH)
    played.incident(1, OPEN, 4, IncidentKind.ILLEGAL_CALL, Seat.NORTH, f"{SECRET} {way}")
    played.rule(1, "Ants", RulingKind.ADJUSTED_SCORE, f"{SECRET} {way}", board=2, amount={"a": 3, "b": -3}[way])
    played.rule(2, "Cats", RulingKind.BOARD_FORFEIT, f"{SECRET} {way}", room=OPEN, board=3)
    played.reload()


def commands(folder: Path) -> Iterator[list[str]]:
    """Every command that shows a record, with its arguments but the event."""
    words = "status, status --json, status --csv, schedule --json, watch 1-open --from-start"
    yield from (each.split() for each in f"{words}, watch 2-closed --from-start".split(", "))
    for name, entry in REPORTS.items():
        if name in ROUND_ROBIN.instead:
            continue
        asked = [name, *ARGUMENTS.get(name, [])]
        flags = [each.option for each in entry.parameters if each.kind is bool and each.option]
        yield from (asked, [*asked, "--json", *flags])
    for file_format in ("pbn", "json"):
        yield ["export", "--format", file_format, "--out", str(folder / file_format)]


def printed(played: PlayedEvent, words: Sequence[str], *more: str) -> str:
    """All that a command has printed, and written into the folder that it was given."""
    result = run(*words[0].split(), played.path, *words[1:], *more)
    assert result.exit_code in (0, 1, 2, 130), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    text = result.output
    if words[0] == "export":
        for path in sorted(Path(words[-1]).rglob("*")):
            text += path.read_bytes().decode() if path.is_file() and "woff" not in path.suffix else ""
    return text.replace(str(played.path.parent), "").replace("/a/", "/").replace("/b/", "/")


def hidden_words(played: PlayedEvent) -> list[re.Pattern[str]]:
    words = [SECRET, "777333"]
    for board in played.boards(1)[1:]:
        for seat in SEATS:
            holdings = [board.deal[seat].suit_letters(suit) for suit in reversed(Suit)]
            words += [re.escape(".".join(holdings)), *(letters for letters in holdings if len(letters) >= 6)]
    return [re.compile(word) for word in words]


def interrupt(_seconds: float) -> None:
    raise KeyboardInterrupt


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times stand still; who watches looks once."""
    monkeypatch.setattr("tourney.runtime.clock.wall_ms", lambda: BEGINS_AT_MS + 90_000)
    monkeypatch.setattr(Database, "server_ms", lambda _: None)
    monkeypatch.setattr("tourney.cli.watch.sleep", interrupt)


@pytest.mark.usefixtures("quiet")
def test_two_records_that_differ_in_secrets_alone_are_printed_alike(
    tmp_path: Path, two_urls: tuple[str | None, str | None]
) -> None:
    events = [draw(tmp_path / way, url) for way, url in zip("ab", two_urls, strict=True)]
    for played, way in zip(events, "ab", strict=True):
        play(played, way)
    with closing(events[0].database), closing(events[1].database):
        secrets = hidden_words(events[0])
        asked = list(commands(tmp_path / "out"))
        if two_urls[0] is not None:  # the commands are alike; what they load is not
            asked = [words for words in asked if words[0] in ("status", "watch", "match", "standings", "rulings")]
        with hold_run_lock(events[0].file.results), hold_run_lock(events[1].file.results):
            for words in asked:
                one, other = (printed(played, words) for played in events)
                assert one == other, words
                assert [secret.pattern for secret in secrets if secret.search(one)] == [], words


DIFFERENT = "status, watch 1-open, rulings --incidents, rounds, match 1 --json, boards, butler --csv, times"


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("words", DIFFERENT.split(", "))
def test_the_director_is_shown_what_differs_and_told_that_it_is_for_nobody_else(
    two_ways: list[PlayedEvent], words: str
) -> None:
    one, other = (printed(played, words.split(), "--director") for played in two_ways)
    assert one.startswith("for the director only: this shows boards that other tables may still have to play")
    assert one != other


@pytest.fixture(scope="module")
def two_ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[PlayedEvent]]:
    folder = tmp_path_factory.mktemp("ways")
    events = [draw(folder / way, None) for way in "ab"]
    for played, way in zip(events, "ab", strict=True):
        play(played, way)
    with hold_run_lock(events[0].file.results), hold_run_lock(events[1].file.results):
        yield events
    for played in events:
        played.database.close()


def test_every_command_that_reads_an_event_is_asked(tmp_path: Path) -> None:
    asked = {words[0].split()[0] for words in commands(tmp_path)}
    at_pairs = ROUND_ROBIN.instead.keys()
    assert (
        COMMANDS.keys() - asked
        == ({*NOT_OF_AN_EVENT.split(), *OF_THE_ORGANISER.split()} | at_pairs) & COMMANDS.keys()
    )
    assert reports.report_command("match").params[-1].name == "is_director"


def test_pages_are_never_for_the_director_alone(two_ways: list[PlayedEvent], tmp_path: Path) -> None:
    words = ["export", str(two_ways[0].path), "--format", "html", "--out", str(tmp_path / "out"), "--director"]
    assert refusal(run(*words), 2).startswith("pages are of the whole event and for everybody")
