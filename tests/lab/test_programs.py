"""The programs of duels: a change of their files is noticed, and the profile that each needs is found once."""

from pathlib import Path

import pytest

from tourney.compliance.check import FoundProfile
from tourney.config.programs import PROFILES
from tourney.errors import ConfigError, UsageError
from tourney.lab import programs
from tourney.lab.duel import DuelTeam
from tourney.lab.programs import changed_programs, find_profiles, fingerprint, note_programs

COMMAND = "python3 player/bot.py --book player/book.txt {port} {seat}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("bot.py", "book.txt", "cards.py", "deep/search.py", "net.npz", "notes.md"):
        (tmp_path / "player" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "player" / name).write_text(name)
    (tmp_path / "player" / "env" / "lib").mkdir(parents=True)
    (tmp_path / "player" / "env" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (tmp_path / "player" / "env" / "lib" / "installed.py").write_text("")
    return tmp_path


@pytest.mark.parametrize("name", ["bot.py", "book.txt", "cards.py", "deep/search.py", "net.npz"])
def test_a_changed_file_of_a_program_makes_another_program_of_it(folder: Path, name: str) -> None:
    before = fingerprint(COMMAND, folder)
    assert fingerprint(COMMAND, folder) == before
    (folder / "player" / name).write_text("changed")
    assert fingerprint(COMMAND, folder) != before


@pytest.mark.parametrize("name", ["notes.md", "env/lib/installed.py", "log.txt", "__pycache__/bot.py"])
def test_what_does_not_belong_to_a_program_does_not_change_it(folder: Path, name: str) -> None:
    before = fingerprint(COMMAND, folder)
    (folder / "player" / name).parent.mkdir(exist_ok=True)
    (folder / "player" / name).write_text("changed")
    assert fingerprint(COMMAND, folder) == before


def test_programs_of_a_duel_are_told_to_have_changed_until_it_is_noted(folder: Path) -> None:
    teams = [DuelTeam("New", {"command": COMMAND}), DuelTeam("Old", {"command": "cat {port}"})]
    results = folder / "results" / "duel"
    assert changed_programs(teams, folder, results) == []  # nobody knows what has played
    note_programs(teams, folder, results)
    assert changed_programs(teams, folder, results) == []
    (folder / "player" / "bot.py").write_text("better")
    assert changed_programs(teams, folder, results) == ["New"]


# Profiles


class Searches:
    """Stands for the search, which `tests/e2e/test_check_bot.py` has with real programs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.commands: list[str] = []
        self.found = FoundProfile(PROFILES["ben-2023"], "ben-2023", {"line_gap_ms": 50})
        monkeypatch.setattr(programs, "find_profile", self.search)

    async def search(self, command: str, *, team: str) -> FoundProfile:
        self.commands.append(command)
        return self.found


def find(folder: Path, *teams: DuelTeam) -> list[DuelTeam]:
    return find_profiles(teams, folder, folder / "results", {}, lambda _: None)


def test_the_profile_of_a_program_is_searched_for_once_until_the_program_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = Searches(monkeypatch)
    team = DuelTeam("New", {"command": COMMAND})
    for _ in range(2):
        (found,) = find(folder, team)
        assert (found.keys["profile"], found.wire) == ("ben-2023", {"line_gap_ms": 50})
    assert searches.commands == [COMMAND]
    (folder / "player" / "bot.py").write_text("better")
    find(folder, team)
    assert searches.commands == [COMMAND, COMMAND]


def test_each_program_of_a_duel_has_its_own_profile_and_ours_is_not_searched_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = Searches(monkeypatch)
    ours = DuelTeam("Ours", {"command": "tourney bot --port {port}"})
    found = find(folder, DuelTeam("New", {"command": COMMAND}), ours)
    assert [team.keys["profile"] for team in found] == ["ben-2023", "tourney"]
    assert searches.commands == [COMMAND]


def test_a_team_that_has_played_goes_on_with_what_its_event_file_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = Searches(monkeypatch)
    played = {"New": DuelTeam("New", {"profile": "gib"}, {"timing": False}), "Old": DuelTeam("Old", {})}
    teams = [DuelTeam("New", {"command": COMMAND}), DuelTeam("Old", {"command": "cat {port}"})]
    new, old = find_profiles(teams, folder, folder / "results", played, lambda _: None)
    assert (new.keys["profile"], new.wire) == ("gib", {"timing": False})
    assert "profile" not in old.keys
    assert searches.commands == []


def test_a_program_that_does_not_play_is_refused_with_what_it_did(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Searches(monkeypatch).found = FoundProfile(None, problem="it has called nothing")
    with pytest.raises(UsageError, match="New plays with no profile that was tried: it has called nothing"):
        find(folder, DuelTeam("New", {"command": COMMAND}))
    with pytest.raises(ConfigError, match=r"New: .*prot"):
        find(folder, DuelTeam("New", {"command": "./new {prot}"}))
    assert not (folder / "results" / "profiles.json").exists()
