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
            TEAM_SCORE, OPPOSING_TEAM_SCORE (IMPs, carry-over included; where a ruling has made the two teams'
            margins differ, a comment after them gives both), and once it has finished
            TEAM_VICTORY_POINTS and OPPOSING_TEAM_VICTORY_POINTS, except in a knockout
            BOARD: BOARD_NUMBER, IMPS (of TEAM), and for each room in which it was begun
              a comment on a board that a ruling has decided: the IMPs of both teams, and what was ruled
              TRAVELLER_LINE: DIRECTION (how TEAM sits there: NS, EW), CONTRACT, PLAYED_BY, LEAD, TRICKS,
                              SCORE (of North-South)

SWISS_TEAMS covers any event in which teams play matches, including round robins and knockouts. DATE is dd/mm/yyyy in
UTC: the day on which the first match with a board in it began, else that of the first start in the schedule; without
either there is none. A board is there once both rooms have finished it. CONTRACT is `Pass` when it was passed out,
with PLAYED_BY, LEAD and TRICKS empty; a room in which it was forfeited has them all empty. Files say ISO-8859-1, as
those in use do, and hold nothing but ASCII: other letters are character references.
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
from tourney.export.pairs_tables import pair_numbers
from tourney.export.registry import ExportRequest
from tourney.export.usebio_pairs import pairs_method, pairs_sections
from tourney.export.usebio_xml import (
    HEAD,
    UsebioSection,
    UsebioWriter,
    add_element,
    add_place,
    add_play,
    add_players,
    add_ruled,
    clean_text,
    make_club,
    make_leaf,
)
from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.seating import Room
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.scorecard import Scorecard, total_hundredths
from tourney.results.standings import Standings
from tourney.scoring.board_scale import IMPS
from tourney.scoring.victory_points import format_vp
from tourney.store.draw.objects import BoardRecord, EventInfo, MatchInfo, TableInfo
from tourney.store.rulings import RulingInfo
from tourney.times import utc

_PLAYERS: Final = 4
_NOTHING_MORE: Final[Mapping[str, int]] = {}


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes `event.xml`, or a file named after the only match."""
    event = request.event
    types = {stage.format.usebio_type for stage in event.stages}
    why_not = next((stage.format.why_no_usebio for stage in event.stages if stage.format.why_no_usebio), "")
    if why_not:
        raise UsageError(f"{why_not}: export PBN, CSV or JSON")
    path = request.folder / f"{request.stem}.xml"
    if len(types) > 1:
        raise UsageError(
            "a USEBIO file is for teams or for pairs, and this event has stages of both: export PBN or JSON"
        )
    if not event.stages[0].format.ranks_by_boards:
        write_usebio(event, request.standings, request.played(), path)
    elif request.match is not None:
        raise UsageError("in USEBIO pairs are compared over all tables: leave out --match")
    else:
        stages = list(request.travellers.values())
        opening = list(_until_played(request.played()))
        sections = pairs_sections(stages, pair_numbers(event))
        winners = max((len(stage.rankings) for stage in stages), default=1)
        _write(event, "PAIRS", path, sections, opening, pairs_method(stages), winners=winners)
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
    elements = (
        (match.match, _match(match, numbers, is_knockout=event.stage_of(match.match).format.is_knockout))
        for match in chain(opening, matches)
    )
    fields = standings.fields or (standings,)  # a stage without teams yet has no section
    sections = [
        UsebioSection(field.stage.number, field.group or "A", _participants(event, field), matches_of_field)
        for field, matches_of_field in zip(fields, _by_section(fields, elements), strict=True)
        if field.stage is not None
    ]
    has_vp = any(not stage.format.is_knockout and not stage.board_scale.ranks_by_points for stage in event.stages)
    method = "BAM" if all(stage.board_scale.is_board_a_match for stage in event.stages) else "IMPS"
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
                for name, value in about.items():
                    xml.add(make_leaf(name, value))
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
        if not standings.is_knockout:
            add_element(element, "TOTAL_SCORE", (standings.board_scale or IMPS).format_vp(row.vp))
        add_place(element, standings, row)
        add_players(element, team.name, _PLAYERS)
    return participants


def _match(played: PlayedMatch, numbers: dict[str, int], *, is_knockout: bool) -> ET.Element:
    card, match = played.card, played.match
    element = ET.Element("MATCH")
    add_element(element, "ROUND_NUMBER", match.round)
    add_element(element, "TEAM", numbers[match.home])
    add_element(element, "OPPOSING_TEAM", numbers[match.away])
    add_element(element, "START_BOARD_NUMBER", min(board.number for board in card.boards))
    add_element(element, "END_BOARD_NUMBER", max(board.number for board in card.boards))
    imps = [format_imps_hundredths(total) for total in total_hundredths(card)]
    add_element(element, "TEAM_SCORE", imps[0])
    add_element(element, "OPPOSING_TEAM_SCORE", imps[1])
    if not card.totals.is_balanced:
        home, away = map(match.board_scale.format, card.totals.margins)
        decided = _lead(card) if is_knockout else ""
        element.append(
            ET.Comment(f" own margins: TEAM {home}, OPPOSING_TEAM {away} {match.board_scale.unit}{decided} ")
        )
    if card.score is not None and not is_knockout and not match.board_scale.ranks_by_points:
        add_element(element, "TEAM_VICTORY_POINTS", format_vp(card.score.vp_home))
        add_element(element, "OPPOSING_TEAM_VICTORY_POINTS", format_vp(card.score.vp_away))
    rulings = {line.number: line.rulings for line in card.boards}
    for board in played.boards:
        element.append(_board(played, board, rulings[board.board.number]))
    return element


def _lead(card: Scorecard) -> str:
    """Format the lead of a finished match of a knockout: `; decided by 14.5 (Law 12C4)`."""
    if card.finished is None or card.finished.forfeits:
        return ""
    return f"; decided by {format_imps_hundredths(card.finished.lead)} (Law 12C4)"


def _board(played: PlayedMatch, board: PlayedBoard, rulings: Sequence[RulingInfo]) -> ET.Element:
    element = ET.Element("BOARD")
    add_element(element, "BOARD_NUMBER", board.board.number)
    match, scale = played.match, played.match.board_scale
    if not scale.is_board_a_match:
        add_element(element, "IMPS", board.imps)
    if rulings:
        home, away = (f"{scale.format(figure)} {scale.unit}" for figure in (board.imps, board.imps_away))
        add_ruled(element, f"{match.home} {home}, {match.away} {away}", rulings)
    for room in Room:
        if room in board.records:
            line = _line(match.home, board.tables[room], board.records[room])
            if scale.is_board_a_match:
                is_ns = board.tables[room].side_of(match.home) is Side.NS
                add_element(line, "NS_MATCH_POINTS", scale.format(board.imps if is_ns else board.imps_away))
                add_element(line, "EW_MATCH_POINTS", scale.format(board.imps_away if is_ns else board.imps))
            element.append(line)
    return element


def _line(home: str, table: TableInfo, record: BoardRecord) -> ET.Element:
    element = ET.Element("TRAVELLER_LINE")
    add_element(element, "DIRECTION", table.side_of(home).value)
    result = record.result.result if record.result is not None else None
    add_play(element, result, record.cards[0].card if record.cards else None)
    add_element(element, "SCORE", result.score if result is not None else "")
    return element
