"""The draw: the same for the same file, held against the file ever after."""

import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.blank_database import blank_database
from tests.support.played_event import event_text, write_event
from tests.support.refusals import edited, golden_edits
from tourney.bridge import Board, Seat, Vulnerability, board_from_seed, format_deal
from tourney.config import EventConfig
from tourney.coordinator import draw
from tourney.coordinator.draw import boards_to_deal, ensure_drawn
from tourney.errors import ConfigError, FormatError
from tourney.event.file import EventFile, load_event_file
from tourney.event.place import DATABASE_VARIABLE
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.record.writer import Recorder, TableLedger
from tourney.store.results.matches import load_match_boards

NOW_MS = 1_790_000_000_000


@pytest.fixture(autouse=True)
def _no_database_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)


class Organiser:
    """Someone with an event file in a folder, who draws it."""

    def __init__(self, folder: Path, database: bytes) -> None:
        results = folder / "results" / "cup"
        results.mkdir(parents=True)
        (results / "event.db").write_bytes(database)
        self.folder = folder
        self.teams = ["Alpha", "Beta"]
        self.stage = "boards_per_match = 2"
        self.deals = "seed = 7"
        self.more = ""
        self._edit = ""
        self._databases: list[Database] = []

    @property
    def file(self) -> EventFile:
        teams = "".join(f'[[team]]\nname = "{team}"\n' for team in self.teams)
        text = f'[event]\nname = "Cup"\n{teams}[[stage]]\n{self.stage}\n[deals]\n{self.deals}\n{self.more}\n'
        text = edited(text, self._edit) if self._edit else text
        path = self.folder / "event.toml"
        path.write_text(text, encoding="utf-8")
        return load_event_file(path)

    @property
    def database(self) -> Database:
        self._databases.append(Database(self.file.database_url))
        return self._databases[-1]

    def draw(self) -> EventInfo:
        return ensure_drawn(self.file, self.database, NOW_MS)

    def drawn(self) -> EventInfo | None:
        """What is stored."""
        return load_event(self.database, "Cup")

    def boards(self, event: EventInfo) -> list[tuple[Board, ...]]:
        """Boards of each match."""
        database = self.database
        return [load_match_boards(database, match) for match in event.matches]

    def begin_a_board(self, event: EventInfo) -> None:
        table = event.matches[0].tables_at(0)[Room.OPEN]
        Recorder(self.database).write([(TableLedger(table.id, table.attempt), BoardBegan(1, NOW_MS))])

    def write_pbn(self, boards: list[Board]) -> None:
        games = [
            f'[Board "{board.number}"]\n[Dealer "{board.dealer.letter}"]\n'
            f'[Vulnerable "{board.vulnerability}"]\n[Deal "{format_deal(board.deal)}"]\n'
            for board in boards
        ]
        (self.folder / "boards.pbn").write_text("\n".join(games), encoding="utf-8")

    def edit(self, edit: str) -> None:
        """Change the file: what is replaced -> by what; the boards of a PBN file are there."""
        self._edit = edit
        self.write_pbn(BOARDS[:2])

    def refusal(self, act: Callable[[], object] | None = None) -> str:
        with pytest.raises((ConfigError, FormatError)) as caught:
            (act or self.draw)()
        return str(caught.value)

    def close(self) -> None:
        for database in self._databases:
            database.close()


@pytest.fixture
def organiser(tmp_path: Path) -> Iterator[Organiser]:
    organiser = Organiser(tmp_path / "one", blank_database())
    yield organiser
    organiser.close()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Organiser]:
    """Another machine."""
    another = Organiser(tmp_path / "two", blank_database())
    yield another
    another.close()


# Who meets whom


def test_rounds_start_when_the_file_says_to_the_millisecond(organiser: Organiser) -> None:
    organiser.teams = ["Alpha", "Beta", "Gamma"]
    organiser.stage += (
        "\nstarts = [2026-11-21T14:00:00.001Z, 2026-11-21T16:00:00.57+02:00, 2999-12-30T00:00:00.000999Z]"
    )
    assert [r.starts_at_ms for r in organiser.draw().rounds] == [1795269600001, 1795269600570, 32503507200000]
    organiser.stage = "boards_per_match = 2"
    assert [r.starts_at_ms for r in organiser.draw().rounds] == [None, None, None]


# Which boards


def test_the_same_file_draws_the_same_on_every_machine(organiser: Organiser, another: Organiser) -> None:
    for each in (organiser, another):
        each.teams = ["Alpha", "Beta", "Gamma", "Delta"]
    assert organiser.draw() == another.draw()
    assert organiser.boards(organiser.draw()) == another.boards(another.draw())


def test_drawing_again_changes_nothing(organiser: Organiser) -> None:
    first = organiser.draw()
    boards = organiser.boards(first)
    assert organiser.draw() == first
    assert organiser.boards(organiser.draw()) == boards


def test_boards_of_a_seed_are_those_of_the_published_recipe(organiser: Organiser) -> None:
    organiser.teams = ["Alpha", "Beta", "Gamma", "Delta"]
    event = organiser.draw()
    for match, boards in zip(event.matches, organiser.boards(event), strict=True):
        assert boards == tuple(board_from_seed(7, f"1.{match.round}", number) for number in (1, 2))


def test_matches_of_a_round_share_their_boards_unless_told_otherwise(organiser: Organiser) -> None:
    organiser.teams = ["Alpha", "Beta", "Gamma", "Delta"]
    by_round = organiser.boards(organiser.draw())
    assert [by_round.index(boards) for boards in by_round] == [0, 0, 2, 2, 4, 4]
    organiser.deals = 'seed = 7\nshared = "match"'
    by_match = organiser.boards(organiser.draw())
    assert [by_match.index(boards) for boards in by_match] == [0, 1, 2, 3, 4, 5]


def test_without_a_seed_one_is_drawn_and_kept(organiser: Organiser, another: Organiser) -> None:
    organiser.deals = another.deals = ""
    first = organiser.draw()
    boards = organiser.boards(first)
    assert organiser.draw() == first
    assert organiser.boards(organiser.draw()) == boards
    assert another.draw().seed != first.seed
    assert another.boards(another.draw()) != boards
    assert boards[0] == tuple(board_from_seed(first.seed, "1.1", number) for number in (1, 2))


# Boards of a PBN file

BOARDS = [board_from_seed("pbn", "any", number) for number in range(1, 13)]


def _pbn(organiser: Organiser, boards: list[Board], shared: str = "round") -> None:
    organiser.deals = f'pbn = "boards.pbn"\nshared = "{shared}"'
    organiser.write_pbn(boards)


def test_a_pbn_file_is_cut_into_sets_in_its_own_order(organiser: Organiser) -> None:
    organiser.teams = ["Alpha", "Beta", "Gamma"]
    _pbn(organiser, list(reversed(BOARDS[:6])))
    drawn = organiser.boards(organiser.draw())
    assert [[board.number for board in boards] for boards in drawn] == [[6, 5], [4, 3], [2, 1]]
    assert drawn[0] == (BOARDS[5], BOARDS[4])


def test_a_pbn_file_may_have_a_set_for_each_match_and_boards_to_spare(organiser: Organiser) -> None:
    organiser.teams = ["Alpha", "Beta", "Gamma", "Delta"]
    organiser.stage = "boards_per_match = 1"
    _pbn(organiser, BOARDS, "match")
    assert organiser.boards(organiser.draw()) == [(board,) for board in BOARDS[:6]]


def test_sets_of_a_pbn_file_may_all_count_from_1(organiser: Organiser) -> None:
    organiser.teams = ["Alpha", "Beta", "Gamma"]
    boards = [Board.numbered(1 + i % 2, BOARDS[i].deal) for i in range(6)]
    _pbn(organiser, boards)
    assert organiser.boards(organiser.draw()) == [tuple(boards[0:2]), tuple(boards[2:4]), tuple(boards[4:6])]


def test_dealer_and_vulnerability_are_those_of_the_file(organiser: Organiser) -> None:
    boards = [Board(number, Seat.WEST, Vulnerability.EW, BOARDS[number].deal) for number in (1, 2)]
    _pbn(organiser, boards)
    assert organiser.boards(organiser.draw()) == [tuple(boards)]


def _check(organiser: Organiser) -> Callable[[], object]:
    return lambda: boards_to_deal(organiser.file)


def test_too_few_boards_are_refused_before_anything_is_stored(organiser: Organiser) -> None:
    organiser.teams = ["Alpha", "Beta", "Gamma"]
    _pbn(organiser, BOARDS[:5])
    expected = "boards.pbn has 5 boards, 6 are needed: 3 sets of 2"
    assert organiser.refusal(_check(organiser)) == expected
    assert organiser.refusal() == expected
    assert organiser.drawn() is None


def test_two_boards_of_one_number_in_one_match_are_refused(organiser: Organiser) -> None:
    _pbn(organiser, [Board.numbered(3, BOARDS[0].deal), Board.numbered(3, BOARDS[1].deal)])
    expected = "boards.pbn: one match would play two boards number 3 (set 1.1, 2 boards)"
    assert organiser.refusal(_check(organiser)) == expected
    assert organiser.refusal() == expected


def test_a_pbn_file_that_cannot_be_used_is_refused(organiser: Organiser) -> None:
    organiser.deals = 'pbn = "boards.pbn"'
    path = organiser.folder / "boards.pbn"
    assert organiser.refusal() == f"PBN file {path} cannot be read: No such file or directory"
    path.mkdir()
    assert organiser.refusal(_check(organiser)) == f"PBN file {path} cannot be read: Is a directory"
    path.rmdir()
    path.write_text("Dear diary", encoding="utf-8")
    assert organiser.refusal() == "boards.pbn is plain text: what is read here is PBN or LIN"
    assert organiser.refusal(_check(organiser)) == "boards.pbn is plain text: what is read here is PBN or LIN"


def test_the_first_draw_makes_the_database(organiser: Organiser) -> None:
    shutil.rmtree(organiser.folder / "results")
    assert organiser.draw() == organiser.drawn()


# A file that changes


EDITS = pytest.mark.parametrize(("edit", "differences"), golden_edits("draw_edits"))


@EDITS
def test_a_file_that_no_longer_fits_boards_that_have_been_played_is_refused(
    organiser: Organiser, edit: str, differences: list[str]
) -> None:
    event = organiser.draw()
    organiser.begin_a_board(event)
    before = organiser.draw()
    organiser.edit(edit)
    (difference,) = differences
    assert organiser.refusal() == (
        f"event.toml: boards of 'Cup' have been played by its draw, the file no longer fits it: {difference}"
    )
    assert organiser.drawn() == before


@EDITS
def test_a_file_that_changes_before_any_board_is_drawn_anew(
    organiser: Organiser, another: Organiser, edit: str, differences: list[str]
) -> None:
    organiser.draw()
    organiser.edit(edit)
    another.edit(edit)
    redrawn, fresh = organiser.draw(), another.draw()
    assert [(m.home, m.away, m.round) for m in redrawn.matches] == [(m.home, m.away, m.round) for m in fresh.matches]
    assert [team.name for team in redrawn.teams] == [team.name for team in fresh.teams]
    if not edit.endswith("->"):  # without a seed each draws its own
        assert organiser.boards(redrawn) == another.boards(fresh)
    assert organiser.draw() == redrawn


def test_changed_boards_and_changed_steps_of_a_scale_are_told_of_too(organiser: Organiser) -> None:
    organiser.stage = 'boards_per_match = 2\nvp_scale = "house"'
    organiser.more = "[vp_table.house]\nsteps = [[0, 10, 10], [3, 20, 0]]"
    _pbn(organiser, BOARDS[:2])
    organiser.begin_a_board(organiser.draw())
    begins = "event.toml: boards of 'Cup' have been played by its draw, the file no longer fits it: "
    organiser.write_pbn([BOARDS[0], BOARDS[2]])
    assert organiser.refusal() == begins + "the boards of the PBN file are not those it was drawn with"
    organiser.write_pbn(BOARDS[:2])
    organiser.draw()
    organiser.more = "[vp_table.house]\nsteps = [[0, 10, 10], [4, 20, 0]]"
    assert organiser.refusal() == begins + "the steps of the vp_scale are not those it was drawn with"


def test_a_redraw_that_cannot_be_made_leaves_the_draw_as_it_was(organiser: Organiser) -> None:
    event = organiser.draw()
    _pbn(organiser, BOARDS[:1])
    assert organiser.refusal() == "boards.pbn has 1 board, 2 are needed: 1 set of 2"
    assert organiser.drawn() == event


def test_what_the_draw_does_not_hang_on_may_change_in_the_middle_of_the_event(organiser: Organiser) -> None:
    organiser.begin_a_board(organiser.draw())
    organiser.stage += '\nstarts = [2026-11-21T14:00:00Z]\ntie_breaks = ["head-to-head-vp", "lot"]'
    organiser.teams = ['Alpha"\ncommand = "bot {port}"\nprofile = "tourney', "Beta"]
    organiser.more = "[tables]\nat_once = 3\n"
    changed = organiser.draw()
    assert changed.rounds[0].starts_at_ms == 1795269600000
    assert (changed.teams[0].command, changed.teams[0].profile) == ("bot {port}", "tourney")


def test_events_of_one_database_are_drawn_side_by_side(
    organiser: Organiser, another: Organiser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{tmp_path}/shared.db")
    first = organiser.draw()
    text = another.file.path.read_text(encoding="utf-8").replace('"Cup"', '"Autumn Cup"')
    another.file.path.write_text(text, encoding="utf-8")
    path = tmp_path / "autumn.toml"
    path.write_text(text, encoding="utf-8")
    second = ensure_drawn(load_event_file(path), another.database, NOW_MS)
    assert (first.name, second.name) == ("Cup", "Autumn Cup")
    assert organiser.drawn() == first


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
        (tmp_path / folder).mkdir()
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
