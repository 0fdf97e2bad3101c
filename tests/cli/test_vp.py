"""The command `tourney vp`."""

from functools import partial

import pytest

from tests.support import commands
from tests.support.commands import printed, refusal
from tests.support.refusals import refused_commands

run = partial(commands.run, "vp")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--boards 24 --vp-scale wbf-continuous --margin 15", "15 IMPs over 24 boards, wbf-continuous: 13.34 - 6.66"),
        ("--boards 24 --margin -15", "-15 IMPs over 24 boards, wbf-continuous: 6.66 - 13.34"),
        ("--boards 24 --margin=-1", "-1 IMP over 24 boards, wbf-continuous: 9.75 - 10.25"),
        ("--boards 24 --vp-scale seed-24 --margin 55", "55 IMPs over 24 boards, seed-24: 20.00 - 0.00"),
        ("--boards 1 --margin 1", "1 IMP over 1 board, wbf-continuous: 11.20 - 8.80"),
        ("--boards 1000 --margin 0", "0 IMPs over 1000 boards, wbf-continuous: 10.00 - 10.00"),
    ],
)
def test_a_margin_is_told_in_one_line(words: str, line: str) -> None:
    result = run(*words.split())
    assert (result.exit_code, result.stdout, result.stderr) == (0, line + "\n", "")


def test_without_a_margin_the_whole_table_is_printed_for_people() -> None:
    result = printed(run("--boards", "24", "--vp-scale", "seed-24"))
    lines = [line.split() for line in result.splitlines() if line.strip()]
    assert lines[0] == ["24", "boards,", "seed-24"]
    assert lines[1] == ["IMPs", "Winner", "Loser"]
    figures = lines[-56:]
    assert figures[0] == ["0", "10.00", "10.00"]
    assert figures[16] == ["16", "13.00", "7.00"]
    assert figures[-1] == ["55+", "20.00", "0.00"]


@pytest.mark.parametrize(("words", "status", "complaint"), refused_commands("commands/vp"))
def test_words_that_make_no_sense_exit_2_and_say_why(words: list[str], status: int, complaint: str) -> None:
    assert complaint in refusal(run(*words), status)
