"""What each program in use breaks on, and that its profile keeps it from that.

The first test takes one setting of a program's profile away and sees the program die or wait for ever, as the real
one does; the pairings show that with its profile it plays."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.dialect_tables import (
    PROGRAMS,
    any_board,
    dialect_table,
    passed_out,
    played_on,
    redoubled,
    settings_for,
    strategies_for,
    to_be_played,
)
from tests.support.dialects import DIALECTS, Ben, BridgeEnv, DialectPlayer, QPlus, RoboBridge
from tests.support.dialects.robobridge import TEXT_LENGTH
from tests.support.protocol_players import Script
from tests.support.simulated_table import SimulatedTable
from tests.support.table_invariants import check_session
from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after_the_lead,
    at_start_of_board,
    auction_of,
    bid_1nt,
    errors,
    in_auction,
    seated,
    told_to,
)
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import DOUBLE, PASS, REDOUBLE, SEATS, Bid, Call, Seat, Side, Strain, board_from_seed
from tourney.config.programs import PROFILES
from tourney.protocol.bluechip.server_lines import parse_server_line
from tourney.protocol.session.intents import CardIntent
from tourney.protocol.session.records import BoardEnd, BoardEnded
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules
from tourney.protocol.wires import ReadyForCards, SeatedForm, TeamsLineForm, WireProfile

SCRIPTS = (passed_out(), redoubled())


def table_of(program: str, changed: dict[str, Any]) -> SimulatedTable:
    """A program as North-South against Q-plus, its profile changed, a minute after they sat down.

    Two boards take some 20 s; what the table does when a player stalls comes after five minutes.
    """
    profile = replace(PROFILES[DIALECTS[program].profile], **changed)
    table = dialect_table(DIALECTS[program], DIALECTS["Q-plus"], SCRIPTS, profile=profile)
    table.play(for_ms=60_000)
    return table


@pytest.mark.clause("BC-17", "BC-37", "BC-50")
@pytest.mark.parametrize(
    ("program", "changed", "why"),
    [
        ("RoboBridge", {"line_gap_ms": 0}, ""),
        ("BEN", {"timing": False}, ""),
        ("BEN", {"teams_line": TeamsLineForm.V18}, 'Teams : N/S : "Alpha". E/W : "Beta"'),
        ("bridge-player", {"teams_line": TeamsLineForm.V18}, 'Teams : N/S : "Alpha". E/W : "Beta"'),
        ("bridge_env", {"timing": True}, "Timing - N/S"),
        ("bridge_env", {"alerts": True}, " Alert. "),
        ("Bridge Moniteur's age", {"alerts": True}, " Alert. "),
        ("Bridge Moniteur's age", {"seated": SeatedForm.V18}, 'North ("Alpha") seated'),
        ("BEN 2022", {"timing": True}, "in place of a board"),
        ("BEN 2023", {"timing": True}, "Board number 2"),
        ("BEN 2022", {"alerts": True}, " Alert. "),
        ("BEN 2022", {"ready_for_cards": ReadyForCards.ASKED}, ""),
        ("Q-plus", {"lead_gap_ms": 0}, ""),
        ("GIB", {"lead_gap_ms": 0}, ""),
    ],
)
def test_without_a_setting_of_its_profile_a_program_ends_or_waits_for_ever(
    program: str, changed: dict[str, Any], why: str
) -> None:
    table = table_of(program, changed)
    assert played_on(table) != to_be_played(SCRIPTS)
    if why:
        assert any(why in said for said in table.died.values()), table.died
    else:
        assert table.died == {}


@pytest.mark.parametrize(
    ("changed", "programs"),
    [
        ({"line_gap_ms": 5}, ("RoboBridge",)),
        ({"teams_line": TeamsLineForm.PLAYING}, ("WBridge5", "BEN", "BEN 2023", "RoboBridge", "Q-plus", "GIB")),
        ({"seated": SeatedForm.PLAIN}, ("WBridge5", "BEN", "BEN 2023", "RoboBridge", "bridge_env", "GIB")),
    ],
)
def test_what_a_profile_need_not_have_harms_nobody(changed: dict[str, Any], programs: tuple[str, ...]) -> None:
    for program in programs:
        assert played_on(table_of(program, changed)) == to_be_played(SCRIPTS), program


class Slow(DialectPlayer):
    """Takes 5 s for each of its calls and cards on board 18."""

    def _say(self, line: str, after_ms: int = 0) -> None:
        acts = self.view is not None and self.view.number == 18 and " ready " not in line
        super()._say(line, 5000 if acts else after_ms)


class SlowBen(Slow, Ben):
    pass


class SlowRoboBridge(Slow, RoboBridge):
    pass


@pytest.mark.parametrize(("kind", "stays"), [(SlowBen, True), (SlowRoboBridge, False)])
def test_a_program_that_lost_a_board_stays_for_the_next_one_if_it_can_begin_again(
    kind: type[DialectPlayer], stays: bool
) -> None:
    scripts = (any_board(1), any_board(2))
    assert [script.board.number for script in scripts] == [18, 19]
    limit = TimeLimit(1000, RemedyName.FORFEIT_BOARD)
    strategies = {seat: RandomStrategy(seat) for seat in SEATS}
    table = dialect_table(kind, QPlus, scripts, rules=TableRules(time=TimeRules(call=limit)), strategies=strategies)
    table.play()
    ends = [ended.end for ended in table.of_kind(BoardEnded)]
    assert ends[0] is BoardEnd.TIME
    assert (ends[1:] == [BoardEnd.PLAYED]) is stays
    assert (table.restarted == []) is stays


# Connecting, teams, start of board, deal: each test names its program


def test_bridge_env_and_robobridge_find_their_own_names_announced_as_they_sent_them() -> None:
    scripts = (passed_out(), redoubled())
    strategies = strategies_for(scripts)
    profiles = {Side.NS: PROFILES["bridge-env"], Side.EW: PROFILES["robobridge"]}
    players = [
        (BridgeEnv, RoboBridge)[seat % 2](seat, ("ALPHA", "beta")[seat % 2], strategies[seat]) for seat in SEATS
    ]
    at_table = SimulatedTable(settings_for(scripts, profiles), players)
    at_table.play()
    assert at_table.died == {}
    at_table.converse("""
        N has heard -> ... -> Teams : N/S : "ALPHA" E/W : "Beta" -> ...
        E has heard -> ... -> Teams : N/S : "Alpha" E/W : "beta" -> ...
    """)


@pytest.mark.parametrize(
    ("form", "line"),
    [
        (TeamsLineForm.PLAIN, 'Teams : N/S : "Alpha" E/W : "Beta"'),
        (TeamsLineForm.V18, 'Teams : N/S : "Alpha". E/W : "Beta"'),
        (TeamsLineForm.PLAYING, 'Teams : N/S : "Alpha" E/W : "Beta". Playing IMP'),
    ],
)
def test_the_teams_line_is_each_sides_own_form_and_is_sent_once(form: TeamsLineForm, line: str) -> None:
    rig = at_start_of_board(profiles={Side.NS: WireProfile(teams_line=form)})
    rig.all_say("ready for teams")
    plain = 'Teams : N/S : "Alpha" E/W : "Beta"'
    told = [[text for text in rig.sent(seat) if text.startswith("Teams")] for seat in SEATS]
    assert told == [[line], [plain], [line], [plain]]


def test_seated_is_each_sides_own_form() -> None:
    rig = seated(profiles={Side.EW: WireProfile(seated=SeatedForm.PLAIN)})
    assert [rig.sent(seat)[0] for seat in SEATS] == [
        'North ("Alpha") seated',
        "East Beta seated",
        'South ("Alpha") seated',
        "West Beta seated",
    ]


def test_the_cards_follow_the_board_line_of_ben_of_2022_after_a_wait_and_not_before() -> None:
    profile = WireProfile(ready_for_cards=ReadyForCards.ASSUMED)
    rig = at_start_of_board(profiles={Side.NS: profile})
    rig.all_say("ready for deal")
    rig.all_say("ready for cards", seats=(EAST, WEST))
    assert not any("cards" in line for seat in SEATS for line in rig.sent(seat))
    rig.wait(1000)
    assert all("'s cards : " in rig.sent(seat)[-1] for seat in SEATS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_reads_every_dealer_and_vulnerability_and_a_board_number_of_three_digits(program: str) -> None:
    numbers = (*range(1, 17), 128)
    scripts = tuple(Script(board_from_seed(1, "dialects", number), (PASS,) * 4, (), ("",) * 4) for number in numbers)
    at_table = dialect_table(DIALECTS[program], DIALECTS[program], scripts)
    at_table.play()
    assert (at_table.died, at_table.ended) == ({}, [None])
    assert [player.boards_played for player in at_table.players] == [17] * 4


# Auction, play, end of board and session


MONITEUR_TEXT = "C=0-8,D=4-8,H=0-5,S=0-5,HCP=17-19,Total=19-21."
ONE_HEART = Bid(1, Strain.HEARTS)


@pytest.mark.clause("BC-15")
@pytest.mark.parametrize(
    ("program", "line", "call"),
    [
        ("WBridge5", "NORTH PASSES", PASS),
        ("WBridge5", "NORTH bids 1NT", Bid(1, Strain.NOTRUMP)),
        ("Bridge Moniteur", "North passes.", PASS),
        ("a server that says bids for all", "North bids Pass", PASS),
        ("Lia's client", "North bids 1N", Bid(1, Strain.NOTRUMP)),
        ("some", "North  bids  1H", ONE_HEART),
        ("some", "North bids 1H.", ONE_HEART),
        ("some", "North pass", PASS),
        ("BEN", "North bids 1H Alert. 5 cards", ONE_HEART),
        ("BEN --sendinfo", "North bids 1H Infos. 5 cards", ONE_HEART),
        ("RoboBridge", f"North bids 1H Infos.{'(!(ps0911*pa0012' * 90}", ONE_HEART),
        ("Bridge Moniteur's age", f"North bids 1H Alert.{MONITEUR_TEXT}", ONE_HEART),
        ("Bridge Moniteur's age", f"North bids 1H.Infos.{MONITEUR_TEXT}", ONE_HEART),
        ("Bridge Moniteur's age", f"North passes.Infos.{MONITEUR_TEXT}", PASS),
    ],
)
def test_a_call_is_taken_as_the_program_says_it_and_relayed_in_the_words_of_version_18(
    program: str, line: str, call: Call
) -> None:
    rig = in_auction()
    assert errors(rig.send_line(NORTH, line)) == [], program
    assert auction_of(rig).calls == [call]
    word = "passes" if call is PASS else f"bids {call}"
    rig.converse(f"S: ready for North's bid -> North {word}")


@pytest.mark.parametrize("form", ["doubles", "DOUBLES", "doubles.", "X", "bids X"])
def test_doubles_and_redoubles_are_taken_in_every_form_seen(form: str) -> None:
    rig = in_auction()
    rig.converse(f"""
        all hear N: bids 1H
        all hear E: {form}
    """)
    rig.call(SOUTH, form.replace("doubles", "redoubles").replace("DOUBLES", "REDOUBLES").replace("X", "XX"))
    assert auction_of(rig).calls == [ONE_HEART, DOUBLE, REDOUBLE]
    rig.converse("W has heard -> ... -> East doubles -> South redoubles")


@pytest.mark.clause("BC-17")
def test_the_opponents_of_robobridge_read_1500_characters_when_they_want_them() -> None:
    at_table = dialect_table(RoboBridge, RoboBridge, (redoubled(),))
    at_table.play()
    texts = [line for line in at_table.sent(NORTH) if "Infos. " in line or "Alert. " in line]
    assert texts
    assert all(len(line) > TEXT_LENGTH - 40 for line in texts)
    assert {line.split()[0] for line in texts} == {"East", "West"}, "partner's texts are not for North"


@pytest.mark.clause("BC-17")
@pytest.mark.parametrize(("infos", "text"), [(True, " Infos. 12 HCP."), (False, ""), (None, "")])
def test_infos_may_be_had_by_profile_whatever_the_version(infos: bool | None, text: str) -> None:
    rig = in_auction(profiles={Side.EW: WireProfile(infos=infos)})
    assert told_to(rig, EAST, "North bids 1H Infos. 12 HCP") == f"North bids 1H{text}"


@pytest.mark.clause("BC-17")
def test_without_alerts_by_profile_the_bare_call_is_told() -> None:
    rig = in_auction(profiles={Side.EW: WireProfile(alerts=False)})
    assert told_to(rig, EAST, "North bids 1H Alert. 5 cards") == "North bids 1H"


@pytest.mark.clause("BC-16")
@pytest.mark.parametrize(
    ("program", "request_line"),
    [
        ("WBridge5", "EAST ready for NORTH's bid"),
        ("WBridge5 as it writes EAST and WEST", "EAST ready for  NORTH's bid"),
        ("BEN of 2022", "East ready for North's bid."),
    ],
)
def test_a_request_for_a_call_is_read_as_the_program_writes_it(program: str, request_line: str) -> None:
    rig = in_auction()
    rig.converse("N: passes")
    assert rig.send_line(EAST, request_line) == ["North passes"], program


@pytest.mark.clause("BC-36")
@pytest.mark.parametrize(
    ("program", "lead_gap_ms", "trick_pause_ms", "asked_after_ms"),
    [("default", 0, 0, 0), ("GIB", 300, 0, 300), ("Q-plus", 500, 0, 500), ("Q-plus", 500, 1000, 1000)],
)
def test_the_line_that_asks_for_a_lead_keeps_the_longer_of_both_pauses(
    program: str, lead_gap_ms: int, trick_pause_ms: int, asked_after_ms: int
) -> None:
    profile = WireProfile(lead_gap_ms=lead_gap_ms)
    rig = after_the_lead(profiles={Side.NS: profile}, trick_pause_ms=trick_pause_ms)
    rig.converse("""
        all hear S: plays 7S
        all hear W: plays 4S
        all hear N: plays AS
    """)
    if asked_after_ms:
        rig.wait(asked_after_ms - 1)
        assert "North to lead" not in rig.sent(NORTH), program
        rig.wait(1)
    assert "North to lead" in rig.sent(NORTH), program


@pytest.mark.parametrize(
    ("program", "seat", "words"),
    [
        ("BEN", NORTH, "dummy's"),
        ("WBridge5", WEST, "Dummy's"),
        ("RoboBridge from dummy's chair", SOUTH, "dummy's"),
        ("RoboBridge from another", WEST, "South's"),
        ("BEN of 2022 from dummy's chair", SOUTH, "South's"),
    ],
)
@pytest.mark.clause("BC-31")
def test_dummys_card_is_asked_for_by_the_name_that_the_program_uses(program: str, seat: Seat, words: str) -> None:
    rig = after_the_lead()
    if seat is NORTH:  # declarer asks for no card of dummy's: it has read the lead and plays
        assert rig.send_line(NORTH, f"North ready for {words} card to trick 1") == [], program
        return
    rig.converse("N: South plays 7S")
    assert "South plays 7S" in rig.send_line(seat, f"{seat.title} ready for {words} card to trick 1"), program


@pytest.mark.clause("BC-31")
def test_lias_client_asks_for_the_opening_lead_as_a_card_to_trick_0() -> None:
    rig = in_auction(trick_pause_ms=0)
    bid_1nt(rig)
    rig.converse("""
        clear
        E: plays TS
        W: ready for East's card to trick 0 -> East plays TS
    """)


@pytest.mark.clause("BC-30")
def test_the_text_of_a_card_goes_to_opponents_that_speak_version_19() -> None:
    rig = in_auction(version={NORTH: 19, WEST: 19}, trick_pause_ms=0)
    bid_1nt(rig)
    rig.converse("""
        clear
        E: plays TS. signal
        W S: ready for East's card to trick 1 -> East plays TS
    """)
    (told,) = rig.send_line(NORTH, "North ready for East's card to trick 1")
    assert told == "East plays TS. signal."
    heard, plain = parse_server_line(told), parse_server_line("East plays TS")
    assert isinstance(heard, CardIntent)
    assert isinstance(plain, CardIntent)
    assert (heard.seat, heard.card) == (plain.seat, plain.card)


# Every program in use against every other, each with its own profile


@pytest.mark.clause("BC-50", "BC-51")
@pytest.mark.parametrize("ew", PROGRAMS)
@pytest.mark.parametrize("ns", PROGRAMS)
def test_two_programs_play_every_board_to_its_end_as_they_mean_it(ns: str, ew: str) -> None:
    seed = PROGRAMS.index(ns) * len(PROGRAMS) + PROGRAMS.index(ew)
    scripts = (passed_out(), redoubled(), any_board(seed))
    table = dialect_table(DIALECTS[ns], DIALECTS[ew], scripts)
    table.play()
    assert table.died == {}
    assert table.waiting == set()
    assert table.ended == [None]
    assert played_on(table) == to_be_played(scripts)
    without_texts = {seat for seat in SEATS if not PROFILES[(DIALECTS[ns], DIALECTS[ew])[seat % 2].profile].alerts}
    untold = check_session(table.log, table.core.state.settings.boards, without_texts=without_texts)
    assert untold == dict.fromkeys(SEATS, 0)
