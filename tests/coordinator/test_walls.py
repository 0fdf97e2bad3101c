"""Which sandbox the programs of an event have, and what the organiser is told."""

from pathlib import Path

import pytest

from tourney.config import SandboxKind
from tourney.coordinator.engine import choose_event_sandbox, describe_sandbox
from tourney.errors import ConfigError, LaunchError
from tourney.event.file import EventFile, load_event_file
from tourney.launch.sandbox import KIND_VARIABLE, SandboxChoice, choose_kind

BOT = "tourney bot --port {port} --seat {seat} --team {team}"


def event(folder: Path, *keys: str, more: str = "", stage: str = "") -> EventFile:
    """An event of two teams with these keys each."""
    teams = "".join(f'[[team]]\nname = "{name}"\n{key}\n' for name, key in zip(("Alpha", "Beta"), keys, strict=True))
    path = folder / "event.toml"
    path.write_text(f'[event]\nname = "Cup"\n{teams}[[stage]]\nboards_per_match = 2\n{stage}\n{more}\n', "utf-8")
    return load_event_file(path)


def chosen(wanted: SandboxKind | None) -> SandboxChoice:
    """A machine where everything works, and says so."""
    return SandboxChoice(wanted or SandboxKind.BUBBLEWRAP, "told")


@pytest.mark.parametrize(
    ("commands", "stage", "choice", "described"),
    [
        (("", ""), "", SandboxChoice(SandboxKind.NONE), False),
        ((BOT, BOT), "", SandboxChoice(SandboxKind.BUBBLEWRAP), False),
        ((BOT, "./other {port}"), "", SandboxChoice(SandboxKind.BUBBLEWRAP, "told"), True),
        (("./a", "./b"), 'format = "duel"\nmatches = 1', SandboxChoice(SandboxKind.NONE, "told"), True),
    ],
    ids=["nothing is started", "our own player", "a program of others", "a duel"],
)
def test_walls_are_for_programs_of_others_that_tourney_starts(
    tmp_path: Path, commands: tuple[str, str], stage: str, choice: SandboxChoice, described: bool
) -> None:
    file = event(tmp_path, *(f'command = "{command}"' if command else "" for command in commands), stage=stage)
    assert choose_event_sandbox(file, chosen) == choice
    assert (describe_sandbox(file, choice) is not None) is described


def test_what_asks_a_service_is_named_because_it_has_the_network(tmp_path: Path) -> None:
    file = event(tmp_path, 'api = "ben http://127.0.0.1:8085"', 'command = "./other {port}"')
    described = describe_sandbox(file, choose_event_sandbox(file, chosen))
    assert described is not None
    assert described.endswith("; what asks a service over HTTP has the network: Alpha")


def test_without_bubblewrap_there_are_no_walls_and_a_sentence_says_what_programs_could_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(KIND_VARIABLE)
    monkeypatch.setattr("shutil.which", lambda name: None)
    choice = choose_kind(None)
    assert choice.kind is SandboxKind.NONE
    assert choice.notice.startswith(
        "bubblewrap (bwrap) is not installed, so programs have no sandbox: they run as your"
    )
    with pytest.raises(LaunchError, match=r"^sandbox, kind: bubblewrap \(bwrap\) is not installed$"):
        choose_kind(SandboxKind.BUBBLEWRAP)
    assert choose_kind(SandboxKind.NONE) == SandboxChoice(SandboxKind.NONE)


def test_the_environment_has_the_kind_for_files_that_name_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KIND_VARIABLE, "none")
    assert choose_kind(None) == SandboxChoice(SandboxKind.NONE)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ('kind = "command"', 'sandbox: kind = "command" and command belong together: give both or neither'),
        (
            'command = "podman run"',
            "sandbox, command: the command has the word {command} once, not as its first, got 'podman run'",
        ),
        ("memory_mb = 8", "sandbox, memory_mb: at least 16 is allowed, got 8"),
    ],
)
def test_what_is_wrong_about_walls_is_told(tmp_path: Path, more: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        event(tmp_path, "", "", more=f"[sandbox]\n{more}")
    assert str(caught.value) == f"event.toml: {problem}"
