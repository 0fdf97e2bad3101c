"""Conditions of contest, first half: who meets whom, on which boards, and what a result is worth."""

from collections.abc import Sequence
from datetime import UTC, datetime

from tourney.conditions.phase import Phase, phases_of, stage_names
from tourney.conditions.ranking import alike, scoring_section, standings_section
from tourney.conditions.seating import CUSTOM, boards_sentence, open_room_grid, seats_blocks
from tourney.conditions.stage import (
    carry_over_sentences,
    draw_blocks,
    entry_sentences,
    how_much,
    teams_grid,
    what_it_is,
    winning_sentences,
)
from tourney.conditions.text import (
    Grid,
    Section,
    clean,
    code,
    count,
    fine,
    items,
    milliseconds,
    paragraph,
    quoted,
    section,
    times,
)
from tourney.config import EarlyLeavers, EventConfig, SharedDeals, StageFormat
from tourney.scoring.adjusted import AVERAGE_MINUS, AVERAGE_PLUS, walkover_vp
from tourney.scoring.victory_points import format_vp


def event_sections(config: EventConfig, commitment: str | None) -> list[Section]:
    """The sections, in order. `commitment` is the hash that the boards are sealed with, if they are.

    What is said of a stage stands in the section of its subject where the event has only one, else in a section of
    the stage.
    """
    phases = phases_of(config)
    first = [_format(phases[0])] if len(phases) == 1 else [_stages(config, phases), *map(_stage, phases)]
    return [
        *first,
        _times(config, phases),
        _boards(config, phases),
        _deals(config, commitment),
        scoring_section(phases),
        _forfeits(config, phases),
        standings_section(phases),
    ]


def _format(phase: Phase) -> Section:
    """Of the only stage."""
    said = (
        f"{phase.teams} teams take part. The stage {quoted(phase.stage.name)} is {what_it_is(phase)}. "
        f"{how_much(phase)}"
    )
    won = winning_sentences(phase)
    return section("Format", *draw_blocks(phase, said), paragraph(*won) if won else None, teams_grid(phase.config))


def _stages(config: EventConfig, phases: Sequence[Phase]) -> Section:
    return section(
        "Format",
        paragraph(
            f"{len(config.team)} teams take part. The event has {len(phases)} stages, one after the other; each has "
            "a section below."
        ),
        Grid(
            "The stages",
            ("No", "Stage", "Format", "Teams", "Rounds", "Boards a match"),
            tuple(
                (
                    str(phase.number),
                    clean(phase.stage.name),
                    phase.stage.format.name,
                    str(phase.teams),
                    str(phase.rounds),
                    str(phase.stage.boards_per_match),
                )
                for phase in phases
            ),
            frozenset({0, 3, 4, 5}),
        ),
        teams_grid(config),
    )


def _stage(phase: Phase) -> Section:
    """One of several stages."""
    entry, carried, won = entry_sentences(phase), carry_over_sentences(phase), winning_sentences(phase)
    return section(
        f"Stage {phase.number}: {clean(phase.stage.name)}",
        paragraph(*entry) if entry else None,
        *draw_blocks(phase, f"The stage is {what_it_is(phase)}. {how_much(phase)}"),
        paragraph(boards_sentence(phase)),
        *seats_blocks(phase),
        paragraph(*carried) if carried else None,
        paragraph(*won) if won else None,
    )


def _times(config: EventConfig, phases: Sequence[Phase]) -> Section:
    side_by_side = (
        f"At most {count(config.tables.at_once, 'match', 'matches')} of a round are played at the same time; the "
        "others follow as these end."
    )
    timed = [phase for phase in phases if phase.stage.starts is not None]
    if not timed:
        when = (
            "The first round starts when the organiser starts the event, each later one when the one before is over."
        )
        return section("Times of the rounds", paragraph(when, side_by_side))
    one = len(phases) == 1
    when = "A round starts at its time, or as soon as the one before it is over where that is later."
    if len(timed) < len(phases):
        when = (
            "A round with a time below starts at it, or as soon as the one before it is over where that is later; "
            "any other starts when the one before it is over."
        )
        if phases[0].stage.starts is None:
            when += " The first one starts when the organiser starts the event."
    rows = [
        (*(() if one else (clean(phase.stage.name),)), str(number), _zoned(start), _utc(start))
        for phase in timed
        for number, start in enumerate(phase.stage.starts or (), 1)
    ]
    return section(
        "Times of the rounds",
        paragraph(when, side_by_side),
        Grid(
            "Start of each round" if len(timed) == len(phases) else "Start of the rounds that have a time",
            (*(() if one else ("Stage",)), "Round", "Starts", "In UTC"),
            tuple(rows),
            frozenset({0 if one else 1}),
        ),
    )


def _boards(config: EventConfig, phases: Sequence[Phase]) -> Section:
    pause = config.tables.trick_pause_ms
    shared = {
        SharedDeals.ROUND: "All matches of a round play the same boards.",
        SharedDeals.MATCH: "Every match has boards of its own.",
    }
    only = phases[0] if len(phases) == 1 else None
    custom: str | None = CUSTOM
    if only is not None and only.seats_change:
        custom = None
    elif any(phase.seats_change for phase in phases):
        custom = f"{CUSTOM} Stages that have it otherwise say so."
    return section(
        "Boards and seating",
        paragraph(
            boards_sentence(only) if only else None,
            "Every board is played twice, by other players who know nothing of each other: in the open room and in "
            "the closed room.",
            shared[config.deals.shared],
        ),
        *(seats_blocks(only) if only else ()),
        paragraph(custom, "Dealer and vulnerability are those of the board."),
        open_room_grid(config),
        paragraph(
            f"After each trick the table stands still for {milliseconds(pause)}, which is counted as nobody's time."
            if pause
            else "The table does not pause between tricks."
        ),
    )


def _deals(config: EventConfig, commitment: str | None) -> Section:
    deals = config.deals
    if deals.pbn is not None:
        source = "The boards come from a file that the organiser has prepared; it is not shown before the event."
        if any(stage.extra for stage in config.stage):
            source += " Extra boards of level matches are dealt by computer from a secret seed."
    else:
        drawn = (
            "that the organiser has chosen" if deals.seed is not None else "that is drawn by chance with the schedule"
        )
        source = (
            f"The boards are dealt by computer from a seed {drawn}. The seed is kept secret until the "
            "event is over; then everybody can deal the same boards again from it."
        )
    sealed = None
    if commitment is not None:
        sealed = (
            f"The boards are sealed: their SHA-256, together with a secret number, is {code(commitment)}. After the "
            "event they are published with this number, and everybody can check them with "
            f"{code('tourney deal --check FILE --hash HASH')}."
        )
    whoever = "all tables of the round that play it have" if deals.shared is SharedDeals.ROUND else "both rooms have"
    return section(
        "Deals",
        paragraph(source, "No deal is dealt again because of how its cards lie."),
        paragraph(sealed) if sealed else None,
        paragraph(
            "A program is dealt its own hand only, and sees dummy when the Laws say so. A board is shown to the "
            f"public when {whoever} finished it, not before."
        ),
    )


def _forfeits(config: EventConfig, phases: Sequence[Phase]) -> Section:
    rules = config.rules
    by_vp = [phase for phase in phases if phase.ranks_by_vp]
    has_knockout = len(by_vp) < len(phases)
    strikes = "However often the programs of a team crash, it is not withdrawn for that."
    if rules.strikes:
        strikes = (
            f"A team whose programs have crashed {times(rules.strikes)} in the event is withdrawn, and forfeits "
            "every match that it has not finished."
        )
    fines = (
        f"A fine is {fine(rules.penalty)} unless the director says otherwise; it is taken off the offenders' "
        "score, and their opponents' does not change."
    )
    if by_vp:
        fines += " Fines in IMPs count before the conversion to victory points, fines in victory points after it."
    if has_knockout:
        fines += " Who wins a match of a knockout hangs on IMPs alone: fines in victory points change nothing in it."
    return section(
        "Forfeits, adjusted scores and fines",
        items(
            [
                f"A side that forfeits a board gets {AVERAGE_MINUS} IMPs for it and its opponents +{AVERAGE_PLUS} "
                f"(Law 12C2). Where both teams are at fault both get {AVERAGE_MINUS}.",
                _forfeited_match(by_vp, is_all=not has_knockout) if by_vp else None,
                "A team that forfeits a match of a knockout has lost it, whatever the IMPs. Where both teams forfeit "
                "it, the one that has brought more along has won it, else the better seed."
                if has_knockout
                else None,
                "A board that could not be finished through nobody's fault, or by the fault of both sides at once, "
                "is void and played again.",
                fines,
                strikes,
                *(_leavers(same, is_all=len(same) == len(phases)) for same in alike(phases, _leavers_text)),
                "The director may adjust a score or impose a fine; every ruling is put on record with its reason.",
            ]
        ),
    )


def _forfeited_match(by_vp: Sequence[Phase], *, is_all: bool) -> str:
    """`by_vp` are the stages where victory points count; `is_all`: whether there are no others."""
    worth = alike(by_vp, _walkover)
    walkover = _walkover(by_vp[0])
    if len(worth) > 1:
        walkover = " or ".join(f"{_walkover(same[0])} (in {stage_names(same)})" for same in worth)
    where = "" if is_all else " outside a knockout"
    return (
        f"A team that forfeits a match{where} gets no victory points. Its opponents get {walkover}, or the victory "
        "points of their margin so far where these are more and at least half of the boards have been "
        "compared. Where both teams forfeit, neither gets anything."
    )


def _walkover(phase: Phase) -> str:
    return format_vp(walkover_vp(phase.config.scale(phase.stage)))


def _leavers(phases: Sequence[Phase], *, is_all: bool) -> str:
    """`phases` are stages in which leaving has the same consequences; `is_all`: whether there are no others."""
    where = "" if is_all else f"In {stage_names(phases)}: "
    return f"{where}{_leavers_text(phases[0])}"


def _leavers_text(phase: Phase) -> str:
    if phase.stage.format is StageFormat.SWISS:
        return "When a team leaves the event, its scores stand, its match is forfeited, and it is drawn no more."
    if phase.stage.early_leavers is EarlyLeavers.FORFEIT or not phase.stage.format.is_round_robin:
        return "When a team leaves the event, the scores that it has stand, and the matches left are forfeited."
    of_stage = "" if phase.is_only else " of the stage"
    return (
        f"When a team leaves the event before half of its matches{of_stage} were played, all its scores{of_stage} "
        "are cancelled, those of its opponents against it too. When it leaves later, the scores that it has stand, "
        "the matches left are forfeited, and each opponent in these gets the best of its own average, the complement "
        f"of the average of the team that left, and {_walkover(phase)} victory points."
    )


def _zoned(start: datetime) -> str:
    zone = f"{start:%z}"
    return f"{start:%Y-%m-%d %H:%M:%S} " + ("UTC" if zone == "+0000" else f"UTC{zone[:3]}:{zone[3:5]}")


def _utc(start: datetime) -> str:
    return f"{start.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
