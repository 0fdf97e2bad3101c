"""The history of programs: their duels in the order of time, and each version beside the first."""

from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.support.commands import document_of, refusal, run
from tests.support.html_pages import Page
from tests.support.played_event import draw_file
from tourney.lab.duel import DuelSettings, DuelTeam
from tourney.lab.event_files import numbered, results_of, write_event
from tourney.lab.programs import note_programs
from tourney.lab.strength import load_history
from tourney.movement.seating import Room
from tourney.scoring.strength.sequential import SequentialTest
from tourney.store.models import BoardAttempt
from tourney.views.history import HistoryReport

DAY_MS = 86_400_000


def play(folder: Path, first: str, second: str, less: list[int], *, day: int, number: int = 1, seed: int = 1) -> None:
    """Play a duel that begins on a day; the first program makes 4S, the second so many tricks less."""
    teams = [DuelTeam(name, {"command": f"./{name} {{port}}"}) for name in (first, second)]
    path = numbered(folder / f"{first}-v-{second}.toml", number)
    settings = DuelSettings(
        first=teams[0],
        second=teams[1],
        boards=4,
        matches=2,
        test=SequentialTest(boards_max=4),
        seed=seed,
        results=results_of(path),
        number=number,
    )
    file = write_event(settings, path, None, has_seed=True)
    note_programs(teams, folder, file.results)
    duel = draw_file(file, 0)
    with closing(duel.database) as database:
        for board, tricks in enumerate(less, 1):
            match = 1 if board % 2 else 2
            duel.record(match, Room.OPEN, board, "4S N", 10)
            duel.record(match, Room.CLOSED, board, "4S N", 10 - tricks)
        with database.write() as connection:
            connection.execute(BoardAttempt.__table__.update().values(began_at_ms=day * DAY_MS + DAY_MS // 2))


history = partial(run, "lab", "strength")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four duels: v2 v v1, v3 v v2, and a program v that has changed between two duels against another."""
    monkeypatch.chdir(tmp_path)
    for name in ("v", "v1", "v2", "v3", "other"):
        Path(name).write_text(name)
    play(tmp_path, "v3", "v2", [1, 1, 0, 1], day=20, seed=2)
    play(tmp_path, "v2", "v1", [1, 0, 1, 1], day=10)
    play(tmp_path, "v", "other", [0, 0, 0, 0], day=30)
    Path("v").write_text("v, changed")
    play(tmp_path, "v", "other", [0, 1, 0], day=40, number=2)
    Path("pyproject.toml").write_text('[project]\nname = "mine"\n')
    return tmp_path


def rated(report: HistoryReport) -> dict[str, tuple[int, str]]:
    return {version.version: (version.number, version.against) for version in report.versions}


def test_duels_come_in_the_order_of_time_and_versions_beside_the_first_that_duels_join(folder: Path) -> None:
    report = load_history([folder])
    assert [(duel.first, duel.second, duel.boards, duel.outcome) for duel in report.duels] == [
        ("v2", "v1", 4, "undecided"),
        ("v3", "v2", 4, "undecided"),
        ("v", "other", 4, "undecided"),
        ("v (2)", "other", 3, "in play"),
    ]
    assert rated(report) == {
        "v1": (1, "v1"),
        "v2": (2, "v1"),
        "v3": (3, "v1"),
        "other": (4, "other"),
        "v": (5, "other"),
        "v (2)": (6, "other"),
    }
    by_name = {version.version: version for version in report.versions}
    one, two = (duel.estimate.mean for duel in report.duels[:2])
    assert (by_name["v2"].rating, by_name["v3"].rating) == pytest.approx((one, one + two))
    assert by_name["v1"].half_width == 0
    assert by_name["v3"].half_width > 0


def test_the_page_has_a_chart_of_the_duels_and_one_of_the_versions_that_duels_join(folder: Path) -> None:
    document = document_of(history("--html-file", "history.html", "--json"))
    page = Page(folder / "history.html")
    duels, versions = page.tables
    assert [row[2:4] for row in duels.rows[2:]] == [[duel["first"], duel["second"]] for duel in document["duels"]]
    assert [row[1] for row in versions.rows[2:]] == [version["version"] for version in document["versions"]]
    assert [page.source.count(what) for what in ("<svg", "<circle", 'class="series"')] == [3, 4 + 3 + 3, 2]
    assert "v2 v v1, 1970-01-11: +" in page.source
    assert set(page.links) == {"#content"}


def test_the_history_is_a_table_for_people_and_for_programs(folder: Path) -> None:
    text = history("v3-v-v2.toml", "v2-v-v1.toml")
    assert text.stdout.startswith("v3-v-v2: 2 duels of 3 versions\n"), text.output
    rows = history("--csv").stdout.splitlines()
    assert rows[0].startswith("number,began,event,first,second,boards,estimate_mean,estimate_low,estimate_high,los,")
    assert [row.split(",")[2] for row in rows[1:]] == ["v2 v v1", "v3 v v2", "v v other", "v v other (2)"]


def test_what_has_no_duel_is_refused_in_one_sentence(folder: Path) -> None:
    Path("empty").mkdir()
    Path("club.toml").write_text('[event]\nname = "C"\n[[team]]\nname = "A"\n[[team]]\nname = "B"\n[[stage]]\n')
    for words, sentence in (
        (("empty",), "no duel of empty has a board that is finished in both rooms"),
        (("club.toml", "v3-v-v2.toml"), "club.toml is the file of an event that is no duel"),
        (("none",), "'none' does not exist"),
        (("--html-file", "none/history.html"), "--html-file: none/history.html cannot be written"),
        (("--json", "--csv"), "--csv"),
    ):
        assert sentence in refusal(history(*words), 2)
