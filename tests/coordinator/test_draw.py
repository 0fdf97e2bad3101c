"""The draw: the same for the same file, held against the file ever after."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.support.played_event import PlayedEvent, event_text, open_event, write_event
from tests.support.refusals import edited, golden_edits
from tourney.bridge import Board, Seat, Vulnerability, board_from_seed
from tourney.config import EventConfig
from tourney.coordinator import draw
from tourney.coordinator.draw import boards_to_deal, ensure_drawn
from tourney.errors import ConfigError, FormatError
from tourney.event.file import load_event_file
from tourney.event.place import DATABASE_VARIABLE
from tourney.formats.boards import format_boards
from tourney.movement.seating import Room
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event

THREE, FOUR = ("Alpha", "Beta", "Gamma"), ("Alpha", "Beta", "Gamma", "Delta")

cup = partial(event_text, name="Cup", deals="seed = 7")
"""The text of an event file, by default of two teams and two boards."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)
    return tmp_path


def drawn(folder: Path, text: str | None = None) -> PlayedEvent:
    """Draw an event whose file has this text, unless it is drawn and fits the draw."""
    return open_event(write_event(folder, text if text is not None else cup()))


def boards_of(played: PlayedEvent) -> list[tuple[Board, ...]]:
    """Boards of each match."""
    return [played.boards(match.number) for match in played.event.matches]


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises((ConfigError, FormatError)) as caught:
        act()
    return str(caught.value)


# Who meets whom


def test_rounds_start_when_the_file_says_to_the_millisecond(folder: Path) -> None:
    starts = "starts = [2026-11-21T14:00:00.001Z, 2026-11-21T16:00:00.57+02:00, 2999-12-30T00:00:00.000999Z]"
    for stage, expected in ((starts, [1795269600001, 1795269600570, 32503507200000]), ("", [None, None, None])):
        assert [each.starts_at_ms for each in drawn(folder, cup(*THREE, stage=stage)).event.rounds] == expected


# Which boards


def test_the_same_file_draws_the_same_on_every_machine_and_again(folder: Path) -> None:
    one, other = (drawn(folder / name, cup(*FOUR)) for name in ("one", "other"))
    again = drawn(folder / "one", cup(*FOUR))
    assert one.event == other.event == again.event
    assert boards_of(one) == boards_of(other) == boards_of(again)


def test_boards_of_a_seed_are_those_of_the_published_recipe(folder: Path) -> None:
    played = drawn(folder, cup(*FOUR))
    for match, boards in zip(played.event.matches, boards_of(played), strict=True):
        assert boards == tuple(board_from_seed(7, f"1.{match.round}", number) for number in (1, 2))


def test_matches_of_a_round_share_their_boards_unless_told_otherwise(folder: Path) -> None:
    by_round = boards_of(drawn(folder, cup(*FOUR)))
    assert [by_round.index(boards) for boards in by_round] == [0, 0, 2, 2, 4, 4]
    by_match = boards_of(drawn(folder, cup(*FOUR, deals='seed = 7\nshared = "match"')))
    assert [by_match.index(boards) for boards in by_match] == [0, 1, 2, 3, 4, 5]


def test_without_a_seed_one_is_drawn_and_kept(folder: Path) -> None:
    first, other, again = (drawn(folder / name, cup(deals="")) for name in ("one", "other", "one"))
    assert again.event == first.event
    assert boards_of(again) == boards_of(first)
    assert other.event.seed != first.event.seed
    assert boards_of(other) != boards_of(first)
    assert boards_of(first) == [tuple(board_from_seed(first.event.seed, "1.1", number) for number in (1, 2))]


# Boards of a PBN file

BOARDS = [board_from_seed("pbn", "any", number) for number in range(1, 13)]


def pbn(folder: Path, boards: list[Board], shared: str = "round") -> str:
    """Write boards into a PBN file; return what `[deals]` says of it."""
    (folder / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    return f'pbn = "boards.pbn"\nshared = "{shared}"'


ALL_FROM_1 = [Board.numbered(1 + number % 2, BOARDS[number].deal) for number in range(6)]
OTHERWISE = [Board(number, Seat.WEST, Vulnerability.EW, BOARDS[number].deal) for number in range(1, 7)]


@pytest.mark.parametrize("boards", [BOARDS[5::-1], ALL_FROM_1, OTHERWISE], ids=["any", "all from 1", "vulnerable"])
def test_a_pbn_file_is_cut_into_sets_in_its_own_order_with_its_dealers(folder: Path, boards: list[Board]) -> None:
    played = drawn(folder, cup(*THREE, deals=pbn(folder, boards)))
    assert boards_of(played) == [tuple(boards[at : at + 2]) for at in (0, 2, 4)]


def test_a_pbn_file_may_have_a_set_for_each_match_and_boards_to_spare(folder: Path) -> None:
    played = drawn(folder, cup(*FOUR, boards=1, deals=pbn(folder, BOARDS, "match")))
    assert boards_of(played) == [(board,) for board in BOARDS[:6]]


@pytest.mark.parametrize(
    ("teams", "boards", "sentence"),
    [
        (THREE, BOARDS[:5], "boards.pbn has 5 boards, 6 are needed: 3 sets of 2"),
        (THREE[:2], ALL_FROM_1[::2], "boards.pbn: one match would play two boards number 1 (set 1.1, 2 boards)"),
    ],
)
def test_boards_that_do_not_do_are_refused_before_anything_is_stored(
    folder: Path, teams: tuple[str, ...], boards: list[Board], sentence: str
) -> None:
    text = cup(*teams, deals=pbn(folder, boards))
    assert refusal(lambda: drawn(folder, text)) == sentence
    file = load_event_file(folder / "event.toml")
    assert refusal(lambda: boards_to_deal(file)) == sentence
    with closing(Database(file.database_url)) as database:
        assert load_event(database, "Cup") is None


def test_a_pbn_file_that_cannot_be_used_is_refused(folder: Path) -> None:
    text, path = cup(deals='pbn = "boards.pbn"'), folder / "boards.pbn"

    def both() -> set[str]:
        return {refusal(lambda: drawn(folder, text)), refusal(lambda: boards_to_deal(load_event_file(event)))}

    event = folder / "event.toml"
    assert both() == {f"PBN file {path} cannot be read: No such file or directory"}
    path.mkdir()
    assert both() == {f"PBN file {path} cannot be read: Is a directory"}
    path.rmdir()
    path.write_text("Dear diary", encoding="utf-8")
    assert both() == {"boards.pbn is plain text: what is read here is PBN or LIN"}


def test_the_first_draw_makes_the_database(folder: Path) -> None:
    file = load_event_file(write_event(folder, cup()))
    database = Database(file.database_url)
    assert ensure_drawn(file, database, 0) == load_event(database, "Cup")
    database.close()


# A file that changes


EDITS = pytest.mark.parametrize(("edit", "differences"), golden_edits("draw_edits"))
MISFIT = "event.toml: boards of 'Cup' have been played by its draw, the file no longer fits it: "


def begun(folder: Path, text: str | None = None) -> PlayedEvent:
    """Draw an event, and begin a board of it."""
    played = drawn(folder, text)
    played.begin(1, Room.OPEN, 1)
    return played


@EDITS
def test_a_file_that_no_longer_fits_boards_that_have_been_played_is_refused(
    folder: Path, edit: str, differences: list[str]
) -> None:
    pbn(folder, BOARDS[:2])
    played = begun(folder)
    before = played.reload()
    (difference,) = differences
    assert refusal(lambda: drawn(folder, edited(cup(), edit))) == f"{MISFIT}{difference}"
    assert played.reload() == before


@EDITS
def test_a_file_that_changes_before_any_board_is_drawn_anew(folder: Path, edit: str, differences: list[str]) -> None:
    drawn(folder / "one")
    text = edited(cup(), edit)
    for name in ("one", "other"):
        (folder / name).mkdir(exist_ok=True)
        pbn(folder / name, BOARDS[:2])
    redrawn, fresh = (drawn(folder / name, text) for name in ("one", "other"))
    pairings = [[(match.home, match.away, match.round) for match in each.event.matches] for each in (redrawn, fresh)]
    assert pairings[0] == pairings[1]
    assert [team.name for team in redrawn.event.teams] == [team.name for team in fresh.event.teams]
    if not edit.endswith("->"):  # without a seed each draws its own
        assert boards_of(redrawn) == boards_of(fresh)
    assert drawn(folder / "one", text).event == redrawn.event


def test_changed_boards_and_changed_steps_of_a_scale_are_told_of_too(folder: Path) -> None:
    def text(step: int = 3) -> str:
        steps = f"[vp_table.house]\nsteps = [[0, 10, 10], [{step}, 20, 0]]"
        return cup(stage='vp_scale = "house"', deals=deals, more=steps)

    deals = pbn(folder, BOARDS[:2])
    begun(folder, text())
    pbn(folder, BOARDS[:3:2])
    expected = f"{MISFIT}the boards of the PBN file are not those it was drawn with"
    assert refusal(lambda: drawn(folder, text())) == expected
    pbn(folder, BOARDS[:2])
    drawn(folder, text())
    assert refusal(lambda: drawn(folder, text(4))) == (
        f"{MISFIT}the steps of the vp_scale are not those it was drawn with"
    )


def test_a_redraw_that_cannot_be_made_leaves_the_draw_as_it_was(folder: Path) -> None:
    played = drawn(folder)
    before, text = played.event, cup(deals=pbn(folder, BOARDS[:1]))
    assert refusal(lambda: drawn(folder, text)) == "boards.pbn has 1 board, 2 are needed: 1 set of 2"
    assert played.reload() == before


def test_what_the_draw_does_not_hang_on_may_change_in_the_middle_of_the_event(folder: Path) -> None:
    begun(folder)
    stage = 'starts = [2026-11-21T14:00:00Z]\ntie_breaks = ["head-to-head-vp", "lot"]'
    teams = ('Alpha"\ncommand = "bot {port}"\nprofile = "tourney', "Beta")
    changed = drawn(folder, cup(*teams, stage=stage, more="[tables]\nat_once = 3")).event
    assert changed.rounds[0].starts_at_ms == 1795269600000
    assert (changed.teams[0].command, changed.teams[0].profile) == ("bot {port}", "tourney")


def test_events_of_one_database_are_drawn_side_by_side(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{folder}/shared.db")
    first = drawn(folder / "one")
    before = first.event
    second = drawn(folder / "other", cup(name="Autumn Cup"))
    assert (before.name, second.event.name) == ("Cup", "Autumn Cup")
    assert first.reload() == before


# Two programs that start the same event for the first time, at the same moment


def test_both_have_the_draw_of_the_one_that_was_faster(
    tmp_path: Path, empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    both, draw_event = threading.Barrier(2, timeout=30), draw.draw_event

    def draw_together(config: EventConfig, boards: None, plan: str) -> EventInfo:
        both.wait()  # neither has found an event
        return draw_event(config, boards, plan)

    monkeypatch.setattr(draw, "draw_event", draw_together)

    def start(folder: str) -> EventInfo:
        file = load_event_file(write_event(tmp_path / folder, event_text()))
        database = Database(empty_url)
        try:
            return ensure_drawn(file, database, 0)
        finally:
            database.close()

    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(start, ("one", "other"))
    assert (one.id, one.plan) == (other.id, other.plan)
    assert one.matches == other.matches
