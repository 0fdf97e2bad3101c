"""The match of two teams: the same boards in two rooms, compared in IMPs, ranked by victory points.

Each team has a pair in either room, which sit in opposite directions; both rooms play the boards of the match, and
a team's score on a board is the difference of the two results (Law 78B). Two rooms, home and away belong to this
contest; only code that shows team matches relies on them as well.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from tourney.bridge import Side
from tourney.contest.draw import MatchInfo, StageInfo, VoidMatches
from tourney.contest.kind import Contest
from tourney.contest.plan import StagePlan
from tourney.contest.record import FieldRecord, RankedField, Ruling, SeatedBoard, fines, forfeited_by, of_kind
from tourney.errors import RuleError
from tourney.movement.ranking import RankingRules, rank_teams
from tourney.movement.seating import Room, TableInfo, seat_match, seat_segments
from tourney.movement.tie_breaks import TieBreak
from tourney.movement.withdrawals import left_early, settle_withdrawals
from tourney.plurals import count
from tourney.protocol.session.records import RulingKind
from tourney.scoring import BOARD_A_MATCH, POINTS_SCALE
from tourney.scoring.adjusted import adjust_board, is_void, score_forfeited_match, score_void_match
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.match import BoardComparison, ImpTotals, MatchScore, score_match, total_imps
from tourney.scoring.victory_points import VpHundredths, VpScale


class TeamContest(Contest):
    """Matches of two teams: a round robin, a gauntlet or a Swiss."""

    keys = frozenset(
        {
            "boards_per_match",
            *("segments", "seats", "vp_scale", "carry_over", "carry_over, lost"),
            *("tie_breaks", "bye_vp", "late_vp", "early_leavers", "void_matches"),
        }
    )
    scorings: tuple[str, ...] = ("imps", BOARD_A_MATCH)
    rooms: tuple[Room, ...] = (Room.OPEN, Room.CLOSED)
    tables_per_match: int = 2
    seat_choices = frozenset({"seat", "room"})
    why_no_undo = "in an event of teams nothing is taken back"

    def defaults(self, keys: Mapping[str, Any]) -> Mapping[str, Any]:
        if BOARD_A_MATCH not in self.scorings or keys.get("scoring", self.scorings[0]) != BOARD_A_MATCH:
            return {}
        by_points = keys.get("vp_scale", POINTS_SCALE) == POINTS_SCALE
        usual = TieBreak.HEAD_TO_HEAD_POINTS if by_points else TieBreak.POINTS
        return {"scoring": BOARD_A_MATCH, "vp_scale": POINTS_SCALE, "tie_breaks": [usual.value]}

    def describe_length(self, stage: StageInfo) -> str:
        scale = stage.board_scale
        words = f"{count(stage.boards_per_match, 'board')} a match"
        words += f" in {stage.segments} segments" if stage.segments > 1 else ""
        words += ", board-a-match" if scale.is_board_a_match else ""
        name = self.scale_name(stage.vp_scale)
        return words + (f", VP scale {name}" if name and not scale.ranks_by_points else "")

    instead = MappingProxyType(
        {
            "pair": "is for pairs events, {event!r} has none: "
            "`tourney match` shows the boards of a match, `tourney rounds` all matches"
        }
    )

    # Sittings

    def seat(self, plan: StagePlan, home: str, away: str) -> tuple[TableInfo, ...]:
        settings, chosen = plan.settings, plan.open_rooms
        each = settings.boards_per_match // settings.segments
        seats = seat_segments(settings.segments, settings.seats, chosen.get(home), chosen.get(away))
        return tuple(
            table
            for index, seat in enumerate(seats)
            for table in seat_match(home, away, seat, segment=index + 1, first=index * each, boards=each)
        )

    # How results compare

    def compare(self, match: MatchInfo, seated: SeatedBoard) -> BoardComparison | None:
        """Return what each team scores on a board, on the scale of the match.

        A cancelled board takes precedence over an adjusted score of a team, that over a forfeited board, and that
        over results and those assigned in their place.
        """
        number, rulings = seated.board.number, seated.rulings
        if not rulings and len(seated.results) < len(self.rooms):
            return None
        if of_kind(rulings, RulingKind.BOARD_CANCELLED):
            return BoardComparison(number, 0, 0, is_played=False, is_cancelled=True)
        awarded = {ruling.team: ruling.amount for ruling in of_kind(rulings, RulingKind.ADJUSTED_SCORE)}
        forfeits = of_kind(rulings, RulingKind.BOARD_FORFEIT)
        at_fault = {ruling.team for ruling in forfeits}
        assigned = of_kind(rulings, RulingKind.ASSIGNED_SCORE)
        both = set(match.teams)
        ruled_on = [room for room in self.rooms if {r.team for r in assigned if r.room is room} == both]
        home: int | None
        away: int | None
        if at_fault and {*seated.results, *ruled_on, *(ruling.room for ruling in forfeits)} == set(self.rooms):
            forfeited = adjust_board(
                number,
                home_at_fault=match.home in at_fault,
                away_at_fault=match.away in at_fault,
                board_scale=match.board_scale,
            )
            home, away = forfeited.imps_home, forfeited.imps_away
        else:
            home, away = (self._figure_of(match, team, seated, assigned) for team in match.teams)
        is_played = home is not None and away is not None
        home, away = awarded.get(match.home, home), awarded.get(match.away, away)
        if home is None or away is None:
            return None
        return BoardComparison(number, home, away, is_played=is_played)

    def _figure_of(self, match: MatchInfo, team: str, seated: SeatedBoard, assigned: Sequence[Ruling]) -> int | None:
        """Return a team's figure on a board from what counts for it in both rooms; None while a room has nothing."""
        board = seated.board
        sides = {room: seated.tables[room].side_of(team) for room in self.rooms}
        if sides[Room.OPEN] is sides[Room.CLOSED]:
            raise RuleError(f"board {board.number} cannot be compared: one team sat {sides[Room.OPEN]} in both rooms")
        weighted: dict[Room, list[WeightedScore]] = {}
        for room in self.rooms:
            ruling = next((r for r in assigned if r.room is room and r.team == team), None)
            if ruling is not None:
                weighted[room] = [
                    WeightedScore(part.weight, part.score_ns(board.vulnerability)) for part in ruling.assigned
                ]
            elif room in seated.results:
                weighted[room] = [WeightedScore(1, seated.results[room].score)]
            else:
                return None
        sign = 1 if sides[Room.OPEN] is Side.NS else -1
        return match.board_scale.compare(weighted[Room.OPEN], weighted[Room.CLOSED], sign)

    def score(
        self,
        match: MatchInfo,
        comparisons: Iterable[BoardComparison],
        rulings: Sequence[Ruling],
        scale: VpScale,
        *,
        is_complete: bool,
    ) -> MatchScore | None:
        """Score a match in IMPs, or points, and victory points; a forfeited match needs no more boards."""
        boards = list(comparisons)
        counted = [board for board in boards if not board.is_cancelled]
        forfeited = forfeited_by(rulings)
        home, away = fines(rulings, match.home), fines(rulings, match.away)
        if forfeited:
            return score_forfeited_match(
                counted,
                scale,
                home_forfeits=match.home in forfeited,
                away_forfeits=match.away in forfeited,
                home=home,
                away=away,
                board_scale=match.board_scale,
            )
        if not is_complete:
            return None
        if match.rules.void_matches is VoidMatches.AVERAGE_PLUS and is_void(boards):
            return score_void_match(
                boards,
                scale,
                home_at_fault=_is_at_fault(match, match.home, boards, rulings),
                away_at_fault=_is_at_fault(match, match.away, boards, rulings),
                home=home,
                away=away,
                board_scale=match.board_scale,
            )
        return score_match(counted, scale, home, away, match.board_scale)

    def add_up(
        self, match: MatchInfo, comparisons: Iterable[BoardComparison], rulings: Sequence[Ruling]
    ) -> ImpTotals:
        return total_imps(comparisons, fines(rulings, match.home), fines(rulings, match.away), match.board_scale)

    def describe_score(self, match: MatchInfo, score: MatchScore) -> str:
        scale = match.board_scale
        figures = f"{scale.format(score.imps_home)} - {scale.format(score.imps_away)} {scale.unit}"
        vp, own = (score.vp_home, score.vp_away), (score.imps_home, score.imps_away)
        if all(map(scale.is_said_by_score, vp, own, score.totals.margins)):
            return figures
        return f"{figures}, {scale.format_vp(score.vp_home)} - {scale.format_vp(score.vp_away)} {scale.vp_unit}"

    # How teams rank

    def rank(self, field: FieldRecord) -> RankedField:
        """Rank by victory points (per match if teams do not play equally often), then by the tie-breaks."""
        finished, rules = field.over, field.rules
        missed = _first_missed_rounds(field)
        forgotten: set[str] = set()
        if missed and self.all_meet:
            scheduled = Counter(team for match in field.stage.matches for team in match.teams)
            if rules.forgets_early_leavers:
                forgotten = left_early(finished, missed.keys(), scheduled)
            finished = settle_withdrawals(finished, missed.keys(), scheduled, rules)
        ranked = rank_teams(
            field.teams,
            finished,
            rules.tie_breaks,
            lot_seed=field.lot_seed if field.is_over else None,
            awards=_awards(field, rules, missed, forgotten),
            by_average=self.by_average,
        )
        return RankedField(ranked.rows, ranked.ties, tuple(finished))


def _is_at_fault(match: MatchInfo, team: str, boards: Iterable[BoardComparison], rulings: Iterable[Ruling]) -> bool:
    """Return whether a team got less than average on at least half of the boards that were not played."""
    missing = {board.board for board in boards if not board.is_played}
    below = {
        ruling.board
        for ruling in rulings
        if ruling.kind is RulingKind.ADJUSTED_SCORE
        and ruling.team == team
        and ruling.amount < match.board_scale.average
    }
    return 2 * len(missing & below) >= len(missing)


def _first_missed_rounds(field: FieldRecord) -> dict[str, int]:
    """Return the first round of the stage that each team missed because it has left the event.

    A team that had played all its matches of the stage when it left has missed none, and changes nothing here.
    """
    missed: dict[str, int] = {}
    for round_ in field.stage.rounds:
        for match in round_.matches:
            finished = field.finished.get(match.number)
            for team in field.withdrawn.intersection(match.teams).intersection(field.teams):
                if finished is None or (finished.is_walkover and team in finished.forfeits):
                    missed.setdefault(team, round_.number_in_stage)
    return missed


def _awards(
    field: FieldRecord, rules: RankingRules, missed: Mapping[str, int], forgotten: Collection[str]
) -> dict[str, VpHundredths]:
    """Return victory points awarded without a match: carry-over, byes, and rounds missed by entering late.

    A team that has left gets its byes of the rounds before that in `missed`, and none if its scores are forgotten.
    """
    over = [
        round_
        for round_ in field.rounds
        if round_.is_drawn and all(match.number in field.finished for match in round_.matches)
    ]
    awards = {}
    for entry in field.entries:
        last = 0 if entry.team in forgotten else missed.get(entry.team, len(field.stage.rounds) + 1)
        byes = sum(entry.team in round_.byes for round_ in over if round_.number_in_stage < last)
        late = sum(round_.number_in_stage < entry.from_round for round_ in over)
        vp = entry.carry_vp + byes * rules.bye_vp + late * rules.late_vp
        if vp:
            awards[entry.team] = VpHundredths(vp)
    return awards


def describe_unbalanced(score: MatchScore, scale: BoardScale) -> str:
    """Describe the margins of a score that does not balance: ` (margins +2 and -8)`; nothing for one that does."""
    margins = score.totals.margins
    return "" if score.totals.is_balanced else f" (margins {' and '.join(map(scale.format_signed, margins))})"
