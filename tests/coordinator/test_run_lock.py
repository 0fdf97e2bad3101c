"""Whether a run is going on, seen from outside."""

from pathlib import Path

import pytest

from tourney.coordinator.run_lock import hold_run_lock, is_run_going
from tourney.errors import LaunchError


def test_a_run_is_going_on_while_its_lock_is_held(tmp_path: Path) -> None:
    assert not is_run_going(tmp_path)
    with hold_run_lock(tmp_path):
        assert is_run_going(tmp_path)
        assert is_run_going(tmp_path)
    assert not is_run_going(tmp_path)


def test_looking_leaves_the_event_free_and_makes_nothing(tmp_path: Path) -> None:
    assert not is_run_going(tmp_path / "results")
    assert list(tmp_path.iterdir()) == []
    with hold_run_lock(tmp_path):
        pass
    assert not is_run_going(tmp_path)
    with hold_run_lock(tmp_path):
        assert is_run_going(tmp_path)


def test_a_lock_that_cannot_be_read_is_told_of_in_one_sentence(tmp_path: Path) -> None:
    loop = tmp_path / "run.lock"
    loop.symlink_to(loop)
    with pytest.raises(LaunchError, match=r"run\.lock cannot be read: "):
        is_run_going(tmp_path)
