"""The command `tourney score`."""

from functools import partial
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import printed
from tests.support.score_texts import both, game
from tourney.cli import score as score_module

run = partial(commands.run, "score")


def write(folder: Path, text: str | bytes, name: str = "match.pbn") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


TEAMS = {"Event": "Cup", "Round": "3", "HomeTeam": "Ants", "VisitTeam": "Bees [2]"}
MATCH = game("Open", **TEAMS) + game("Closed", **TEAMS, Result="5") + both(Board="2", **TEAMS)


def test_the_scorecard_has_results_imps_and_victory_points(tmp_path: Path) -> None:
    path = write(tmp_path, MATCH)
    result = printed(run(path))
    assert [" ".join(line.split()) for line in result.splitlines() if line] == [
        f"{path}: Cup, round 3",
        "Home: Ants",
        "Away: Bees [2]",
        "Board Dlr Vul Open Score Closed Score Home Away",
        "1 N None 1NT N = 90 1NT N -2 -100 5",
        "2 N None 1NT N = 90 1NT N = 90",
        "IMPs 5 0",
        "VP 13.78 6.22",
    ]


def test_findings_are_listed_with_file_line_board_and_room(tmp_path: Path) -> None:
    path = write(tmp_path, both(Score="NS 80") + both(Board="2", Round="2", Scoring="IMP") + "{ open")
    result = printed(run(path))
    lines = result.splitlines()
    assert (
        f"{path} line 9, board 1, open room: "
        "the score is NS 80, 1NT by North with 7 tricks with None vulnerable is NS 90" in lines
    )
    assert "2 things do not add up in this match:" in lines
    assert "1 thing does not add up outside of matches:" in lines


def test_a_scale_without_a_table_for_so_many_boards_gives_no_victory_points(tmp_path: Path) -> None:
    result = printed(run(write(tmp_path, MATCH), "--vp-scale", "seed-24"))
    assert "VP scale seed-24 has no table for 2 boards" in result.splitlines()


def test_a_match_with_boards_that_could_not_be_compared_says_how_many_were(tmp_path: Path) -> None:
    result = printed(run(write(tmp_path, MATCH + game("Open", Board="3", **TEAMS))))
    assert "2 of 3 boards compared" in result.splitlines()


@pytest.mark.parametrize("flags", [[], ["--json"]])
@pytest.mark.parametrize("data", [b"", b"\x00\xff\xfe[", game("Open").encode(), b"PK\x03\x04" * 100])
def test_a_file_without_a_board_of_two_rooms_is_refused_in_one_sentence(
    tmp_path: Path, data: bytes, flags: list[str]
) -> None:
    path = write(tmp_path, data)
    result = run(path, *flags)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: {path}")
    assert result.stderr.count("\n") == 1


def test_a_match_without_a_result_is_shown_and_refused(tmp_path: Path) -> None:
    path = write(tmp_path, both(Contract="what"))
    result = run(path)
    assert result.exit_code == 1
    assert "0 of 1 board compared" in result.stdout.splitlines()
    assert result.stderr == f"Error: {path}: no board has a result in both rooms, so nothing could be scored\n"


def test_a_file_that_is_too_large_or_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, MATCH)
    monkeypatch.setattr(score_module, "FILE_BYTES_MAX", 100)
    result = run(path)
    assert result.exit_code == 2
    assert result.stderr == f"Error: file {path} has more than 100 bytes, the most that are read\n"
    assert run(tmp_path / "none.pbn").exit_code == 2
    assert run().exit_code == 2
    assert run(path, "--vp-scale", "own").exit_code == 2


def test_nothing_in_a_file_reaches_the_terminal_as_an_order(tmp_path: Path) -> None:
    tags = {"HomeTeam": "A\x1b[31m\x07", "Event": "\x9b2J", "Board": "\x1b]0;x\x07", "Score": "\x1b[2J"}
    text = (game("Open", **tags) + game("Closed", **tags)).encode("iso-8859-1")
    result = run(write(tmp_path, text))
    assert not {"\x1b", "\x07", "\x9b"} & set(result.stdout + result.stderr)
