"""What commands, hosts and bots load at their start: nothing that they do not use, for each is started anew."""

import subprocess
import sys
from collections.abc import Sequence
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


ROOMS_OF_A_HOST = {
    *("bridge", "config", "formats", "host", "launch", "movement", "protocol", "runtime", "scoring", "store"),
    *("errors", "extras", "log", "plurals", "suggestions", "times"),
}
"""What is needed to host tables: no kind of contest, nothing that only an organiser or an author of programs uses."""

NOT_OF_EVERY_HOST = {
    *("tourney.protocol.stateful.server", "tourney.protocol.stateful.messages", "tourney.host.front_door"),
    *("tourney.host.tunnels", "tourney.host.team_ports", "tourney.scoring.games", "tourney.movement.ranking"),
    *("tourney.store.draw.reader", "tourney.store.rulings", "tourney.store.results.matches", "click"),
}
"""Clients of the stateful protocol, tunnels and games load theirs; the draw and its results are for others."""


def loaded_by(program: str) -> set[str]:
    """The modules that a program has loaded in a process of its own."""
    return _loaded_by_each(f"import sys; {program}; print('loaded:', *sys.modules)")[0]


def loaded_by_commands(*commands: Sequence[str | Path]) -> dict[str, set[str]]:
    """The modules that commands have loaded, one after the other in one process, when each of them has ended well."""
    lines = [" ".join(map(str, words)) for words in commands]
    code = (
        "import sys\nfrom tourney.cli.main import main\n"
        f"for words in {[['tourney', *map(str, words)] for words in commands]!r}:\n"
        "    sys.argv = words\n"
        "    try:\n        main()\n    except SystemExit as end:\n        assert not end.code, end.code\n"
        "    print('loaded:', *sys.modules)"
    )
    return dict(zip(lines, _loaded_by_each(code), strict=True))


def _loaded_by_each(code: str) -> list[set[str]]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    told = [line.removeprefix("loaded: ") for line in done.stdout.splitlines() if line.startswith("loaded: ")]
    return [set(modules.split()) for modules in told]


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    played = draw_event(tmp_path_factory.mktemp("start"), event_text("Alpha", "Beta", "Gamma", boards=1))
    played.play_all()
    played.database.close()
    return played.path


def test_reports_load_only_what_the_record_is_read_with_and_rankings_the_event_file_too(event: Path) -> None:
    of_record = (("match", event, "1", "--times"), ("times", event), ("rounds", event))
    rankings = (("standings", event), ("crosstable", event))  # how teams are ranked is in the file
    loaded = list(loaded_by_commands(*of_record, *rankings).values())
    assert "sqlalchemy" in loaded[0]
    assert loaded[len(of_record) - 1] & (FOR_OTHERS | PYDANTIC | AT_TABLES) == set()
    assert "pydantic" in loaded[-1]
    assert loaded[-1] & (FOR_OTHERS | AT_TABLES) == set()


def test_a_table_host_loads_what_it_hosts_tables_with_and_nothing_else() -> None:
    loaded = loaded_by("import tourney.host.host_process")
    assert "tourney.host.manager" in loaded
    assert {name.split(".")[1] for name in loaded if name.startswith("tourney.")} <= ROOMS_OF_A_HOST
    assert loaded & (FOR_OTHERS - {"uvloop"} | PYDANTIC | NOT_OF_EVERY_HOST) == set()


def test_a_bot_loads_no_database_no_event_loop_and_no_encryption() -> None:
    program = (
        "import tourney.cli.main, tourney.cli.bot, tourney.bots.client; from tourney.bots import strategy_of; "
        "strategy_of('basic', 1)"
    )
    loaded = loaded_by(program)
    assert "tourney.protocol.bluechip.player" in loaded
    heavy = {"sqlalchemy", "asyncio", "ssl", "hashlib", "tourney.config", "tourney.protocol.session.table"}
    assert loaded & (FOR_OTHERS | PYDANTIC | heavy) == set()
