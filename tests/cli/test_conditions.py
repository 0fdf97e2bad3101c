"""The conditions of contest, as `tourney export --format conditions` writes them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.commands import refusal, run
from tests.support.conditions_text import conditions_text
from tests.support.played_event import draw_event, event_text, write_event
from tourney.config import Durability
from tourney.store.control.host_settings import save_settings


def test_conditions_are_written_before_any_draw_and_nothing_else_is_made(tmp_path: Path) -> None:
    path = write_event(tmp_path, event_text())
    assert conditions_text(path).startswith("# Conditions of contest: Test Cup\n")
    assert conditions_text(path, "html").startswith('<!DOCTYPE html>\n<html lang="en">\n')
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("words", [("--match", "1"), ("--director",)])
def test_they_are_of_the_whole_event_and_for_everybody(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = write_event(tmp_path, event_text())
    asked = ["export", str(path), "--format", "conditions", "--out", str(tmp_path / "out"), *words]
    refused = refusal(run(*asked), 2)
    assert "the conditions of contest are of the whole event and for everybody" in refused


def test_the_hash_of_sealed_boards_is_printed_of_this_event_only(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    assert "sealed" not in conditions_text(played.path)
    sealed = run("deals", "seal", played.path)
    commitment = sealed.stdout.partition("SHA-256 ")[2].split()[0]
    assert f"`{commitment}`" in conditions_text(played.path)
    path = played.file.results / "seal.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["nonce"] not in conditions_text(played.path)
    path.write_text(json.dumps(document | {"event": "Another Cup"}), encoding="utf-8")
    assert "sealed" not in conditions_text(played.path)


def test_what_a_power_cut_may_take_is_said_whatever_the_file_says_by_now(
    tmp_path: Path,
) -> None:
    played = draw_event(tmp_path)
    assert "neither a program that fails nor a power cut" in conditions_text(played.path).replace("\n", " ")
    save_settings(played.database, played.event.id, replace(played.file.host_settings, durability=Durability.PROCESS))
    assert "cut may take the last calls and cards of boards in play" in conditions_text(played.path).replace(
        "\n", " "
    )


def test_with_postgresql_a_power_cut_takes_nothing_whatever_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_event(tmp_path, event_text() + '[record]\ndurability = "process"\n')
    taken = "cut may take the last calls and cards of boards in play"
    assert taken in conditions_text(path).replace("\n", " ")
    monkeypatch.setenv("TOURNEY_DATABASE", "postgresql://nobody@127.0.0.1:1/none")
    assert "neither a program that fails nor a power cut" in conditions_text(path).replace("\n", " ")
