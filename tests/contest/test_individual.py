"""The individual contest: draw, partnerships, ranking, rulings and reports, on record without a socket."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from tests.contest.test_pairs import level, standings
from tests.support.event_conversation import converse
from tests.support.game_events import play_games
from tests.support.pairs_events import play_by_chance
from tests.support.pairs_standings import recompute_travellers
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event
from tourney.bridge import SEATS
from tourney.config.web import WebConfig
from tourney.export.pairs_tables import pair_numbers
from tourney.movement.pairs.individual import plan_individual
from tourney.protocol.session.records import RulingKind
from tourney.results.played import iter_played
from tourney.results.travellers import load_travellers
from tourney.site.public import PublicView
from tourney.store.results.matches import load_match_scores
from tourney.views import crosstable, pair

PLAYERS = [chr(65 + n) for n in range(24)]


def individual_text(players: int, more: str = "", stage: str = "") -> str:
    """Return an event file with so many players, named A, B, C, ..."""
    sections = "".join(f'[[player]]\nname = "{name}"\n{more}' for name in PLAYERS[:players])
    return (
        f'[event]\nname = "Individual"\n{sections}[[stage]]\nformat = "individual"\nboards_per_round = 1\n{stage}\n'
        "[deals]\nseed = 1\n"
    )


def draw(folder: Path, players: int, stage: str = "") -> PlayedEvent:
    return draw_event(folder, individual_text(players, stage=stage))


# The draw


def test_partners_are_drawn_as_the_movement_says_under_both_names(tmp_path: Path) -> None:
    played = draw(tmp_path, 8)
    assert [team.name for team in played.event.teams] == PLAYERS[:8]
    assert len(played.event.partnerships) == 28
    drawn = [(match.round, match.home, match.away) for match in played.event.matches]
    names = dict(enumerate(PLAYERS, 1))
    assert drawn == [
        (row.round, *(f"{names[one]} and {names[other]}" for one, other in row.partnerships))
        for row in plan_individual(8)
    ]


def test_the_first_of_two_partners_sits_north_or_east(tmp_path: Path) -> None:
    played = draw(tmp_path, 8)
    match = played.event.matches[0]
    table = match.tables[0]
    assert (match.home, match.away) == ("A and H", "B and D")
    assert [match.player_at(table, seat) for seat in SEATS] == ["A", "B", "H", "D"]
    partnership = next(team for team in played.event.partnerships if team.name == "A and H")
    assert [partnership.at(seat).name for seat in SEATS if seat.side is table.side_of("A and H")] == ["A", "H"]


def test_of_thirteen_players_each_sits_out_one_round(tmp_path: Path) -> None:
    played = draw(tmp_path, 13)
    byes = [player for round_ in played.event.rounds for player in round_.byes]
    assert sorted(byes) == PLAYERS[:13]
    assert all(len(round_.byes) == 1 for round_ in played.event.rounds)


# The ranking


@pytest.mark.parametrize("scoring", ["matchpoints", "cross-imps", "butler"])
@pytest.mark.parametrize("players", [8, 13])
def test_players_rank_by_what_they_have_won_with_all_partners(tmp_path: Path, players: int, scoring: str) -> None:
    played = draw(tmp_path, players, f'scoring = "{scoring}"')
    play_by_chance(played)
    won: defaultdict[str, list[Fraction]] = defaultdict(list)
    for (_, *seated), (_, *both) in recompute_travellers(played.database.file, scoring).items():
        for partnership, points in zip(seated, both, strict=True):
            for player in partnership.split(" and "):
                won[player].append(points)
    top = 2 * (players // 4 - 1)
    scale = Fraction(100, top) if scoring == "matchpoints" else Fraction(1)
    levels = {player: scale * sum(points, Fraction()) / len(points) for player, points in won.items()}
    expected = {player: 1 + sum(other > level for other in levels.values()) for player, level in levels.items()}
    ranked = standings(played)
    assert ranked.entrant == "player"
    assert {row.team: row.rank for row in ranked.rows} == expected
    assert {row.team: row.pairs.level for row in ranked.rows if row.pairs is not None} == levels
    assert all(row.pairs is not None and row.pairs.boards == players - 1 for row in ranked.rows)


def test_a_penalty_comes_off_the_total_of_both_partners(tmp_path: Path) -> None:
    totals = " -> ".join(f"{player} 7.0" for player in "BCDEFG")
    converse(
        draw(tmp_path, 8),
        f"""
        level
        rule 1 penalty-imps A and H 3
        $ standings EVENT --json | standings: team total -> {totals} -> A 6.8 -> H 6.8
        """,
        level=level,
    )


def test_an_average_plus_depends_on_what_the_player_has_won_with_all_partners(tmp_path: Path) -> None:
    """Laws 2017, Law 12C2: 60 percent, or the percentage of the player's other boards if that is more."""
    played = draw(tmp_path, 8)
    play_by_chance(played)
    before = {row.team: row.pairs for row in standings(played).rows if row.pairs is not None}
    board = played.boards(1)[0].number
    for side in ("A and H", "B and D"):
        played.rule(1, side, RulingKind.ADJUSTED_SCORE, amount=3, board=board)
    played.score()
    (stage,) = load_travellers(played.drawn)
    gets = {}
    for player in "AHBD":
        (line,) = [line for _, line in stage.lines_of[player] if line.match.number == 1]
        assert line.scored is not None
        gets[player] = line.scored.percentage(line.side_of(player))
    others = {player: [line for _, line in stage.lines_of[player] if line.match.number != 1] for player in "AHBD"}
    levels = {player: stage.add_up(player, lines).level for player, lines in others.items()}
    assert gets == {player: max(Fraction(60), levels[player] or Fraction()) for player in "AHBD"}
    assert len(set(gets.values())) > 1
    assert len(set(levels.values())) > 1
    for row in standings(played).rows:
        assert row.pairs is not None
        if row.team in gets:
            level = ((levels[row.team] or Fraction()) * 6 + (gets[row.team] or Fraction())) / 7
            assert row.pairs.level == level != before[row.team].level
    assert pair.load(played.drawn, pair="A").stages[0].fine == 0


def test_ties_are_broken_by_the_boards_that_each_player_has_won(tmp_path: Path) -> None:
    played = draw(tmp_path, 8, 'ties = ["boards-won"]')
    play_by_chance(played)
    boards_won: defaultdict[str, Fraction] = defaultdict(Fraction)
    for (_, *seated), (_, *both) in recompute_travellers(played.database.file, "matchpoints").items():
        for partnership, points in zip(seated, both, strict=True):
            for player in partnership.split(" and "):
                boards_won[player] += points / 2  # of 2 matchpoints, 1 is an average board
    ties = standings(played).ties
    assert ties
    for tie in ties:
        (result, *_) = tie.steps[0].results
        assert {team: Fraction(figure) for team, figure in result.figures.items()} == {
            team: boards_won[team] for team in result.figures
        }


# Games


def play_chicago(folder: Path, players: int) -> PlayedEvent:
    text = individual_text(players, stage='game = "chicago"').replace("boards_per_round = 1\n", "")
    return play_games(draw_event(folder, text))


@pytest.mark.parametrize("players", [4, 5])
def test_in_chicago_with_changing_partners_players_rank_by_their_net_points(tmp_path: Path, players: int) -> None:
    played = play_chicago(tmp_path, players)
    assert len(played.event.matches) == (3 if players == 4 else 5)
    net = dict.fromkeys(PLAYERS[:players], 0)
    for match in played.event.matches:
        score = load_match_scores(played.database, played.event.id)[match.number]
        for side, margin in ((match.home, score.totals.margin_home), (match.away, score.totals.margin_away)):
            for player in side.split(" and "):
                net[player] += margin
    assert any(net.values())
    ranked = standings(played)
    assert {row.team: row.vp for row in ranked.rows} == {player: 100 * points for player, points in net.items()}
    assert [row.team for row in ranked.rows] == sorted(net, key=lambda player: -net[player])
    partners = {frozenset(match.entrants_of(side)) for match in played.event.matches for side in match.teams}
    assert partners == {frozenset(two) for two in combinations(PLAYERS[:players], 2)}
    assert all(row.played == (3 if players == 4 else 4) for row in ranked.rows)
    _, why = crosstable.load(played.drawn).text()
    assert why == (
        "There is no cross-table, for partners change from match to match: `tourney rounds` shows every match"
    )


# Reports and pages


def test_a_player_is_invited_to_one_seat_of_each_table_under_both_names_and_its_own_phrase(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path, individual_text(8).replace('"H"', '"H"\npass_phrase = "open sesame"')),
        """
        $ invite EVENT A --json | tables: log_on_as opponent ports
            -> A and H B and D North=2000
            -> A and D F and G North=2001
            -> A and G B and E East=2001
            -> A and B C and F East=2001
            -> A and F E and H East=2000
            -> A and E C and D North=2001
            -> A and C G and H East=2000
        $ invite EVENT H --json | log_on -> Connecting "A and H#open sesame" as North...
        """,
    )


def test_a_played_board_has_the_name_of_each_player(tmp_path: Path) -> None:
    played = draw(tmp_path, 8)
    play_by_chance(played, 1)
    (match,) = iter_played(played.database, played.event, played.event.matches[:1], {})
    assert match.names_at(match.match.tables[0], None) == ("A", "B", "H", "D")


def test_the_public_sees_partnerships_by_number_and_no_commands(tmp_path: Path) -> None:
    text = individual_text(8, more='command = "./player"\n')
    played = draw_event(tmp_path, text)
    shown = PublicView(played.drawn, WebConfig(), BEGINS_AT_MS).event
    assert pair_numbers(shown)["A and H"] == "1-8"
    everybody = [*shown.sides, *(player for side in shown.sides for player in side.players)]
    assert {team.command for team in everybody} == {None}
    assert {team.command for team in played.event.teams} == {"./player"}


# The event file
