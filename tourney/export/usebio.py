"""Exports an event, or one of its matches, as USEBIO 1.2, the XML in which clubs and unions exchange results.

    USEBIO Version="1.2"
      CLUB: CLUB_NAME (the event's), CLUB_ID_NUMBER (empty)
      EVENT EVENT_TYPE="SWISS_TEAMS"
        PROGRAM_NAME, PROGRAM_VERSION, BOARD_SCORING_METHOD (IMPS), MATCH_SCORING_METHOD (VPS), EVENT_DESCRIPTION,
        DATE, SESSION_COUNT, SECTION_COUNT, BOARDS_PLAYED (in a match, where that is the same in all), WINNER_TYPE
        SESSION SESSION_ID="1" / SECTION SECTION_ID="A": a session for each stage, a section for each group of it
          PARTICIPANTS
            TEAM TEAM_ID, TEAM_NAME: TOTAL_SCORE (victory points; none in a knockout), PLACE (as in the standings),
                 and four times PLAYER / PLAYER_NAME, the team's name: its programs have none of their own
          MATCH, one each
            ROUND_NUMBER, TEAM (the home team's TEAM_ID), OPPOSING_TEAM, START_BOARD_NUMBER, END_BOARD_NUMBER,
            TEAM_SCORE, OPPOSING_TEAM_SCORE (IMPs, carry-over included), and once it has finished
            TEAM_VICTORY_POINTS and OPPOSING_TEAM_VICTORY_POINTS, except in a knockout
            BOARD: BOARD_NUMBER, IMPS (of TEAM), and for each room in which it was begun
              TRAVELLER_LINE: DIRECTION (how TEAM sits there: NS, EW), CONTRACT, PLAYED_BY, LEAD, TRICKS,
                              SCORE (of North-South)

SWISS_TEAMS covers any event in which teams play matches, including round robins and knockouts. DATE is dd/mm/yyyy in
UTC: the day on which the first match with a board in it began, else that of the first start in the schedule; without
either there is none. A board is there once both rooms have finished it. CONTRACT is `Pass` when it was passed out,
with PLAYED_BY, LEAD and TRICKS empty; a room in which it was forfeited has them all empty. Files say ISO-8859-1, as
those in use do, and hold nothing but ASCII: other letters are character references. It has nothing for rulings.

Of an event of pairs:

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
          TRAVELLER_LINE: NS_PAIR_NUMBER, EW_PAIR_NUMBER, CONTRACT, PLAYED_BY, LEAD, TRICKS, SCORE (of North-South),
                          NS_MATCH_POINTS and EW_MATCH_POINTS, or NS_CROSS_IMP_POINTS and EW_CROSS_IMP_POINTS in IMPs

A board is there once every table has finished it with its round. CONTRACT to TRICKS are what was played at the table,
SCORE is what counts: `A6040` where both have artificial scores, in percent; empty where it is weighted or split.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Final

from tourney import __version__
from tourney.bridge import Side
from tourney.errors import UsageError
from tourney.export.files import replace_file
from tourney.export.pairs_tables import counting, pair_numbers
from tourney.export.registry import ExportRequest
from tourney.export.usebio_xml import (
    HEAD,
    UsebioSection,
    UsebioWriter,
    add_element,
    add_elements,
    add_place,
    add_play,
    add_players,
    clean_text,
    make_club,
)
from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.seating import Room
from tourney.output.rows import ABSENT
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.scorecard import total_hundredths
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedLine, PlayedTraveller, StageTravellers
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.pairs.traveller import Average
from tourney.scoring.victory_points import format_vp
from tourney.store.draw.objects import BoardRecord, EventInfo, MatchInfo
from tourney.store.draw.tables import TableInfo
from tourney.times import utc
from tourney.views.pair_figures import line_points, pairs_unit

_PLAYERS: Final = 4
_PLAYERS_OF_PAIR: Final = 2
_METHODS: Final = {
    PairsScoring.MATCHPOINTS: "MATCH_POINTS",
    PairsScoring.CROSS_IMPS: "CROSS_IMPS",
    PairsScoring.BUTLER: "BUTLER_IMPS",
}
_POINTS: Final = dict.fromkeys(PairsScoring, "CROSS_IMP") | {PairsScoring.MATCHPOINTS: "MATCH"}
_AVERAGES: Final = {Average.PLUS: 60, Average.AVERAGE: 50, Average.MINUS: 40}
_LETTERS: Final = {Side.NS: "N", Side.EW: "E"}
_NOTHING_MORE: Final[Mapping[str, int]] = {}


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes `event.xml`, or a file named after the only match."""
    event = request.event
    types = [*dict.fromkeys(stage.format.usebio_type for stage in event.stages)]
    why_not = next((stage.format.why_no_usebio for stage in event.stages if stage.format.why_no_usebio), "")
    if why_not:
        raise UsageError(f"{why_not}: export PBN, CSV or JSON")
    path = request.folder / f"{request.stem}.xml"
    if len(types) > 1:
        raise UsageError(
            "a USEBIO file is for teams or for pairs, and this event has stages of both: export PBN or JSON"
        )
    if types == ["SWISS_TEAMS"]:
        write_usebio(event, request.standings, request.played(), path)
    elif request.match is not None:
        raise UsageError("in USEBIO pairs are compared over all tables: leave out --match")
    else:
        stages = list(request.travellers.values())
        opening = list(_until_played(request.played()))
        sections = _pairs_sections(stages, pair_numbers(event))
        winners = max((len(stage.rankings) for stage in stages), default=1)
        _write(event, "PAIRS", path, sections, opening, _pairs_method(stages), winners=winners)
        request.boards = sum(len(stage.travellers) for stage in stages)
    yield path


def write_usebio(event: EventInfo, standings: Standings, played: Iterable[PlayedMatch], path: Path) -> None:
    """Writes the file of an event of teams.

    Raises:
        LaunchError: it cannot be written.
    """
    matches = iter(played)
    opening = list(_until_played(matches))  # none but the last has a board, whose date is used
    numbers = {team.name: team.number for team in event.teams}
    elements = ((match.match, _match(match, numbers)) for match in chain(opening, matches))
    fields = standings.fields or (standings,)  # a stage without teams yet has no section
    sections = [
        UsebioSection(field.stage.number, field.group or "A", _participants(event, field), matches_of_field)
        for field, matches_of_field in zip(fields, _by_section(fields, elements), strict=True)
        if field.stage is not None
    ]
    has_vp = any(stage.format.match_unit(stage.board_scale) for stage in event.stages)
    method = max(stage.board_scale.usebio_scoring for stage in event.stages)
    boards = {stage.boards_per_match for stage in event.stages}
    more = {"BOARDS_PLAYED": boards.pop()} if len(boards) == 1 else {}
    methods = {"BOARD_SCORING_METHOD": method, "MATCH_SCORING_METHOD": "VPS" if has_vp else method}
    _write(event, "SWISS_TEAMS", path, sections, opening, methods, more)


def _write(
    event: EventInfo,
    event_type: str,
    path: Path,
    sections: Sequence[UsebioSection],
    opening: Sequence[PlayedMatch],
    methods: Mapping[str, str],
    more: Mapping[str, int] = _NOTHING_MORE,
    *,
    winners: int = 1,
) -> None:
    """Writes an event; `opening` are its matches up to the first with a board."""
    began_ms = _began_ms(event, opening)
    about = {
        "PROGRAM_NAME": "tourney",
        "PROGRAM_VERSION": __version__,
        **methods,
        "EVENT_DESCRIPTION": f"{event.name}, {', '.join(stage.name for stage in event.stages)}",
        **({"DATE": f"{utc(began_ms):%d/%m/%Y}"} if began_ms is not None else {}),
        "SESSION_COUNT": len({section.session for section in sections}),
        "SECTION_COUNT": len(sections),
        **more,
        "WINNER_TYPE": winners,
    }
    with replace_file(path) as file:
        file.write(HEAD)
        xml = UsebioWriter(file)
        with xml.parent("USEBIO", {"Version": "1.2"}):
            xml.add(make_club(event))
            with xml.parent("EVENT", {"EVENT_TYPE": event_type}):
                for leaf in add_elements(ET.Element("parent"), about):
                    xml.add(leaf)
                for session, of_session in groupby(sections, key=lambda section: section.session):
                    with xml.parent("SESSION", {"SESSION_ID": str(session)}):
                        for section in of_session:
                            with xml.parent("SECTION", {"SECTION_ID": section.name}):
                                xml.add(section.participants)
                                xml.add_flat(section.results)


def _by_section(
    fields: Sequence[Standings], matches: Iterable[tuple[MatchInfo, ET.Element]]
) -> Iterable[Iterable[ET.Element]]:
    """Returns the elements of matches, section by section."""
    if len(fields) == 1:
        # Match by match: a long event need not fit into memory.
        return [(element for _, element in matches)]
    sections: list[list[ET.Element]] = [[] for _ in fields]
    places = {
        (field.stage.number, row.team): index
        for index, field in enumerate(fields)
        if field.stage is not None
        for row in field.rows
    }
    for match, element in matches:
        sections[places[match.stage, match.home]].append(element)
    return sections


def _until_played(matches: Iterator[PlayedMatch]) -> Iterator[PlayedMatch]:
    """Yields the matches up to and including the first one with a board."""
    for match in matches:
        yield match
        if match.boards:
            return


def _began_ms(event: EventInfo, opening: Sequence[PlayedMatch]) -> int | None:
    began = [record.began_at_ms for match in opening for board in match.boards for record in board.records.values()]
    starts = [round_.starts_at_ms for round_ in event.rounds if round_.starts_at_ms is not None]
    return min(began or starts, default=None)


def _participants(event: EventInfo, standings: Standings) -> ET.Element:
    participants = ET.Element("PARTICIPANTS")
    rows = {row.team: row for row in standings.rows}
    for team in event.teams:
        if team.name not in rows:
            continue
        element = ET.SubElement(
            participants, "TEAM", {"TEAM_ID": str(team.number), "TEAM_NAME": clean_text(team.name)}
        )
        row = rows[team.name]
        if standings.ranking_scale is not None:
            add_element(element, "TOTAL_SCORE", standings.ranking_scale.format_vp(row.vp))
        add_place(element, standings, row)
        add_players(element, team.name, _PLAYERS)
    return participants


def _match(played: PlayedMatch, numbers: dict[str, int]) -> ET.Element:
    card, match = played.card, played.match
    numbered = [board.number for board in card.boards]
    home, away = map(format_imps_hundredths, total_hundredths(card))
    values = {
        "ROUND_NUMBER": match.round,
        "TEAM": numbers[match.home],
        "OPPOSING_TEAM": numbers[match.away],
        "START_BOARD_NUMBER": min(numbered),
        "END_BOARD_NUMBER": max(numbered),
        "TEAM_SCORE": home,
        "OPPOSING_TEAM_SCORE": away,
    }
    if card.score is not None and match.format.match_unit(match.board_scale):
        values["TEAM_VICTORY_POINTS"] = format_vp(card.score.vp_home)
        values["OPPOSING_TEAM_VICTORY_POINTS"] = format_vp(card.score.vp_away)
    element = ET.Element("MATCH")
    add_elements(element, values)
    element.extend(_board(played, board) for board in played.boards)
    return element


def _board(played: PlayedMatch, board: PlayedBoard) -> ET.Element:
    element = ET.Element("BOARD")
    add_element(element, "BOARD_NUMBER", board.board.number)
    match, scale = played.match, played.match.board_scale
    add_elements(element, dict.fromkeys(scale.usebio_of_board, board.imps))
    for room in Room:
        if room in board.records:
            line = _line(match.home, board.tables[room], board.records[room])
            won = scale.format(board.imps), scale.format(board.imps_away)
            sides = won if board.tables[room].side_of(match.home) is Side.NS else won[::-1]
            add_elements(line, dict(zip(scale.usebio_of_table, sides, strict=False)))
            element.append(line)
    return element


def _line(home: str, table: TableInfo, record: BoardRecord) -> ET.Element:
    element = ET.Element("TRAVELLER_LINE")
    add_element(element, "DIRECTION", table.side_of(home).value)
    result = record.result.result if record.result is not None else None
    add_play(element, result, record.cards[0].card if record.cards else None)
    add_element(element, "SCORE", result.score if result is not None else "")
    return element


# Pairs


def _pairs_method(stages: Sequence[StageTravellers]) -> Mapping[str, str]:
    """Returns how boards are scored, which is that of the last stage."""
    scoring = stages[-1].scoring if stages else PairsScoring.MATCHPOINTS
    return {"BOARD_SCORING_METHOD": _METHODS[scoring]}


def _pairs_sections(stages: Sequence[StageTravellers], numbers: dict[str, str]) -> list[UsebioSection]:
    """Returns the stages that are drawn."""
    return [
        UsebioSection(
            stage.stage.number,
            "A",
            _pairs(stage, numbers),
            (_traveller(stage, traveller, numbers) for traveller in stage.travellers),
        )
        for stage in stages
    ]


def _pairs(stage: StageTravellers, numbers: dict[str, str]) -> ET.Element:
    participants = ET.Element("PARTICIPANTS")
    for ranking in stage.rankings:
        for row in ranking.rows:
            figures = row.pairs
            pair = ET.SubElement(participants, "PAIR")
            add_element(pair, "PAIR_NUMBER", numbers[row.team])
            if ranking.direction is not None:
                add_element(pair, "DIRECTION", _LETTERS[ranking.direction])
            if figures is not None and figures.level is not None:
                total = pairs_unit(stage.scoring).total_row(figures)
                add_element(pair, "TOTAL_SCORE", f"{total.total:.2f}")
                if total.percentage is not ABSENT:
                    add_element(pair, "PERCENTAGE", f"{total.percentage:.2f}")
            add_place(pair, ranking, row)
            add_players(pair, row.team, _PLAYERS_OF_PAIR)
    return participants


def _traveller(stage: StageTravellers, traveller: PlayedTraveller, numbers: dict[str, str]) -> ET.Element:
    element = ET.Element("BOARD")
    add_element(element, "BOARD_NUMBER", traveller.board.number)
    element.extend(_result(stage, line, numbers) for line in counting(traveller))
    return element


def _result(stage: StageTravellers, line: PlayedLine, numbers: dict[str, str]) -> ET.Element:
    element = ET.Element("TRAVELLER_LINE")
    result = line.result.result if line.result is not None else None
    add_elements(element, {"NS_PAIR_NUMBER": numbers[line.ns], "EW_PAIR_NUMBER": numbers[line.ew]})
    add_play(element, result, line.lead)
    add_element(element, "SCORE", _score(line))
    kind = _POINTS[stage.scoring]
    for side in Side:
        points = line_points(line, side)
        add_element(element, f"{side.value}_{kind}_POINTS", "" if points is None else f"{points:.2f}")
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
