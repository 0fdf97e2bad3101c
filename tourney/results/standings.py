"""The standings, from the stored scores of matches and the rulings: boards are read for some tie-breaks only.

Each group of each stage is ranked by itself. Over an event of several, teams stand by how far they have come: first
those of the last stage in the order of that stage, then those who were left behind in the one before it, and so on;
teams that were left behind in the same place of their groups share theirs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tourney.bridge import format_deal
from tourney.movement.groups import group_letter
from tourney.movement.ranking import (
    NO_BOARDS,
    BoardTotals,
    FinishedMatch,
    RankingRules,
    StandingRow,
    rank_places,
    rank_teams,
)
from tourney.movement.tie_breaks import Tie, TieBreak
from tourney.movement.withdrawals import settle_withdrawals
from tourney.protocol.session.record_words import RulingKind
from tourney.results.knockouts import knockout_places
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EntryInfo, EventInfo, MatchInfo, RoundInfo, StageInfo, StoredMatchScore
from tourney.store.results.matches import load_match_boards, load_match_scores
from tourney.store.results.team_totals import load_board_totals
from tourney.store.rulings.finalisation import load_finalisation
from tourney.store.rulings.rulings import load_rulings
from tourney.store.rulings.verdicts import RULE_AUTHOR, RulingInfo

EventRules: TypeAlias = Mapping[int, RankingRules]
"""How teams are ranked in each stage, by its number."""


@dataclass(frozen=True, slots=True)
class Standings:
    """Who stands where after the rounds asked for: in an event, or in one field of it, a stage or a group of one."""

    event: str
    rows: tuple[StandingRow, ...]
    """Best first."""
    rounds: int
    """How many rounds count, those of earlier stages included: all of the event, or fewer."""
    matches: int
    """How many matches these rounds have."""
    matches_over: int
    """How many of them have a score."""
    rulings: tuple[RulingInfo, ...]
    """Those that have changed a score here, and withdrawals; the oldest first."""
    tie_breaks: tuple[TieBreak, ...]
    """What has parted teams equal in victory points, the first one first."""
    ties: tuple[Tie, ...]
    """These teams, and how they were parted; best first."""
    final_since_ms: int | None
    """When the results were made final; None while they are provisional."""
    counted: tuple[FinishedMatch, ...] = ()
    """Of a field: its matches as they count, where teams have left without those that are cancelled."""
    stage: StageInfo | None = None
    """The stage that it is of; None for an event of several fields."""
    group: str | None = None
    """The letter of the group that it is of, where the stage has several."""
    fields: tuple["Standings", ...] = ()
    """Of an event of several: each in the order of the stages, as far as teams are in them."""
    undrawn: int = 0
    """Rounds to come of which it is not known who meets whom."""

    def rulings_on(self, team: str) -> tuple[RulingInfo, ...]:
        """Those against one team."""
        return tuple(ruling for ruling in self.rulings if ruling.team == team)

    def is_withdrawn(self, team: str) -> bool:
        """Whether a team has left the event."""
        return any(ruling.kind is RulingKind.WITHDRAWAL for ruling in self.rulings_on(team))

    @property
    def is_over(self) -> bool:
        """Whether every match has its score, and none is still to be drawn."""
        return self.matches_over == self.matches and not self.undrawn

    @property
    def title(self) -> str:
        """What the field is called: the stage, and its group."""
        assert self.stage is not None
        return self.stage.name if self.group is None else f"{self.stage.name}, group {self.group}"

    @property
    def is_knockout(self) -> bool:
        """Whether teams stand by the matches that they have won: victory points say nothing then."""
        return self.stage is not None and self.stage.format.is_knockout


def load_standings(database: Database, event: EventInfo, rules: EventRules, rounds: int | None = None) -> Standings:
    """The standings.

    Args:
        database: where the record is.
        event: the event, as far as it was drawn.
        rules: those of the event file: they are no part of the draw.
        rounds: how many rounds count, counted through the event; None for all.

    Raises:
        StoreError: the database cannot be used.
    """
    scores = load_match_scores(database, event.id)
    return rank_event(database, event, scores, rules, rounds)


def rank_event(
    database: Database,
    event: EventInfo,
    scores: Mapping[int, StoredMatchScore],
    rules: EventRules,
    rounds: int | None = None,
) -> Standings:
    """The standings from the scores of matches by number; those of later rounds do not count.

    Raises:
        StoreError: the database cannot be used.
    """
    last = rounds if rounds is not None else len(event.all_rounds)
    stages = [stage for stage in event.stages if stage.entries and stage.rounds[0].number <= last]
    book = _Book(database, event, scores, rules, last)
    fields = [field for stage in stages for field in book.rank_stage(stage)]
    if len(event.stages) == 1 and len(fields) == 1:
        return fields[0]
    return book.overall(fields)


class _Book:
    """What all fields of an event are ranked from."""

    def __init__(
        self,
        database: Database,
        event: EventInfo,
        scores: Mapping[int, StoredMatchScore],
        rules: EventRules,
        last: int,
    ) -> None:
        self.database = database
        self.event = event
        self.rules = rules
        self.last = last
        rulings = load_rulings(database, event.id)
        needs_boards = any(tie_break.needs_boards for rule in rules.values() for tie_break in rule.tie_breaks)
        totals = load_board_totals(database, event.id) if needs_boards else {}
        self.matches = [match for match in event.matches if match.round <= last]
        self.over = {match.number for match in self.matches if match.number in scores}
        self.rulings = tuple(r for r in rulings if r.changes_score and (r.match is None or r.match in self.over))
        self.withdrawn = {r.team for r in self.rulings if r.kind is RulingKind.WITHDRAWAL}
        by_match: defaultdict[int | None, list[RulingInfo]] = defaultdict(list)
        for ruling in self.rulings:
            by_match[ruling.match].append(ruling)
        self.finished = {
            match.number: finished_match(
                match, scores[match.number], by_match[match.number], totals.get(match.number, NO_BOARDS)
            )
            for match in self.matches
            if match.number in self.over
        }
        word = load_finalisation(database, event.id)
        self.final_since_ms = word.at_ms if word is not None and word.is_final else None

    def rank_stage(self, stage: StageInfo) -> list[Standings]:
        """Its groups, one for most stages."""
        rules = self.rules.get(stage.number, RankingRules())
        return [self._rank_field(stage, group, rules) for group in range(1, stage.groups + 1)]

    def _rank_field(self, stage: StageInfo, group: int, rules: RankingRules) -> Standings:
        entries = [entry for entry in stage.entries if entry.group == group]
        teams = [entry.team for entry in entries]
        rounds = [round_ for round_ in stage.rounds if round_.number <= self.last]
        in_field = frozenset(teams)
        matches = [match for round_ in rounds for match in round_.matches if match.home in in_field]
        over = [match for match in matches if match.number in self.over]
        finished = [self.finished[match.number] for match in over]
        is_over = len(over) == len(matches) and all(round_.is_drawn for round_ in rounds)
        awards = self._awards(entries, rounds, rules)
        ties: tuple[Tie, ...] = ()
        if stage.format.is_knockout:
            places = knockout_places(stage, rounds, self.finished)
            rows = rank_places(places, finished, {})
        else:
            if self.withdrawn and rules.forgets_early_leavers:
                scheduled = Counter(team for match in stage.matches for team in (match.home, match.away))
                finished = settle_withdrawals(finished, self.withdrawn & in_field, scheduled, rules.most_vp)
            ranked = rank_teams(
                teams,
                finished,
                rules.tie_breaks,
                lot_seed=self._lot_seed(stage, rules) if is_over else None,
                awards=awards,
                by_average=stage.format.by_average,
            )
            rows, ties = ranked.rows, ranked.ties
        numbers = {match.number for match in matches}
        return Standings(
            event=self.event.name,
            rows=rows,
            rounds=min(self.last, stage.rounds[-1].number),
            matches=len(matches),
            matches_over=len(over),
            rulings=tuple(r for r in self.rulings if r.match in numbers or (r.match is None and r.team in in_field)),
            tie_breaks=() if stage.format.is_knockout else tuple(rules.tie_breaks),
            ties=ties,
            final_since_ms=self.final_since_ms,
            counted=tuple(finished),
            stage=stage,
            group=group_letter(group - 1) if stage.groups > 1 else None,
            undrawn=sum(not round_.is_drawn for round_ in rounds),
        )

    def _lot_seed(self, stage: StageInfo, rules: RankingRules) -> str | None:
        """What lots are drawn from in a stage that is over.

        The seed of the event would tell of the boards that later stages still play, so where any follow lots come
        from the boards of the last match: nobody knew them before, and no ruling changes them.
        """
        if TieBreak.LOT not in rules.tie_breaks or not stage.matches:
            return None
        if stage.number == len(self.event.stages):
            return self.event.seed
        boards = load_match_boards(self.database, stage.matches[-1])
        return " ".join(format_deal(board.deal) for board in boards)

    def _awards(
        self, entries: Sequence[EntryInfo], rounds: Sequence[RoundInfo], rules: RankingRules
    ) -> dict[str, VpHundredths]:
        """Victory points without a match: brought along, of byes, of rounds that a team has come too late for."""
        over = [r for r in rounds if r.is_drawn and all(match.number in self.over for match in r.matches)]
        awards = {}
        for entry in entries:
            byes = sum(entry.team in round_.byes for round_ in over) if entry.team not in self.withdrawn else 0
            late = sum(round_.number_in_stage < entry.from_round for round_ in over)
            vp = entry.carry_vp + byes * rules.bye_vp + late * rules.late_vp
            if vp:
                awards[entry.team] = VpHundredths(vp)
        return awards

    def overall(self, fields: Sequence[Standings]) -> Standings:
        """All teams of the event by how far they have come; their figures are those of all stages together."""
        places: list[list[str]] = []
        placed: set[str] = set()
        for stage in reversed(self.event.stages):
            in_stage = [field for field in fields if field.stage is not None and field.stage.number == stage.number]
            at_rank: defaultdict[int, list[str]] = defaultdict(list)
            for field in in_stage:
                for row in field.rows:
                    if row.team not in placed:
                        at_rank[row.rank].append(row.team)
            places += (at_rank[rank] for rank in sorted(at_rank))
            placed |= {row.team for field in in_stage for row in field.rows}
        vp: Counter[str] = Counter()
        for field in fields:
            if not field.is_knockout:
                vp.update({row.team: row.vp for row in field.rows})
        rows = tuple(
            replace(row, vp=VpHundredths(vp[row.team])) for row in rank_places(places, self.finished.values(), {})
        )
        return Standings(
            event=self.event.name,
            rows=rows,
            rounds=min(self.last, len(self.event.all_rounds)),
            matches=len(self.matches),
            matches_over=len(self.over),
            rulings=self.rulings,
            tie_breaks=(),
            ties=(),
            final_since_ms=self.final_since_ms,
            fields=tuple(fields),
            undrawn=sum(not round_.is_drawn for round_ in self.event.all_rounds if round_.number <= self.last),
        )


def finished_match(
    match: MatchInfo,
    score: StoredMatchScore,
    rulings: Iterable[RulingInfo],
    totals: BoardTotals = NO_BOARDS,
) -> FinishedMatch:
    """What a ranking needs of a match that is over; `rulings` are those on it that count."""
    own = list(rulings)
    return FinishedMatch(
        match.home,
        match.away,
        score.imps_home,
        score.imps_away,
        score.vp_home,
        score.vp_away,
        lost_home=score.lost_home,
        lost_away=score.lost_away,
        forfeits=frozenset(ruling.team for ruling in own if ruling.kind is RulingKind.MATCH_FORFEIT),
        totals=totals,
        is_walkover=any(r.kind is RulingKind.MATCH_FORFEIT and r.author == RULE_AUTHOR for r in own),
        number=match.number,
        carried=match.carry_home - match.carry_away,
    )
