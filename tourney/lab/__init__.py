"""Comparing programs: duels of two versions until it is known which is better, leagues of many, boards in a process.

`play` is for research: it has players of this process play boards, without an event and without sockets.

    from tourney.lab import play

    boards = play(64, {"NS": MyBot, "EW": "basic"}, rooms=2)
    print(boards.total_imps, boards[0].contract, boards[0].score)
    boards.write_pbn("boards.pbn")
"""

from tourney.lab.in_process import PlayedBoards, TableResult, play
from tourney.lab.players import PlayerSource
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules

__all__ = [
    "PlayedBoards",
    "PlayerSource",
    "RemedyName",
    "TableResult",
    "TableRules",
    "TimeLimit",
    "TimeRules",
    "play",
]
