"""`tourney check-bot`: a service is tried before the program is, and what is known of programs is printed."""

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner

from tests.support.stub_service import Reply, serve_stub
from tourney.cli.main import cli
from tourney.compliance import check
from tourney.compliance.check import CheckReport, Thinking, ThinkingTimesDocument
from tourney.compliance.context import CheckSettings
from tourney.config.api import DialectName
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


def test_a_service_that_answers_is_checked_as_the_program_that_asks_it(checked: list[str | None]) -> None:
    with serve_stub(DialectName.BEN) as stub:
        result = CliRunner().invoke(cli, ["check-bot", "--", "tourney", "bot", "--api", stub.url, "--dialect", "ben"])
        places = [line.partition(":")[0] for line in result.stdout.splitlines()[1:]]
    assert places == ["a call", "the same question again", "a lead", "dummy's card", "declarer's own card"]
    assert checked == [f"tourney bot --api {stub.url} --dialect ben --host {{host}} --port {{port}} --seat {{seat}}"]


def test_two_services_are_tried_for_what_each_is_asked(checked: list[str | None]) -> None:
    with serve_stub(DialectName.BBA) as bba, serve_stub(DialectName.BRILL) as brill:
        words = [
            "--api",
            bba.url,
            "--dialect",
            "bba",
            "--set",
            f"play_api={brill.url}",
            "--set",
            "play_dialect=brill",
        ]
        result = CliRunner().invoke(cli, ["check-bot", "--", "tourney", "bot", *words])
        found = result.stdout.replace(bba.url, "BBA").replace(brill.url, "BRILL").splitlines()
    assert [line.partition(" answered")[0] for line in found] == [
        "a call: BBA/api/auction/generate",
        "the same question again: the same answer, so a board that is played again takes its course",
        "BRILL is no BEN: it is asked with the vulnerability as None, NS, EW or All",
        "a lead: BRILL/lead",
        "dummy's card: BRILL/play",
        "declarer's own card: BRILL/play",
    ]
    (command,) = checked
    assert command is not None
    assert command.startswith(f"tourney bot {' '.join(words)} --host ")


def test_a_service_with_a_problem_is_not_checked_further(checked: list[str | None]) -> None:
    with serve_stub(DialectName.BRILL) as stub:
        stub.next_replies = [Reply(404), Reply(200, "<html>"), *[Reply(200, '{"bid": "1N"}')] * 2]
        result = CliRunner().invoke(
            cli, ["check-bot", "--", "tourney", "bot", "--api", stub.url, "--dialect", "brill"]
        )
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1:] == [
        f"PROBLEM {stub.url}/bid answered with a page of HTML or XML where JSON is due: '<html>'",
        "the protocol is checked once the service answers every question",
    ]
    assert checked == []


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--api", "http://h"], "--api needs --dialect, what the service is asked in: one of ben, ben-old"),
        (["--api", "http://h", "--dialect", "ben", "--set", "color=red"], "scoring, request_s, answers"),
        (["--api", "h", "--dialect", "ben"], "a service has an address such as"),
        (["--api", "http://h", "--dialect", "bba"], 'a service of dialect "bba" only bids'),
    ],
)
def test_words_that_do_not_fit_are_a_matter_of_usage(words: list[str], sentence: str) -> None:
    result = CliRunner().invoke(cli, ["check-bot", "--", "tourney", "bot", *words])
    assert (result.exit_code, sentence in result.stderr) == (2, True), result.stderr


# What is known of the program


def printed(monkeypatch: pytest.MonkeyPatch, profile: str, *command: str) -> str:
    """What is printed on a program that was found to need the settings of a profile."""

    async def find(settings: CheckSettings, _notify: Callable[[str], None]) -> CheckReport:
        nothing = Thinking.of([])
        return CheckReport(
            passed=True,
            steps=[],
            mistakes=(),
            remarks=(),
            profile=profile,
            wire=[],
            thinking=ThinkingTimesDocument(nothing, nothing),
            settings=settings,
            results=[],
            found=PROFILES[profile],
            has_called=True,
        )

    monkeypatch.setattr(check, "check_program", find)
    monkeypatch.setattr("tourney.compliance.program.check_startable", lambda _: None)
    result = CliRunner().invoke(cli, ["check-bot", "--", *command])
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_what_is_known_of_a_program_is_printed_below_its_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = printed(monkeypatch, "ben-2023", "python", "table_manager_client.py", "--port", "{port}")
    assert "\nknown program: BEN of August 2023: tried with tourney, " in shown
    assert shown.count("known program: ") == 1
    assert "\n  It looks for `Start of Board`, spelled so, and only before the board line.\n" in shown
    other = printed(monkeypatch, "default", "python", "table_manager_client.py", "--port", "{port}")
    assert other.count("known program: ") == 3
    assert ' Its profile is "ben".\n' in other
