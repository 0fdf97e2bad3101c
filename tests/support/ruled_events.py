"""A small event of each kind of contest, each with rulings of every kind that it knows.

Between them they have byes, pairs that sit out, carry-overs, teams that withdraw and boards that are not played. They
are for tests of whatever shows results.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from tests.support.event_conversation import converse
from tests.support.event_director import EventDirector
from tests.support.game_events import play_games
from tests.support.pairs_events import CONTRACTS, rule_by_chance
from tests.support.played_event import PlayedEvent, draw_event, once
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.scoring.assigned import parse_all_assigned

NAMES: Final = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta")

_SWISS: Final = """
name = "Swiss"
format = "swiss"
rounds = 3
boards_per_match = 3
[[stage]]
name = "Final"
format = "match"
teams = 2
boards_per_match = 3
[stage.carry_over]
won = 0.5
lost = 0.5
"""
_CUP: Final = """
name = "Groups"
groups = 2
boards_per_match = 2
[[stage]]
name = "Cup"
format = "knockout"
teams = 4
third_place = true
boards_per_match = 4
segments = 2
[stage.carry_over]
by_rank = [2.5, 1]
"""
_HOWELLS: Final = """
name = "Session"
format = "howell"
boards_per_round = 1
[[stage]]
name = "Final"
format = "howell"
teams = 4
boards_per_round = 1
[stage.carry_over]
won = 0.5
"""
_BOTH: Final = """
name = "League"
boards_per_match = 2
[[stage]]
name = "Final"
format = "howell"
boards_per_round = 1
teams = 4
"""

_EVENTS: Final = {
    # One match is begun and one not played.
    "league": (
        "5 team",
        "boards_per_match = 4",
        "chance 1-5 but 9 10\nmatch 9 board 1: 4S N 10, 4S N 9\njudge 1 2",
    ),
    # One leaves after its first match, and its results are cancelled.
    "league that a team leaves": (
        "5 team",
        "boards_per_match = 2",
        "chance 1-2\nleave Alpha 3\nchance 3-5 but Alpha",
    ),
    "Swiss and final": (
        "5 team",
        _SWISS,
        """
        chance 1
        drawn -> 2
        chance 2
        judge 3 4
        drawn -> 3
        chance 3
        drawn -> 4
        chance 4
        judge 7
        """,
    ),
    "groups and knockout": (
        "6 team",
        _CUP,
        """
        chance 1-3
        drawn -> 4
        chance 4
        judge 7 8
        drawn -> 5
        chance 5
        """,
    ),
    # Four against a fifth, ranked by average.
    "gauntlet": (
        "5 team",
        'format = "gauntlet"\nagainst_all = "Gamma"\nrounds = 1\nboards_per_match = 3',
        "chance 1-9\njudge 1",
    ),
    "board-a-match": ("4 team", 'scoring = "board-a-match"\nboards_per_match = 3', "chance 1-9\njudge 1 2"),
    "American Whist": ("5 team", 'format = "american-whist"\nboards_per_round = 2', "chance 1-9\njudge 1 2"),
    # Two winners, and pairs that sit out.
    "Mitchell": ("7 pair", 'format = "mitchell"\nphantom = true\nboards_per_round = 2', "chance 1-9\njudge_pairs 4"),
    # The last round is to be played.
    "Butler": ("6 pair", 'format = "howell"\nscoring = "butler"\nboards_per_round = 1', "chance 1-4\njudge_pairs 4"),
    "cross-IMPs": (
        "8 pair",
        'format = "mitchell"\nscoring = "cross-imps"\nboards_per_round = 2',
        "chance 1-9\njudge_pairs 4",
    ),
    # Seven pairs and a phantom at matchpoints of 1 for a result that is beaten.
    "Howell that a pair leaves": (
        "7 pair",
        """
format = "howell"
phantom = true
boards_per_round = 2
ties = ["own-meeting", "boards-won"]
[reports]
matchpoints = '1/0.5/0'
        """,
        "chance 1-2\njudge_pairs 3\nleave Gamma 3\nchance 3-9 but Gamma",
    ),
    "Howell and final": ("8 pair", _HOWELLS, "chance 1-7\njudge_pairs 2\ndrawn -> 8 -> 9 -> 10\nchance 8-10"),
    # All boards are passed out; two pairs have exactly 49.995 %, after penalties.
    "tied pairs": (
        "4 pair",
        'format = "howell"\nboards_per_round = 2',
        """
        1-open boards 1 2: Pass
        2-open boards 1 2: Pass
        3-open boards 3 4: Pass
        4-open boards 3 4: Pass
        5-open boards 5 6: Pass
        6-open boards 5 6: Pass
        rule 1 penalty-vp Alpha 3
        rule 2 penalty-vp Beta 3
        scored
        """,
    ),
    "individual": ("8 player", 'format = "individual"\nboards_per_round = 2', "chance 1-9\njudge_pairs 4"),
    "teams and pairs": ("4 team", _BOTH, "chance 1-3\njudge 1\ndrawn -> 4 -> 5 -> 6\nchance 4-6"),
    # With a bye.
    "rubbers": ("3 pair", 'format = "rubber"\nrubbers = 1\nhonours = true', "games"),
    "chicago": ("4 pair", 'format = "chicago"\nchicagos = 1', "games"),
}
"""Who enters, the stages, and what happens; see `_chance` and those below it."""


@once
def _play(folder: Path, name: str) -> PlayedEvent:
    entrants, stages, script = _EVENTS[name]
    number, kind = entrants.split()
    sections = "".join(f'[[{kind}]]\nname = "{each}"\n' for each in NAMES[: int(number)])
    played = draw_event(
        folder, f'[event]\nname = "Small Congress"\n{sections}[deals]\nseed = 1\n[[stage]]\n{stages}\n'
    )
    converse(
        played,
        script,
        chance=_chance,
        leave=_leave,
        judge=_judge,
        judge_pairs=_judge_pairs,
        games=_play_and_judge_games,
    )
    return played


EVENTS: Final[Mapping[str, Callable[[Path], PlayedEvent]]] = {name: partial(_play, name=name) for name in _EVENTS}
"""How each event is played in an empty folder."""


def _chance(played: PlayedEvent, rounds: str, *but: str) -> None:
    """Put results by chance on record for rounds, but for some matches or those of a team, and score what is over."""
    first, _, last = rounds.partition("-")
    with played.together():
        for match in played.event.matches:
            if int(first) <= match.round <= int(last or first) and not {str(match.number), *match.entrants} & {*but}:
                for board in played.boards(match.number):
                    for room in match.format.rooms:
                        chance = Random(f"{match.number}/{room}/{board.number}")
                        contract, tricks = chance.choice(CONTRACTS), chance.randint(6, 11)
                        played.record(match.number, room, board.number, contract, tricks, ns_ms=1500, ew_ms=61_000)
    played.score()


def _director(played: PlayedEvent) -> EventDirector:
    return EventDirector(played, played.reload())


def _leave(played: PlayedEvent, team: str, first_missed: str) -> None:
    """Let a team leave; its matches from a round on are forfeited, as a run does."""
    _director(played).give(RulingKind.WITHDRAWAL, None, {team: 0})
    for match in played.event.matches:
        if team in match.entrants and match.round >= int(first_missed):
            played.rule(match.number, match.team_of(team), RulingKind.MATCH_FORFEIT, "withdrew", author="run")
    played.score()


def _judge(played: PlayedEvent, *numbers: str) -> None:
    """Rule on the boards of matches in turn, by every kind of ruling that scores one, and penalise both teams."""
    director = _director(played)
    matches = [played.match(int(number)) for number in numbers]
    boards = [(match, board.number) for match in matches for board in played.boards(match.number)]
    for turn, (match, board) in enumerate(boards):
        table, scale = played.table(match.number, Room.OPEN, board), match.board_scale
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
                director.give(RulingKind.BOARD_FORFEIT, match, {match.home: 0}, table=table, board=board)
            case _:
                director.adjust(match, board, {match.home: scale.plus, match.away: scale.minus})
    for match in matches:
        scale = match.board_scale
        unit = 1 if scale.hundredths(1) == 100 else 100
        director.fine(match, match.teams[match.number % 2], RulingKind.PENALTY_IMPS, 2 * unit)
        if not scale.ranks_by_points and not match.format.is_knockout:
            director.fine(match, match.home, RulingKind.PENALTY_VP, 75)
    played.score()


def _judge_pairs(played: PlayedEvent, seed: str) -> None:
    rule_by_chance(played, Random(int(seed)))


def _play_and_judge_games(played: PlayedEvent) -> None:
    director, match = _director(play_games(played)), played.match(1)
    director.adjust(match, played.boards(1)[0].number, {match.home: 300})
    director.fine(match, match.away, RulingKind.PENALTY_IMPS, 50)
    played.score()
