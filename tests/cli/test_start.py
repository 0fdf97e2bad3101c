"""What commands, hosts and bots load at their start: nothing that they do not use, for each is started anew."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.played_event import draw_event, event_text

FOR_OTHERS = {
    *("alembic", "apscheduler", "endplay", "jinja2", "networkx", "psycopg", "rich", "uvloop"),
    *("sqlalchemy.orm", "sqlalchemy.dialects.postgresql"),
}
"""Needed to migrate, to run an event, to solve boards, to write pages, on terminals, or for another database."""

PYDANTIC = {"pydantic", "pydantic_core", "tourney.config.event"}
"""Needed to check an event file."""

AT_TABLES = {"tourney.protocol.bluechip.player", "tourney.protocol.session.table", "tourney.host.manager"}
"""Needed to play."""


def loaded_by(program: str, *words: str | Path) -> set[str]:
    """The modules that a program has loaded in a process of its own, when it has ended well."""
    code = (
        f"import sys\nsys.argv = {['tourney', *map(str, words)]!r}\n"
        f"try:\n    {program}\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print('loaded:', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.rpartition("loaded: ")[2].split())


def loaded_by_command(*words: str | Path) -> set[str]:
    return loaded_by("from tourney.cli.main import main; main()", *words)


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    played = draw_event(tmp_path_factory.mktemp("start"), event_text("Alpha", "Beta", "Gamma", boards=1))
    played.play_all()
    played.database.close()
    return played.path


@pytest.mark.parametrize("form", ["--times", "--csv"])
def test_a_scorecard_loads_only_what_the_record_is_read_with(event: Path, form: str) -> None:
    loaded = loaded_by_command("match", event, "1", form)
    assert "sqlalchemy" in loaded
    assert loaded & (FOR_OTHERS | PYDANTIC | AT_TABLES) == set()


@pytest.mark.parametrize("words", [("times", "--match", "1"), ("rounds",), ("head-to-head", "Alpha", "Beta")])
def test_reports_that_need_no_more_of_the_event_file_do_not_check_it(event: Path, words: tuple[str, ...]) -> None:
    command, *others = words
    assert loaded_by_command(command, event, *others) & (FOR_OTHERS | PYDANTIC | AT_TABLES) == set()


@pytest.mark.parametrize("command", ["standings", "crosstable"])
def test_rankings_load_nothing_beyond_the_record_and_the_event_file(event: Path, command: str) -> None:
    loaded = loaded_by_command(command, event)
    assert "pydantic" in loaded  # how teams are ranked is in the file
    assert loaded & (FOR_OTHERS | AT_TABLES) == set()


def test_a_table_host_loads_nothing_to_read_event_files_or_to_print() -> None:
    loaded = loaded_by("import tourney.host.host_process")
    assert "tourney.host.manager" in loaded
    assert loaded & (FOR_OTHERS - {"uvloop"} | PYDANTIC | {"click"}) == set()


def test_a_bot_loads_no_database_no_event_loop_and_no_encryption() -> None:
    program = (
        "import tourney.cli.main, tourney.cli.bot, tourney.bots.client; from tourney.bots import strategy_of; "
        "strategy_of('basic', 1)"
    )
    loaded = loaded_by(program)
    assert "tourney.protocol.bluechip.player" in loaded
    heavy = {"sqlalchemy", "asyncio", "ssl", "hashlib", "tourney.config", "tourney.protocol.session.table"}
    assert loaded & (FOR_OTHERS | PYDANTIC | heavy) == set()
