"""Rounds that depend on results: who reaches a stage, who meets whom, what is carried over; drawn from the record."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.contest.draw import MatchInfo
from tourney.coordinator.director import RulingBasis
from tourney.coordinator.draw import draw_again, draw_next, ensure_drawn
from tourney.director.orders import PauseTables, ResumeTables
from tourney.errors import ConfigError
from tourney.event.file import load_event_file
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.standings import Standings, load_standings
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.control.orders import PlacedOrder, give_orders, load_extensions, load_holds, load_outcomes
from tourney.store.models import OrderKind
from tourney.store.results.matches import save_match_score

NAMES = ("Ants", "Bees", "Cats", "Dogs", "Eels", "Frogs", "Gnus", "Hens")


def stages(*sections: str, teams: int = 8, deals: str = "seed = 1") -> str:
    """An event file with these stages, one board a match unless they say otherwise."""
    head = event_text(*NAMES[:teams], boards=1, stage=sections[0], deals=deals)
    return head + "".join(f"[[stage]]\n{section}\n" for section in sections[1:])


def score(played: PlayedEvent, match: MatchInfo, imps_home: int, imps_away: int = 0) -> None:
    """Let a match be over, with this score; victory points go with the margin."""
    margin = imps_home - imps_away
    vp = VpHundredths(1000 + max(-1000, min(1000, 10 * margin)))
    stored = MatchScore(1, imps_home, imps_away, vp, VpHundredths(2000 - vp))
    save_match_score(played.database, match, stored, BEGINS_AT_MS)


def by_strength(match: MatchInfo) -> int:
    """The team with the earlier name wins, by more the further they are apart."""
    return 10 * (NAMES.index(match.away) - NAMES.index(match.home))


def finish(played: PlayedEvent, margin: Callable[[MatchInfo], int] = by_strength) -> None:
    """Let every match that is drawn be over: the margin of the home team, in IMPs."""
    for match in played.reload().matches:
        imps = margin(match)
        score(played, match, max(0, imps), max(0, -imps))


def draw(played: PlayedEvent) -> list[int]:
    drawn = draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS)
    played.reload()
    return drawn


def pairings(played: PlayedEvent, round_: int) -> list[tuple[str, str]]:
    return [(match.home, match.away) for match in played.event.rounds[round_ - 1].matches]


def standings(played: PlayedEvent) -> Standings:
    return load_standings(played.database, played.reload(), played.file.ranking_rules)


def places(table: Standings) -> list[tuple[int, str]]:
    return [(row.rank, row.team) for row in table.rows]


GROUPS = 'name = "Groups"\ngroups = 2'
SEMIS = 'name = "Semi-finals"\nformat = "knockout"\nteams = 4\nrounds = 1\nboards_per_match = 1'
FINAL = 'name = "Final"\nformat = "match"\nteams = 2\nboards_per_match = 1'


# Stages in a row


def test_nothing_is_drawn_while_a_match_has_no_score(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages(GROUPS, SEMIS, FINAL))
    finish(played, lambda match: 0)
    save_match_score(played.database, played.match(3), None, BEGINS_AT_MS)
    assert draw(played) == []


def test_winners_of_groups_meet_the_seconds_of_others(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages(GROUPS, SEMIS, FINAL))
    # By snake: Ants Dogs Eels Hens, and Bees Cats Frogs Gnus.
    assert {team for m in played.event.matches for team in (m.home, m.away) if "Ants" in (m.home, m.away)} == {
        *("Ants", "Dogs", "Eels", "Hens")
    }
    finish(played)
    assert draw(played) == [4]
    assert pairings(played, 4) == [("Ants", "Cats"), ("Bees", "Dogs")]
    assert [(e.team, e.rank) for e in played.event.stages[1].entries] == [
        *(("Ants", 1), ("Bees", 1), ("Dogs", 2), ("Cats", 2)),
    ]
    finish(played)
    assert draw(played) == [5]
    assert pairings(played, 5) == [("Ants", "Bees")]
    finish(played)
    assert draw(played) == []
    assert places(standings(played)) == [
        *((1, "Ants"), (2, "Bees"), (3, "Dogs"), (3, "Cats")),
        *((5, "Eels"), (5, "Frogs"), (7, "Hens"), (7, "Gnus")),
    ]


def test_a_team_that_has_left_does_not_go_on(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages(GROUPS, SEMIS, FINAL))
    finish(played)
    played.rule(None, "Ants", RulingKind.WITHDRAWAL)
    draw(played)
    assert pairings(played, 4) == [("Dogs", "Cats"), ("Bees", "Eels")]


def test_a_round_is_drawn_again_when_a_ruling_changes_it_before_a_board_is_begun(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages(GROUPS, SEMIS, FINAL))
    finish(played)
    draw(played)

    def again() -> bool:
        found = draw_again(played.file, played.database, played.reload(), played.event.rounds[3], BEGINS_AT_MS)
        return found is not None

    assert again() is False
    played.rule(None, "Ants", RulingKind.WITHDRAWAL)
    assert again() is True
    played.reload()
    assert pairings(played, 4) == [("Dogs", "Cats"), ("Bees", "Eels")]
    assert [match.number for match in played.event.rounds[3].matches] == [13, 14]


def test_a_new_draw_keeps_pauses_by_place_and_time_by_teams_and_names_the_time_that_is_lost(tmp_path: Path) -> None:
    def again(*names: str) -> list[PlacedOrder] | None:
        for match in played.reload().matches[:12]:
            imps = 10 * (names.index(match.away) - names.index(match.home))
            score(played, match, max(0, imps), max(0, -imps))
        found = draw_again(played.file, played.database, played.reload(), played.event.rounds[3], BEGINS_AT_MS)
        played.reload()
        return found

    def given() -> list[tuple[int, Room, str | None]]:
        return [(each.match, each.room, each.team) for each in load_extensions(played.database, played.event.id)]

    def paused() -> list[str]:
        tables = {table.id: table.place for match in played.event.matches for table in match.tables}
        return [tables[table_id] for table_id in load_holds(played.database, tables)]

    played = draw_event(tmp_path, stages(GROUPS, SEMIS, FINAL))
    finish(played)
    draw(played)
    assert pairings(played, 4) == [("Ants", "Cats"), ("Bees", "Dogs")]
    table = played.match(14).tables[0]
    give_orders(played.database, [table.id], OrderKind.PAUSE, author="Ada", now_ms=1)
    give_orders(played.database, [table.id], OrderKind.EXTEND, author="Ada", now_ms=2, seat=Seat.EAST, seconds=60)
    assert (paused(), given()) == (["14-open"], [(14, Room.OPEN, "Dogs")])

    assert again("Dogs", "Cats", "Bees", "Ants", *NAMES[4:]) == []
    assert pairings(played, 4) == [("Dogs", "Bees"), ("Cats", "Ants")]
    assert (paused(), given()) == (["14-open"], [(13, Room.OPEN, "Dogs")])

    lost = again("Ants", "Cats", "Bees", "Dogs", *NAMES[4:])
    assert pairings(played, 4) == [("Ants", "Bees"), ("Cats", "Dogs")]
    assert lost is not None
    assert [order.team for order in lost] == ["Dogs"]
    assert (paused(), given()) == (["14-open"], [])


def test_a_round_that_is_drawn_while_the_whole_event_is_paused_is_paused_until_that_is_resumed(
    tmp_path: Path,
) -> None:
    basis = RulingBasis("Ada", "", None, BEGINS_AT_MS)

    def paused() -> list[int]:
        matches = {table.id: match.number for match in played.event.matches for table in match.tables}
        held = {matches[table_id] for table_id in load_holds(played.database, matches)}
        return sorted(held)

    played = draw_event(tmp_path, stages("", SEMIS, FINAL, teams=4))
    PauseTables(place="6").record(played.drawn, basis)
    PauseTables().record(played.drawn, basis)
    finish(played)
    assert draw(played) == [4]
    assert paused() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "it starts paused" in load_outcomes(played.database, range(1, 100)).values()

    ResumeTables().record(played.drawn, basis)
    finish(played)
    assert draw(played) == [5]
    assert paused() == []


def test_a_draw_stands_once_a_table_has_been_opened(tmp_path: Path) -> None:
    from tourney.store.control.table_state import assign_table

    played = draw_event(tmp_path, stages(GROUPS, SEMIS, FINAL))
    finish(played)
    draw(played)
    table = played.match(13).tables[0]
    assign_table(played.database, table.id, "host-1", dict.fromkeys(range(4), 2000), BEGINS_AT_MS)  # type: ignore[arg-type]
    played.rule(None, "Ants", RulingKind.WITHDRAWAL)
    assert draw_again(played.file, played.database, played.reload(), played.event.rounds[3], BEGINS_AT_MS) is None
    assert pairings(played, 4) == [("Ants", "Cats"), ("Bees", "Dogs")]


# Carry-over


def test_half_of_a_margin_goes_with_the_higher_ranked_and_a_third_with_the_lower_up_to_the_cap(
    tmp_path: Path,
) -> None:
    final = 'name = "Final"\nformat = "knockout"\nboards_per_match = 1\n'
    final += '[stage.carry_over]\nwon = 0.5\nlost = "1/3"\ncap = 8'
    played = draw_event(tmp_path, stages("", final, teams=4))
    margins = {frozenset(("Ants", "Dogs")): 5, frozenset(("Bees", "Cats")): -10}

    def margin(match: MatchInfo) -> int:
        first, second = sorted((match.home, match.away))
        imps = margins.get(frozenset((first, second)), 100 if first in ("Ants", "Bees") else 50)
        if (first, second) == ("Ants", "Bees"):
            imps = 60
        return imps if match.home == first else -imps

    finish(played, margin)
    draw(played)
    carried = {(m.home, m.away): (m.carry_home, m.carry_away) for m in played.event.rounds[3].matches}
    # 5 IMPs won by the higher ranked: 2.5; 10 won by the lower ranked: 3.33.
    assert carried == {("Ants", "Dogs"): (250, 0), ("Bees", "Cats"): (0, 333)}
    finish(played, lambda match: 0)
    (final_round,) = (draw(played),)
    assert final_round == [5]
    # A level match goes to who has brought more along; 60 IMPs of the round robin are capped at 8.
    (match,) = played.event.rounds[4].matches
    assert (match.home, match.away) == ("Ants", "Cats")


def test_victory_points_are_carried_into_another_round_robin(tmp_path: Path) -> None:
    played = draw_event(
        tmp_path, stages("", "name = 'Top'\nteams = 2\n[stage.carry_over]\nwon = 0.5\ncap = 20", teams=4)
    )
    finish(played)
    before = {row.team: row.vp for row in standings(played).fields[0].rows}
    draw(played)
    assert {e.team: e.carry_vp for e in played.event.stages[1].entries} == {
        team: min(2000, before[team] // 2) for team in ("Ants", "Bees")
    }
    finish(played, lambda match: 0)
    top = standings(played).fields[1]
    assert {row.team: row.vp for row in top.rows} == {
        team: 1000 + min(2000, before[team] // 2) for team in ("Ants", "Bees")
    }


def test_amounts_by_rank_are_carried_as_they_are_said(tmp_path: Path) -> None:
    top = "name = 'Top'\nteams = 3\n[stage.carry_over]\nby_rank = [6, 3.5]"
    played = draw_event(tmp_path, stages("", top, teams=4))
    finish(played)
    draw(played)
    assert [(e.team, e.carry_vp) for e in played.event.stages[1].entries] == [
        ("Ants", 600),
        ("Bees", 350),
        ("Cats", 0),
    ]


# Knockouts


def test_a_knockout_is_drawn_round_by_round_with_byes_for_the_best_and_a_match_for_third_place(
    tmp_path: Path,
) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"\nthird_place = true', teams=6))
    assert pairings(played, 1) == [("Dogs", "Eels"), ("Cats", "Frogs")]
    assert played.event.rounds[0].byes == ("Ants", "Bees")
    finish(played)
    draw(played)
    assert pairings(played, 2) == [("Ants", "Dogs"), ("Bees", "Cats")]
    finish(played, lambda match: by_strength(match) if match.round == 1 else -1)
    draw(played)
    assert pairings(played, 3) == [("Cats", "Dogs"), ("Ants", "Bees")]
    assert [match.is_third_place for match in played.event.rounds[2].matches] == [False, True]
    finish(played)
    assert draw(played) == []


def test_a_ruling_on_a_match_whose_winner_has_played_on_changes_no_draw(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"'))
    finish(played)
    draw(played)
    played.play(5)
    score(played, played.match(1), 0, 99)
    finish_round_two = [match for match in played.reload().matches if match.round == 2]
    for match in finish_round_two:
        score(played, match, 10)
    assert draw(played) == [3]
    assert pairings(played, 3) == [("Ants", "Bees")]
    score(played, played.match(7), 10)
    assert [row.team for row in standings(played).rows][:4] == ["Ants", "Bees", "Cats", "Dogs"]


def test_a_match_that_one_team_has_forfeited_is_won_by_the_other_whatever_the_imps(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"', teams=4))
    finish(played)
    played.rule(1, "Ants", RulingKind.MATCH_FORFEIT)
    draw(played)
    assert pairings(played, 2) == [("Bees", "Dogs")]


def forfeit_both(played: PlayedEvent, *numbers: int) -> None:
    for number in numbers:
        match = played.match(number)
        save_match_score(played.database, match, None, BEGINS_AT_MS)
        for team in match.teams:
            played.rule(number, team, RulingKind.MATCH_FORFEIT)
    played.score()


def test_where_both_teams_forfeit_a_semi_final_the_other_winner_has_a_walkover_in_the_final(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"\nthird_place = true', teams=4))
    finish(played)
    forfeit_both(played, 1)
    assert places(standings(played)) == [(1, "Bees"), (2, "Cats"), (3, "Ants"), (3, "Dogs")]
    assert draw(played) == [2]
    assert (pairings(played, 2), played.event.rounds[1].byes) == ([], ("Bees",))
    table = standings(played)
    assert places(table) == [(1, "Bees"), (2, "Cats"), (3, "Ants"), (3, "Dogs")]
    assert [(row.won, row.lost) for row in table.rows] == [(1, 0), (0, 1), (0, 1), (0, 1)]
    assert (table.is_over, table.undecided) == (True, {})


@pytest.mark.parametrize(("forfeited", "left"), [((13,), ("Bees",)), ((13, 14), ())])
def test_a_stage_after_a_match_that_both_teams_forfeited_has_fewer_teams(
    tmp_path: Path, forfeited: tuple[int, ...], left: tuple[str, ...]
) -> None:
    played = draw_event(tmp_path, stages(GROUPS, SEMIS, FINAL))
    finish(played)
    draw(played)
    finish(played)
    forfeit_both(played, *forfeited)
    assert draw(played) == [5]
    assert (pairings(played, 5), played.event.rounds[4].byes) == ([], left)
    table = standings(played)
    assert [row.team for row in table.rows if row.rank == 1] == list(left)
    assert table.is_over


def test_a_forfeit_that_is_revoked_after_the_next_round_has_begun_takes_nobody_back(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"', teams=6))
    finish(played)
    forfeit_both(played, 1)
    draw(played)
    played.play(3)
    for ruling in (1, 2):
        played.withdraw(ruling)
    score(played, played.match(1), 5)
    assert played.reload().matches[0].advanced == frozenset()
    score(played, played.match(3), 5)
    draw(played)
    assert pairings(played, 3) == [("Ants", "Bees")]
    assert [row.team for row in standings(played).rows if row.lost == 0] == ["Ants", "Bees"]


def test_a_level_match_goes_to_the_better_seed(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"\nextra_boards = 0', teams=4))
    finish(played, lambda match: 0)
    draw(played)
    assert pairings(played, 2) == [("Ants", "Bees")]


# Swiss


def test_a_team_that_comes_late_is_paired_from_its_round_on_and_has_its_points_for_those_before(
    tmp_path: Path,
) -> None:
    text = stages('format = "swiss"\nrounds = 3\nlate_vp = 7.5', teams=4)
    played = draw_event(tmp_path, text)
    played.play(1)
    finish(played)
    later = text.replace(
        "[[stage]]", '[[team]]\nname = "Eels"\nenters = 2\n[[team]]\nname = "Frogs"\nenters = 3\n[[stage]]', 1
    )
    played.path.write_text(later, encoding="utf-8")
    played.file = load_event_file(played.path)
    ensure_drawn(played.file, played.database, BEGINS_AT_MS)
    assert draw(played) == [2]
    assert "Eels" in [team for pair in pairings(played, 2) for team in pair] + list(played.event.rounds[1].byes)
    assert "Frogs" not in [team for pair in pairings(played, 2) for team in pair]
    finish(played)
    rows = {row.team: row.vp for row in standings(played).rows}
    assert rows["Frogs"] == 1500


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            'name = "Eels"',
            "team 5, enters: round 1 of 'Swiss' has been drawn, a team that comes now enters in a later one, "
            "got no `enters`",
        ),
        ('name = "Bees"\nenters = 2', None),
    ],
)
def test_a_team_that_comes_late_must_say_when(tmp_path: Path, entry: str, sentence: str | None) -> None:
    text = stages('format = "swiss"\nrounds = 3', teams=4)
    played = draw_event(tmp_path, text)
    played.play(1)
    played.path.write_text(text.replace("[[stage]]", f"[[team]]\n{entry}\n[[stage]]", 1), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        ensure_drawn(load_event_file(played.path), played.database, BEGINS_AT_MS)
    if sentence is not None:
        assert str(caught.value) == f"event.toml: {sentence}"


def test_nobody_comes_late_where_each_match_has_its_own_boards(tmp_path: Path) -> None:
    text = stages('format = "swiss"\nrounds = 3', teams=4, deals='seed = 1\nshared = "match"')
    played = draw_event(tmp_path, text)
    played.play(1)
    later = text.replace("[[stage]]", '[[team]]\nname = "Eels"\nenters = 2\n[[stage]]', 1)
    played.path.write_text(later, encoding="utf-8")
    with pytest.raises(ConfigError, match="nobody can come late"):
        ensure_drawn(load_event_file(played.path), played.database, BEGINS_AT_MS)


# Others


def test_a_gauntlet_ranks_by_victory_points_a_match(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "gauntlet"\nagainst_all = "Cats"\nrounds = 1', teams=4))
    assert pairings(played, 1) == [("Cats", "Ants"), ("Bees", "Cats"), ("Cats", "Dogs")]
    finish(played)
    table = standings(played)
    assert [row.team for row in table.rows] == ["Ants", "Bees", "Cats", "Dogs"]
    assert table.rows[2].played == 3
