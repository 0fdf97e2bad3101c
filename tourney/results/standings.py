"""The standings of an event, computed from its loaded results.

Each group of each stage is ranked separately. In an event of several, teams rank by the stage they reached: first
those of the last stage in the order of that stage, then those eliminated in the one before it, and so on; teams
eliminated in the same place of their groups share a rank.
"""

import enum
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tourney.bridge import Side
from tourney.contest import common_entrant
from tourney.contest.draw import StageInfo
from tourney.contest.record import RankedField, Ruling
from tourney.event.drawn import DrawnEvent
from tourney.movement.groups import group_letter, group_number
from tourney.movement.ranking import NO_FIGURES, StandingRow, format_rank, rank_places
from tourney.protocol.session.records import RulingKind
from tourney.results.load import EventResults, EventRules, load_results
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.rulings import load_rulings


@dataclass(frozen=True, kw_only=True)
class Standings(RankedField):
    """The standings after some rounds of an event, or of one field of it: a stage or one of its groups."""

    event: str
    rounds: int
    """Number of rounds that count, including those of earlier stages: all of the event, or fewer."""
    matches: int
    """Number of matches in these rounds."""
    matches_over: int
    """Number of them that have a score."""
    rulings: tuple[Ruling, ...]
    """The rulings that have changed a score here, and withdrawals; the oldest first."""
    tie_breaks: tuple[enum.StrEnum, ...]
    """Tie-breaks for equal victory points, in the order in which they apply."""
    final_since_ms: int | None
    """When the results were made final; None while they are provisional."""
    over: frozenset[int] = frozenset()
    """For a field: the numbers of its matches that have a score, those that were cancelled among them."""
    stage: StageInfo | None = None
    """The ranked stage; None for an event of several fields."""
    group: str | None = None
    """The letter of the ranked group, if the stage has several."""
    fields: tuple["Standings", ...] = ()
    """For an event of several fields: each field that has teams, in the order of the stages."""
    undrawn: int = 0
    """Number of rounds still to be drawn."""

    @property
    def is_ranked(self) -> bool:
        """Whether anything tells the teams apart: a score, or what they have brought along."""
        return self.matches_over > 0 or any(row.rank > 1 for row in self.rows)

    def rank_of(self, row: StandingRow) -> int | None:
        """Return the rank of a row; None before the first score, and of a pair without a board that counts."""
        is_ranked = self.is_ranked and row.counts
        return row.rank if is_ranked or row.team in self.undecided else None

    def format_rank(self, row: StandingRow) -> str:
        """Format a rank: `3`; `2=` if it is shared; `1-4` in a knockout that goes on; a dash if there is none."""
        if row.team in self.undecided:
            first, last = self.undecided[row.team]
            return str(first) if first == last else f"{first}-{last}"
        rank = self.rank_of(row)
        return "-" if rank is None else format_rank(rank, is_shared=self._sharing[rank] > 1)

    @cached_property
    def _sharing(self) -> Counter[int]:
        """How many rows share each rank."""
        return Counter(row.rank for row in self.rows)

    def row_of(self, team: str) -> StandingRow:
        """Return the row of a team that is ranked."""
        return next(row for row in self.rows if row.team == team)

    @property
    def lists(self) -> "tuple[Standings, ...]":
        """The rankings of stages and groups that it is made of: its fields, or itself if it ranks one."""
        return self.fields or ((self,) if self.stage is not None else ())

    @property
    def ranked_stage(self) -> StageInfo:
        """The stage that a list ranks."""
        assert self.stage is not None
        return self.stage

    @property
    def of_matches(self) -> "tuple[Standings, ...]":
        """Its fields that rank by matches, or itself; none if all rank by the boards of the whole field."""
        return tuple(field for field in self.fields or (self,) if field.scored is None)

    @property
    def is_of_lists(self) -> bool:
        """Whether its fields are lists of one pairs stage that have never been compared with each other."""
        stages = {field.ranked_stage.number for field in self.fields}
        return len(stages) == 1 and not self.of_matches

    def direction_of(self, team: str) -> Side | None:
        """Return the direction in which a pair is ranked, also among lists that are not compared."""
        lists = self.fields if self.is_of_lists else (self,)
        return next((each.direction for each in lists if any(row.team == team for row in each.rows)), None)

    @property
    def ranks_by_average(self) -> bool:
        """Whether teams rank by what they have won a match, as they do not play equally often."""
        return self.stage is not None and self.stage.format.by_average

    @property
    def carries_over(self) -> bool:
        """Whether it ranks pairs that have carried over something from the stage before."""
        return any((row.pairs or NO_FIGURES).carried is not None for row in self.rows)

    @property
    def entrant(self) -> str:
        """What is ranked: a `pair` if no stage is of teams."""
        return common_entrant(each.ranked_stage.format for each in self.lists)

    def rulings_on(self, team: str) -> tuple[Ruling, ...]:
        """Return the rulings against one team; those on a match against a partnership are against both players."""
        members = self._partnerships
        return tuple(
            ruling
            for ruling in self.rulings
            if ruling.team == team or (ruling.match is not None and team in members.get(ruling.team, ()))
        )

    @cached_property
    def _partnerships(self) -> dict[str, tuple[str, ...]]:
        """The players of each side of a match by its name, where partners change; otherwise empty."""
        if self.stage is None:
            return {}
        return {side: names for match in self.stage.matches for side, names in match.players.items()}

    def is_withdrawn(self, team: str) -> bool:
        """Return whether a team has left the event."""
        return any(ruling.kind is RulingKind.WITHDRAWAL for ruling in self.rulings_on(team))

    @property
    def cancelled(self) -> frozenset[int]:
        """The numbers of the finished matches that it leaves out because a team left early (White Book 2.4.2)."""
        return frozenset[int]().union(*(each.over - {match.number for match in each.counted} for each in self.lists))

    @property
    def is_over(self) -> bool:
        """Whether every round is drawn and every match has its score."""
        return self.matches_over == self.matches and not self.undrawn

    @property
    def title(self) -> str:
        """The name of the field: the stage, and its group if any."""
        stage = self.ranked_stage
        return stage.name if self.group is None else f"{stage.name}, {stage.group_title(group_number(self.group))}"

    @property
    def direction(self) -> Side | None:
        """The direction that all pairs of the list keep; None if there is one list of both, or none of pairs."""
        if self.stage is None or self.stage.groups == 1:
            return None
        teams = {row.team for row in self.rows}
        seated = {
            side
            for match in self.stage.matches
            for side, pair in zip(Side, match.teams, strict=True)
            if pair in teams
        }
        return seated.pop() if len(seated) == 1 else None

    @property
    def board_scale(self) -> BoardScale | None:
        """How the boards of its matches were scored; None where its stages differ in that.

        Beside team stages, those of pairs do not count: they have no matches.
        """
        if self.stage is not None:
            return self.stage.board_scale
        of_matches = [field for field in self.fields if field.scored is None]
        scales = {field.board_scale for field in of_matches or self.fields}
        return scales.pop() if len(scales) == 1 else None

    @property
    def ranking_scale(self) -> BoardScale | None:
        """What a list ranks by; None if by places alone, as in a knockout and in an event of several lists."""
        return self.stage.format.ranking_scale(self.stage.board_scale) if self.stage is not None else None


def load_standings(database: Database, event: EventInfo, rules: EventRules, rounds: int | None = None) -> Standings:
    """Load the standings.

    Args:
        database: where the record is.
        event: the event, as far as it was drawn.
        rules: those of the event file; they are not part of the draw.
        rounds: how many rounds count, counted through the event; None for all.

    Raises:
        StoreError: the database cannot be used.
    """
    return rank_event(load_results(database, event, rules), rounds)


def has_withdrawals(drawn: DrawnEvent) -> bool:
    """Load whether a team has left the event."""
    rulings = load_rulings(*drawn.record)
    return any(ruling.is_live and ruling.kind is RulingKind.WITHDRAWAL for ruling in rulings)


def load_cancelled(drawn: DrawnEvent) -> frozenset[int]:
    """Load the numbers of the matches that do not count; most events have none, which one query tells.

    Args:
        drawn: the event, or only the round of it that is asked about.

    Raises:
        ConfigError: a team has left, and something is wrong with the event file, which says what that means.
        StoreError: the database cannot be used.
    """
    whole = load_event(drawn.database, drawn.event.name) if has_withdrawals(drawn) else None
    if whole is None:
        return frozenset()
    return load_standings(drawn.database, drawn.at(whole).event, drawn.ranking_rules).cancelled


def rank_event(results: EventResults, rounds: int | None = None) -> Standings:
    """Compute the standings after the first `rounds` rounds of the event (None for all); later ones do not count."""
    event = results.event
    last = rounds if rounds is not None else len(event.all_rounds)
    over = {match.number for match in event.matches if match.round <= last and match.number in results.finished}
    stages = [stage for stage in event.stages if stage.entries and stage.rounds[0].number <= last]
    fields = [_rank_field(results, stage, group, last) for stage in stages for group in range(1, stage.groups + 1)]
    if len(event.stages) == 1 and len(fields) == 1:
        return fields[0]
    return _rank_overall(results, fields, last, over)


def _rank_field(results: EventResults, stage: StageInfo, group: int, last: int) -> Standings:
    """Compute the standings of a stage, or of one of its groups, after the rounds up to `last` of the event."""
    contest = stage.format
    record = results.of_stage(stage)
    field = record.field_of(group, last)
    ranked = contest.rank(field)
    over = frozenset(match.number for match in field.over)
    teams = frozenset(field.teams)
    return Standings(
        **vars(ranked),
        event=results.event.name,
        rounds=min(last, stage.rounds[-1].number),
        matches=len(field.matches),
        matches_over=len(over),
        rulings=tuple(r for r in results.rulings if r.match in over or (r.match is None and r.team in teams)),
        tie_breaks=contest.tie_breaks(record.rules),
        final_since_ms=results.final_since_ms,
        over=over,
        stage=stage,
        group=group_letter(group - 1) if stage.groups > 1 else None,
        undrawn=sum(not round_.is_drawn for round_ in field.rounds),
    )


def _rank_overall(results: EventResults, fields: Sequence[Standings], last: int, over: Collection[int]) -> Standings:
    """Rank all teams of the event by the stage they reached; their figures are totals over all stages of matches.

    Percentages cannot be added up: the figures of a pair are those of the last pairs stage it has reached. Lists
    of pairs that have never been compared stay apart, one after the other, each with its own ranks.
    """
    event = results.event
    by_stage = [[field for field in fields if field.stage is stage] for stage in reversed(event.stages)]
    places: list[list[str]] = []
    placed: set[str] = set()
    for in_stage in by_stage:
        at_rank: defaultdict[int, list[str]] = defaultdict(list)
        for row in (row for field in in_stage for row in field.rows if row.team not in placed):
            at_rank[row.rank].append(row.team)
        places += (at_rank[rank] for rank in sorted(at_rank))
        placed |= {team for place in at_rank.values() for team in place}
    of_matches = [field for field in fields if field.scored is None]
    vp: Counter[str] = Counter()
    for field in of_matches:
        if field.ranking_scale is not None:
            vp.update({row.team: row.vp for row in field.rows})
    at_pairs = {match.number for stage in event.pairs_stages for match in stage.matches} if of_matches else set()
    finished = (results.finished[number] for number in sorted(over) if number not in at_pairs)
    reached = next(filter(None, by_stage), [])
    undecided = reached[0].undecided if len(reached) == 1 else {}
    best = min((row.rank for field in reached for row in field.rows), default=1)  # 2 where nobody has won a knockout
    # The fields are in the order of the stages, so what stays is the last stage that a pair has reached.
    of_pairs = {row.team: row for field in fields if field.scored is not None for row in field.rows}

    def settled(row: StandingRow) -> StandingRow:
        rank, own = undecided.get(row.team, (max(best, row.rank),))[0], of_pairs.get(row.team)
        total = own.vp if own is not None and not of_matches else VpHundredths(vp[row.team])
        return replace(row, vp=total, rank=rank, pairs=own.pairs if own is not None else None)

    rounds = [round_ for round_ in event.all_rounds if round_.number <= last]
    ranked = Standings(
        event=event.name,
        rows=tuple(map(settled, rank_places(places, finished))),
        rounds=len(rounds),
        matches=sum(len(round_.matches) for round_ in rounds),
        matches_over=len(over),
        rulings=tuple(r for r in results.rulings if r.match is None or r.match in over),
        tie_breaks=(),
        ties=(),
        final_since_ms=results.final_since_ms,
        fields=tuple(fields),
        undrawn=sum(not round_.is_drawn for round_ in rounds),
        undecided=undecided,
    )
    if ranked.is_of_lists:
        return replace(ranked, rows=tuple(row for field in fields for row in field.rows))
    return ranked
