"""The command `tourney vp`."""

from pathlib import Path

import pytest

from tests.support.commands import converse, refusal, run
from tests.support.refusals import refused_commands


def test_a_margin_is_told_in_one_line_and_without_one_the_whole_table_is_printed_for_people(tmp_path: Path) -> None:
    converse(
        tmp_path,
        """
        $ vp --boards 24 --vp-scale wbf-continuous --margin 15
            -> 15 IMPs over 24 boards, wbf-continuous: 13.34 - 6.66
        $ vp --boards 24 --margin -15 -> -15 IMPs over 24 boards, wbf-continuous: 6.66 - 13.34
        $ vp --boards 24 --margin=-1 -> -1 IMP over 24 boards, wbf-continuous: 9.75 - 10.25
        $ vp --boards 24 --vp-scale seed-24 --margin 55 -> 55 IMPs over 24 boards, seed-24: 20.00 - 0.00
        $ vp --boards 1 --margin 1 -> 1 IMP over 1 board, wbf-continuous: 11.20 - 8.80
        $ vp --boards 1000 --margin 0 -> 0 IMPs over 1000 boards, wbf-continuous: 10.00 - 10.00
        $ vp --boards 24 --vp-scale seed-24
            -> 24 boards, seed-24
            -> IMPs Winner Loser
            -> 0 10.00 10.00
            -> ...
            -> 16 13.00 7.00
            -> ...
            -> 55+ 20.00 0.00
        """,
    )


@pytest.mark.parametrize(("words", "status", "complaint"), refused_commands("commands/vp"))
def test_words_that_make_no_sense_exit_2_and_say_why(words: list[str], status: int, complaint: str) -> None:
    assert complaint in refusal(run("vp", *words), status)
