"""The draw of a knockout: the standard bracket, round by round, and the places of the teams that are out.

Teams are identified by seed, 1 the best. In the first round seed 1 meets the last seed and 2 the last but one; the
seeds that can meet in round `r` are as far apart as possible, so that the best two meet only in the final. Which team
has won a match is decided elsewhere.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.movement.round_robin import Pairing

EXTRA_TIMES: Final = 4
"""How many times a tied match gets extra boards; after that the better seed advances."""


@dataclass(frozen=True, slots=True)
class KnockoutRound:
    """The matches of one round in the order of the bracket, the better seed at home."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...]
    """Seeds that advance without a match, in the order of the bracket."""
    has_third_place: bool = False
    """Whether the last pairing is the match for third place."""


def bracket_size(teams: int) -> int:
    """Return the number of places in the bracket for that many teams: the next power of two."""
    return 1 << (teams - 1).bit_length()


def knockout_rounds(teams: int) -> int:
    """Return the number of rounds that many teams play, including the final."""
    return bracket_size(teams).bit_length() - 1


def knockout_round(
    present: Sequence[int],
    size: int,
    winners: Sequence[Collection[int]],
    third_place: bool = False,  # noqa: FBT001, FBT002 # a setting of the event file, passed through unchanged
) -> KnockoutRound:
    """Return round `len(winners) + 1` of the bracket.

    A seed whose opponent is missing has a bye; if both seeds of a pair are missing, or neither has won their match,
    nobody advances, and the bye comes one round later.

    Args:
        present: the seeds that take part, in any order.
        size: the places of the bracket (`bracket_size`).
        winners: `winners[k]` are the seeds that have won a match of round `k + 1`, without those that had a bye.
        third_place: whether the beaten semi-finalists meet beside the final; where only one semi-final was a match,
            they do not.
    """
    places = [seed if seed in present else None for seed in _bracket(size)]
    beaten: tuple[int, ...] = ()
    for won in winners:
        pairings = _drawn(places).pairings
        beaten = _beaten(pairings, won)
        out = {seed for pair in pairings for seed in pair}.difference(won)
        pairs = zip(places[::2], places[1::2], strict=True)
        places = [next((seed for seed in pair if seed is not None and seed not in out), None) for pair in pairs]
    drawn = _drawn(places)
    if third_place and len(winners) == knockout_rounds(size) - 1 and len(beaten) == 2:
        return KnockoutRound((*drawn.pairings, (min(beaten), max(beaten))), drawn.byes, has_third_place=True)
    return drawn


def rank_knockout(
    present: Sequence[int], rounds: Sequence[tuple[KnockoutRound, Collection[int]]]
) -> tuple[tuple[int, ...], ...]:
    """Return the places after some rounds, best first; seeds that share a place are in rising order.

    Teams not yet beaten share first place, which is empty if there are none. Behind them are those beaten in the last
    of the rounds, then those whose match nobody won in it, then those of the round before, and so on; a match for
    third place decides between its two teams.

    Args:
        present: the seeds that take part, in any order.
        rounds: each finished round with the seeds that won a match in it, the one for third place included.
    """
    left = set(present)
    out: list[tuple[int, ...]] = []
    for played, won in rounds:
        losers = _beaten(played.pairings, won)
        for_the_cup = played.pairings[:-1] if played.has_third_place else played.pairings
        if played.has_third_place:
            third = played.pairings[-1]
            if fourth := next((seed for seed in losers if seed in third), None):
                out[-1:] = [(fourth,), (sum(third) - fourth,)]
        now_out = {seed for pair in for_the_cup for seed in pair}.difference(won)
        left -= now_out
        out += (tuple(sorted(place)) for place in (now_out.difference(losers), now_out.intersection(losers)) if place)
    return (tuple(sorted(left)), *reversed(out))


def _bracket(size: int) -> list[int]:
    """Return the seeds from the top of the bracket to the bottom: 1 8 4 5 2 7 3 6."""
    seeds = [1]
    while len(seeds) < size:
        both = 2 * len(seeds) + 1
        seeds = [seed for better in seeds for seed in (better, both - better)]
    return seeds


def _drawn(places: Sequence[int | None]) -> KnockoutRound:
    """Pair places 1 and 2, 3 and 4, ... of the bracket; a place nobody has reached is None."""
    pairings: list[Pairing] = []
    byes: list[int] = []
    for one, other in zip(places[::2], places[1::2], strict=True):
        if one is not None and other is not None:
            pairings.append((min(one, other), max(one, other)))
        else:
            byes += [seed for seed in (one, other) if seed is not None]
    return KnockoutRound(tuple(pairings), tuple(byes))


def _beaten(pairings: Sequence[Pairing], won: Collection[int]) -> tuple[int, ...]:
    """Return the losers of the matches that somebody has won, in the same order."""
    return tuple(away if home in won else home for home, away in pairings if home in won or away in won)
