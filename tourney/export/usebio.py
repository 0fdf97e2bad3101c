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
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from tourney import __version__
from tourney.bridge import Card, Side
from tourney.errors import UsageError
from tourney.export.files import write_file
from tourney.export.pairs_tables import counting, format_rounded, pair_numbers
from tourney.export.request import ExportRequest
from tourney.formats.ascii import printable
from tourney.movement.ranking import StandingRow
from tourney.output.rows import ABSENT
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedLine, PlayedTraveller, StageTravellers
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.pairs.traveller import Average
from tourney.scoring.victory_points import format_hundredths, format_vp
from tourney.store.draw.objects import EventInfo
from tourney.store.record.results import BoardResult
from tourney.times import utc
from tourney.views.outcome import contract_row
from tourney.views.pair_figures import line_points, pairs_unit

_HEAD: Final = (
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
    '<!DOCTYPE USEBIO SYSTEM "http://www.ebu.co.uk/usebio/usebio_v1_2.dtd">\n'
)
_PLAYERS: Final = 4
_PLAYERS_OF_PAIR: Final = 2
_METHODS: Final = {
    PairsScoring.MATCHPOINTS: "MATCH_POINTS",
    PairsScoring.CROSS_IMPS: "CROSS_IMPS",
    PairsScoring.BUTLER: "BUTLER_IMPS",
}
_AVERAGES: Final = {Average.PLUS: 60, Average.AVERAGE: 50, Average.MINUS: 40}


class _Section(NamedTuple):
    """A section of an event: a group of a stage."""

    session: int
    """The number of its stage."""
    name: str
    participants: ET.Element
    results: list[ET.Element]
    """Its matches, or its boards."""


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
        _write_pairs(event, list(request.travellers.values()), request.played(), path)
        request.boards = sum(len(stage.travellers) for stage in request.travellers.values())
    yield path


def _write(
    event: EventInfo,
    event_type: str,
    path: Path,
    sections: Sequence[_Section],
    first: PlayedMatch | None,
    methods: Mapping[str, object],
    more: Mapping[str, object],
) -> None:
    """Writes an event; `first` is its first match with a board, `methods` say how it is scored."""
    records = [record for board in first.boards for record in board.records.values()] if first is not None else []
    began = [record.began_at_ms for record in records]
    starts = [round_.starts_at_ms for round_ in event.rounds if round_.starts_at_ms is not None]
    began_ms = min(began or starts, default=None)
    root = ET.Element("USEBIO", {"Version": "1.2"})
    _add(ET.SubElement(root, "CLUB"), CLUB_NAME=event.name, CLUB_ID_NUMBER="")
    parent = ET.SubElement(root, "EVENT", {"EVENT_TYPE": event_type})
    _add(
        parent,
        PROGRAM_NAME="tourney",
        PROGRAM_VERSION=__version__,
        **methods,
        EVENT_DESCRIPTION=f"{event.name}, {', '.join(stage.name for stage in event.stages)}",
        **({"DATE": f"{utc(began_ms):%d/%m/%Y}"} if began_ms is not None else {}),
        SESSION_COUNT=len({section.session for section in sections}),
        SECTION_COUNT=len(sections),
        **more,
    )
    for number, of_session in groupby(sections, key=lambda section: section.session):
        session = ET.SubElement(parent, "SESSION", {"SESSION_ID": str(number)})
        for section in of_session:
            element = ET.SubElement(session, "SECTION", {"SECTION_ID": section.name})
            element.extend([section.participants, *section.results])
    ET.indent(root, " ")
    write_file(path, f"{_HEAD}{ET.tostring(root, encoding='us-ascii').decode('ascii')}\n")


def _add(parent: ET.Element, **values: object) -> None:
    """Appends an element for each value, empty for None; characters that XML cannot hold become blanks."""
    for name, value in values.items():
        ET.SubElement(parent, name).text = printable(str(value)) if value is not None else ""


def _add_participant(participant: ET.Element, ranking: Standings, row: StandingRow, players: int) -> None:
    """Appends the place of a team or pair, once there is one, and its players, who have its name."""
    if ranking.rank_of(row) is not None:
        _add(participant, PLACE=ranking.format_rank(row))
    for _ in range(players):
        _add(ET.SubElement(participant, "PLAYER"), PLAYER_NAME=row.team)


def _add_play(line: ET.Element, board: BoardResult | None, lead: Card | None) -> None:
    """Appends contract, declarer, lead and tricks as played at a table, all empty without a result."""
    played = contract_row(board)
    declarer = played.declarer if played is not None else None
    _add(
        line,
        CONTRACT=played and played.contract,
        PLAYED_BY=declarer.letter if declarer is not None else None,
        LEAD=lead.pbn if declarer is not None and lead is not None else None,
        TRICKS=played and played.tricks,
    )


# Teams


def write_usebio(event: EventInfo, standings: Standings, played: Iterable[PlayedMatch], path: Path) -> None:
    """Writes the file of an event of teams.

    Raises:
        LaunchError: it cannot be written.
    """
    numbers = {team.name: team.number for team in event.teams}
    sections: list[_Section] = []
    places: dict[tuple[int, str], _Section] = {}
    for field in standings.lists:  # a stage without teams yet has no section
        stage = field.ranked_stage.number
        sections.append(_Section(stage, field.group or "A", _teams(event, field), []))
        places |= {(stage, row.team): sections[-1] for row in field.rows}
    first: PlayedMatch | None = None
    for found in played:
        first = found if first is None and found.boards else first
        match = found.match
        section = sections[0] if len(sections) == 1 else places[match.stage, match.home]
        section.results.append(_match(found, numbers))
    has_vp = any(stage.format.match_unit(stage.board_scale) for stage in event.stages)
    method = max(stage.board_scale.usebio_scoring for stage in event.stages)
    boards = {stage.boards_per_match for stage in event.stages}
    about = {"BOARD_SCORING_METHOD": method, "MATCH_SCORING_METHOD": "VPS" if has_vp else method}
    more = {"BOARDS_PLAYED": boards.pop()} if len(boards) == 1 else {}
    _write(event, "SWISS_TEAMS", path, sections, first, about, {**more, "WINNER_TYPE": 1})


def _teams(event: EventInfo, standings: Standings) -> ET.Element:
    participants = ET.Element("PARTICIPANTS")
    rows = {row.team: row for row in standings.rows}
    for team in event.teams:
        if team.name not in rows:
            continue
        attributes = {"TEAM_ID": str(team.number), "TEAM_NAME": printable(team.name)}
        element, row = ET.SubElement(participants, "TEAM", attributes), rows[team.name]
        if standings.ranking_scale is not None:
            _add(element, TOTAL_SCORE=standings.ranking_scale.format_vp(row.vp))
        _add_participant(element, standings, row, _PLAYERS)
    return participants


def _match(played: PlayedMatch, numbers: Mapping[str, int]) -> ET.Element:
    card, match = played.card, played.match
    numbered = [board.number for board in card.boards]
    home, away = map(format_hundredths, card.totals_hundredths)
    element = ET.Element("MATCH")
    _add(
        element,
        ROUND_NUMBER=match.round,
        TEAM=numbers[match.home],
        OPPOSING_TEAM=numbers[match.away],
        START_BOARD_NUMBER=min(numbered),
        END_BOARD_NUMBER=max(numbered),
        TEAM_SCORE=home,
        OPPOSING_TEAM_SCORE=away,
    )
    if card.score is not None and match.format.match_unit(match.board_scale):
        _add(
            element,
            TEAM_VICTORY_POINTS=format_vp(card.score.vp_home),
            OPPOSING_TEAM_VICTORY_POINTS=format_vp(card.score.vp_away),
        )
    element.extend(_board(played, board) for board in played.boards)
    return element


def _board(played: PlayedMatch, board: PlayedBoard) -> ET.Element:
    element = ET.Element("BOARD")
    _add(element, BOARD_NUMBER=board.board.number)
    match, scale = played.match, played.match.board_scale
    _add(element, **dict.fromkeys(scale.usebio_of_board, board.line.imps))
    for room, record in board.records.items():
        line = ET.SubElement(element, "TRAVELLER_LINE")
        _add(line, DIRECTION=board.line.tables[room].side_of(match.home).value)
        _add_play(line, record.result, record.cards[0].card if record.cards else None)
        won = zip(scale.usebio_of_table, map(scale.format, board.figures_at(room, match.home)), strict=False)
        _add(line, SCORE=record.result and record.result.result.score, **dict(won))
    return element


# Pairs


def _write_pairs(
    event: EventInfo, stages: Sequence[StageTravellers], played: Iterable[PlayedMatch], path: Path
) -> None:
    """Writes the file of an event of pairs, with the stages that are drawn."""
    numbers = pair_numbers(event)
    sections = [
        _Section(
            stage.stage.number,
            "A",
            _pairs(stage, numbers),
            [_traveller(stage, traveller, numbers) for traveller in stage.travellers],
        )
        for stage in stages
    ]
    # Boards are scored in the way of the last stage.
    about = {"BOARD_SCORING_METHOD": _METHODS[stages[-1].scoring if stages else PairsScoring.MATCHPOINTS]}
    first = next((match for match in played if match.boards), None)
    winners = max((len(stage.rankings) for stage in stages), default=1)
    _write(event, "PAIRS", path, sections, first, about, {"WINNER_TYPE": winners})


def _pairs(stage: StageTravellers, numbers: Mapping[str, str]) -> ET.Element:
    participants = ET.Element("PARTICIPANTS")
    for ranking in stage.rankings:
        for row in ranking.rows:
            figures = row.pairs
            pair = ET.SubElement(participants, "PAIR")
            _add(pair, PAIR_NUMBER=numbers[row.team])
            if ranking.direction is not None:
                _add(pair, DIRECTION=ranking.direction.value[0])
            if figures is not None and figures.level is not None:
                total = pairs_unit(stage.scoring).total_row(figures)
                _add(pair, TOTAL_SCORE=format_rounded(total.total))
                if total.percentage is not ABSENT:
                    _add(pair, PERCENTAGE=format_rounded(total.percentage))
            _add_participant(pair, ranking, row, _PLAYERS_OF_PAIR)
    return participants


def _traveller(stage: StageTravellers, traveller: PlayedTraveller, numbers: Mapping[str, str]) -> ET.Element:
    element = ET.Element("BOARD")
    _add(element, BOARD_NUMBER=traveller.board.number)
    kind = "MATCH" if stage.scoring is PairsScoring.MATCHPOINTS else "CROSS_IMP"
    for each in counting(traveller):
        line = ET.SubElement(element, "TRAVELLER_LINE")
        _add(line, NS_PAIR_NUMBER=numbers[each.ns], EW_PAIR_NUMBER=numbers[each.ew])
        _add_play(line, each.result, each.lead)
        points = {f"{side.value}_{kind}_POINTS": format_rounded(line_points(each.scored, side)) for side in Side}
        _add(line, SCORE=_score(each), **points)
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
