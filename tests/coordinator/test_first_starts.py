"""Two programs that start the same event for the first time, at the same moment."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.played_event import event_text, write_event
from tourney.config import EventConfig
from tourney.coordinator import draw
from tourney.coordinator.draw import ensure_drawn
from tourney.event.file import load_event_file
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo


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
