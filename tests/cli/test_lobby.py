"""`tourney lobby` refuses what it cannot do in one sentence, and other commands what a lobby has not."""

import socket
from pathlib import Path

import pytest

from tests.support.commands import converse

LOBBY = '[event]\nname = "Lobby"\n[lobby]\n'


def test_a_port_that_another_program_has_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        none = f"no port is free on 127.0.0.1 in {port}-{port}: other programs have them"
        converse(tmp_path, f"$ lobby FOLDER --port {port} -> refused: {none}")


def test_a_folder_with_an_event_file_of_that_name_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "lobby.toml"
    text = '[event]\nname = "Cup"\n[[team]]\nname = "Alpha"\n[[team]]\nname = "Beta"\n[[stage]]\n'
    path.write_text(text, encoding="utf-8")
    other = "FOLDER/lobby.toml is an event file, not that of a lobby: name another folder"
    converse(tmp_path, f"$ lobby FOLDER -> refused 2: {other}")
    assert path.read_text(encoding="utf-8") == text


def test_an_address_of_a_database_with_its_password_is_not_taken_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    why = (
        "refused 2: FOLDER is a folder; a database is named in TOURNEY_DATABASE or in lobby.toml, as every user of "
        "this machine sees command lines"
    )
    converse(tmp_path, f"$ lobby postgresql://club:secret@host/bridge -> {why}\n$ lobby sqlite:///other.db -> {why}")
    assert not list(tmp_path.iterdir())


def test_commands_that_need_teams_and_stages_refuse_a_lobby(tmp_path: Path) -> None:
    (tmp_path / "lobby.toml").write_text(LOBBY, encoding="utf-8")
    why = "FOLDER/lobby.toml is the file of a lobby, whose players make their games themselves"
    words = ("run FOLDER/lobby.toml", "check FOLDER/lobby.toml", "schedule FOLDER/lobby.toml")
    for command in (*words, "invite FOLDER/lobby.toml Alpha"):
        converse(tmp_path, f"$ {command} -> refused 2: ...{why}...")


@pytest.mark.parametrize("section", ["[[team]]\nname = 'Alpha'", "[[stage]]", "[stateful]\nport = 2100"])
def test_the_file_of_a_lobby_has_no_teams_stages_or_port(tmp_path: Path, section: str) -> None:
    (tmp_path / "lobby.toml").write_text(f"{LOBBY}{section}\n", encoding="utf-8")
    converse(
        tmp_path, "$ check FOLDER/lobby.toml -> refused 2: ...lobby: the players of a lobby make its games, leave..."
    )
