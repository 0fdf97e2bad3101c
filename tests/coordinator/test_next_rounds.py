"""Rounds that depend on results: who reaches a stage, who meets whom, what is carried over; drawn from the record."""

from functools import partial
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.contest.draw import MatchInfo
from tourney.coordinator.director import RulingBasis
from tourney.coordinator.draw import draw_again, ensure_drawn
from tourney.director.orders import PauseTables, ResumeTables
from tourney.errors import ConfigError
from tourney.event.file import load_event_file
from tourney.protocol.session.records import RulingKind
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.control.orders import give_orders, load_extensions, load_holds, load_outcomes
from tourney.store.models import OrderKind
from tourney.store.results.matches import save_match_score

NAMES = ("Ants", "Bees", "Cats", "Dogs", "Eels", "Frogs", "Gnus", "Hens")


def stages(*sections: str, teams: int = 8, deals: str = "seed = 1") -> str:
    """An event file with these stages, one board a match unless they say otherwise."""
    head = event_text(*NAMES[:teams], boards=1, stage=sections[0], deals=deals)
    return head + "".join(f"[[stage]]\n{section}\n" for section in sections[1:])


def score(played: PlayedEvent, match: MatchInfo, imps: int) -> None:
    """Let a match be over, with this margin of the home team; victory points go with it."""
    vp = VpHundredths(1000 + max(-1000, min(1000, 10 * imps)))
    stored = MatchScore(1, max(0, imps), max(0, -imps), vp, VpHundredths(2000 - vp))
    save_match_score(played.database, match, stored)


def finish(played: PlayedEvent, *how: str) -> None:
    """Let every match that is drawn be over.

    The team with the earlier name wins, by more the further they are apart; or that which comes first in names that
    are said; or every match is `level`, or `lost` by the home team after round 1.
    """
    names = how if len(how) > 1 else NAMES
    for match in played.reload().matches:
        imps = 10 * (names.index(match.away) - names.index(match.home))
        if how == ("level",):
            imps = 0
        elif how == ("lost",) and match.round > 1:
            imps = -1
        score(played, match, imps)


def again(played: PlayedEvent, round_number: str = "4") -> list[str]:
    """Draw a round again; the teams whose time is lost, or that the draw stands."""
    round_ = played.reload().rounds[int(round_number) - 1]
    lost = draw_again(played.file, played.database, played.event, round_, BEGINS_AT_MS)
    played.reload()
    return [str(order.team) for order in lost] if lost is not None else ["it stands"]


def paused(played: PlayedEvent) -> list[str]:
    tables = {table.id: table.place for match in played.event.matches for table in match.tables}
    return [tables[table_id] for table_id in load_holds(played.database, tables)]


def extended(played: PlayedEvent) -> list[str]:
    return [f"{each.match}-{each.room} {each.team}" for each in load_extensions(played.database, played.event.id)]


def entries(played: PlayedEvent) -> list[str]:
    """Who plays in the second stage, with rank and victory points brought along."""
    return [f"{each.team} {each.rank} {each.carry_vp}" for each in played.event.stages[1].entries]


tell = partial(converse, finish=finish, again=again, paused=paused, extended=extended, entries=entries)

PLACES = "$ standings EVENT --json | standings: rank team"

GROUPS = 'name = "Groups"\ngroups = 2'
SEMIS = 'name = "Semi-finals"\nformat = "knockout"\nteams = 4\nrounds = 1\nboards_per_match = 1'
FINAL = 'name = "Final"\nformat = "match"\nteams = 2\nboards_per_match = 1'


@pytest.fixture
def cup(tmp_path: Path) -> PlayedEvent:
    """In a snake: Ants Dogs Eels Hens, and Bees Cats Frogs Gnus."""
    return draw_event(tmp_path, stages(GROUPS, SEMIS, FINAL))


# Stages in a row


def test_nothing_is_drawn_while_a_match_has_no_score(cup: PlayedEvent) -> None:
    finish(cup, "level")
    save_match_score(cup.database, cup.match(3), None)
    tell(cup, "drawn -> nothing")


def test_winners_of_groups_meet_the_seconds_of_others(cup: PlayedEvent) -> None:
    with_ants = {match.teams for match in cup.event.matches if "Ants" in match.teams}
    assert {team for teams in with_ants for team in teams} == {"Ants", "Dogs", "Eels", "Hens"}
    tell(
        cup,
        f"""
        finish
        drawn -> 4
        round 4 -> Ants - Cats -> Bees - Dogs
        entries -> Ants 1 0 -> Bees 1 0 -> Dogs 2 0 -> Cats 2 0
        finish
        drawn -> 5
        round 5 -> Ants - Bees
        finish
        drawn -> nothing
        {PLACES} -> 1 Ants -> 2 Bees -> 3 Dogs -> 3 Cats -> 5 Eels -> 5 Frogs -> 7 Hens -> 7 Gnus
        """,
    )


def test_a_team_that_has_left_does_not_go_on(cup: PlayedEvent) -> None:
    tell(
        cup,
        """
        finish
        rule withdrawal Ants
        drawn -> 4
        round 4 -> Dogs - Cats -> Bees - Eels
        """,
    )


def test_a_round_is_drawn_again_when_a_ruling_changes_it_before_a_board_is_begun(cup: PlayedEvent) -> None:
    tell(
        cup,
        """
        finish
        drawn
        again -> it stands
        rule withdrawal Ants
        again -> nothing
        round 4 -> Dogs - Cats -> Bees - Eels
        """,
    )
    assert [match.number for match in cup.event.rounds[3].matches] == [13, 14]


def test_a_new_draw_keeps_pauses_by_place_and_time_by_teams_and_names_the_time_that_is_lost(cup: PlayedEvent) -> None:
    tell(cup, "finish\ndrawn\nround 4 -> Ants - Cats -> Bees - Dogs\nAda: pause 14-open")
    table = cup.match(14).tables[0]
    give_orders(cup.database, [table.id], OrderKind.EXTEND, author="Ada", now_ms=2, seat=Seat.EAST, seconds=60)
    others = " ".join(NAMES[4:])
    tell(
        cup,
        f"""
        paused -> 14-open
        extended -> 14-open Dogs
        finish Dogs Cats Bees Ants {others}
        again -> nothing
        round 4 -> Dogs - Bees -> Cats - Ants
        paused -> 14-open
        extended -> 13-open Dogs
        finish Ants Cats Bees Dogs {others}
        again -> Dogs
        round 4 -> Ants - Bees -> Cats - Dogs
        paused -> 14-open
        extended -> nothing
        """,
    )


def test_a_round_that_is_drawn_while_the_whole_event_is_paused_is_paused_until_that_is_resumed(
    tmp_path: Path,
) -> None:
    basis = RulingBasis("Ada", "", None, BEGINS_AT_MS)
    played = draw_event(tmp_path, stages("", SEMIS, FINAL, teams=4))
    PauseTables(place="6").record(played.drawn, basis)
    PauseTables().record(played.drawn, basis)
    tell(played, "finish\ndrawn -> 4")
    assert {place.partition("-")[0] for place in paused(played)} == {
        str(match.number) for match in played.event.matches
    }
    assert "it starts paused" in load_outcomes(played.database, range(1, 100)).values()
    ResumeTables().record(played.drawn, basis)
    tell(played, "finish\ndrawn -> 5\npaused -> nothing")


def test_a_draw_stands_once_a_table_has_been_opened(cup: PlayedEvent) -> None:
    tell(
        cup,
        """
        finish
        drawn
        13-open opens
        rule withdrawal Ants
        again -> it stands
        round 4 -> Ants - Cats -> Bees - Dogs
        """,
    )


# Carry-over


def test_half_of_a_margin_goes_with_the_higher_ranked_and_a_third_with_the_lower_up_to_the_cap(
    tmp_path: Path,
) -> None:
    """5 IMPs won by the higher ranked are 2.5, 10 won by the lower ranked 3.33.

    A level match goes to who has brought more along; 60 IMPs of the round robin are capped at 8.
    """
    final = 'name = "Final"\nformat = "knockout"\nboards_per_match = 1\n'
    final += '[stage.carry_over]\nwon = 0.5\nlost = "1/3"\ncap = 8'
    played = draw_event(tmp_path, stages("", final, teams=4))
    margins = {("Ants", "Dogs"): 5, ("Bees", "Cats"): -10, ("Ants", "Bees"): 60, ("Cats", "Dogs"): 50}
    for match in played.event.matches:
        first, second = sorted(match.teams)
        imps = margins.get((first, second), 100)
        score(played, match, imps if match.home == first else -imps)
    tell(played, "drawn -> 4")
    carried = {match.teams: (match.carry_home, match.carry_away) for match in played.event.rounds[3].matches}
    assert carried == {("Ants", "Dogs"): (250, 0), ("Bees", "Cats"): (0, 333)}
    tell(played, "finish level\ndrawn -> 5\nround 5 -> Ants - Cats")


def test_victory_points_are_carried_into_another_round_robin(tmp_path: Path) -> None:
    top = "name = 'Top'\nteams = 2\n[stage.carry_over]\nwon = 0.5\ncap = 20"
    played = draw_event(tmp_path, stages("", top, teams=4))
    tell(
        played,
        """
        finish
        $ standings EVENT --json | standings: team vp -> Ants 36.00 -> Bees 32.00 -> Cats 28.00 -> Dogs 24.00
        drawn
        entries -> Ants 1 1800 -> Bees 2 1600
        finish level
        $ standings EVENT --json | fields.1.standings: team vp -> Ants 28.00 -> Bees 26.00
        """,
    )


def test_amounts_by_rank_are_carried_as_they_are_said(tmp_path: Path) -> None:
    top = "name = 'Top'\nteams = 3\n[stage.carry_over]\nby_rank = [6, 3.5]"
    tell(
        draw_event(tmp_path, stages("", top, teams=4)),
        "finish\ndrawn\nentries -> Ants 1 600 -> Bees 2 350 -> Cats 3 0",
    )


# Knockouts


def test_a_knockout_is_drawn_round_by_round_with_byes_for_the_best_and_a_match_for_third_place(
    tmp_path: Path,
) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"\nthird_place = true', teams=6))
    tell(
        played,
        """
        round 1 -> Dogs - Eels -> Cats - Frogs -> Ants -> Bees
        finish
        drawn
        round 2 -> Ants - Dogs -> Bees - Cats
        finish lost
        drawn
        round 3 -> Cats - Dogs -> Ants - Bees
        """,
    )
    assert [match.is_third_place for match in played.event.rounds[2].matches] == [False, True]
    tell(played, "finish\ndrawn -> nothing")


def test_a_ruling_on_a_match_whose_winner_has_played_on_changes_no_draw(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"'))
    tell(played, "finish\ndrawn\nmatch 5 is played")
    score(played, played.match(1), -99)
    for match in played.reload().matches[4:]:
        score(played, match, 10)
    tell(played, "drawn -> 3\nround 3 -> Ants - Bees")
    score(played, played.match(7), 10)
    tell(played, f"{PLACES} -> 1 Ants -> 2 Bees -> 3 Cats -> 3 Dogs -> ...")


def test_a_match_that_one_team_has_forfeited_is_won_by_the_other_whatever_the_imps(tmp_path: Path) -> None:
    tell(
        draw_event(tmp_path, stages('format = "knockout"', teams=4)),
        """
        finish
        rule 1 match-forfeit Ants
        drawn
        round 2 -> Bees - Dogs
        """,
    )


def forfeit_both(played: PlayedEvent, *numbers: int) -> None:
    for number in numbers:
        match = played.match(number)
        save_match_score(played.database, match, None)
        for team in match.teams:
            played.rule(number, team, RulingKind.MATCH_FORFEIT)
    played.score()


def test_where_both_teams_forfeit_a_semi_final_the_other_winner_has_a_walkover_in_the_final(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"\nthird_place = true', teams=4))
    finish(played)
    forfeit_both(played, 1)
    tell(
        played,
        f"""
        {PLACES} -> 1 Bees -> 2 Cats -> 3 Ants -> 3 Dogs
        drawn -> 2
        round 2 -> Bees
        {PLACES} won lost -> 1 Bees 1 0 -> 2 Cats 0 1 -> 3 Ants 0 1 -> 3 Dogs 0 1
        drawn -> nothing
        """,
    )


@pytest.mark.parametrize(("forfeited", "left"), [((13,), "Bees"), ((13, 14), "nothing")])
def test_a_stage_after_a_match_that_both_teams_forfeited_has_fewer_teams(
    cup: PlayedEvent, forfeited: tuple[int, ...], left: str
) -> None:
    tell(cup, "finish\ndrawn\nfinish")
    forfeit_both(cup, *forfeited)
    tell(
        cup,
        f"""
        drawn -> 5
        round 5 -> {left}
        $ standings EVENT --json | standings[rank=1]: team -> {left}
        """,
    )


def test_a_forfeit_that_is_revoked_after_the_next_round_has_begun_takes_nobody_back(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"', teams=6))
    finish(played)
    forfeit_both(played, 1)
    tell(played, "drawn\nmatch 3 is played\nruling 1 is withdrawn\nruling 2 is withdrawn")
    score(played, played.match(1), 5)
    assert played.reload().matches[0].advanced == frozenset()
    score(played, played.match(3), 5)
    tell(
        played,
        """
        drawn
        round 3 -> Ants - Bees
        $ standings EVENT --json | standings[lost=0]: team -> Ants -> Bees
        """,
    )


def test_a_level_match_goes_to_the_better_seed(tmp_path: Path) -> None:
    played = draw_event(tmp_path, stages('format = "knockout"\nextra_boards = 0', teams=4))
    tell(played, "finish level\ndrawn\nround 2 -> Ants - Bees")


# Swiss

SWISS = 'format = "swiss"\nrounds = 3'


def add(played: PlayedEvent, sections: str) -> None:
    """Have teams come late: write them into the event file, and take it up."""
    text = played.path.read_text(encoding="utf-8")
    played.path.write_text(text.replace("[[stage]]", f"{sections}\n[[stage]]", 1), encoding="utf-8")
    played.file = load_event_file(played.path)
    ensure_drawn(played.file, played.database, BEGINS_AT_MS)


def test_a_team_that_comes_late_is_paired_from_its_round_on_and_has_its_points_for_those_before(
    tmp_path: Path,
) -> None:
    played = draw_event(tmp_path, stages(f"{SWISS}\nlate_vp = 7.5", teams=4))
    tell(played, "match 1 is played\nfinish")
    add(played, '[[team]]\nname = "Eels"\nenters = 2\n[[team]]\nname = "Frogs"\nenters = 3')
    tell(played, "drawn -> 2")
    round_ = played.event.rounds[1]
    paired = {team for match in round_.matches for team in match.teams} | {*round_.byes}
    assert paired & {"Eels", "Frogs"} == {"Eels"}
    tell(played, "finish\n$ standings EVENT --json | standings[team=Frogs]: vp -> 15.00")


@pytest.mark.parametrize(
    ("deals", "entry", "sentence"),
    [
        (
            "",
            'name = "Eels"',
            "^event.toml: team 5, enters: round 1 of 'Swiss' has been drawn, a team that comes now enters in a later "
            "one, got no `enters`$",
        ),
        ("", 'name = "Bees"\nenters = 2', "event.toml"),
        ('shared = "match"', 'name = "Eels"\nenters = 2', "nobody can come late"),
    ],
    ids=["it does not say when", "it is there", "each match has its own boards"],
)
def test_a_team_that_cannot_come_late_is_refused(tmp_path: Path, deals: str, entry: str, sentence: str) -> None:
    played = draw_event(tmp_path, stages(SWISS, teams=4, deals=f"seed = 1\n{deals}"))
    tell(played, "match 1 is played")
    with pytest.raises(ConfigError, match=sentence):
        add(played, f"[[team]]\n{entry}")


# Others


def test_a_gauntlet_ranks_by_victory_points_a_match(tmp_path: Path) -> None:
    tell(
        draw_event(tmp_path, stages('format = "gauntlet"\nagainst_all = "Cats"\nrounds = 1', teams=4)),
        """
        round 1 -> Cats - Ants -> Bees - Cats -> Cats - Dogs
        finish
        $ standings EVENT --json | standings: team played -> Ants 1 -> Bees 1 -> Cats 3 -> Dogs 1
        """,
    )
