"""The individual contest: each player enters alone, partners change, and everybody is ranked by themselves.

A match is a table in one round of an individual movement (`tourney.movement.pairs.individual`). Its sides are
partnerships, which are named after both players and numbered after them in the draw. Boards are scored as in pairs
events, and what a partnership scores is credited to both partners.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tourney.contest.draw import EntryInfo
from tourney.contest.kind import Contest, MovementContest
from tourney.contest.pairs import PairsContest
from tourney.contest.plan import RoundDraw, Sides, StagePlan, StageSettings
from tourney.movement.pairs.individual import (
    movement_of_partnerships,
    name_partnership,
    partnerships,
    plan_individual,
)
from tourney.movement.pairs.movement import Movement
from tourney.movement.pairs.planning import INDIVIDUAL
from tourney.movement.pairs.ranking import PairsTieBreak
from tourney.movement.round_robin import Pairing


class OfPlayers(Contest):
    """Players who change partners after each round; the sides of a match are the partnerships that they form."""

    pairing = "individual"
    name = INDIVIDUAL
    entrant = "player"
    changes_partners = True
    seat_choices = frozenset[str]()

    def sections_problem(self, section: str) -> str | None:
        if section != "player":
            return f"{self.with_article} is for [[player]] sections, got [[{section}]] sections"
        return None

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        """Return all rounds; the sides of a pairing are partnerships, those who sit out are players."""
        names = [entry.team for entry in entries]
        pairings: dict[int, list[Sides]] = {}
        idle: dict[int, list[str]] = {}
        for row in plan_individual(teams):
            (north, south), (east, west) = ([names[n - 1] for n in partners] for partners in row.partnerships)
            sides = name_partnership(north, south), name_partnership(east, west)
            pairings.setdefault(row.round, []).append(sides)
            left = idle.get(row.round, names)
            idle[row.round] = [name for name in left if name not in (north, south, east, west)]
        return [RoundDraw(tuple(pairings[number]), tuple(idle[number])) for number in sorted(pairings)]

    def partnerships(self, entrants: int) -> tuple[Pairing, ...]:
        return partnerships(entrants)


class IndividualContest(OfPlayers, PairsContest):
    """An individual movement, scored at matchpoints or in IMPs."""

    keys = frozenset({"boards_per_round", "barometer", "ties"})
    choices = MappingProxyType(
        {
            "barometer": (True,),
            "ties": (
                PairsTieBreak.BOARDS_WON,
                PairsTieBreak.DEVIATION,
                PairsTieBreak.LOT,
            ),  # of what single players win
        }
    )
    title = "Individual"
    sits = "a player sits at one table with a partner against two others, and they play"
    pbn_competition = "Individuals"
    why_no_usebio = "tourney writes no USEBIO of individuals"

    def defaults(self, keys: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return that all tables play the same boards in each round."""
        return {"barometer": True}

    def settings_of_new(self, entrants: int) -> Mapping[str, str | None]:
        return MovementContest.settings_of_new(self, entrants)  # nobody sits out with a phantom

    def count_groups(self, settings: StageSettings, teams: int) -> int:
        """Return 1: all players are in one list."""
        return 1

    def movement(self, settings: StageSettings, entrants: int) -> Movement:
        """Return the movement of the partnerships.

        Raises:
            ConfigError: there is none for so many players.
        """
        return movement_of_partnerships(entrants)

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        rounds = super().draw_first(settings, teams, entries)
        return [replace(drawn, sets=(number,) * len(drawn.pairings)) for number, drawn in enumerate(rounds, 1)]

    def deal(self, plan: StagePlan, entries: Sequence[EntryInfo]) -> tuple[EntryInfo, ...]:
        """Return the entries as they are: players have their numbers in the movement by their order."""
        return tuple(entries)
