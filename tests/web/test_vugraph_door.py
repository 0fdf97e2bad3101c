"""The pass phrase of the vugraph: wrong ones from elsewhere do not free an address that has to wait."""

import pytest

from tourney.config.values import LiveBoards
from tourney.config.web import WebConfig
from tourney.web import vugraph
from tourney.web.vugraph import TRIES_MAX, VugraphDoor

CONFIG = WebConfig(live=LiveBoards.VUGRAPH, vugraph_phrase="correct horse battery")


def test_a_locked_address_stays_locked_however_many_others_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vugraph, "ADDRESSES_MAX", 50)
    door = VugraphDoor()
    for _ in range(TRIES_MAX):
        assert door.enter(CONFIG, "192.0.2.1", b"phrase=wrong") is None
    assert door.is_locked("192.0.2.1")
    for number in range(200):
        door.enter(CONFIG, f"2001:db8::{number:x}", b"phrase=wrong")
    assert door.is_locked("192.0.2.1")
    assert len(door._wrong) == 50
    assert door.enter(CONFIG, "192.0.2.2", b"phrase=correct+horse+battery") is not None


def test_when_all_have_to_wait_the_one_that_has_waited_longest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vugraph, "ADDRESSES_MAX", 3)
    door = VugraphDoor()
    for number in range(4):
        for _ in range(TRIES_MAX):
            door.enter(CONFIG, f"192.0.2.{number}", b"phrase=wrong")
    assert [door.is_locked(f"192.0.2.{number}") for number in range(4)] == [False, True, True, True]
