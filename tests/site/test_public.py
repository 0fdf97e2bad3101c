"""What the public sees of an event: boards that are over everywhere, results that are not frozen, no workings."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.live_event import say_doing, set_state, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.two_events import win
from tourney.bridge import Seat
from tourney.errors import UsageError
from tourney.export.registry import FORMATS
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.site.public import PublicRules, PublicView
from tourney.store.models import TableState
from tourney.store.rulings import FinalisationInfo, save_finalisation

NOW_MS = BEGINS_AT_MS + 3_600_000
EVERYTHING = PublicRules()
FREEZE = PublicRules(freeze_rounds=1)


def view_of(played: PlayedEvent, rules: PublicRules = EVERYTHING) -> PublicView:
    played.reload()
    return PublicView(played.drawn, rules, NOW_MS)


def draw_three_rounds(folder: Path) -> PlayedEvent:
    """Four teams, a round robin of three rounds in which the earlier name wins; the last round is not played."""
    played = draw_event(folder, event_text("Ants", "Bees", "Cats", "Dogs"))
    for match in played.event.matches:
        if match.round < 3:
            win(played, match.number, min(match.home, match.away))
    played.score()
    return played


def play_last_round(played: PlayedEvent) -> None:
    for match in played.event.rounds[2].matches:
        win(played, match.number, max(match.home, match.away))
    played.rule(match.number, match.home, RulingKind.ADJUSTED_SCORE, "last round", board=1, amount=5)
    played.score()


def figures(view: PublicView) -> list[Any]:
    """Everything that a freeze has to stop: standings, reports, matches, rulings, exports."""
    reports = ("standings", "crosstable", "swings", "butler", "rounds", "times", "opening-leads", "boards")
    return [
        view.standings.rows,
        view.rulings.document(),
        *(view.report(name).document() for name in reports),
        *(view.report("head-to-head", first="Ants", second=name).document() for name in ("Bees", "Cats", "Dogs")),
        *((each.card.score, each.card.totals, each.card.rulings, each.boards) for each in view.iter_played()),
    ]


def exported(view: PublicView, folder: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for name in ("pbn", "csv", "json", "lin", "usebio"):
        (folder / name).mkdir(parents=True)
        list(FORMATS[name].export(view.export_request(folder / name, 0)))
        found |= {str(path.relative_to(folder)): path.read_bytes() for path in sorted((folder / name).iterdir())}
    return found


def test_a_freeze_stops_every_figure_before_the_last_round(tmp_path: Path) -> None:
    played = draw_three_rounds(tmp_path)
    before = view_of(played, FREEZE)
    figures_before, exports_before = figures(before), exported(before, tmp_path / "before")
    assert before.state.frozen == ()
    play_last_round(played)
    after = view_of(played, FREEZE)
    assert figures(after) == figures_before
    assert exported(after, tmp_path / "after") == exports_before
    assert after.state.frozen == (3,)
    assert figures(view_of(played)) != figures_before


def test_a_freeze_leaves_the_schedule_and_who_has_finished(tmp_path: Path) -> None:
    played = draw_three_rounds(tmp_path)
    play_last_round(played)
    view = view_of(played, FREEZE)
    assert [len(round_.matches) for round_ in view.event.rounds] == [2, 2, 2]
    last = view.event.rounds[2].matches[0]
    assert view.is_frozen(3)
    assert not view.is_frozen(2)
    assert last.number in view.finished_matches
    assert [table.finished for table in view.tables_of(last)] == [2, 2]
    assert [line.number for line in view.played(last.number).card.boards] == [1, 2]
    assert len(view.schedule.document()["rounds"][2]["matches"]) == 2


def test_a_freeze_ends_when_the_results_are_final(tmp_path: Path) -> None:
    played = draw_three_rounds(tmp_path)
    play_last_round(played)
    save_finalisation(played.database, played.event.id, FinalisationInfo(True, "Jane", "", NOW_MS))
    assert view_of(played, FREEZE).standings.matches_over == 6
    assert view_of(played, FREEZE).state.is_final
    save_finalisation(played.database, played.event.id, FinalisationInfo(False, "Jane", "", NOW_MS))
    assert view_of(played, FREEZE).standings.matches_over == 4


def test_of_a_board_in_play_there_is_only_its_number(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    table = take_up(played)
    played.play(1, boards=[1])
    played.play(1, [Room.OPEN], [2])
    played.begin(1, Room.OPEN, 3)
    set_state(played, table, TableState.PLAYING)
    say_doing(played, table, board=3, last="West bids 1NT")
    view = view_of(played)
    open_room, closed_room = view.tables
    assert (open_room.board, open_room.finished, open_room.boards, open_room.is_playing) == (3, 2, 4, True)
    assert (closed_room.board, closed_room.finished, closed_room.is_playing) == (None, 1, True)
    assert open_room.team(Seat.NORTH) == open_room.ns_team
    assert [board.board.number for board in view.played(1).boards] == [1]
    assert view.state.round == 1
    assert view.state.is_playing


def test_nobody_sees_seeds_commands_ports_and_hosts(tmp_path: Path) -> None:
    text = event_text("Ants", "Bees", deals="seed = 424242").replace('"Ants"', '"Ants"\ncommand = "secret-program"')
    played = draw_event(tmp_path, text)
    table = take_up(played, first_port=31_337)
    played.play_all()
    set_state(played, table, TableState.FAILED, "host-1 said secret-reason")
    view = view_of(played)
    shown = f"{view.event}{view.tables}{view.played(1)}{exported(view, tmp_path / 'out')}"
    for secret in ("424242", "secret-program", "31337", "host-1", "secret-reason"):
        assert secret not in shown


def test_rulings_on_hidden_boards_are_not_shown(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs"))
    played.play(1)
    played.score()
    played.rule(1, "Ants", RulingKind.ADJUSTED_SCORE, "secret", board=1, amount=5)
    played.rule(1, "Ants", RulingKind.PENALTY_IMPS, "late", amount=1)
    view = view_of(played)
    assert [ruling.reason for ruling in view.report("rulings").rulings] == ["late"]  # type: ignore[attr-defined]


def test_what_does_not_exist_is_one_error(tmp_path: Path) -> None:
    view = view_of(draw_event(tmp_path))
    for ask in (
        lambda: view.played(9),
        lambda: view.report("nothing"),
        lambda: view.report("rounds", round_number=7),
    ):
        with pytest.raises(UsageError):
            ask()
