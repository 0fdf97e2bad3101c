"""Settings of the whole suite."""

import fcntl
import gc
import os
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from hypothesis import settings

from tests.support.blank_database import blank_database
from tests.support.databases import (  # noqa: F401 # fixtures: of all folders together, so that there is one server
    database,
    empty_database,
    empty_url,
    postgres_database,
    postgres_schema,
    postgres_server,
    postgres_url,
    sqlite_database,
    two_urls,
)
from tests.support.examples import examples
from tests.support.played_event import close_events
from tourney.store.db import files, schema

# Programs have a sandbox where a test is about them, whatever this machine has.
os.environ["TOURNEY_SANDBOX"] = "none"

# A busy machine is no failure: examples have no time limit of their own, tests have pytest's.
settings.register_profile("tourney", examples())
settings.load_profile("tourney")

BROWSER = "chromium"
"""The fixture of tests that need one."""

FIGURES = "figures"

NO_CAMPAIGNS = "not campaign"
"""The marks of pyproject.toml: what runs where nothing else is asked for."""

OPEN_FILES = Path("/proc/self/fd")

SLOW_FOLDERS = ("bench", "docs", "e2e", "host", "kills", "launch", "sim")
"""Folders of tests that wait for processes and sockets more than they compute."""


@pytest.fixture(scope="session", autouse=True)
def _statements_compiled_once() -> Iterator[None]:
    """Compile a statement once for all SQLite files of this process.

    A user's command opens one file, so each database compiles for itself; tests open thousands, and did little else.
    """
    first = sqlalchemy.create_engine("sqlite://")
    first.connect().close()  # a dialect is complete once it has seen a connection
    compiled: dict[Any, Any] = {}  # what SQLAlchemy keeps there is its own affair

    def create_engine(url: sqlalchemy.URL, **options: Any) -> sqlalchemy.Engine:  # as SQLAlchemy's
        engine = sqlalchemy.create_engine(url, **options)
        if engine.dialect.name == first.dialect.name:
            engine.dialect = first.dialect  # a part of the key under which a statement is kept
            engine.update_execution_options(compiled_cache=compiled)
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tourney.store.db.connections.create_engine", create_engine)
        yield
    first.dispose()


@pytest.fixture(scope="session", autouse=True)
def _schema_made_once() -> Iterator[None]:
    """Let a new SQLite file be a copy of one that the migrations have made: they take half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_make_database", lambda path: path.write_bytes(blank_database()))
        yield


def _count_open_files() -> int:
    """Count what is open, without what is kept of each database file until the process ends."""
    return len(list(OPEN_FILES.iterdir())) - len(files._kept) if OPEN_FILES.exists() else 0


@pytest.fixture(autouse=True)
def _left_open() -> Iterator[None]:
    """Blame what a test leaves open on that test: a file, socket or process that is garbage warns, which is an error.

    It is the first fixture of a test, so the last to end. What a failed test had open is closed here too.
    """
    before = _count_open_files()
    yield
    close_events()
    if _count_open_files() > before or hasattr(sys, "last_value"):
        for name in ("last_exc", "last_value", "last_traceback"):  # whose frames hold what a failed test had
            sys.__dict__.pop(name, None)
        gc.collect()
        gc.freeze()  # what is left lives on: later collections need not go through it


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let one worker compile the tests that are new, the others wait for it: each of them would compile them all."""
    with Path(__file__).open(encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
        return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each worker begin with its part of the tests that start processes: none is left alone with them at the end.

    Workers get the tests in equal runs, and take from each other what is left. Modules stay whole. Those that need a
    browser are the first of one worker, so that no other one starts it too.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1:
        return
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.nodeid.partition("::")[0], []).append(item)
    slow, quick = list[list[pytest.Item]](), list[pytest.Item]()
    browser = list[pytest.Item]()
    for name, tests in modules.items():
        if any(isinstance(item, pytest.Function) and BROWSER in item.fixturenames for item in tests):
            browser += tests
        elif name.split("/")[1] in SLOW_FOLDERS:
            slow.append(tests)
        else:
            quick += tests
    runs: list[list[pytest.Item]] = [[item for tests in slow[n::workers] for item in tests] for n in range(workers)]
    runs[-1] = browser + runs[-1]
    each = -(-len(items) // workers)
    for run in runs:
        room = max(0, each - len(run))
        run.extend(quick[:room])
        del quick[:room]
    items[:] = [item for run in runs for item in run] + quick


def pytest_collection_finish() -> None:
    """Keep the thousands of tests, which stay to the end, out of the garbage collector's way."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what was left out and what it would need, and what tests have counted.

    Those count that say it with `record_property("figures", ...)`.
    """
    needs = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple)
    )
    left_out = [f"{count} {reason}" for reason, count in needs.most_common()]
    if config.getoption("markexpr") == NO_CAMPAIGNS:
        left_out.append("campaigns: make campaigns")
    if left_out:
        terminalreporter.write_line(f"left out: {'; '.join(left_out)}")
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == FIGURES:
                terminalreporter.write_line(f"{value}")
