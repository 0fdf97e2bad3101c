"""What is being played, and how far an event has come."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tourney.report.rounds import MatchSummary
from tourney.site.public import EventState, PublicTable


@dataclass(frozen=True, slots=True)
class PlayingMatch:
    """A match that is being played."""

    line: MatchSummary
    tables: tuple[PublicTable, ...]


def view_playing(matches: Iterable[MatchSummary], tables: Sequence[PublicTable]) -> tuple[PlayingMatch, ...]:
    """Returns the matches that are being played, with the tables of each that have begun."""
    at: defaultdict[int, list[PublicTable]] = defaultdict(list)
    for table in tables:
        at[table.match.number].append(table)
    return tuple(
        PlayingMatch(line, tuple(table for table in at[line.match.number] if table.is_playing or table.finished))
        for line in matches
        if not line.is_over and any(table.is_playing for table in at[line.match.number])
    )


def describe_state(state: EventState, *, is_lobby: bool = False) -> str:
    """Describe how far an event has come: `Round 3 of 9, being played`, `Final results`; a lobby has no end."""
    if is_lobby:
        return "Games are being played" if state.playing else "No game is being played"
    if state.final:
        return "Final results"
    if state.is_over:
        return "All rounds played, results provisional"
    rounds = f"Round {state.round} of {state.rounds}" if state.rounds > 1 else "One round"
    if state.playing:
        return f"{rounds}, being played"
    return rounds
