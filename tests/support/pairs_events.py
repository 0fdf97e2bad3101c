"""Drawn pairs events with results by chance and rulings on record, without a socket."""

import random
from pathlib import Path
from typing import Final

from tests.support.event_director import EventDirector
from tests.support.exports import request_of
from tests.support.played_event import PlayedEvent, draw_event
from tourney.export.registry import FORMATS
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.standings import Standings, load_standings
from tourney.scoring.assigned import parse_all_assigned

CONTRACTS: Final = ("3NT N", "4S S", "2H E", "5DX W", "Pass", "1NT N", "6C E", "4H W")
NAMES: Final = ("Alpha One", "Bees & Co", "C;3", "D", "E", "F", "G", "H", "I", "J", "K", "L")
"""Names with what delimits values in files."""


def draw_pairs_event(folder: Path, number: int, stage: str) -> PlayedEvent:
    sections = "".join(f'[[pair]]\nname = "{name}"\n' for name in NAMES[:number])
    return draw_event(folder, f'[event]\nname = "Pairs"\n{sections}[[stage]]\n{stage}\n[deals]\nseed = 1\n')


def play_by_chance(played: PlayedEvent, last: int = 99, first: int = 1) -> None:
    """Put a result by chance on record for every board of rounds `first` to `last`, and score the matches."""
    with played.together():
        for match in played.event.matches:
            if first <= match.round <= last:
                for board in played.boards(match.number):
                    chance = random.Random(f"1/{match.number}/{board.number}")
                    contract, tricks = chance.choice(CONTRACTS), chance.randint(5, 12)
                    played.record(match.number, Room.OPEN, board.number, contract, tricks)
    played.score()


def leave_by_chance(played: PlayedEvent, last: int) -> str:
    """Play so many rounds by chance, then let a pair leave, and play the others; its name."""
    play_by_chance(played, last)
    gone = played.match(1).home
    played.rule(None, gone, RulingKind.WITHDRAWAL)
    for match in played.event.matches:
        if match.round > last and gone in match.teams:
            played.rule(match.number, gone, RulingKind.MATCH_FORFEIT)
        elif match.round > last:
            for board in played.boards(match.number):
                played.record(match.number, Room.OPEN, board.number, "3NT N", 5 + match.number % 7)
    played.score()
    return gone


def rule_by_chance(played: PlayedEvent, chance: random.Random) -> None:
    """Put a few rulings of every kind that pairs know on record."""
    director = EventDirector(played)
    boards = [(match, board) for match in played.event.matches for board in played.boards(match.number)]
    for place, (match, board) in enumerate(chance.sample(boards, min(6, len(boards)))):
        table, number = played.table(match.number, Room.OPEN), board.number
        if place == 0:
            director.cancel(match, number)
        elif place == 1:
            parts = parse_all_assigned(["60: 3NT N 10", "30: 3NT N 9", "10: 4S S 9"])
            director.assign(table, number, parts, match.teams)
        elif place == 2:
            director.assign(table, number, parse_all_assigned(["4S N 10"]), match.teams)
        elif place == 3:
            director.assign(table, number, parse_all_assigned(["2H E 8"]), (match.home,))
        elif place == 4:
            director.adjust(match, number, {match.home: chance.choice((3, 0, -3)), match.away: 3})
        else:
            played.rule(match.number, match.away, RulingKind.BOARD_FORFEIT, room=Room.OPEN, board=number)
    match = chance.choice(played.event.matches)
    played.rule(match.number, match.home, RulingKind.PENALTY_VP, amount=chance.choice((10, 33, 2500)))
    played.rule(match.number, match.away, RulingKind.PENALTY_IMPS, amount=1)
    played.score()


def pairs_standings(played: PlayedEvent) -> Standings:
    return load_standings(played.database, played.reload(), played.file.ranking_rules)


def export_pairs(played: PlayedEvent, file_format: str, folder: Path, match: int | None = None) -> list[Path]:
    """Export an event, or one of its matches, as `tourney export` does."""
    played.reload()
    folder.mkdir(parents=True, exist_ok=True)
    return list(FORMATS[file_format].export(request_of(played, folder, match)))
