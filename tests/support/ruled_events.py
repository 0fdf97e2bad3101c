"""A small event of each kind of contest, each with rulings of every kind that it knows.

Between them they have byes, pairs that sit out, carry-overs, teams that withdraw and boards that are not played. They
are for tests of whatever shows results.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Final

from tests.support.event_director import EventDirector
from tests.support.game_events import play_games
from tests.support.pairs_events import CONTRACTS, rule_by_chance
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, once
from tourney.coordinator.draw import draw_next
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import parse_all_assigned

NAMES: Final = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta")


def _draw(folder: Path, entrant: str, number: int, *stages: str, reports: str = "") -> PlayedEvent:
    sections = "".join(f'[[{entrant}]]\nname = "{name}"\n' for name in NAMES[:number])
    sections += "".join(f"[[stage]]\n{stage}\n" for stage in stages)
    return draw_event(folder, f'[event]\nname = "Small Congress"\n{sections}[deals]\nseed = 1\n{reports}\n')


def _play(played: PlayedEvent, first: int = 1, last: int = 99, but: Iterable[int] = ()) -> None:
    """Put results by chance on record for rounds `first` to `last`, but for some matches, and score what is over."""
    left_out = set(but)
    with played.together():
        for match in played.event.matches:
            if first <= match.round <= last and match.number not in left_out:
                for board in played.boards(match.number):
                    for room in match.format.rooms:
                        chance = Random(f"{match.number}/{room}/{board.number}")
                        contract, tricks = chance.choice(CONTRACTS), chance.randint(6, 11)
                        played.record(match.number, room, board.number, contract, tricks, ns_ms=1500, ew_ms=61_000)
    played.score()


def _draw_next(played: PlayedEvent) -> None:
    assert draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS)
    played.reload()


def _director(played: PlayedEvent) -> EventDirector:
    return EventDirector(played, played.reload())


def _withdraw(played: PlayedEvent, team: str, first_missed: int) -> None:
    """Let a team leave; its matches from a round on are forfeited, as a run does."""
    _director(played).withdraw_team(team)
    for match in played.event.matches:
        if team in match.entrants and match.round >= first_missed:
            played.rule(match.number, match.team_of(team), RulingKind.MATCH_FORFEIT, "withdrew", author="run")
    played.score()


def _rule_on_teams(played: PlayedEvent, *numbers: int) -> None:
    """Rule on the boards of matches in turn, by every kind of ruling that scores one, and penalise both teams."""
    director = _director(played)
    boards = [(number, board.number) for number in numbers for board in played.boards(number)]
    for turn, (number, board) in enumerate(boards):
        match, table = played.match(number), played.table(number, Room.OPEN, board)
        scale = match.board_scale
        match turn % 6:
            case 0:
                director.assign(table, board, parse_all_assigned(["4S N 10"]), match.teams)
            case 1:
                director.adjust(match, board, {match.away: scale.plus})
            case 2:
                director.assign(table, board, parse_all_assigned(["60: 3NT N 9", "40: 3NT N 8"]), match.teams[:1])
            case 3:
                director.cancel(match, board)
            case 4:
                director.forfeit_board(table, board, match.home)
            case _:
                director.adjust(match, board, {match.home: scale.plus, match.away: scale.minus})
    for number in numbers:
        match = played.match(number)
        unit = 1 if match.board_scale.hundredths(1) == 100 else 100
        director.fine(match, match.teams[number % 2], RulingKind.PENALTY_IMPS, 2 * unit)
        if not match.board_scale.ranks_by_points and not match.format.is_knockout:
            director.fine(match, match.home, RulingKind.PENALTY_VP, 75)
    played.score()


# Teams


def play_league(folder: Path) -> PlayedEvent:
    """Five teams all against all, with byes; one match is begun and one not played."""
    played = _draw(folder, "team", 5, "boards_per_match = 4")
    _play(played, but=[9, 10])
    played.record(9, Room.OPEN, played.boards(9)[0].number, "4S N", 10)
    played.record(9, Room.CLOSED, played.boards(9)[0].number, "4S N", 9)
    _rule_on_teams(played, 1, 2)
    return played


def play_left(folder: Path) -> PlayedEvent:
    """Five teams all against all, of which one leaves after its first match, and its results are cancelled."""
    played = _draw(folder, "team", 5, "boards_per_match = 2")
    _play(played, last=2)
    _withdraw(played, "Alpha", 3)
    _play(played, first=3, but=[match.number for match in played.event.matches if "Alpha" in match.teams])
    return played


def play_swiss(folder: Path) -> PlayedEvent:
    """Five teams in a Swiss, and the best two in a final with carry-over."""
    final = (
        'name = "Final"\nformat = "match"\nteams = 2\nboards_per_match = 3\n[stage.carry_over]\nwon = 0.5\nlost = 0.5'
    )
    played = _draw(folder, "team", 5, 'name = "Swiss"\nformat = "swiss"\nrounds = 3\nboards_per_match = 3', final)
    for number in (1, 2, 3):
        _play(played, first=number, last=number)
        if number == 2:
            _rule_on_teams(played, 3, 4)
        _draw_next(played)
    _play(played, first=4)
    _rule_on_teams(played, played.event.matches[-1].number)
    return played


def play_knockout(folder: Path) -> PlayedEvent:
    """Two groups, whose best two play a knockout with a match for third place."""
    cup = 'name = "Cup"\nformat = "knockout"\nteams = 4\nthird_place = true\nboards_per_match = 4\nsegments = 2\n'
    carry = "[stage.carry_over]\nby_rank = [2.5, 1]"
    played = _draw(folder, "team", 6, 'name = "Groups"\ngroups = 2\nboards_per_match = 2', f"{cup}{carry}")
    _play(played, last=3)
    _draw_next(played)
    _play(played, first=4, last=4)
    _rule_on_teams(played, 7, 8)
    if not played.reload().rounds[-1].is_drawn or len(played.event.rounds) < 5:
        _draw_next(played)
    _play(played, first=5)
    return played


def play_gauntlet(folder: Path) -> PlayedEvent:
    """Four teams against a fifth, ranked by average."""
    played = _draw(folder, "team", 5, 'format = "gauntlet"\nagainst_all = "Gamma"\nrounds = 1\nboards_per_match = 3')
    _play(played)
    _rule_on_teams(played, 1)
    return played


def play_board_a_match(folder: Path) -> PlayedEvent:
    """Four teams all against all in points."""
    played = _draw(folder, "team", 4, 'scoring = "board-a-match"\nboards_per_match = 3')
    _play(played)
    _rule_on_teams(played, 1, 2)
    return played


def play_whist(folder: Path) -> PlayedEvent:
    """Five teams in an American Whist."""
    played = _draw(folder, "team", 5, 'format = "american-whist"\nboards_per_round = 2')
    _play(played)
    _rule_on_teams(played, 1, 2)
    return played


# Pairs


def _play_pairs(folder: Path, number: int, stage: str, last: int = 99, entrant: str = "pair") -> PlayedEvent:
    played = _draw(folder, entrant, number, stage)
    _play(played, last=last)
    rule_by_chance(played, Random(4))
    return played


def play_mitchell(folder: Path) -> PlayedEvent:
    """Seven pairs at matchpoints with two winners, and pairs that sit out."""
    return _play_pairs(folder, 7, 'format = "mitchell"\nphantom = true\nboards_per_round = 2')


def play_butler(folder: Path) -> PlayedEvent:
    """Six pairs in a Howell at Butler, of which the last round is to be played."""
    return _play_pairs(folder, 6, 'format = "howell"\nscoring = "butler"\nboards_per_round = 1', last=4)


def play_cross_imps(folder: Path) -> PlayedEvent:
    """Eight pairs in a Mitchell at cross-IMPs."""
    return _play_pairs(folder, 8, 'format = "mitchell"\nscoring = "cross-imps"\nboards_per_round = 2')


def play_howell(folder: Path) -> PlayedEvent:
    """Five pairs and a phantom at matchpoints of 1 for a result that is beaten, of which one pair leaves."""
    stage = 'format = "howell"\nphantom = true\nboards_per_round = 2\nties = ["own-meeting", "boards-won"]'
    played = _draw(folder, "pair", 7, stage, reports="[reports]\nmatchpoints = '1/0.5/0'")
    _play(played, last=2)
    rule_by_chance(played, Random(3))
    _withdraw(played, "Gamma", 3)
    _play(played, first=3, but=[match.number for match in played.event.matches if "Gamma" in match.teams])
    return played


def play_finals(folder: Path) -> PlayedEvent:
    """Eight pairs in a Howell, and four in a final with carry-over."""
    final = 'name = "Final"\nformat = "howell"\nteams = 4\nboards_per_round = 1\n[stage.carry_over]\nwon = 0.5'
    played = _draw(folder, "pair", 8, 'name = "Session"\nformat = "howell"\nboards_per_round = 1', final)
    _play(played)
    rule_by_chance(played, Random(2))
    _draw_next(played)
    _play(played, first=8)
    return played


def play_tied_pairs(folder: Path) -> PlayedEvent:
    """Four pairs in a Howell, all boards passed out; two have exactly 49.995 %, after penalties."""
    played = _draw(folder, "pair", 4, 'format = "howell"\nboards_per_round = 2')
    with played.together():
        for match in played.event.matches:
            for board in played.boards(match.number):
                played.record(match.number, Room.OPEN, board.number, "Pass")
    for pair in ("Alpha", "Beta"):
        number = next(match.number for match in played.event.matches if pair in match.teams)
        played.rule(number, pair, RulingKind.PENALTY_VP, amount=3)
    played.score()
    return played


def play_individual(folder: Path) -> PlayedEvent:
    """Eight players with changing partners at matchpoints."""
    stage = 'format = "individual"\nboards_per_round = 2'
    return _play_pairs(folder, 8, stage, entrant="player")


def play_both(folder: Path) -> PlayedEvent:
    """Four teams all against all, and a Howell of the same as pairs."""
    final = 'name = "Final"\nformat = "howell"\nboards_per_round = 1\nteams = 4'
    played = _draw(folder, "team", 4, 'name = "League"\nboards_per_match = 2', final)
    _play(played)
    _rule_on_teams(played, 1)
    _draw_next(played)
    _play(played, first=4)
    return played


# Games


def play_rubbers(folder: Path) -> PlayedEvent:
    """Three pairs at rubber bridge, with a bye."""
    return _rule_on_games(play_games(_draw(folder, "pair", 3, 'format = "rubber"\nrubbers = 1\nhonours = true')))


def play_chicago(folder: Path) -> PlayedEvent:
    """Four pairs at Chicago."""
    return _rule_on_games(play_games(_draw(folder, "pair", 4, 'format = "chicago"\nchicagos = 1')))


def _rule_on_games(played: PlayedEvent) -> PlayedEvent:
    director, match = _director(played), played.match(1)
    director.adjust(match, played.boards(1)[0].number, {match.home: 300})
    director.fine(match, match.away, RulingKind.PENALTY_IMPS, 50)
    played.score()
    return played


EVENTS: Final[Mapping[str, Callable[[Path], PlayedEvent]]] = {
    name: once(play)
    for name, play in {
        "league": play_league,
        "league that a team leaves": play_left,
        "Swiss and final": play_swiss,
        "groups and knockout": play_knockout,
        "gauntlet": play_gauntlet,
        "board-a-match": play_board_a_match,
        "American Whist": play_whist,
        "Mitchell": play_mitchell,
        "Butler": play_butler,
        "cross-IMPs": play_cross_imps,
        "Howell that a pair leaves": play_howell,
        "Howell and final": play_finals,
        "tied pairs": play_tied_pairs,
        "individual": play_individual,
        "teams and pairs": play_both,
        "rubbers": play_rubbers,
        "chicago": play_chicago,
    }.items()
}
"""How each event is played in an empty folder."""
