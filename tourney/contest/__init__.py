"""The kinds of contest, found by the name of a stage's format.

A kind of contest is one object, of a subclass of `Contest` (`kind.py`): whom it pairs when, what its boards and
matches are worth, how its entrants rank, and the words and the columns of its views. Teams meet in two rooms
(`teams.py`) in the pairings of `team_formats.py` and `knockout.py`, pairs play a movement (`pairs.py`), players
change partners (`individual.py`), games of one table have the same pairings (`games.py`). To add one, supply:

1. **What the event file says**: `name` and `title`, and its `keys` and `scorings`: others refuse
   these keys, and the manual says whose they are. All keys are attributes of `tourney.config.stages.StageConfig`;
   `choices` and `defaults` say what some of them may be, and are, in this kind.
2. **Pairing**: `count_rounds` and `draw_first` draw what depends on no result, `draw_next` a round that does. What it
   needs to know of results is passed in.
3. **Entrants**: `qualify` says who advances to the next stage, `enter` makes the entries of a stage. In the first
   stage every team of the event file enters.
4. **Sittings**: `rooms` and `seat` say who sits where, with which boards, at which table of a match; `board_set` and
   `board_sets` name the sets of boards, if a round or a match does not simply have its own; `extra_segment` gives
   more boards to an undecided match. A single table is a match with one room (see `draw.py`): its home side is its
   owner, or whoever sits North-South.
5. **How results compare**: `compare` scores a board for each side from the results at the tables of one match
   (`compare_boards` all boards of a match, for a contest in which a board's score depends on those before it),
   `score` gives the score of a finished match, `add_up` the running total. The figures go into the columns `imps_*`
   and `vp_*_hundredths` of `match_results` in the contest's own units: points or IMPs in the former, hundredths of
   the unit that entrants are ranked by in the latter. A contest that compares results across the field (matchpoints,
   cross-IMPs) does so in `rank`: it sets `ranks_by_boards`, and the results of the boards are passed to it there.
6. **How entrants rank**: `rank` orders the entrants of a field (a stage, or a group of one) from its finished
   matches, the withdrawals, and the rules of the event file; `tie_breaks` lists the criteria that break ties.
7. **What its views show**: the attributes of `Contest` from `entrant` on. The conditions of contest have templates
   that are named after its `pairing`, `texts`, `ranking` and `leaving`, which may be those of another.

Where partners change (`individual.py`), the entrants are players, and the sides of a match are the partnerships that
they form (`partnerships`). These are numbered after the players in the draw; `MatchInfo.entrants_of` says whom a side
is made of.

The object stands in `FORMATS`; an event file may then name it. The draw, the store, the match runner, the results and
the exports ask it and know no particular kind.

Nothing here does input or output: a contest plans the objects of `draw.py`, which the store keeps, and is asked about
them again as they are on record, with results and rulings (`record.py`).
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from tourney.contest.games import GAMES, game_format_name
from tourney.contest.individual import IndividualContest
from tourney.contest.kind import Contest
from tourney.contest.knockout import Knockout, SingleMatch
from tourney.contest.pairs import Howell, Mitchell, OwnMovementContest
from tourney.contest.team_formats import DoubleRoundRobin, Duel, Gauntlet, RoundRobin, SeveralTeams, Swiss
from tourney.movement.pairs.several_teams import AMERICAN_WHIST, NEW_ENGLAND_RELAY

__all__ = [
    "FORMATS",
    "ROUND_ROBIN",
    "Contest",
    "common_entrant",
    "common_word",
    "formats_by_word",
    "formats_with",
    "game_format_name",
]

ROUND_ROBIN: Final = RoundRobin()

FORMATS: Final[Mapping[str, Contest]] = MappingProxyType(
    {
        each.name: each
        for each in (
            ROUND_ROBIN,
            DoubleRoundRobin(),
            Swiss(),
            Knockout(),
            Gauntlet(),
            SingleMatch(),
            Duel(),
            Mitchell(),
            Howell(),
            OwnMovementContest(),
            IndividualContest(),
            SeveralTeams(AMERICAN_WHIST, "American Whist"),
            SeveralTeams(NEW_ENGLAND_RELAY, "New England Relay"),
            *GAMES,
        )
    }
)
"""Every kind of contest by the name of its format, in the order in which messages list them."""


def formats_by_word() -> dict[str, Contest]:
    """Return the formats that have a word of their own in an event file; others need `game` as well."""
    return {name: each for name, each in FORMATS.items() if " " not in name}


def formats_with(key: str) -> list[str]:
    """Return the words of the formats that have a key of their stage in an event file; none if it is for all."""
    return [name for name, each in formats_by_word().items() if key in each.keys]


def format_named(name: str) -> Contest:
    """Return the kind of contest with a name, as unpickling asks for it."""
    return FORMATS[name]


def common_word(words: Iterable[str], otherwise: str) -> str:
    """Return the word that is that of several contests; `otherwise` where they differ."""
    found = set(words)
    return found.pop() if len(found) == 1 else otherwise


def common_entrant(contests: Iterable[Contest]) -> str:
    """Return what takes part in several contests: a `pair` if it is one in all of them; otherwise a `team`."""
    return common_word((contest.entrant for contest in contests), "team")
