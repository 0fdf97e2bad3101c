"""A team: its place, its matches and byes stage by stage, and the rulings that its figures include."""

from collections.abc import Sequence

from tourney.movement.ranking import StandingRow
from tourney.output.content import Heading
from tourney.output.tables import Parts
from tourney.results.standings import Standings
from tourney.scoring.victory_points import format_vp
from tourney.views.pair import PairInStage
from tourney.views.rounds import RoundSummary, team_parts
from tourney.views.rulings import explain_stars


def describe_team(
    standings: Standings,
    team: str,
    rounds: Sequence[RoundSummary],
    cards: Sequence[PairInStage],
) -> Parts:
    """Yield what there is to be said of a team.

    Args:
        standings: those of the event.
        team: the name of the team.
        rounds: those in which it meets others, or sits out.
        cards: its cards in the stages that rank by boards, which have the rulings there.
    """
    row, card_in = standings.row_of(team), {card.of_stage.stage.number: card for card in cards}
    if standings.is_withdrawn(team):
        yield "Withdrawn from the event."
    if standings.fields and len(card_in) < len({round_.round.stage for round_ in rounds}):
        place = f"rank {standings.format_rank(row)} of the event" if standings.is_ranked else "not ranked yet"
        yield _sentence(f"{place}; {_describe_record(row)}")
    for field in standings.lists:
        own, stage = next((own for own in field.rows if own.team == team), None), field.ranked_stage.number
        if own is None:
            continue
        if standings.fields:
            yield Heading(field.title)
        if stage in card_in:
            yield from card_in[stage].text()
        else:
            yield _sentence(_describe_place(field, own))
            yield from team_parts([each for each in rounds if each.round.stage == stage], team)
    told = {match.number for card in cards for match in card.of_stage.stage.matches}
    rulings = [ruling for round_ in rounds for line in round_.matches for ruling in line.rulings]
    counted = [each for each in dict.fromkeys([*standings.rulings_on(team), *rulings]) if each.match not in told]
    if counted:
        yield Heading("Rulings that count")
        yield from explain_stars(counted, "EVENT")


def _describe_place(field: Standings, row: StandingRow) -> str:
    """Describe the place of a team in a stage: `rank 1, 30.86 VP, 2.00 of them carried over; 2 won, ...`."""
    stage = field.ranked_stage
    entry = next(entry for entry in stage.entries if entry.team == row.team)
    place = f"rank {field.format_rank(row)}" if field.is_ranked else "not ranked yet"
    scale = field.ranking_scale
    won = f", {scale.format_vp(row.vp)} {scale.ranked_unit}" if scale is not None else ""
    carried = f", {format_vp(entry.carry_vp)} of them carried over" if entry.carry_vp else ""
    first = stage.rounds[entry.from_round - 1].number
    late = f"; plays from round {first} on" if entry.from_round > 1 else ""
    return f"{place}{won}{carried}; {_describe_record(row)}{late}"


def _describe_record(row: StandingRow) -> str:
    return f"{row.won} won, {row.drawn} drawn, {row.lost} lost"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
