"""Makes what is of pairs in USEBIO 1.2.

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
from collections.abc import Mapping, Sequence
from typing import Final

from tourney.bridge import Side
from tourney.export.pairs_tables import best_first
from tourney.export.usebio_xml import UsebioSection, add_element, add_place, add_play, add_players, add_ruled
from tourney.report.pair_figures import average_of, format_figure, format_percentage, pairs_unit
from tourney.results.travellers import PlayedLine, PlayedTraveller, StageTravellers
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.pairs.traveller import Average

_METHODS: Final = {
    PairsScoring.MATCHPOINTS: "MATCH_POINTS",
    PairsScoring.CROSS_IMPS: "CROSS_IMPS",
    PairsScoring.BUTLER: "BUTLER_IMPS",
}
_AVERAGES: Final = {Average.PLUS: 60, Average.AVERAGE: 50, Average.MINUS: 40}
_LETTERS: Final = {Side.NS: "N", Side.EW: "E"}
_PLAYERS: Final = 2


def pairs_method(stages: Sequence[StageTravellers]) -> Mapping[str, str]:
    """Returns how boards are scored, which is that of the last stage."""
    scoring = stages[-1].scoring if stages else PairsScoring.MATCHPOINTS
    return {"BOARD_SCORING_METHOD": _METHODS[scoring]}


def pairs_sections(stages: Sequence[StageTravellers], numbers: dict[str, str]) -> list[UsebioSection]:
    """Returns the stages that are drawn."""
    return [
        UsebioSection(
            stage.stage.number,
            "A",
            _participants(stage, numbers),
            (_board(stage, traveller, numbers) for traveller in stage.travellers),
        )
        for stage in stages
    ]


def _participants(stage: StageTravellers, numbers: dict[str, str]) -> ET.Element:
    participants = ET.Element("PARTICIPANTS")
    for ranking in stage.rankings:
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
            add_place(pair, ranking, row)
            add_players(pair, row.team, _PLAYERS)
    return participants


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
