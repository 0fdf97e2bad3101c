"""The command `tourney conditions`."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.played_event import draw_event, event_text, write_event
from tourney.cli.main import cli
from tourney.config import Durability
from tourney.store.control.host_settings import save_settings


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, ["conditions", *map(str, words)])


def test_conditions_are_printed_before_any_draw_and_nothing_is_made(tmp_path: Path) -> None:
    path = write_event(tmp_path, event_text())
    result = run(path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("# Conditions of contest: Test Cup\n")
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_is_written_to_a_file_which_is_replaced(tmp_path: Path) -> None:
    path, out = write_event(tmp_path, event_text()), tmp_path / "coc.html"
    out.write_text("old", encoding="utf-8")
    result = run(path, "--html", "--out", out)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"Wrote {out}\n", "")
    assert out.read_text(encoding="utf-8") == run(path, "--html").stdout
    assert out.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="en">\n')
    assert sorted(tmp_path.iterdir()) == [out, path]


def test_the_hash_of_sealed_boards_is_printed_of_this_event_only(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    assert "sealed" not in run(played.path).stdout
    sealed = CliRunner().invoke(cli, ["deals", "seal", str(played.path)])
    commitment = sealed.stdout.partition("SHA-256 ")[2].split()[0]
    assert f"`{commitment}`" in run(played.path).stdout
    path = played.file.results / "seal.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["nonce"] not in run(played.path).stdout
    path.write_text(json.dumps(document | {"event": "Another Cup"}), encoding="utf-8")
    assert "sealed" not in run(played.path).stdout


def test_what_a_power_cut_may_take_is_said_whatever_the_file_says_by_now(
    tmp_path: Path,
) -> None:
    played = draw_event(tmp_path)
    assert "neither a program that fails nor a power cut" in run(played.path).stdout.replace("\n", " ")
    save_settings(played.database, played.event.id, replace(played.file.host_settings, durability=Durability.PROCESS))
    assert "cut may take the last calls and cards of boards in play" in run(played.path).stdout.replace("\n", " ")


def test_with_postgresql_a_power_cut_takes_nothing_whatever_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_event(tmp_path, event_text() + '[record]\ndurability = "process"\n')
    taken = "cut may take the last calls and cards of boards in play"
    assert taken in run(path).stdout.replace("\n", " ")
    monkeypatch.setenv("TOURNEY_DATABASE", "postgresql://nobody@127.0.0.1:1/none")
    assert "neither a program that fails nor a power cut" in run(path).stdout.replace("\n", " ")


def test_names_of_any_language_are_written_as_utf_8(tmp_path: Path) -> None:
    path = write_event(tmp_path, event_text(name="Pokal Åre ♠"))
    assert "# Conditions of contest: Pokal Åre ♠\n".encode() in run(path).stdout_bytes
    run(path, "--out", tmp_path / "coc.md")
    assert (tmp_path / "coc.md").read_bytes() == run(path).stdout_bytes


EXAMPLES = sorted((Path(__file__).parents[2] / "config").glob("*.toml"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_that_ships_is_fine_and_has_conditions(example: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(example, tmp_path))
    checked = CliRunner().invoke(cli, ["check", str(path)])
    assert (checked.exit_code, checked.stdout.splitlines()[0]) == (0, f"{path.name} is fine")
    result = run(path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\n## 1. Format\n" in result.stdout
    assert list(tmp_path.iterdir()) == [path]


def test_the_example_of_stages_is_groups_then_a_knockout_with_all_that_goes_with_one(tmp_path: Path) -> None:
    path = shutil.copy(next(path for path in EXAMPLES if path.stem == "stages"), tmp_path)
    text = run(path).stdout
    for words in (
        "10 teams take part. The event has 2 stages",
        "| A | Alpha, Delta, Epsilon, Theta, Iota |",
        'The best 2 of each group of "Groups" advance',
        "play for third place",
        "half if it was ranked higher there",
        "at most 20 IMPs",
    ):
        assert words in text


def test_a_file_with_something_wrong_is_refused(tmp_path: Path) -> None:
    result = run(write_event(tmp_path, event_text("Ants")))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: event.toml: team: an event has 2 to 256 teams, got 1\n"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    out = tmp_path / "no" / "coc.md"
    result = run(write_event(tmp_path, event_text()), "--out", out)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: file {out} cannot be written: No such file or directory\n"
