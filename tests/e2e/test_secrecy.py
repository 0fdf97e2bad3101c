"""Two events with the same deals in one database, played one after the other on simulated time."""

import json
from pathlib import Path

from tests.support.events import bot, port_range, printed
from tests.support.simulated_run import run_simulated
from tourney.bridge import board_from_seed
from tourney.formats.boards import format_boards


def write_event(folder: Path, name: str, deals: str, teams: tuple[str, str]) -> Path:
    lines = [f'[event]\nname = "{name}"\nresults = "{name}"\ndatabase = "sqlite:///cups.db"\n']
    for number, team in enumerate(teams, 1):
        command = json.dumps(bot(number))
        lines.append(f'[[team]]\nname = "{team}"\nprofile = "tourney"\ncommand = {command}\n')
    lines.append(f"[[stage]]\nboards_per_match = 2\n[deals]\n{deals}\n")
    lines.append(f'[tables]\ntrick_pause_ms = 0\nports = "{port_range()}"\n')
    path = folder / f"{name}.toml"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def boards_shown(event: Path) -> list[int]:
    card = json.loads(printed("match", event, "1", "--json").out)
    shown = [board["board"] for board in card["boards"] if board["imps"] is not None]
    assert (card["vp_home"] is not None) is (len(shown) == len(card["boards"]))  # a score tells of a hidden board
    return shown


def pages_of_boards(event: Path, folder: Path) -> list[str]:
    assert printed("export", event, "--format", "html", "--out", folder).status == 0
    return sorted(path.name for path in folder.rglob("board-*.html"))


def test_one_event_shows_no_board_that_another_has_to_play(tmp_path: Path) -> None:
    boards = [board_from_seed("club night", "1", number) for number in (1, 2)]
    (tmp_path / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii")
    deals = 'pbn = "boards.pbn"'
    one = write_event(tmp_path, "One", deals, ("Ants", "Bees"))
    two = write_event(tmp_path, "Two", deals, ("Cats", "Dogs"))
    assert run_simulated(one).status == 0
    assert boards_shown(one) == [1, 2]
    assert printed("schedule", two).status == 0  # drawn, and played later
    assert boards_shown(one) == []
    assert pages_of_boards(one, tmp_path / "before") == []
    assert run_simulated(two).status == 0
    assert boards_shown(one) == boards_shown(two) == [1, 2]
    assert pages_of_boards(one, tmp_path / "after") == ["board-01.html", "board-02.html"]
