"""The front page: how teams have done of late, what is being played, what comes next, the biggest swings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.movement.ranking import FinishedMatch
from tourney.results.standings import Standings
from tourney.site.public import EventState, PublicTable
from tourney.site.views.match import MatchSummary

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


@dataclass(frozen=True, slots=True)
class TeamTrend:
    """How a team has done of late."""

    form: tuple[FormMatch, ...]
    """Its latest matches, the oldest first."""
    moved: int | None
    """How many places it has gone up since the round before; None if that is not known."""


def view_trends(standings: Standings, before: Standings | None) -> dict[str, TeamTrend]:
    """Returns the trend of each team; `before` is the standings a round earlier."""
    matches: defaultdict[str, list[FormMatch]] = defaultdict(list)
    counted = {match.number: match for field in standings.fields or (standings,) for match in field.counted}
    for number in sorted(counted):
        match = counted[number]
        for place, team in enumerate((match.home, match.away)):
            matches[team].append(_form(match, team, place))
    earlier = _ranks(before)
    now = _ranks(standings)
    return {
        row.team: TeamTrend(
            form=tuple(matches[row.team][-FORM_MATCHES:]),
            moved=earlier[row.team] - now[row.team] if row.team in earlier and row.team in now else None,
        )
        for row in standings.rows
    }


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


def describe_state(state: EventState | None) -> str:
    """Describe how far an event has come: `Round 3 of 9, being played`, `Final results`; empty for None."""
    if state is None:
        return ""
    if state.is_final:
        return "Final results"
    if state.is_over:
        return "All rounds played, results provisional"
    rounds = f"Round {state.round} of {state.rounds}" if state.rounds > 1 else "One round"
    if state.is_playing:
        return f"{rounds}, being played"
    return rounds
