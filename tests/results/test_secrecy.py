"""Secrecy in everything that shows boards: what is hidden must make no difference to any report or export.

An event is played in two ways that make other results and other IMPs of its boards. While another event of the
database has the same hands to play, whatever is shown must be the same for both, byte for byte; afterwards not.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.analysed import put_costs, put_worth
from tests.support.golden_outputs import read_folder
from tests.support.played_event import OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat, board_from_seed
from tourney.contest import ROUND_ROBIN
from tourney.errors import StoreError, UsageError
from tourney.event.seal import open_seal, seal_event
from tourney.export.registry import FORMATS
from tourney.export.request import ExportRequest
from tourney.formats.boards import format_boards
from tourney.movement.seating import Room
from tourney.output.content import text_of
from tourney.output.rows import document_of
from tourney.output.tables import TextTable
from tourney.protocol.session.records import IncidentKind, RulingKind
from tourney.results.played import iter_played, load_analysis
from tourney.views.analysis import analysed_match
from tourney.views.registry import REPORTS, ReportEntry

FOR_THE_DIRECTOR = {"rulings"}
"""Reports that say of themselves that they show boards still to be played."""

VALUES: dict[str, Any] = {"match_number": 1, "first": "Ants", "second": "Bees", "round_number": 1}
"""For parameters of reports; a report with another one that is required needs its value here."""

SECRET = "why-{}-only-those-who-were-there-know"


def draw_one(folder: Path, deals: str, teams: tuple[str, ...] = ("Ants", "Bees"), name: str = "One") -> PlayedEvent:
    """An event of three boards in the database that all events of the folder share."""
    boards = [board_from_seed("from a file", "1", number) for number in (7, 8, 9)]
    (folder / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii")
    (folder / name).mkdir()
    text = event_text(*teams, name=name, boards=3, deals=deals)
    return draw_event(folder / name, text.replace("[event]\n", '[event]\ndatabase = "sqlite:///../cups.db"\n'))


def play_one(folder: Path, deals: str, way: str) -> PlayedEvent:
    """The event, all of it played, with everything that the record of a board may hold."""
    folder.mkdir()
    played = draw_one(folder, deals)
    first, second, third = (board.number for board in played.boards(1))
    for room in Room:
        played.claim(1, room, first, cards=9, tricks=6, seed=f"{way}1")
    for room in Room:
        played.claim(1, room, second, cards=9, tricks=6, seed=f"{way}2")
    for room, tricks in zip(Room, {"a": (10, 9), "b": (10, 8)}[way], strict=True):
        played.record(1, room, third, {"a": "4S N", "b": "4H N"}[way], tricks, ns_ms=1000)
    told = SECRET.format(way)
    played.rule(1, "Bees", RulingKind.ADJUSTED_SCORE, told, board=first, amount=3)
    played.rule(1, "Ants", RulingKind.BOARD_FORFEIT, told, room=OPEN, board=second)
    played.incident(1, OPEN, first, IncidentKind.ILLEGAL_CALL, Seat.NORTH, told)
    put_worth(played, 1, first, par_ns={"a": 110, "b": 120}[way])
    put_costs(played, 1, OPEN, first, {1: {"a": 1, "b": 2}[way]})
    played.score()
    played.reload()
    return played


def shown_by(entry: ReportEntry, played: PlayedEvent) -> Iterator[str]:
    """Everything that a report shows, asked for as little as possible and for as much."""
    values = VALUES | {"board": played.boards(1)[0].number}
    usual = {each.name: values[each.name] if each.is_required else each.default for each in entry.parameters}
    flags = {each.name: True for each in entry.parameters if each.kind is bool}
    narrow = {each.name: values[each.name] for each in entry.parameters if each.name in values}
    usual = {name: value for name, value in usual.items() if value is not None}
    every = usual, usual | flags, usual | narrow, usual | flags | narrow
    for asked in (asked for at, asked in enumerate(every) if asked not in every[:at]):
        try:
            report = entry.load(played.drawn, **asked)
            yield str(report.document())
            for part in report.text():
                if isinstance(part, TextTable):
                    yield "\n".join(str([*map(text_of, row)]) for row in part.rows)
                else:
                    yield str(part)
            table = report.csv()
            yield from map(str, ([row.get(name) for name in table.columns] for row in table.rows))
        except UsageError as refused:
            yield str(refused)


def exported(name: str, played: PlayedEvent) -> Iterator[str]:
    """Every file that a format makes of the event and of its match."""
    for match in (None, played.match(1)):
        folder = played.path.parent / f"{name}-{match is None}"
        folder.mkdir(exist_ok=True)
        request = ExportRequest(drawn=played.drawn, match=match, folder=folder, written_at_ms=0)
        list(FORMATS[name].export(request))
        for path, data in sorted(read_folder(folder).items()):
            yield f"{path}: {data.decode()}"


def analysed(played: PlayedEvent) -> Iterator[str]:
    """What `tourney analyse` shows."""
    for each in iter_played(played.database, played.event, played.event.matches, played.drawn.scales):
        found = load_analysis(played.database, each.match, each.records)
        yield str(document_of(analysed_match(each.match.number, found.values())))


@pytest.mark.parametrize("deals", [pytest.param("seed = 5", marks=pytest.mark.campaign), 'pbn = "../boards.pbn"'])
def test_nothing_tells_how_hands_were_played_that_another_event_has_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deals: str
) -> None:
    monkeypatch.setattr("secrets.randbits", lambda bits: bits)
    ways = [play_one(tmp_path / way, deals, way) for way in ("a", "b")]
    others = [draw_one(each.path.parents[1], deals, ("Cats", "Dogs"), "Two") for each in ways]
    shows: dict[str, Callable[[PlayedEvent], Iterator[str]]] = {
        **{name: partial(shown_by, entry) for name, entry in REPORTS.items() if name not in ROUND_ROBIN.instead},
        **{
            f"export {name}": partial(exported, name)
            for name, entry in FORMATS.items()
            if not entry.is_for_director and name != "ics"
        },
        "analyse": analysed,
    }
    before: dict[str, str] = {}
    for name in shows.keys() - FOR_THE_DIRECTOR:
        before[name], other = ("\n".join(shows[name](each)) for each in ways)
        assert "-only-those-who-were-there-know" not in before[name], name
        assert before[name] == other, name
    for each in others:
        each.play_all()
    for name, shown in before.items():
        now = ("\n".join(shows[name](each)) for each in ways)  # of the second only where the first is as it was
        has_none = name == "export openspiel"  # of a board that was not played card by card
        assert has_none or any(each != shown for each in now), f"{name}: this test would not see it"


def test_an_export_has_the_seed_only_when_no_event_plays_from_it_any_more(tmp_path: Path) -> None:
    played = play_one(tmp_path / "cups", "seed = 5", "a")
    other = draw_one(tmp_path / "cups", "seed = 5\nshared = 'match'", ("Cats", "Dogs"), "Two")
    assert '"seed": null' in "".join(exported("json", played))
    other.play_all()
    assert '"seed": "5"' in "".join(exported("json", played))


def test_a_seal_is_not_opened_while_another_event_has_its_boards_to_play(tmp_path: Path) -> None:
    (tmp_path / "cups").mkdir()
    played = draw_one(tmp_path / "cups", "seed = 5")
    seal_event(played.file.results, played.database, played.event, 0)
    played.play_all()
    other = draw_one(tmp_path / "cups", "seed = 5", ("Cats", "Dogs"), "Two")
    with pytest.raises(StoreError, match="another event of the database still has boards of 'One' to play"):
        open_seal(played.file.results, played.database, played.event)
    other.play_all()
    assert open_seal(played.file.results, played.database, played.event).boards.seed == "5"
