"""The formats of a stage, found by their names in an event file.

A format is an object. What it needs to know of the results (the order of a Swiss, the winners of a knockout) is
passed in by the kind of contest that uses it (`tourney.contest`). Teams are identified by their numbers in the draw.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tourney.errors import ConfigError
from tourney.movement.formats.movement_formats import IndividualFormat, PairsFormat, SeveralTeamsFormat
from tourney.movement.formats.stage_format import (
    ContestKind,
    PlannedEntry,
    RoundDraw,
    StageFormat,
    StageSettings,
    deal_entries,
)
from tourney.movement.formats.team_formats import (
    Duel,
    Gauntlet,
    Knockout,
    KnockoutFormat,
    Lobby,
    RoundRobin,
    SingleMatch,
    Swiss,
)
from tourney.movement.pairs.planning import HOWELL, MITCHELL, OWN
from tourney.movement.pairs.several_teams import AMERICAN_WHIST, NEW_ENGLAND_RELAY
from tourney.scoring.chicago import ChicagoScoring
from tourney.scoring.games import GameKind

__all__ = [
    "FORMATS",
    "ContestKind",
    "KnockoutFormat",
    "PairsFormat",
    "PlannedEntry",
    "RoundDraw",
    "SeveralTeamsFormat",
    "StageFormat",
    "StageSettings",
    "deal_entries",
    "find_format",
    "formats_by_word",
    "game_format_name",
]

StageFormat.ROUND_ROBIN = RoundRobin("round-robin", cycles=1)
StageFormat.DOUBLE_ROUND_ROBIN = RoundRobin("double-round-robin", cycles=2)
StageFormat.SWISS = Swiss()
StageFormat.KNOCKOUT = Knockout("knockout", "Knockout")
StageFormat.GAUNTLET = Gauntlet()
StageFormat.MATCH = SingleMatch("match", "Match")
StageFormat.DUEL = Duel()

_formats: Final[dict[str, StageFormat]] = {
    each.name: each
    for each in (
        StageFormat.ROUND_ROBIN,
        StageFormat.DOUBLE_ROUND_ROBIN,
        StageFormat.SWISS,
        StageFormat.KNOCKOUT,
        StageFormat.GAUNTLET,
        StageFormat.MATCH,
        StageFormat.DUEL,
        PairsFormat(MITCHELL, "Mitchell"),
        PairsFormat(HOWELL, "Howell"),
        PairsFormat(OWN, "Pairs"),
        IndividualFormat(),
        SeveralTeamsFormat(AMERICAN_WHIST, "American Whist"),
        SeveralTeamsFormat(NEW_ENGLAND_RELAY, "New England Relay"),
    )
}


def _play(game: GameKind, played_in: StageFormat) -> StageFormat:
    """Return a format whose matches are of a game at one table."""
    played = object.__new__(type(played_in))  # `copy` would find the format itself, as unpickling does
    vars(played).update(vars(played_in))
    played.name = game_format_name(game, played_in.name)
    played.title = _GAME_TITLES[game]
    played.kind = ContestKind.GAME
    played.game = game
    played.tables_per_match = 1
    played.scorings = tuple(each.value.lower() for each in ChicagoScoring) if game is GameKind.CHICAGO else ()
    # Every match has its own boards, which are dealt for the teams that are there at the beginning.
    played.takes_late_teams = False
    played.keys = played_in.keys - {"extra_boards"}
    played.default_extra_boards = 0
    return played


def game_format_name(game: str, pairing: str) -> str:
    """Return the name of a format in which matches are of a game: `rubber` for a round robin, `rubber swiss`."""
    return str(game) if pairing == StageFormat.ROUND_ROBIN.name else f"{game} {pairing}"


_GAME_TITLES: Final = {
    GameKind.RUBBER: "Rubber bridge",
    GameKind.CHICAGO: "Chicago",
    GameKind.MINIBRIDGE: "Minibridge",
}

_formats.update(
    {
        played.name: played
        for game in GameKind
        for played in [_play(game, each.of_games) for each in (*_formats.values(), Lobby()) if each.takes_game]
    }
)

FORMATS: Final[Mapping[str, StageFormat]] = MappingProxyType(_formats)
"""Every format by its name, in the order in which messages list them."""


def formats_by_word() -> dict[str, StageFormat]:
    """Return the formats that have a word of their own in an event file; others need `game` as well."""
    return {name: each for name, each in FORMATS.items() if " " not in name}


def find_format(name: str) -> StageFormat:
    """Return the format with a name.

    Raises:
        ConfigError: no format has that name.
    """
    if name not in FORMATS:
        raise ConfigError(f"a stage is one of {', '.join(formats_by_word())}, got {name!r}")
    return FORMATS[name]
