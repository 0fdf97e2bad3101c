"""What games of the stateful-server protocol are called on the wire."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameId:
    """Where a table's players are: its game's id, and that of the tournament; None for a game of no tournament."""

    game: str
    tournament: str | None = None


def game_id(number: int) -> str:
    """Return the id of the game of a lobby that is the match of this number on record: `g7`."""
    return f"g{number}"


def game_number(id_: str) -> int:
    """Return the number of the game of a lobby with an id; 0 if it is none."""
    return int(id_[1:]) if id_[:1] == "g" and id_[1:].isdecimal() else 0
