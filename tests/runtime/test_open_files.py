"""How many tables fit into the open files that a process may have."""

import resource

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.errors import LaunchError
from tourney.runtime.open_files import allow_files, check_tables_fit, files_needed, tables_allowed


class Limits:
    """Stands in for the system's limit of open files of this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, *, most: int | None = None) -> None:
        self.now = (soft, hard)
        self._most = most
        monkeypatch.setattr(resource, "getrlimit", lambda which: self.now)
        monkeypatch.setattr(resource, "setrlimit", self._set)

    def _set(self, which: int, limits: tuple[int, int]) -> None:
        if self._most is not None and limits[0] > self._most:
            raise ValueError("current limit exceeds maximum limit")
        self.now = limits


@given(st.integers(0, 5000), st.sampled_from([1, 4]))
def test_as_many_tables_are_allowed_as_have_their_files(tables: int, ports: int) -> None:
    assert tables_allowed(files_needed(tables, ports), ports) == tables
    assert tables_allowed(files_needed(tables + 1, ports) - 1, ports) == tables


def test_the_limit_is_raised_as_far_as_wanted_and_no_farther(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(monkeypatch, 1024, 1_000_000)
    assert allow_files(2000) == 2000
    assert limits.now == (2000, 1_000_000)
    assert allow_files(500) == 2000
    assert limits.now == (2000, 1_000_000)


def test_a_limit_that_the_system_does_not_let_us_raise_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    Limits(monkeypatch, 256, resource.RLIM_INFINITY, most=10_240)
    assert allow_files(20_000) == 256
    assert allow_files(9_000) == 9_000


def test_matches_that_fit_leave_the_limit_as_it_is_for_their_hosts_raise_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = Limits(monkeypatch, 256, 65_536)
    check_tables_fit(100, 2, 1)
    assert limits.now == (256, 65_536)


def test_matches_that_do_not_fit_are_refused_with_what_would(monkeypatch: pytest.MonkeyPatch) -> None:
    Limits(monkeypatch, 256, 1024)
    with pytest.raises(LaunchError) as refused:
        check_tables_fit(100, 2, 1)
    assert str(refused.value) == (
        "at_once = 100 does not fit: 100 tables a host need 2164 open files, and a process may have 1024 here, "
        "enough for at_once = 45; lower it, or raise the limit (ulimit -n)"
    )
    check_tables_fit(45, 2, 1)
    with pytest.raises(LaunchError):
        check_tables_fit(46, 2, 1)
