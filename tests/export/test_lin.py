"""The LIN export of played matches: its files, and what stands in their headings."""

from pathlib import Path

from tests.support.exports import request_of
from tests.support.pairs_events import draw_pairs_event, export_pairs
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.export import lin
from tourney.formats.lin.reader import iter_lin


def _export(played: PlayedEvent, folder: Path, match: int | None = None) -> list[Path]:
    return list(lin.export(request_of(played, folder, match)))


def test_a_match_without_a_finished_board_has_its_heading_and_no_line(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    assert _export(played, tmp_path) == []
    vugraph, lines = _export(played, tmp_path, match=1)
    assert vugraph.read_text(encoding="ascii").splitlines()[1] == "rs|,,,|"
    assert lines.read_text(encoding="ascii") == ""


def _headings(paths: list[Path]) -> list[list[str]]:
    files = [path.read_text(encoding="ascii").splitlines() for path in paths if not path.stem.endswith("-boards")]
    return [[lines[0], lines[2]] for lines in files]


def test_a_segment_begins_with_the_imps_of_those_before_and_names_first_who_sits_north_south(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=6, stage='segments = 3\nseats = "alternate"'))
    for board in (1, 2, 3, 4, 5, 6):
        played.record(1, OPEN, board, "4S N", 10)
        played.record(1, CLOSED, board, "4S N", 9)
    assert played.match(1).segments[1].tables[OPEN].ns_team == "Bees"
    (first, *_), (second, names), (third, _) = _headings(_export(played, tmp_path))
    assert first == "vg|Test Cup,Round robin 1; 1,I,1,2,Ants,0,Bees,0|"
    assert names == "pn|Bees,Ants,Bees,Ants,Ants,Bees,Ants,Bees|pg||"
    # Boards 1 and 2: +470 not vulnerable, +720 vulnerable to the Ants, 10 and 12 IMPs; then as much to the Bees.
    assert second == "vg|Test Cup,Round robin 1; 2,I,3,4,Bees,0,Ants,22|"
    assert third.split("|")[1].split(",")[3:] == ["5", "6", "Ants", "22", "Bees", "22"]


def test_a_table_of_pairs_has_its_files_with_the_scoring_and_the_two_pairs(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 8, 'format = "howell"\nboards_per_round = 2')
    for match in played.event.matches:
        played.play(match.number, rooms=[OPEN])
    played.score()
    paths = export_pairs(played, "lin", tmp_path / "out")
    assert len(paths) == 56
    home, away = played.match(2).teams
    vugraph, lines = (path for path in paths if path.name.startswith("match-002"))
    head, results, names = vugraph.read_text(encoding="ascii").splitlines()[:3]
    first, last = (board.number for board in played.boards(2))
    assert head == f"vg|Pairs,Howell 1,P,{first},{last},{home},0,{away},0|"
    assert results.count(",") == 3
    assert names.startswith(f"pn|{home},{away},{home},{away},")
    assert len(list(iter_lin(vugraph.read_text(encoding="ascii"), "a", []))) == 2
    assert len(lines.read_text(encoding="ascii").splitlines()) == 2
