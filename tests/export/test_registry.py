"""The formats of exports: each is a module and an entry, and a new one needs nothing else."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.played_event import draw_half_played
from tourney.event.drawn import open_event
from tourney.export.files import replace_file
from tourney.export.registry import FORMATS, ExportFormat, ExportRequest


def export_results(request: ExportRequest) -> Iterator[Path]:
    """A toy format: the winner of the event so far, then a line a match."""
    path = request.folder / f"{request.stem}.txt"
    with replace_file(path) as file:
        file.write(f"first: {request.standings.rows[0].team}\n")
        for played in request.played():
            file.write(f"{played.match.home} - {played.match.away}: {len(played.boards)} boards\n")
    yield path


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> ExportFormat:
    module = ModuleType("results_export")
    module.export = export_results  # type: ignore[attr-defined] # as a module of its own would have it
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return ExportFormat("results", module.__name__, "event.txt, a line a match")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_module_that_exports(name: str) -> None:
    assert callable(import_module(FORMATS[name].module).export)


def test_a_new_format_is_a_module_and_an_entry(results: ExportFormat, tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)
    with open_event(played.path) as drawn:
        request = ExportRequest(drawn=drawn, match=None, folder=tmp_path, written_at_ms=0)
        (path,) = results.export(request)
        assert path.name == "event.txt"
        assert path.read_text(encoding="utf-8").splitlines() == [
            f"first: {request.standings.rows[0].team}",
            "Bees - Cats: 2 boards",
            "Ants - Bees: 1 boards",
            "Cats - Ants: 0 boards",
        ]
        assert request.boards == 3


def test_a_request_for_one_match_has_only_that(results: ExportFormat, tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)
    with open_event(played.path) as drawn:
        request = ExportRequest(drawn=drawn, match=drawn.match(2), folder=tmp_path, written_at_ms=0)
        (path,) = results.export(request)
        assert path.name == "match-002-Ants-Bees.txt"
        assert path.read_text(encoding="utf-8").splitlines()[1:] == ["Ants - Bees: 1 boards"]
