"""Nothing on the server tells what may not be known yet: every address of it is asked for and searched.

An event is played in two ways that differ only in what is hidden; then every page, document and file, every refusal
and every message to watchers has to be the same for both, byte for byte.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import update

from tests.support.live_event import HOST, ask, say_doing, set_state, sit, take_up
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.web_server import NOW_MS, WatchedEvent
from tourney.bridge import SEATS, Seat, Suit
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import IncidentKind, RulingKind
from tourney.site.routes import ROUTES, Value
from tourney.site.urls import EXPORTS
from tourney.store.models import CallRow, TableRow
from tourney.store.rulings import save_publication
from tourney.web.exports import write_files

SECRET = "canary"
"""In every text of the record that the public must not see."""

MATCHES = (1, 2, 7)
BOARDS = (1, 2, 3, 5)
OTHER_VALUES: dict[str, tuple[Value, ...]] = {
    "table": ("1-open", "2-closed"),
    "room": ("open", "closed"),
    "seat": ("N", "E"),
    "cards": ("-",),
}
NOT_THERE = ("director", "desk", "wire/1", "wall", "healthz")


def addresses_of(numbers: Iterable[int], boards: Iterable[int]) -> list[str]:
    """Every address of every route with these numbers of matches, rounds, teams and so on, and of boards."""
    values = OTHER_VALUES | {"board": tuple(boards)}
    found = set(NOT_THERE)
    for route in ROUTES:
        choices = [values.get(name, tuple(numbers)) for name in route.parameters]
        found |= {route.address(*chosen) + suffix for chosen in product(*choices) for suffix in route.suffixes}
    return sorted(found)


ADDRESSES = addresses_of(MATCHES, BOARDS)


def draw(folder: Path, url: str | None = None, live: str = "finished") -> PlayedEvent:
    """An event whose `[web]` lets out so much, which makes no difference while no table is the last."""
    folder.mkdir()
    text = event_text("Ants", "Bees", "Cats", "Dogs", boards=4, deals="seed = 777333", more=f'[web]\nlive = "{live}"')
    text = text.replace('name = "Bees"\n', f'name = "Bees"\npass_phrase = "{SECRET} phrase"\ncommand = "{SECRET}"\n')
    if url is not None:
        text = text.replace("[event]\n", f'[event]\ndatabase = "{url}"\n')
    return draw_event(folder, text)


def play(played: PlayedEvent, way: str) -> Iterator[None]:
    """Play moment after moment; what is hidden then goes two ways."""
    table = take_up(played, 1, Room.OPEN, first_port=31_337)
    sit(played, table, *SEATS)
    yield
    played.play(1, boards=[1])
    played.play(2, boards=[1])
    yield  # board 1 is over everywhere
    played.play(1, [Room.OPEN], [2], seed=f"2{way}")
    played.play(2, boards=[2], seed=f"2{way}")
    yield  # board 2 is not: one room of match 1 has it to play
    played.begin(1, Room.OPEN, 3, calls={"a": 1, "b": 3}[way])
    set_state(played, table, TableState.PLAYING)
    say_doing(played, table, last=f"{SECRET} {way} bids 1NT", at_ms=NOW_MS)
    with played.database.write() as connection:
        connection.execute(update(CallRow).where(CallRow.board == 3).values(alert=f"{SECRET} {way}", alerted=True))
    ask(played, table, 3, 0, Seat.NORTH)
    yield
    played.incident(1, Room.OPEN, 3, IncidentKind.ILLEGAL_CALL, Seat.NORTH, f"{SECRET} {way}")
    played.incident(1, Room.OPEN, 2, IncidentKind.CLAIM, Seat.NORTH, f"{SECRET} {way}")
    played.incident(1, Room.OPEN, 1, IncidentKind.DIRECTOR_CALLED, Seat.NORTH, f"{SECRET} {way}")
    played.rule(1, "Ants", RulingKind.WARNING, f"{SECRET} {way}", board=2)
    with played.database.write() as connection:
        connection.execute(update(TableRow).where(TableRow.id == table.id).values(reason=f"{SECRET} {way}"))
    yield


def hidden_words(played: PlayedEvent, first: int = 1) -> list[re.Pattern[str]]:
    """The hidden hands in every way in which hands are written: cards of a suit together, and each hand in a row."""
    words = [SECRET, "777333", "31337", HOST]
    for board in played.boards(1)[first:] + played.boards(3):
        for seat in SEATS:
            hand = board.deal[seat]
            holdings = [hand.suit_letters(suit) for suit in reversed(Suit)]
            words.append(".".join(holdings))
            for letters in holdings:
                if len(letters) >= 5:
                    spelled = [letter.replace("T", "(10|T)") for letter in letters]
                    words.append("[ ,]?".join(spelled))
    return [re.compile(word) for word in words]


def crawl(watched: WatchedEvent, addresses: Iterable[str] = ADDRESSES) -> dict[str, bytes | None]:
    """Everything at every address."""
    found: dict[str, bytes | None] = {}
    for address in addresses:
        kept = watched.reader.render(address)
        found[address] = kept.content.body if kept is not None else None
    drawn = watched.played.drawn.at(watched.played.reload())
    rules = watched.reader.config
    for format_name in sorted(set(EXPORTS.values()) - {"ics"}):  # no round here has a time to start at
        with TemporaryDirectory() as folder:
            for path in write_files(drawn, rules, format_name, Path(folder), watched.now_ms):
                found[f"export/{path.name}"] = path.read_bytes()
    for body in list(found.values()):
        for link in re.findall(r'(?:href|src)="([^"#?]+)', (body or b"").decode(errors="replace")):
            assert not link.startswith(("http:", "https:", "//", "javascript:")), link
    return found


@pytest.mark.parametrize("live", ["last-table"])
def test_a_last_table_shows_its_calls_and_no_hand_or_alert(tmp_path: Path, live: str) -> None:
    played = draw(tmp_path / "a", live=live)
    watched = WatchedEvent(played)
    watched.topics = ["live.json"]
    watched.poll()
    played.play(1, [Room.CLOSED], [1])
    played.play(2, boards=[1])
    played.begin(1, Room.OPEN, 1, calls=3)
    with played.database.write() as connection:
        connection.execute(update(CallRow).where(CallRow.board == 1).values(alert=SECRET, alerted=True))
    watched.now_ms += 1000
    assert watched.poll() == ["live.json"]
    found = crawl(watched)
    shown = "\n".join((body or b"").decode(errors="replace") for body in found.values())
    assert b'"calls": ["Pass", "Pass", "Pass"]' in (found["live.json"] or b"")
    assert [pattern.pattern for pattern in hidden_words(played, first=0) if pattern.search(shown)] == []
    watched.close()


def test_two_records_that_differ_in_secrets_alone_look_the_same(
    tmp_path: Path, two_urls: tuple[str | None, str | None]
) -> None:
    is_file = two_urls[0] is None
    events = [draw(tmp_path / way, url, "last-table") for way, url in zip("ab", two_urls, strict=True)]
    watched = [WatchedEvent(played) for played in events]
    for each in watched:
        each.topics = [
            "",
            "live",
            "match/1",
            "match/2",
            "match/1/board/2",
            "live.json",
            "rulings.json",
            "rounds.json",
        ]
        each.poll()
    plays = [play(played, way) for played, way in zip(events, "ab", strict=True)]
    moments, first = 0, dict[str, bytes | None]()
    for _ in zip(*plays, strict=True):
        for each in watched:
            each.now_ms += 10_000
        told = [each.poll() for each in watched]
        assert told[0] == told[1], f"moment {moments}"
        moments += 1
        # Before the third moment the two records are the same; on PostgreSQL the last, with all secrets, is enough.
        if moments < (3 if is_file else 5):
            continue
        first, second = (crawl(each) for each in watched)
        assert first.keys() == second.keys()
        for address, body in first.items():
            assert body == second[address], f"{address} at moment {moments}"
        shown = "\n".join(f"{address}: {(body or b'').decode(errors='replace')}" for address, body in first.items())
        for pattern in hidden_words(events[0]):
            found = pattern.search(shown)
            assert found is None, f"{pattern.pattern} at moment {moments}: {shown[found.start() - 200 : found.end()]}"
    assert moments == 5
    assert first["match/1/board/1"] is not None
    for each in watched:
        each.close()
        each.played.database.close()


def test_what_is_over_is_shown(tmp_path: Path) -> None:
    played = draw(tmp_path / "a")
    watched = WatchedEvent(played)
    watched.topics = ["match/1/board/2"]
    for _ in play(played, "a"):
        watched.poll()
    assert watched.reader.render("match/1/board/2") is None
    played.play(1, [Room.CLOSED], [2])
    assert watched.poll() == ["match/1/board/2"]
    found = crawl(watched)
    for address in ("match/1/board/2", "export/event.json", "export/incidents.csv"):
        assert SECRET.encode() in (found[address] or b""), address
    watched.close()


def test_the_pages_of_a_duel_that_is_frozen_say_nothing_of_who_is_ahead(tmp_path: Path) -> None:
    pages = []
    for tricks in (9, 11):
        text = event_text("New", "Old", boards=4, stage='format = "duel"', more="[web]\nfreeze_rounds = 1")
        folder = tmp_path / str(tricks)
        folder.mkdir()
        played = draw_event(folder, text)
        played.record(1, Room.OPEN, 1, "4S N", 10)
        played.record(1, Room.CLOSED, 1, "4S N", tricks)
        watched = WatchedEvent(played)
        watched.poll()
        kept = [watched.reader.render(address) for address in ("", "match/1", "standings.json")]
        pages.append([each.content.body if each is not None else None for each in kept])
        watched.close()
        played.database.close()
    assert pages[0][0] is not None
    assert b"New" in pages[0][0]
    assert pages[0] == pages[1]


def test_a_frozen_round_is_on_no_page_and_in_no_file_until_it_is_published(tmp_path: Path) -> None:
    addresses = addresses_of((1, 3, 5, 6), (1, 2))
    pages = []
    for way in "ab":
        text = event_text("Ants", "Bees", "Cats", "Dogs", more="[web]\nfreeze_rounds = 1")
        folder = tmp_path / way
        folder.mkdir()
        played = draw_event(folder, text)
        for match in played.event.matches:
            is_last = match.round == 3
            played.play(match.number, seed=way if is_last else "same")
            if is_last and way == "b":
                played.rule(match.number, match.home, RulingKind.ADJUSTED_SCORE, "frozen", board=1, amount=5)
        played.score()
        watched = WatchedEvent(played)
        watched.topics = ["", "match/5", "swings", "standings.json"]
        watched.poll()
        pages.append(crawl(watched, addresses))
        if way == "b":
            save_publication(played.database, played.event.id, "Jane", "", NOW_MS)
            assert set(watched.poll()) == set(watched.topics)
            assert crawl(watched, ["match/5/board/1"])["match/5/board/1"] is not None
        watched.close()
        played.database.close()
    assert pages[0]["match/1/board/1"] is not None
    assert pages[0]["match/5/board/1"] is None
    assert pages[0].keys() == pages[1].keys()
    assert [address for address, body in pages[0].items() if body != pages[1][address]] == []
