"""The command `tourney score`."""

from pathlib import Path

import pytest

from tests.support.commands import converse, run
from tests.support.score_texts import both, game
from tourney.cli import score as score_module


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "match.pbn"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


TEAMS = {"Event": "Cup", "Round": "3", "HomeTeam": "Ants", "VisitTeam": "Bees [2]"}
MATCH = game("Open", **TEAMS) + game("Closed", **TEAMS, Result="5") + both(Board="2", **TEAMS)


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        (
            MATCH,
            "",
            """
            -> FOLDER/match.pbn: Cup, round 3
            -> Home: Ants
            -> Away: Bees [2]
            -> Board Dlr Vul Open Score Closed Score Home Away
            -> 1 N None 1NT N = 90 1NT N -2 -100 5
            -> 2 N None 1NT N = 90 1NT N = 90
            -> IMPs 5 0
            -> VP 13.78 6.22
            """,
        ),
        (
            both(Score="NS 80") + both(Board="2", Round="2", Scoring="IMP") + "{ open",
            "",
            """
            -> ...
            -> 2 things do not add up in this match:
            -> FOLDER/match.pbn line 9, board 1, open room: the score is NS 80, 1NT by North with 7 tricks with...
            -> ...
            -> 1 thing does not add up outside of matches:
            -> ...
            """,
        ),
        (MATCH, "--vp-scale seed-24", "-> ... -> VP scale seed-24 has no table for 2 boards -> ..."),
        (MATCH + game("Open", Board="3", **TEAMS), "", "-> ... -> 2 of 3 boards compared -> ..."),
        (
            both(Contract="what"),
            "",
            """
            -> refused: FOLDER/match.pbn: no board has a result in both rooms, so nothing could be scored
            -> ... -> 0 of 1 board compared -> ...
            """,
        ),
    ],
    ids=["results and scores", "findings", "no table of the scale", "boards not compared", "no result"],
)
def test_a_match_is_shown_with_results_imps_victory_points_and_what_does_not_add_up(
    tmp_path: Path, text: str, options: str, told: str
) -> None:
    write(tmp_path, text)
    converse(tmp_path, f"$ score FOLDER/match.pbn {options} {told}")


@pytest.mark.parametrize("flags", [[], ["--json"]])
@pytest.mark.parametrize("data", [b"", b"\x00\xff\xfe[", game("Open").encode(), b"PK\x03\x04" * 100])
def test_a_file_without_a_board_of_two_rooms_is_refused_in_one_sentence(
    tmp_path: Path, data: bytes, flags: list[str]
) -> None:
    path = write(tmp_path, data)
    result = run("score", path, *flags)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: {path}")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_too_large_or_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, MATCH)
    monkeypatch.setattr(score_module, "FILE_BYTES_MAX", 100)
    converse(
        tmp_path,
        """
        $ score FOLDER/match.pbn -> refused 2: file FOLDER/match.pbn has more than 100 bytes, the most that are read
        $ score FOLDER/none.pbn -> refused 2: ...
        $ score -> refused 2: ...
        $ score FOLDER/match.pbn --vp-scale own -> refused 2: ...
        """,
    )


def test_nothing_in_a_file_reaches_the_terminal_as_an_order(tmp_path: Path) -> None:
    tags = {"HomeTeam": "A\x1b[31m\x07", "Event": "\x9b2J", "Board": "\x1b]0;x\x07", "Score": "\x1b[2J"}
    result = run("score", write(tmp_path, (game("Open", **tags) + game("Closed", **tags)).encode("iso-8859-1")))
    assert not {"\x1b", "\x07", "\x9b"} & set(result.stdout + result.stderr)
