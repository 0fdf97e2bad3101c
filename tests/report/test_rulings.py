"""Rulings in words, where there are too many to tell each."""

from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.report.rulings import summarize_rulings
from tourney.store.rulings import RULE_AUTHOR, RulingInfo


def ruling(
    team: str, kind: RulingKind, *, ended: BoardEnd | None = None, law: str = "BC-45", author: str = RULE_AUTHOR
) -> RulingInfo:
    return RulingInfo(
        id=1,
        kind=kind,
        team=team,
        match=1,
        room=None,
        board=None,
        attempt=None,
        ended=ended,
        amount=3,
        reason="it broke",
        law=law,
        author=author,
        at_ms=0,
    )


def test_each_team_has_a_line_in_the_order_of_first_rulings_with_causes_by_frequency() -> None:
    rulings = [
        ruling("Beta", RulingKind.BOARD_FORFEIT, ended=BoardEnd.CRASH),
        *(ruling("Beta", RulingKind.BOARD_FORFEIT, ended=BoardEnd.STALL) for _ in range(2)),
        ruling("Alpha", RulingKind.WITHDRAWAL, law="", author="Jane"),
        ruling("Beta", RulingKind.PENALTY_IMPS, ended=BoardEnd.PLAYED, law="Law 81C5"),
    ]
    assert summarize_rulings(rulings) == [
        "Beta: board forfeited (stall) 2 times, board forfeited (crash), penalty of 3 IMPs (Law 81C5)",
        "Alpha: left the event (by Jane)",
    ]
