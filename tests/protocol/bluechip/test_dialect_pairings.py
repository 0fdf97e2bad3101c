"""Every program in use against every other, over a simulated wire, each with its own profile."""

import pytest

from tests.support.dialect_tables import (
    PROGRAMS,
    any_board,
    dialect_table,
    passed_out,
    played_on,
    redoubled,
    to_be_played,
)
from tests.support.dialects import DIALECTS
from tests.support.table_invariants import check_session
from tourney.bridge import SEATS
from tourney.config.programs import PROFILES


@pytest.mark.clause("BC-50", "BC-51")
@pytest.mark.parametrize("ew", PROGRAMS)
@pytest.mark.parametrize("ns", PROGRAMS)
def test_two_programs_play_every_board_to_its_end_as_they_mean_it(ns: str, ew: str) -> None:
    seed = PROGRAMS.index(ns) * len(PROGRAMS) + PROGRAMS.index(ew)
    scripts = (passed_out(), redoubled(), any_board(seed))
    table = dialect_table(DIALECTS[ns], DIALECTS[ew], scripts)
    table.play()
    assert table.died == {}
    assert table.waiting == set()
    assert table.ended == [None]
    assert played_on(table) == to_be_played(scripts)
    without_texts = {seat for seat in SEATS if not PROFILES[(DIALECTS[ns], DIALECTS[ew])[seat % 2].profile].alerts}
    untold = check_session(table.log, table.core.state.settings.boards, without_texts=without_texts)
    assert untold == dict.fromkeys(SEATS, 0)
