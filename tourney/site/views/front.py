"""The front page: how teams have done of late, what is being played, what comes next, the biggest swings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.movement.ranking import FinishedMatch
from tourney.report.rounds import MatchSummary
from tourney.results.standings import Standings
from tourney.site.public import EventState, PublicTable

FORM_MATCHES: Final = 5
"""How many of the latest matches of a team its form has."""


@dataclass(frozen=True, slots=True)
class FormMatch:
    """A match of a team's form."""

    match: int
    letter: str
    """`W`, `D` or `L`."""
    words: str
    """`won against Beta`."""


def view_form(field: Standings) -> dict[str, tuple[FormMatch, ...]]:
    """Returns the latest matches of each team in a stage, group or event, the oldest first; none in pairs events."""
    matches: defaultdict[str, list[FormMatch]] = defaultdict(list)
    of_matches = [each for each in field.fields or (field,) if not each.ranks_by_boards]
    counted = {match.number: match for each in of_matches for match in each.counted}
    drawn = {match.number: match for each in of_matches if each.stage for match in each.stage.matches}
    for number in sorted(counted):
        match = counted[number]
        for place, side in enumerate((match.home, match.away)):
            for team in drawn[number].entrants_of(side):
                matches[team].append(_form(match, side, place))
    return {row.team: tuple(matches[row.team][-FORM_MATCHES:]) for row in field.rows}


def view_moves(standings: Standings, before: Standings | None) -> dict[str, int]:
    """Returns how many places each team has gone up since `before`, a round earlier, where that is known."""
    earlier = _ranks(before)
    now = _ranks(standings)
    return {team: earlier[team] - now[team] for team in now if team in earlier}


def _ranks(standings: Standings | None) -> Mapping[str, int]:
    """Returns the places; none before the first score, and where a knockout leaves them open."""
    if standings is None or not standings.matches_over or standings.is_knockout or standings.undecided:
        return {}
    return {row.team: row.rank for row in standings.rows}


def _form(match: FinishedMatch, team: str, place: int) -> FormMatch:
    figures = match.figures()[place]
    letter, verb = ("W", "won") if figures.won else ("D", "drew") if figures.drawn else ("L", "lost")
    other = match.away if team == match.home else match.home
    return FormMatch(match.number, letter, f"{verb} against {other}")


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
