"""Every decision of a director is one transaction: all of it is on record or nothing, and no two hold at once."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from tests.support.killed_statements import decided_rows, kill_after_each_statement, unheard_commit
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tourney.coordinator.director import RulingBasis
from tourney.director.action import DirectorAction
from tourney.director.extension import ExtendTables
from tourney.director.orders import PauseTables, ReplayBoard
from tourney.director.results import Finalise, Publish, Reopen
from tourney.director.rulings import Adjust, Assign, Cancel, Fine, Forfeit, WithdrawRulings, WithdrawTeam
from tourney.errors import RuleError
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import TableState
from tourney.store.db.database import Database
from tourney.store.models import TableRow
from tourney.store.results.matches import load_match_score
from tourney.store.rulings import load_rulings

MORE = "[web]\nfreeze_rounds = 1\n[clock]\nmatch_s = 3600"


def basis(key: str = "", author: str = "Ada") -> RulingBasis:
    return RulingBasis(author, "a fouled board", None, BEGINS_AT_MS + 1, key)


@pytest.fixture(params=["sqlite", "postgresql"])
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PlayedEvent]:
    """Alpha, at home, wins 10 IMPs on board 1 and loses 17 on board 4; both others are flat."""
    text = event_text("Alpha", "Beta", boards=4, more=MORE)
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_database").address
        text = text.replace("[event]\n", f'[event]\ndatabase = "{url}"\n')
    played = draw_event(tmp_path, text)
    played.compare(
        1,
        ("4S N", 10, "4S N", 9),
        ("Pass", 0, "Pass", 0),
        ("1NT S", 7, "1NT S", 7),
        ("6HX S", 11, "6H S", 12),
    )
    yield played
    played.database.close()


def _nothing(played: PlayedEvent) -> None:
    pass


def _with_two_rulings(played: PlayedEvent) -> None:
    Adjust(1, 4, ("Alpha=avg+", "Beta=avg-")).begin(played.drawn, basis())


def _final(played: PlayedEvent) -> None:
    Finalise().begin(played.drawn, basis())


def _at_a_host(played: PlayedEvent) -> None:
    with played.database.write() as connection:
        connection.execute(update(TableRow).values(state=TableState.OPEN, host="host-1", taken=True))
    played.reload()


def _to_be_played(played: PlayedEvent) -> None:
    with played.database.write() as connection:
        connection.execute(update(TableRow).values(state=TableState.WAITING))
    played.reload()


DECISIONS = [
    (_nothing, Adjust(1, 4, ("Alpha=avg+", "Beta=avg+"))),
    (_nothing, Assign("1-open", 4, ("60: 6H S 12", "40: 6H S 11"))),
    (_nothing, Cancel(4, 1)),
    (_nothing, Fine(1, "Beta", "3")),
    (_nothing, Forfeit("1", "Beta")),
    (_nothing, Forfeit("1-open", "Beta", 3)),
    (_nothing, WithdrawTeam("Beta")),
    (_with_two_rulings, WithdrawRulings((1, 2))),
    (_nothing, ReplayBoard("1-open", 2)),
    (_at_a_host, PauseTables()),
    (_at_a_host, ExtendTables("1", 300)),
    (_to_be_played, ExtendTables(None, 300, round=1)),
    (_nothing, Finalise()),
    (_final, Reopen()),
    (_nothing, Publish()),
]
ON_POSTGRES = (Adjust, WithdrawRulings, ReplayBoard)
"""Decisions that the suite tries on PostgreSQL too, of each file one; all others are alike there, and a campaign."""


def _decision_cases() -> Iterator[object]:
    for before, action in DECISIONS:
        name = f"{before.__name__.strip('_')}-{action}"
        yield pytest.param("sqlite", before, action, id=f"sqlite-{name}")
        marks = () if isinstance(action, ON_POSTGRES) else pytest.mark.campaign
        yield pytest.param("postgresql", before, action, id=f"postgresql-{name}", marks=marks)


@pytest.mark.parametrize(("played", "before", "action"), [*_decision_cases()], indirect=["played"])
def test_a_decision_killed_after_any_statement_has_had_no_effect(
    played: PlayedEvent, before: Callable[[PlayedEvent], None], action: DirectorAction
) -> None:
    before(played)
    database = played.database
    untouched = decided_rows(database)
    killed = kill_after_each_statement(
        database, lambda: action.begin(played.drawn, basis("once")), seen=lambda: decided_rows(database)
    )
    done = decided_rows(database)
    assert killed > 2
    assert done != untouched
    # What was done is not done again by who did not hear of it.
    again = action.begin(played.drawn, basis("once"))
    assert again.lines
    assert decided_rows(database) == done


def test_of_ten_directors_who_rule_on_the_same_board_at_once_one_does(played: PlayedEvent) -> None:
    ready, outcomes = threading.Barrier(10), list[str]()

    def rule(author: str) -> None:
        database = Database(played.database.address)
        drawn = DrawnEvent(played.path, played.file.place, database, played.event)
        ready.wait()
        try:
            Adjust(1, 4, ("Alpha=avg+",)).begin(drawn, basis(author, author))
        except RuleError as error:
            outcomes.append(error.message)
        else:
            outcomes.append("")
        finally:
            database.close()

    directors = [threading.Thread(target=rule, args=(f"director {number}",)) for number in range(10)]
    for each in directors:
        each.start()
    for each in directors:
        each.join()
    assert len([ruling for ruling in load_rulings(played.database, played.event.id) if ruling.is_live]) == 1
    refused = [outcome for outcome in outcomes if outcome]
    assert len(refused) == 9
    assert all("board 4 of match 1 has ruling 1 on it" in words for words in refused)


def test_nobody_rules_while_another_makes_the_results_final(played: PlayedEvent) -> None:
    """Whichever comes first, final results count every ruling, and none comes after."""
    ready = threading.Barrier(6)

    def decide(action: DirectorAction) -> None:
        database = Database(played.database.address)
        ready.wait()
        try:
            action.begin(DrawnEvent(played.path, played.file.place, database, played.event), basis())
        except RuleError as error:
            assert "has made the results" in error.message  # noqa: PT017 # in a thread
        finally:
            database.close()

    actions = [Finalise(), *(Fine(1, "Beta", str(imps)) for imps in range(1, 6))]
    deciding = [threading.Thread(target=decide, args=(action,)) for action in actions]
    for each in deciding:
        each.start()
    for each in deciding:
        each.join()
    score = load_match_score(played.database, played.match(1))
    assert score is not None
    fines = sum(ruling.amount for ruling in load_rulings(played.database, played.event.id))
    assert score.imps_away == 17 - fines
    with pytest.raises(RuleError, match="has made the results"):
        Fine(1, "Beta", "1").begin(played.drawn, basis())


def test_a_ruling_whose_commit_was_not_heard_of_is_found_and_not_given_twice(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.store.db.transactions.UNKNOWN_PAUSE_S", 0)
    with unheard_commit(played.database, monkeypatch) as begun:
        (line,) = Fine(1, "Beta", "3").begin(played.drawn, basis("once")).lines
    assert len(begun) > 1
    assert line.startswith("ruling 1; match 1: Alpha - Beta ")
    assert [ruling.amount for ruling in load_rulings(played.database, played.event.id)] == [3]


def test_a_replay_of_a_board_with_a_ruling_on_it_is_refused_until_that_is_withdrawn(played: PlayedEvent) -> None:
    """Else the board is played for nothing: the ruling stays, and takes the place of its result."""
    replay = ReplayBoard("1-open", 4)
    for ruling in (Assign("1-open", 4, ("6H S 12",), "Alpha"), Adjust(1, 4, ("Alpha=avg+",)), Cancel(4, 1)):
        ruling.begin(played.drawn, basis())
        number = max(each.id for each in load_rulings(played.database, played.event.id))
        untouched = decided_rows(played.database)
        for attempt in (lambda: replay.preview(played.drawn), lambda: replay.begin(played.drawn, basis())):
            with pytest.raises(RuleError, match=f"board 4 of match 1 has ruling {number} on it") as refusal:
                attempt()
            assert refusal.value.remedy == "`tourney rule withdraw` does"
            assert "withdraw that first" in refusal.value.message
        assert decided_rows(played.database) == untouched
        WithdrawRulings((number,)).begin(played.drawn, basis())
    Assign("1-closed", 4, ("6H S 12",)).begin(played.drawn, basis())  # is of the other room
    replay.begin(played.drawn, basis())
    assert load_match_score(played.database, played.match(1)) is None
