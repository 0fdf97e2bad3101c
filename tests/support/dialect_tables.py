"""Tables of scripted programs: what they are given to play, and what they have played."""

from collections.abc import Mapping
from functools import cache
from random import Random

from tests.support.dialects import DIALECTS, DialectPlayer
from tests.support.protocol_players import Script, made, on_record, players_for, script_from_seed
from tests.support.simulated_table import SimulatedTable, seat_four
from tests.support.table_rig import TableRig
from tests.support.wire_tables import VOIDS
from tourney.bots.strategy import Strategy
from tourney.bridge import DOUBLE, PASS, REDOUBLE, Bid, Board, BoardInPlay, Seat, Side, Strain, board_from_seed
from tourney.config.programs import PROFILES
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
    rules: TableRules = NO_LIMITS,
) -> TableSettings:
    boards = tuple(script.board for script in scripts)
    return TableSettings("Alpha", "Beta", boards, 0, profiles=dict(profiles), rules=rules)


def strategies_for(scripts: tuple[Script, ...]) -> dict[Seat, Strategy]:
    return players_for([*scripts])


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
    """Return the calls, cards and results on record, in order, without what alerts say."""
    return _without_alerts(on_record(rig))


def to_be_played(scripts: tuple[Script, ...]) -> list[tuple[object, ...]]:
    """Return what `played_on` returns once the scripts have been played to their ends."""
    return _without_alerts(made([*scripts]))


def _without_alerts(course: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [each[:4] for each in course]


PROGRAMS = tuple(DIALECTS)
