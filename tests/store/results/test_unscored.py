"""What a run looks for again and again: matches without a score, and whether the draw is another one."""

import pytest

from tests.support.store_events import NOW_MS, draw_final, make_draw, reload, save_event, stages_draw, with_match
from tourney.contest.draw import EntryInfo, MatchInfo
from tourney.movement.seating import seat_match
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.changes import DRAW, ChangeWatch
from tourney.store.control.table_state import finish_tables
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import count_matches, load_event
from tourney.store.draw.tables import TeamInfo
from tourney.store.draw.writer import add_segment, drop_rounds, enter_late, save_next_rounds, update_starts
from tourney.store.results.event_results import load_unscored
from tourney.store.results.matches import save_match_score


@pytest.fixture
def event(database: Database) -> EventInfo:
    return save_event(database, stages_draw())


def score(database: Database, match: MatchInfo) -> None:
    ten = VpHundredths(1000)
    save_match_score(database, match, MatchScore(2, 0, 0, ten, ten))


def test_a_match_is_unscored_until_it_has_its_score_and_over_once_both_tables_are(
    database: Database, event: EventInfo
) -> None:
    other = save_event(database, make_draw(name="Another Cup"))
    assert load_unscored(database, event.id) == dict.fromkeys(range(1, 7), False)
    for match in event.matches[:3]:
        finish_tables(database, [table.id for table in match.tables], "", NOW_MS)
    finish_tables(database, [event.matches[3].tables[0].id], "", NOW_MS)
    score(database, event.matches[1])
    assert load_unscored(database, event.id) == {1: True, 3: True, 4: False, 5: False, 6: False}
    assert load_unscored(database, other.id) == {1: False}


def test_the_mark_of_a_draw_is_the_same_while_it_is_played(database: Database, event: EventInfo) -> None:
    draw = ChangeWatch(database, DRAW, event.id)
    assert draw.has_changed()
    finish_tables(database, [table.id for table in event.matches[0].tables], "", NOW_MS)
    score(database, event.matches[0])
    update_starts(database, event, [NOW_MS, *(None for _ in event.all_rounds[1:])])
    save_event(database, make_draw(name="Another Cup"))
    assert not draw.has_changed()


def test_the_mark_of_a_draw_changes_with_whatever_is_drawn(database: Database, event: EventInfo) -> None:
    draw = ChangeWatch(database, DRAW, event.id)
    marks = [draw.has_changed()]
    event = draw_final(database, event)
    marks.append(draw.has_changed())
    stage = event.stages[1]
    # Drawn anew, with as many matches under the same numbers.
    assert drop_rounds(database, stage)
    match = MatchInfo(stage, "Team 2", "Team 4", seat_match("Team 2", "Team 4", boards=2), board_set="2.1")
    entries = EntryInfo("Team 2", rank=1), EntryInfo("Team 4", rank=2)
    save_next_rounds(database, event, with_match(stage, match, entries), NOW_MS + 1)
    event = reload(database)
    marks.append(draw.has_changed())
    extra = seat_match("Team 2", "Team 4", segment=2, first=2, boards=1)
    add_segment(database, event, event.matches[-1], extra, NOW_MS)
    marks.append(draw.has_changed())
    enter_late(database, event, [TeamInfo("Late", None, "default")], [EntryInfo("Late", from_round=2)], "{}")
    marks.append(draw.has_changed())
    assert marks == [True] * 5


@pytest.mark.parametrize("number", [1, 4, 7])
def test_the_draw_for_one_match_has_its_round_as_the_whole_draw_has_it(
    database: Database, event: EventInfo, number: int
) -> None:
    save_event(database, make_draw(4, name="Another Cup"))
    whole = draw_final(database, event)
    (match,) = (match for match in whole.matches if match.number == number)
    of_match = load_event(database, "spring CUP", number)
    assert of_match is not None
    of_round = tuple(each for each in of_match.matches if each.round == match.round)
    assert of_round == whole.rounds[match.round - 1].matches, "what comes after says who has gone on"
    assert [(round_.number, round_.is_drawn) for round_ in of_match.all_rounds] == [
        (round_.number, round_.is_drawn) for round_ in whole.all_rounds
    ]
    assert (of_match.teams, of_match.stage_of(match).entries) == (whole.teams, whole.stage_of(match).entries)
    assert count_matches(database, of_match.id) == 7
