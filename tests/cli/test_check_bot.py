"""`tourney check-bot`: our own client need not say where it plays, and what is known of programs is printed."""

import shlex
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.commands import printed, run
from tourney.compliance import check
from tourney.compliance.check import CheckReport, Thinking, ThinkingTimesDocument
from tourney.compliance.context import CheckSettings
from tourney.config.programs import PROFILES
from tourney.errors import UsageError


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The commands of the programs that were to be checked; none of them is started."""
    commands: list[str | None] = []

    async def note(settings: CheckSettings, _notify: Callable[[str], None]) -> Any:
        commands.append(settings.command)
        raise UsageError("nothing is checked here")

    monkeypatch.setattr(check, "check_program", note)
    monkeypatch.setattr("tourney.compliance.program.check_startable", lambda _: None)
    return commands


def test_a_service_is_checked_as_the_program_that_asks_it(checked: list[str | None]) -> None:
    words = ["tourney", "bot", "--api", "ben http://127.0.0.1:8085"]
    run("check-bot", "--", *words)
    run("check-bot", "--protocol", "stateful", "--", *words)
    run("check-bot", "--", *words, "--port", "{port}")
    called = shlex.join(words)
    assert checked == [
        f"{called} --host {{host}} --port {{port}} --seat {{seat}}",
        f"{called} --host {{host}} --port {{port}} --protocol stateful",
        f"{called} --port '{{port}}'",
    ]


# What is known of the program


def shown_of(monkeypatch: pytest.MonkeyPatch, profile: str, *command: str) -> str:
    """What is printed on a program that was found to need the settings of a profile."""

    async def find(settings: CheckSettings, _notify: Callable[[str], None]) -> CheckReport:
        nothing = Thinking.of([])
        return CheckReport(
            steps=[],
            mistakes=(),
            remarks=(),
            profile=profile,
            thinking=ThinkingTimesDocument(nothing, nothing),
            settings=settings,
            found=PROFILES[profile],
            has_called=True,
        )

    monkeypatch.setattr(check, "check_program", find)
    monkeypatch.setattr("tourney.compliance.program.check_startable", lambda _: None)
    return printed(run("check-bot", "--", *command))


def test_what_is_known_of_a_program_is_printed_below_its_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_of(monkeypatch, "ben-2023", "python", "table_manager_client.py", "--port", "{port}")
    assert "\nknown program: BEN of August 2023: tried with tourney, " in shown
    assert shown.count("known program: ") == 1
    assert "\n  It looks for `Start of Board`, spelled so, and only before the board line.\n" in shown
    other = shown_of(monkeypatch, "default", "python", "table_manager_client.py", "--port", "{port}")
    assert other.count("known program: ") == 3
    assert ' Its profile is "ben".\n' in other
