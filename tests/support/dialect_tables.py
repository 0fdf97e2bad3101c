"""Tables of scripted programs: what they are given to play, and what they have played."""

from collections.abc import Mapping
from functools import cache
from random import Random

from tests.support.dialects import DIALECTS, DialectPlayer
from tests.support.protocol_players import Script, ScriptedPlayer, script_from_seed
from tests.support.simulated_table import SimulatedTable, seat_four
from tests.support.table_rig import TableRig
from tests.support.wire_tables import VOIDS
from tourney.bots.strategy import Strategy
from tourney.bridge import DOUBLE, PASS, REDOUBLE, SEATS, Bid, Board, BoardInPlay, Seat, Side, Strain, board_from_seed
from tourney.config.programs import PROFILES
from tourney.protocol.session.records import BoardEnded, CallMade, CardPlayed
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.table import TableSettings
from tourney.protocol.wires import WireProfile

ALERT = "0 to 7 total points, 6 cards in hearts."
INFOS = "16 to 18 total points, 2 to 5 cards in clubs."
"""Dialects that distinguish alerts from explanations alert with texts of odd length, and explain with even ones."""


NO_LIMITS = TableRules()


@cache
def passed_out() -> Script:
    """Make board 9, passed out; North deals, and the second and third pass have a text."""
    return Script(board_from_seed(9, "dialects", 9), (PASS,) * 4, (), ("", ALERT, INFOS, ""))


@cache
def redoubled() -> Script:
    """Make board 2: East plays 1S redoubled, North and South have voids, all calls have texts, and dummy leads."""
    board = Board.numbered(2, VOIDS)
    calls = (Bid(1, Strain.SPADES), DOUBLE, REDOUBLE, PASS, PASS, PASS)
    for seed in range(100):
        random, in_play = Random(seed), BoardInPlay(board)
        for call in calls:
            in_play.add_call(call)
        play = in_play.play
        assert play is not None
        while not in_play.is_over:
            in_play.add_card(random.choice(play.legal_cards()))
        if any(trick.leader is Seat.WEST for trick in play.tricks):
            return Script(board, calls, tuple(play.cards), (ALERT, INFOS) * 3)
    raise AssertionError("dummy never leads")


@cache
def any_board(seed: int) -> Script:
    """Make a random board with a number from 17 to 32."""
    number = 17 + seed % 16
    return script_from_seed(board_from_seed(seed, "dialects", number), seed)


def settings_for(
    scripts: tuple[Script, ...],
    profiles: Mapping[Side, WireProfile],
    *,
    trick_pause_ms: int = 0,
    rules: TableRules = NO_LIMITS,
) -> TableSettings:
    boards = tuple(script.board for script in scripts)
    return TableSettings("Alpha", "Beta", boards, trick_pause_ms, profiles=dict(profiles), rules=rules)


def strategies_for(scripts: tuple[Script, ...]) -> dict[Seat, Strategy]:
    by_number = {script.board.number: script for script in scripts}
    return {seat: ScriptedPlayer(by_number) for seat in SEATS}


def dialect_table(
    ns: type[DialectPlayer],
    ew: type[DialectPlayer],
    scripts: tuple[Script, ...],
    *,
    profile: WireProfile | None = None,
    rules: TableRules = NO_LIMITS,
    strategies: Mapping[Seat, Strategy] | None = None,
) -> SimulatedTable:
    """Make a table of two kinds of programs that follow the scripts, or `strategies`.

    Each team has the profile of its program; with `profile`, North-South have that one.
    """
    kinds = {Side.NS: ns, Side.EW: ew}
    profiles = {side: PROFILES[kind.profile] for side, kind in kinds.items()}
    if profile is not None:
        profiles[Side.NS] = profile
    settings = settings_for(scripts, profiles, rules=rules)
    return seat_four(kinds, settings, strategies or strategies_for(scripts))


def played_on(rig: TableRig) -> list[tuple[object, ...]]:
    """Return the calls, cards and results on record, in order."""
    course: list[tuple[object, ...]] = []
    for record in rig.records:
        if isinstance(record, CallMade):
            course.append((record.board, record.seat, record.call))
        elif isinstance(record, CardPlayed):
            course.append((record.board, record.seat, record.card))
        elif isinstance(record, BoardEnded):
            course.append((record.board, record.end.value))
    return course


def to_be_played(scripts: tuple[Script, ...]) -> list[tuple[object, ...]]:
    """Return what `played_on` returns once the scripts have been played to their ends."""
    course: list[tuple[object, ...]] = []
    for script in scripts:
        number, dealer = script.board.number, script.board.dealer
        course += [(number, dealer.plus(seq), call) for seq, call in enumerate(script.calls)]
        course += [(number, seat, card) for seat, card in script.cards]
        course.append((number, "played" if script.cards else "passed-out"))
    return course


PROGRAMS = tuple(DIALECTS)
