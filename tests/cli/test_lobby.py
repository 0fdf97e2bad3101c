"""`tourney lobby` refuses what it cannot do in one sentence, and other commands what a lobby has not."""

import socket
from pathlib import Path

import pytest

from tests.support.commands import refusal, run


def test_a_port_that_another_program_has_is_named(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = run("lobby", tmp_path, "--port", port)
    assert refusal(done) == f"no port is free on 127.0.0.1 in {port}-{port}: other programs have them"


def test_a_folder_with_an_event_file_of_that_name_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "lobby.toml"
    text = '[event]\nname = "Cup"\n[[team]]\nname = "Alpha"\n[[team]]\nname = "Beta"\n[[stage]]\n'
    path.write_text(text, encoding="utf-8")
    expected = f"{path} is an event file, not that of a lobby: name another folder"
    assert refusal(run("lobby", tmp_path), 2) == expected
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("database", ["postgresql://club:secret@host/bridge", "sqlite:///other.db"])
def test_an_address_of_a_database_with_its_password_is_not_taken_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal(run("lobby", database), 2) == (
        "FOLDER is a folder; a database is named in TOURNEY_DATABASE or in lobby.toml, as every user of this machine "
        "sees command lines"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [("run",), ("check",), ("schedule",), ("invite", "Alpha")])
def test_commands_that_need_teams_and_stages_refuse_a_lobby(tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "lobby.toml"
    path.write_text('[event]\nname = "Lobby"\n[lobby]\n', encoding="utf-8")
    refused = refusal(run(command[0], path, *command[1:]), 2)
    assert f"{path} is the file of a lobby, whose players make their games themselves" in refused


@pytest.mark.parametrize("section", ["[[team]]\nname = 'Alpha'", "[[stage]]", "[stateful]\nport = 2100"])
def test_the_file_of_a_lobby_has_no_teams_stages_or_port(tmp_path: Path, section: str) -> None:
    path = tmp_path / "lobby.toml"
    path.write_text(f'[event]\nname = "Lobby"\n[lobby]\n{section}\n', encoding="utf-8")
    assert "lobby: the players of a lobby make its games, leave" in refusal(run("check", path), 2)
