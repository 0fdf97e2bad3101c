"""Thinking time that a director has given, at a table that another host takes up."""

import pytest

from tests.protocol.test_conversations import OWN, made
from tests.support.wire_tables import at_start_of_board, in_auction, seated
from tourney.bridge import Side
from tourney.protocol.session.records import BoardSnapshot, Incident, TimeExtended
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules

pytestmark = pytest.mark.clause("BC-45", "BC-49")

A_MINUTE = TimeLimit(60_000, RemedyName.PENALTY)


@pytest.mark.parametrize(("extended_ms", "late_after_ms"), [(0, 50_000), (30_000, 20_000)])
def test_a_side_that_was_judged_at_one_host_is_judged_at_the_next_by_an_extended_limit_alone(
    extended_ms: int, late_after_ms: int
) -> None:
    rules = TableRules(time=TimeRules(board=A_MINUTE))
    first = in_auction(rules=rules)
    first.converse("""
        wait 70_000
        all hear N: passes
        ruled -> penalty-imps NS 1
    """)
    extensions = (TimeExtended(1, 1, None, extended_ms),) if extended_ms else ()
    before = BoardSnapshot(1, tuple(made(first)))
    history = tuple(first.of_kind(Incident))
    at_start_of_board(rules=rules, extensions=extensions, history=history, under_way=before).converse(
        f"""
        all: ready for deal
        all: ready for cards
        # once more, as it had
        all hear N E: passes
        late 50_000 -> {late_after_ms}
        """,
        **OWN,
    )


def test_a_table_that_another_host_takes_up_has_the_limits_of_the_one_that_was_lost() -> None:
    rules = TableRules(time=TimeRules(board=A_MINUTE, match=TimeLimit(80_000, RemedyName.WARN)))
    first = in_auction(rules=rules)
    first.converse(
        """
        extend 1 30_000 NS
        extend match 20_000
        wait 40_000
        all hear N: passes
        calls -> N Pass
        thought -> 40000
        """,
        **OWN,
    )
    extensions = tuple(first.of_kind(TimeExtended))
    assert [record.order_id for record in extensions] == [1, 2]
    second = seated(rules=rules, extensions=extensions, under_way=BoardSnapshot(1, tuple(made(first))))
    assert second.core.state.extra_ms == first.core.state.extra_ms
    limits = [second.core.state.limit_ms(number, side) for number in (1, None) for side in Side]
    assert limits == [90_000, 60_000, 100_000, 100_000]
    # It was not on record yet that the first had acted on it.
    second.converse("extend 1 30_000 order 1", **OWN)
    assert second.core.state.limit_ms(1, Side.NS) == 90_000
