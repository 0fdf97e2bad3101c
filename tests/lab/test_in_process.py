"""Boards without sockets: what players are asked, what comes of their faults, IMPs, PBN, and shared work."""

import contextlib
import os
import re
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tourney.bridge import DECK, PASS, SEATS, Bid, Seat, Strain, board_from_seed
from tourney.config.suites import SUITES
from tourney.errors import PlayerError, UsageError
from tourney.lab import RemedyName, TableRules, TimeLimit, TimeRules, play, players
from tourney.lab.player_table import PlayerTable
from tourney.lab.players import PlayerMaker
from tourney.movement.seating import Room
from tourney.player import Player, View
from tourney.player.answers import CallAnswer, CardAnswer
from tourney.protocol.session.records import BoardEnd, BoardEnded, Incident, IncidentKind, Ruled, RulingKind
from tourney.protocol.session.table import TableSettings

BOARDS = [board_from_seed(11, "lab", number) for number in range(1, 4)]


class Notrump(Player):
    """Opens one notrump, which it explains, and plays its lowest card."""

    def call(self, view: View) -> CallAnswer:
        return ("1NT", "at least 13 cards.") if not view.calls else "pass"

    def play(self, view: View) -> CardAnswer:
        return view.legal_cards[-1]


class Highest(Notrump):
    def play(self, view: View) -> CardAnswer:
        return view.legal_cards[0]


def test_each_room_plays_the_boards_with_the_sides_exchanged_and_the_imps_are_of_those_given_as_ns() -> None:
    played = play(BOARDS, {"NS": Notrump, "EW": Highest}, rooms=2)
    assert [(result.board.number, result.room) for result in played] == [
        (number, room) for number in (1, 2, 3) for room in Room
    ]
    opened, closed = played[0], played[1]
    assert (opened.names[Seat.NORTH], closed.names[Seat.NORTH]) == ("Notrump", "Highest")
    assert (str(opened.contract), opened.declarer, len(opened.cards)) == ("1NT", Seat.NORTH, 52)
    assert opened.calls[0] == (Seat.NORTH, Bid(1, Strain.NOTRUMP), "at least 13 cards.")
    assert [call.call for call in opened.calls[1:]] == [PASS] * 3
    assert opened.score is not None
    assert opened.tricks is not None
    assert played.total_imps == sum(played.imps) == -play(BOARDS, {"NS": Highest, "EW": Notrump}, rooms=2).total_imps
    assert played.total_imps != 0


@pytest.mark.campaign
def test_what_is_played_is_the_same_for_any_number_of_tables_at_once_and_of_processes() -> None:
    seated: dict[str, Any] = {"N": "random", "E": Highest, "S": Notrump, "W": "basic"}
    alone = play(10, seated, rooms=2, seed=3)
    assert list(play(10, seated, rooms=2, seed=3, concurrent=3)) == list(alone)
    assert list(play(10, seated, rooms=2, seed=3, concurrent=2, jobs=2)) == list(alone)


def test_the_boards_are_a_pbn_file_as_of_an_export(tmp_path: Path) -> None:
    played = play(BOARDS, {"NS": Notrump, "EW": Highest}, rooms=2)
    played.write_pbn(tmp_path / "boards.pbn")
    text = (tmp_path / "boards.pbn").read_text(encoding="ascii")
    games = [dict(re.findall(r'^\[(\w+) "(.*)"\]', game, re.MULTILINE)) for game in text.split("[Event ")[1:]]
    assert [(game["Board"], game["Room"]) for game in games] == [
        (str(result.board.number), result.room.value.title()) for result in played
    ]
    assert [game["ScoreIMP"] for game in games[1::2]] == [f"NS {-imps}" for imps in played.imps]
    assert text.count("at least 13 cards.") == len(played)


class Batched(Notrump):
    """Answers for all seats that wait at once, and keeps how many those were."""

    asked: list[int] = []  # noqa: RUF012 # of the class, as a test reads it

    @classmethod
    def act(cls, model: Any, players: Sequence[Player], views: Sequence[View]) -> Sequence[Any]:
        cls.asked.append(len(views))
        return super().act(model, players, views)


def test_a_suite_of_ours_is_played_with_every_dealer_and_vulnerability(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SUITES, "tourney-2", replace(SUITES["tourney-10000"], deals=2, sha256=""))
    played = play("tourney-2", {"NS": "random", "EW": "random"})
    settings = [(result.board.deal, result.board.dealer, result.board.vulnerability) for result in played]
    assert (len(settings), len({*settings}), len({deal for deal, _, _ in settings})) == (32, 32, 2)


def test_the_players_of_a_class_are_asked_together_at_all_tables_that_are_played_at_once() -> None:
    played = play(16, {"NS": Batched, "EW": Batched}, rooms=2, concurrent=4)
    assert len(played) == 32
    assert max(Batched.asked) == 4
    assert sum(Batched.asked) == sum(len(result.calls) + len(result.cards) for result in played)


# Faults


class Illegal(Notrump):
    """Plays cards on board 2 that are not legal."""

    def play(self, view: View) -> CardAnswer:
        if view.number == 2:
            return next(card for card in DECK if card not in view.legal_cards)
        return super().play(view)


def test_an_illegal_card_is_refused_as_often_as_at_any_table_and_then_played_by_the_table() -> None:
    played = play(BOARDS, {"NS": Notrump, "EW": Illegal})
    assert {ruling.kind for ruling in played[1].rulings} == {RulingKind.WARNING, RulingKind.BOARD_FORFEIT}
    kinds = [incident.kind for incident in played[1].incidents]
    assert kinds[:4] == [IncidentKind.ILLEGAL_CARD] * 3 + [IncidentKind.SUBSTITUTED]
    assert played[1].end is BoardEnd.ILLEGAL
    assert played[2].rulings == ()
    assert played[2].end is BoardEnd.PLAYED


class Leaving(Notrump):
    """Ends its process, or what it takes for that, on board 2."""

    def play(self, view: View) -> CardAnswer:
        return sys.exit(0) if view.number == 2 else super().play(view)


def test_a_player_that_ends_has_crashed_and_what_is_said_of_it_is_said_once(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for jobs in (1, 2):
        played = play(20, {"NS": Notrump, "EW": Leaving}, rooms=2, jobs=jobs)
        assert {(each.board.number, each.room, each.end) for each in played if each.end is not BoardEnd.PLAYED} == {
            (2, room, BoardEnd.CRASH) for room in Room
        }
        said = capfd.readouterr().err
        assert said.count("Traceback") == said.count("return sys.exit(0)") == 1
        why = "Leaving.play() raised SystemExit: 0"
        assert f"\nLeaving, board 2: {why}\nLeaving, 10 times on 1 board, first on board 2: {why}\n" in said


class Busy(Notrump):
    """Never ends to think, and takes whatever it is told for an error of its own."""

    def play(self, view: View) -> CardAnswer:
        while view.number == 2:
            with contextlib.suppress(Exception):
                pass
        return super().play(view)

    def board_ends(self, view: View) -> None:
        while view.number == 3:
            pass


IMPATIENT = TableRules(time=TimeRules(stall_ms=300, ready_ms=300))


def test_a_player_that_never_ends_to_think_is_interrupted_when_nobody_waits_for_it_any_more() -> None:
    before = signal.getsignal(signal.SIGALRM)
    played = play(BOARDS, {"NS": Notrump, "EW": Busy}, rules=IMPATIENT)
    assert [result.end for result in played] == [BoardEnd.PLAYED, BoardEnd.STALL, BoardEnd.PLAYED]
    assert [ruling.clause for ruling in played.rulings] == ["BC-45"]
    assert signal.getsignal(signal.SIGALRM) is before


class Stubborn(Notrump):
    """Cannot be interrupted on board 2."""

    def play(self, view: View) -> CardAnswer:
        if view.number == 2:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            threading.Event().wait(1000)
        return super().play(view)


def test_a_player_that_cannot_be_interrupted_is_ended_with_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "OVERDUE_S", 0.5)
    rules = replace(IMPATIENT, rejoins_max=0)
    played = play(BOARDS, {"NS": Notrump, "EW": Stubborn}, rules=rules, jobs=2)
    assert [each.end for each in played] == [BoardEnd.PLAYED, BoardEnd.STALL, BoardEnd.PLAYED]


class Unmade(Notrump):
    def __init__(self, model: object = None) -> None:
        os._exit(3)


def test_a_player_that_ends_its_process_when_it_is_made_is_named() -> None:
    with pytest.raises(PlayerError, match=r"^the process that plays Notrump and Unmade ended with status 3$"):
        play(BOARDS, {"NS": Notrump, "EW": Unmade}, jobs=2)


class Fragile(Notrump):
    def board_ends(self, view: View) -> None:
        raise OSError("the disk is full")


def test_a_player_that_raises_between_boards_is_made_again(capsys: pytest.CaptureFixture[str]) -> None:
    played = play(BOARDS, {"NS": Notrump, "EW": Fragile})
    assert [result.end for result in played] == [BoardEnd.PLAYED] * 3
    assert "the disk is full" in capsys.readouterr().err


def at_table(remedy: RemedyName, late: int) -> PlayerTable:
    """A table at which the answer number `late` takes longer than the limit of a second."""
    time = TimeRules(call=TimeLimit(1000, remedy))
    settings = TableSettings(
        ns_team="A", ew_team="B", boards=tuple(BOARDS[:2]), trick_pause_ms=0, rules=TableRules(time=time)
    )
    table = PlayerTable(settings, {seat: PlayerMaker(Notrump) for seat in SEATS})
    number = 0
    while (question := table.question) is not None:
        table.answer(question.ask(), 1.5 if number == late else 0.1)
        number += 1
    return table


@pytest.mark.parametrize(
    ("remedy", "ruling", "ended"),
    [
        (RemedyName.WARN, RulingKind.WARNING, [BoardEnd.PLAYED, BoardEnd.PLAYED]),
        (RemedyName.PENALTY, RulingKind.PENALTY_IMPS, [BoardEnd.PLAYED, BoardEnd.PLAYED]),
        (RemedyName.SUBSTITUTE, RulingKind.WARNING, [BoardEnd.PLAYED, BoardEnd.PLAYED]),
        (RemedyName.FORFEIT_BOARD, RulingKind.BOARD_FORFEIT, [BoardEnd.TIME, BoardEnd.PLAYED]),
        (RemedyName.FORFEIT_MATCH, RulingKind.MATCH_FORFEIT, [BoardEnd.TIME]),
    ],
)
def test_an_answer_that_takes_too_long_has_the_remedy_of_the_rules(
    remedy: RemedyName, ruling: RulingKind, ended: list[BoardEnd]
) -> None:
    records = at_table(remedy, late=20).records
    assert [record.kind for record in records if isinstance(record, Ruled)] == [ruling]
    assert [record.end for record in records if isinstance(record, BoardEnded)] == ended
    incidents = [record.kind for record in records if isinstance(record, Incident)]
    assert incidents[0] is IncidentKind.OVER_TIME
    assert (IncidentKind.SUBSTITUTED in incidents) is (remedy is RemedyName.SUBSTITUTE)


@pytest.mark.parametrize(
    ("players", "options", "why"),
    [
        ({"NS": Notrump}, {}, "each seat has one player: East, West has none"),
        ({"NS": Notrump, "EW": Notrump, "N": Notrump}, {}, "each seat has one player: North has two"),
        ({"NS": Notrump, "X": Notrump}, {}, "players sit NS and EW, or N, E, S and W: got 'X'"),
        ({"NS": Notrump, "EW": Notrump}, {"seed": "x"}, "seed is a whole number, got 'x'"),
        ({"NS": Notrump, "EW": Notrump}, {"rooms": 3}, "rooms is 1 or 2, jobs and concurrent at least 1: got 3, 1"),
        ({"NS": lambda: Notrump(None), "EW": Notrump}, {"jobs": 2}, "with several jobs <lambda> has to be in a"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_said_in_a_sentence(players: Any, options: Any, why: str) -> None:
    with pytest.raises(UsageError, match=f"^{why}"):
        play(2, players, **options)
