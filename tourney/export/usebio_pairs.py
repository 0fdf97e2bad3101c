"""Exports a pairs event as USEBIO 1.2.

    EVENT EVENT_TYPE="PAIRS"
      PROGRAM_NAME, PROGRAM_VERSION, BOARD_SCORING_METHOD (MATCH_POINTS, CROSS_IMPS or BUTLER_IMPS),
      EVENT_DESCRIPTION, DATE, SESSION_COUNT, SECTION_COUNT, WINNER_TYPE (2 if North-South and East-West are ranked
      apart)
      SESSION SESSION_ID / SECTION SECTION_ID="A": a session for each stage
        PARTICIPANTS
          PAIR: PAIR_NUMBER, DIRECTION (N or E, where the two are ranked apart), TOTAL_SCORE (matchpoints or IMPs,
                penalties deducted), PERCENTAGE (only at matchpoints), PLACE (`2=` when it is shared), and twice
                PLAYER / PLAYER_NAME, the pair's name: its programs have none of their own
        BOARD: BOARD_NUMBER, and for each table on which it counts
          a comment on a score that a ruling has made
          TRAVELLER_LINE: NS_PAIR_NUMBER, EW_PAIR_NUMBER, CONTRACT, PLAYED_BY, LEAD, TRICKS, SCORE (of North-South),
                          NS_MATCH_POINTS and EW_MATCH_POINTS, or NS_CROSS_IMP_POINTS and EW_CROSS_IMP_POINTS in IMPs

A board is there once every table has finished it with its round. CONTRACT to TRICKS are what was played at the table,
SCORE is what counts: `A6040` where both have artificial scores, in percent; empty where it is weighted or split.
"""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tourney import __version__
from tourney.bridge import Side
from tourney.export.files import replace_file
from tourney.export.pairs_tables import best_first, pair_numbers
from tourney.export.usebio_xml import HEAD, UsebioWriter, add_element, add_play, add_ruled, make_club, make_leaf
from tourney.movement.ranking import format_rank
from tourney.report.pair_figures import average_of, format_figure, format_percentage, pairs_unit
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedLine, PlayedTraveller, StageTravellers
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.pairs.traveller import Average
from tourney.store.draw.objects import EventInfo
from tourney.times import utc

_METHODS: Final = {
    PairsScoring.MATCHPOINTS: "MATCH_POINTS",
    PairsScoring.CROSS_IMPS: "CROSS_IMPS",
    PairsScoring.BUTLER: "BUTLER_IMPS",
}
_AVERAGES: Final = {Average.PLUS: 60, Average.AVERAGE: 50, Average.MINUS: 40}
_LETTERS: Final = {Side.NS: "N", Side.EW: "E"}
_PLAYERS: Final = 2


def write_usebio_pairs(event: EventInfo, stages: Sequence[StageTravellers], path: Path, began_ms: int | None) -> None:
    """Writes the file.

    Args:
        event: the event.
        stages: its stages that are drawn.
        path: where it goes.
        began_ms: when it began; None if that is not known.

    Raises:
        LaunchError: it cannot be written.
    """
    numbers = pair_numbers(event)
    with replace_file(path) as file:
        file.write(HEAD)
        xml = UsebioWriter(file)
        with xml.parent("USEBIO", {"Version": "1.2"}):
            xml.add(make_club(event))
            with xml.parent("EVENT", {"EVENT_TYPE": "PAIRS"}):
                for name, value in _about(event, stages, began_ms):
                    xml.add(make_leaf(name, value))
                for stage in stages:
                    with (
                        xml.parent("SESSION", {"SESSION_ID": str(stage.stage.number)}),
                        xml.parent("SECTION", {"SECTION_ID": "A"}),
                    ):
                        xml.add(_participants(stage, numbers))
                        xml.add_flat(_board(stage, traveller, numbers) for traveller in stage.travellers)


def _about(event: EventInfo, stages: Sequence[StageTravellers], began_ms: int | None) -> Iterator[tuple[str, object]]:
    """Returns the event's description, by the names of the elements."""
    yield "PROGRAM_NAME", "tourney"
    yield "PROGRAM_VERSION", __version__
    yield "BOARD_SCORING_METHOD", _METHODS[stages[-1].scoring] if stages else _METHODS[PairsScoring.MATCHPOINTS]
    yield "EVENT_DESCRIPTION", f"{event.name}, {', '.join(stage.name for stage in event.stages)}"
    if began_ms is not None:
        yield "DATE", f"{utc(began_ms):%d/%m/%Y}"
    yield "SESSION_COUNT", len(stages)
    yield "SECTION_COUNT", len(stages)
    yield "WINNER_TYPE", max((len(stage.rankings) for stage in stages), default=1)


def _participants(stage: StageTravellers, numbers: dict[str, str]) -> ET.Element:
    participants = ET.Element("PARTICIPANTS")
    for ranking in stage.rankings:
        _add_ranking(participants, stage, ranking, numbers)
    return participants


def _add_ranking(
    participants: ET.Element, stage: StageTravellers, ranking: Standings, numbers: dict[str, str]
) -> None:
    sharing = Counter(row.rank for row in ranking.rows)
    for row in ranking.rows:
        figures = row.pairs
        pair = ET.SubElement(participants, "PAIR")
        add_element(pair, "PAIR_NUMBER", numbers[row.team])
        if ranking.direction is not None:
            add_element(pair, "DIRECTION", _LETTERS[ranking.direction])
        if figures is not None and figures.level is not None:
            add_element(pair, "TOTAL_SCORE", format_figure(figures.points, average_of(figures.available)))
            if pairs_unit(stage.scoring).has_percentages:
                add_element(pair, "PERCENTAGE", format_percentage(figures.level))
            add_element(pair, "PLACE", format_rank(row.rank, is_shared=sharing[row.rank] > 1))
        for _ in range(_PLAYERS):
            add_element(ET.SubElement(pair, "PLAYER"), "PLAYER_NAME", row.team)


def _board(stage: StageTravellers, traveller: PlayedTraveller, numbers: dict[str, str]) -> ET.Element:
    element = ET.Element("BOARD")
    add_element(element, "BOARD_NUMBER", traveller.board.number)
    for line in best_first(traveller.lines):
        if line.rulings:
            add_ruled(element, f"{line.ns} - {line.ew}", line.rulings)
        element.append(_line(stage, line, numbers))
    return element


def _line(stage: StageTravellers, line: PlayedLine, numbers: dict[str, str]) -> ET.Element:
    element = ET.Element("TRAVELLER_LINE")
    result = line.result.result if line.result is not None else None
    add_element(element, "NS_PAIR_NUMBER", numbers[line.ns])
    add_element(element, "EW_PAIR_NUMBER", numbers[line.ew])
    add_play(element, result, line.lead)
    add_element(element, "SCORE", _score(line))
    assert line.scored is not None
    kind = "MATCH" if pairs_unit(stage.scoring).has_percentages else "CROSS_IMP"
    for side in Side:
        points = line.scored.points(side)
        figure = "" if points is None else format_figure(points, average_of(line.scored.top))
        add_element(element, f"{side.value}_{kind}_POINTS", figure)
    return element


def _score(line: PlayedLine) -> str:
    """Formats what counts: North-South's points, `A6040` for artificial scores, nothing for others."""
    score = line.score
    if score is not None:
        return str(score)
    counts = [line.counts(side) for side in Side]
    if all(isinstance(own, Average) for own in counts):
        return "A" + "".join(str(_AVERAGES[own]) for own in counts if isinstance(own, Average))
    return ""
