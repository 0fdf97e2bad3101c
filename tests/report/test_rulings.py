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


def test_nothing_is_said_of_no_rulings() -> None:
    assert summarize_rulings([]) == []


def test_each_team_has_a_line_in_the_order_of_first_rulings() -> None:
    rulings = [ruling(team, RulingKind.MATCH_FORFEIT) for team in ("Zeta", "Alpha", "Zeta")]
    assert summarize_rulings(rulings) == ["Zeta: 2 matches forfeited (BC-45)", "Alpha: 1 match forfeited (BC-45)"]


def test_causes_are_counted_the_most_frequent_first() -> None:
    ends = [BoardEnd.CRASH, BoardEnd.STALL, BoardEnd.STALL]
    rulings = [ruling("Beta", RulingKind.BOARD_FORFEIT, ended=end) for end in ends]
    assert summarize_rulings(rulings) == ["Beta: 3 boards forfeited (2 stall, 1 crash)"]


def test_a_ruling_on_a_board_that_was_played_is_told_by_its_law() -> None:
    rulings = [ruling("Beta", RulingKind.PENALTY_VP, ended=BoardEnd.PLAYED, law="Law 81C5")]
    assert summarize_rulings(rulings) == ["Beta: 1 penalty in VP (Law 81C5)"]


def test_a_ruling_without_a_law_is_told_by_its_author() -> None:
    rulings = [
        ruling("Beta", RulingKind.WITHDRAWAL, law="", author="Jane"),
        *(ruling("Beta", RulingKind.PENALTY_IMPS, law="") for _ in range(2)),
    ]
    assert summarize_rulings(rulings) == ["Beta: 2 penalties in IMPs (by rule), 1 withdrawal (by Jane)"]
