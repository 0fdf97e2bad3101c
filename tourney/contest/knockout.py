"""The knockout of teams, in which the winner of a match advances; a single match is its last round."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, TypeVar

from tourney.contest.draw import EntryInfo, MatchInfo, RoundInfo, StageInfo
from tourney.contest.plan import KeyProblem, RoundDraw, Sides, StagePlan, StageSettings
from tourney.contest.record import FieldRecord, Qualifier, RankedField, StageRecord
from tourney.contest.teams import TeamContest, describe_unbalanced
from tourney.movement.carry_over import CarryOver, ImpHundredths, carry_match
from tourney.movement.knockout import KnockoutRound, bracket_size, knockout_round, knockout_rounds, rank_knockout
from tourney.movement.ranking import FinishedMatch, RankingRules, WonBy, rank_places
from tourney.movement.seating import TableInfo, seat_match, seat_segments
from tourney.movement.tie_breaks import TieBreak
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths, format_hundredths

_Settings = TypeVar("_Settings", bound=StageSettings)
_ROUND_NAMES: Final = {1: "final", 2: "semi-finals", 4: "quarter-finals"}
"""Names of rounds by the number of teams that advance."""


class KnockoutContest(TeamContest):
    """A knockout: teams rank by the matches they have won, which IMPs or points decide, carry-over included."""

    keys = TeamContest.keys | {"extra_boards"}
    is_knockout = True
    no_crosstable = "the losers of a knockout do not meet the others"
    uses_vp_scale = False
    lacks = TeamContest.lacks | {"crosstable"}

    def bracket_places(self, stage: StageInfo) -> Mapping[str, int]:
        """Return the place of each team at the start; two that meet in the first round share one."""
        teams = stage.teams
        if len(teams) < 2:
            return dict.fromkeys(teams, 0)
        size = bracket_size(len(teams))
        pairings = knockout_round(range(1, size + 1), size, ()).pairings
        place_of = {seed: place for place, pair in enumerate(pairings) for seed in pair}
        return {team: place_of[seed] for seed, team in enumerate(teams, 1)}

    def carried_unit(self, scale: BoardScale) -> str:
        return scale.unit

    def carry_source(self, earlier: Sequence[_Settings]) -> _Settings | None:
        """Return the last stage that has ranked the teams, whatever knockouts came after it."""
        return next((each for each in reversed(earlier) if not each.format.is_knockout), None)

    def ranking_scale(self, scale: BoardScale) -> None:
        """Return None: who has won a match is all that counts."""

    def describe_round(self, stage: str, round_: RoundInfo, *, is_only_stage: bool) -> str:
        """Return the name of a round, which the name of the stage may say already: `Round 4, Cup: semi-finals`."""
        advance = sum(not match.is_third_place for match in round_.matches) + len(round_.byes)
        name = _ROUND_NAMES.get(advance, "") if self.is_drawn_by_round else ""
        is_said = not name or name.rstrip("s") == stage.casefold().rstrip("s")
        return f"Round {round_.number}, {stage}{'' if is_said else f': {name}'}"

    # Pairing

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        return [self.draw_round(settings, teams, [entry.team for entry in entries], ())]

    def draw_round(
        self, settings: StageSettings, teams: int, seeded: Sequence[str], winners: Sequence[Sequence[str]]
    ) -> RoundDraw:
        """Draw the round after those whose `winners` are given; `seeded` are the teams in order of seed."""
        if len(seeded) < 2:
            return RoundDraw((), tuple(seeded))
        seeds = {team: seed for seed, team in enumerate(seeded, 1)}
        won = [[seeds[team] for team in round_] for round_ in winners]
        made = knockout_round(list(seeds.values()), bracket_size(teams), won, third_place=settings.third_place)
        pairings = tuple((seeded[home - 1], seeded[away - 1]) for home, away in made.pairings)
        return RoundDraw(pairings, tuple(seeded[seed - 1] for seed in made.byes), made.has_third_place)

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        names = [str(number) for number in range(1, teams + 1)]
        winners: list[list[str]] = []
        counts = []
        for _ in range(self.count_rounds(settings, teams)):
            drawn = self.draw_round(settings, teams, names, winners)
            counts.append(len(drawn.pairings))
            winners.append([home for home, _ in drawn.pairings])
        return counts

    def draw_next(self, plan: StagePlan, record: StageRecord, number: int) -> RoundDraw:
        stage, earlier = record.stage, record.stage.rounds[: number - 1]
        # The preceding round counts as it is on record now, not as it was when this round was first drawn.
        winners = (winners_of(round_, record.finished, redrawn=earlier[-1]) or [] for round_ in earlier)
        won = [[team for team in round_ if team is not None] for round_ in winners]
        return self.draw_round(plan.settings, plan.size, stage.teams, won)

    def carry_into_matches(
        self,
        plan: StagePlan,
        entries: Sequence[EntryInfo],
        drawn: Sequence[RoundDraw],
        earlier: Sequence[StageRecord],
    ) -> dict[Sides, tuple[ImpHundredths, ImpHundredths]]:
        ranked = [record for record in earlier if not record.stage.format.is_knockout]
        if plan.carry_over is None or not ranked:
            return {}
        order = {entry.team: (entry.rank, seed) for seed, entry in enumerate(entries, 1)}
        return {
            pairing: _carry(plan.carry_over, ranked[-1], pairing, order)
            for round_ in drawn
            for pairing in round_.pairings
        }

    def extra_segment(self, match: MatchInfo, made: FinishedMatch) -> tuple[TableInfo, ...]:
        """Return extra boards for a tied match; seats keep changing by the same rule."""
        if not made.needs_extra_boards:
            return ()
        number, boards = len(match.segments) + 1, match.rules.extra_boards
        seats = seat_segments(number, match.rules.seats)[-1]
        return seat_match(match.home, match.away, seats, segment=number, first=match.boards, boards=boards)

    # How results compare

    def describe_score(self, match: MatchInfo, score: MatchScore) -> str:
        """Format the IMPs with the carry-over: `28.5 - 10 IMPs, 2.5 - 0 of them carried over`."""
        scale, carried = match.board_scale, (match.carry_home, match.carry_away)
        totals = (
            carried[0] + scale.hundredths(score.imps_home),
            carried[1] + scale.hundredths(score.imps_away),
        )
        imps, of_them = (" - ".join(map(format_hundredths, pair)) for pair in (totals, carried))
        margins = describe_unbalanced(score, scale)
        return f"{imps} {scale.unit}{margins}" + (f", {of_them} of them carried over" if any(carried) else "")

    def describe_unbalanced(self, match: FinishedMatch) -> str:
        """Describe the lead that follows from the margins: `Ants wins by 4 IMPs: margins Ants +2, Bees -6, ...`."""
        scale, (home, away) = match.board_scale, match.margins_on_boards
        if home == -away:
            return ""
        leader = match.home if match.lead > 0 else match.away
        parts = [
            f"margins {match.describe((home, away))}",
            f"half their difference {format_hundredths(scale.hundredths(home - away) // 2)} (Law 12C4)",
        ]
        if any(match.fines):
            parts.append(f"fines {' - '.join(map(scale.format, match.fines))}")
        if match.carried:
            parts.append(f"carried over {format_hundredths(match.carried)}")
        outcome = f"{leader} wins by {format_hundredths(abs(match.lead))} {scale.unit}" if match.lead else "a tie"
        return f"{outcome}: {', '.join(parts)}"

    def describe_winner(self, match: FinishedMatch) -> str:
        who = f"{match.winner} wins" if match.winner is not None else "neither team goes on"
        match match.won_by:
            case WonBy.SCORE:
                return ""
            case WonBy.BETTER_SEED:
                return f"{who} as the better seed, for the match is level"
            case WonBy.DRAW:
                return f"{who}, for the next round was drawn before a ruling turned the match"
            case None:
                return "extra boards decide it, for the match is level"
            case _:
                return (
                    f"{who} by forfeit" if match.winner is not None else f"{who}, for both have forfeited the match"
                )

    # How teams rank

    def rank(self, field: FieldRecord) -> RankedField:
        """Rank teams by the round they reached; victory points break no ties."""
        finished = field.over
        places = knockout_places(field.stage, field.rounds, field.finished)
        undecided = undecided_places(field.rounds, field.finished, places)
        # Of the teams that share a place, those that may still do better come first.
        ordered = [sorted(place, key=lambda team: undecided.get(team, (0, 0))) for place in places]
        best = 1 if places[0] else 2  # where both teams forfeit the last match, nobody has won
        rows = (
            replace(row, rank=undecided.get(row.team, (max(best, row.rank),))[0])
            for row in rank_places(ordered, finished)
        )
        return RankedField(tuple(rows), (), tuple(finished), undecided)

    def tie_breaks(self, rules: RankingRules) -> tuple[TieBreak, ...]:
        return ()

    def qualify(self, record: StageRecord, count: int | None) -> list[Qualifier]:
        """Return the teams not yet beaten, in the order of their seeds, with the rank they entered with."""
        stage = record.stage
        ranks = {entry.team: entry.rank for entry in stage.entries}
        left = knockout_places(stage, stage.rounds, record.finished, redrawn=stage.rounds[-1])[0]
        return [Qualifier(team, ranks[team], VpHundredths(0)) for team in left if team not in record.withdrawn]


class Knockout(KnockoutContest):
    """A knockout down to one team, or to as many as its rounds leave."""

    name = pairing = ranking = "knockout"
    title = "Knockout"
    keys = KnockoutContest.keys | {"rounds", "third_place"}
    is_drawn_by_round = True

    def defaults(self, keys: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**super().defaults(keys), "extra_boards": 4}

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return settings.rounds or (knockout_rounds(teams) if teams > 1 else 0)

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        left = teams
        for _ in range(self.count_rounds(settings, teams)):
            # With byes the first round brings the field to a power of two.
            left = 1 << max(0, (left - 1).bit_length() - 1)
        return left

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        rounds = settings.rounds
        if rounds is not None and rounds > knockout_rounds(teams):
            return "rounds", f"a knockout of {teams} teams has at most {knockout_rounds(teams)}, got {rounds}"
        return super().size_problem(settings, teams)


class SingleMatch(KnockoutContest):
    """A single match of two teams."""

    name = pairing = ranking = "match"
    title = "Match"

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        return 1

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        if teams != 2:
            return "teams", f"a match has 2 teams, got {teams}"
        return super().size_problem(settings, teams)


def winners_of(
    round_: RoundInfo, finished: Mapping[int, FinishedMatch], redrawn: RoundInfo | None = None
) -> list[str | None] | None:
    """Return the winners of a round, match by match, None for one that both teams forfeited.

    It is None until all its matches have finished. What is drawn from the round counts (`FinishedMatch.winner`),
    unless it is `redrawn`.
    """
    if not round_.is_drawn or any(match.number not in finished for match in round_.matches):
        return None
    over = [finished[match.number] for match in round_.matches]
    return [each.winner_by_result if round_ is redrawn else each.winner for each in over]


def knockout_places(
    stage: StageInfo,
    rounds: Iterable[RoundInfo],
    finished: Mapping[int, FinishedMatch],
    redrawn: RoundInfo | None = None,
) -> list[list[str]]:
    """Return the places after these rounds, best first, ties by seed; `finished` is keyed by match number.

    The first is empty if nobody is left. What is drawn from a round that is `redrawn` does not count.
    """
    teams = stage.teams
    if len(teams) < 2:
        return [teams]
    seeds = stage.seeds
    played: list[tuple[KnockoutRound, Sequence[int]]] = []
    for round_ in rounds:
        winners = winners_of(round_, finished, redrawn)
        if winners is None:
            break
        pairs = [(seeds[match.home], seeds[match.away]) for match in round_.matches]
        byes = tuple(seeds[team] for team in round_.byes)
        has_third_place = any(match.is_third_place for match in round_.matches)
        drawn = KnockoutRound(tuple(pairs), byes, has_third_place)
        played.append((drawn, [seeds[team] for team in winners if team is not None]))
    places = rank_knockout(list(seeds.values()), played)
    return [[teams[seed - 1] for seed in place] for place in places]


def undecided_places(
    rounds: Sequence[RoundInfo],
    finished: Mapping[int, FinishedMatch],
    places: Sequence[Sequence[str]],
) -> dict[str, tuple[int, int]]:
    """Return the best and worst place of the teams that play on, or wait for others of their round.

    `places` are those after the finished rounds. Of eight that are left, a winner may come to places 1 to 4, a loser
    to 5 to 8, the others to 1 to 8; the two of a match for third place to 3 and 4.
    """
    left = places[0]
    if len(left) < 2:
        return {}
    undecided = dict.fromkeys(left, (1, len(left)))
    going_on = next((round_ for round_ in rounds if winners_of(round_, finished) is None), None)
    matches = going_on.matches if going_on is not None and going_on.is_drawn else ()
    going_through = len(left) - sum(not match.is_third_place for match in matches)
    for match in matches:
        first, last = (3, 4) if match.is_third_place else (1, len(left))
        undecided |= dict.fromkeys(match.teams, (first, last))
        if match.number in finished:
            winner = finished[match.number].winner
            half = first if match.is_third_place else going_through
            for team in match.teams if winner is not None or not match.is_third_place else ():
                undecided[team] = (first, half) if team == winner else (half + 1, last)
    return undecided


def _carry(
    rules: CarryOver, source: StageRecord, pairing: Sides, order: Mapping[str, tuple[int, int]]
) -> tuple[ImpHundredths, ImpHundredths]:
    """Return the carry-over of the home and away teams from their matches in the stage that ranked them."""
    higher, lower = sorted(pairing, key=order.__getitem__)
    won = Fraction(0)
    for match in source.stage.matches:
        if set(match.teams) == set(pairing):
            lead = Fraction(source.finished[match.number].lead_on_boards, 100)
            won += lead if match.home == higher else -lead
    of_higher, of_lower = carry_match(rules, won, order[higher][0], order[lower][0])
    return (of_higher, of_lower) if pairing[0] == higher else (of_lower, of_higher)
