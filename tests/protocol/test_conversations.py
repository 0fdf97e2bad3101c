"""Tables, ports and lobbies answer as `tests/golden/conversations` has it, line by line."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from ipaddress import ip_network
from typing import Any

import pytest

from tests.protocol.session.test_taken_over import lead_through, taken_over
from tests.protocol.stateful.test_board import begun, in_1nt
from tests.protocol.stateful.test_games import LEVEL, NORTH_DECLARES, minibridge_rig
from tests.protocol.stateful.test_gateway import Port
from tests.protocol.stateful.test_lobby import in_tournament
from tests.support import wire_players
from tests.support.conversation import conversations
from tests.support.golden_figures import GOLDEN
from tests.support.lobby_rig import LobbyRig
from tests.support.stateful_tables import seat_stateful
from tests.support.table_rig import TableRig
from tests.support.wire_tables import (
    VOIDS,
    after_the_lead,
    at_start_of_board,
    board,
    in_auction,
    in_play,
    seated,
    table,
)
from tourney.bridge import SEATS, Board, DoubleDummyTable, Seat, Side
from tourney.config.programs import PROFILES
from tourney.protocol.access import ConnectionLimits, TableAccess, TeamAccess, hash_phrase
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import Charset
from tourney.protocol.session.orders import Disconnect, ExtendTime, KickPlayer, RelayAnswer, Stop, VoidBoard
from tourney.protocol.session.records import (
    AlertAnswered,
    AlertAsked,
    BoardBegan,
    BoardEnded,
    BoardVoided,
    CallMade,
    CardPlayed,
    Incident,
    IncidentKind,
    Ruled,
    RulingKind,
    SeatTaken,
    TimeExtended,
)
from tourney.protocol.session.rules import (
    AlertMode,
    Penalty,
    Rejoin,
    RemedyName,
    TableRules,
    TimeLimit,
    TimeRules,
    UndoRule,
)
from tourney.protocol.session.state import LOST_WAIT_MS
from tourney.protocol.stateful.lobby.state import LobbyLimits
from tourney.protocol.wires import ReadyForCards, SeatedForm, TeamsLineForm, WireProfile


def stateful_lead(**given: Any) -> TableRig:
    """East has led the ten of spades against North's 1NT; nobody has been told anything since."""
    rig = in_1nt(**given)
    rig.converse("E: PLAY 10S\nclear")
    return rig


def mixed_in_1nt(stateful: frozenset[Seat], extensions: str = "", **settings: Any) -> TableRig:
    """North is in 1NT at a table where some seats speak the stateful protocol; East is to lead."""
    rig = table(**({"trick_pause_ms": 0} | settings))
    for seat in SEATS:
        if seat in stateful:
            rig.seats[seat] = rig.connect_stateful(seat)
            for line in (f"X-HELLO {extensions or '-'}", f"HELLO {rig.core.state.team(seat.side)}", "JOIN-T"):
                rig.send_line(seat, line)
        else:
            rig.log_on(seat)
    plain = [seat for seat in SEATS if seat not in stateful]
    rig.all_say("ready for teams", "ready to start", "ready for deal", "ready for cards", seats=plain)
    for seat, call in zip(SEATS, ("1NT", "PASS", "PASS", "PASS"), strict=True):
        if seat in stateful:
            rig.send_line(seat, f"BID {call}")
        else:
            rig.send_line(seat, f"{seat.title} {'passes' if call == 'PASS' else f'bids {call}'}")
        for other in plain:
            if other is not seat:
                rig.send_line(other, f"{other.title} ready for {seat.title}'s bid")
    rig.clear()
    return rig


def opened(**given: Any) -> TableRig:
    """North has bid 1C, and East thinks."""
    profiles = dict.fromkeys(Side, PROFILES["tourney"])
    more: dict[str, Any] = {"boards": [board(1), board(2)], "profiles": profiles, "trick_pause_ms": 0} | given
    rig = in_auction(**more)
    rig.converse("all hear N: bids 1C")
    return rig


def guarded(**given: Any) -> TableRig:
    """Alpha's programs say a phrase, Beta's none."""
    team = TeamAccess(hash_phrase("Open sesame", "5a17"))
    return table(access=TableAccess(by_seat={Seat.NORTH: team, Seat.SOUTH: team}), **given)


class Player:
    """Our player's side of Blue Chip."""

    def __init__(self, core: PlayerCore, script: str = "") -> None:
        self.core = core
        self.converse(script)

    def converse(self, script: str) -> None:
        wire_players.converse(self.core, script)


TRICK = f"""
    hears: West plays 4S
    hears: {wire_players.DUMMY}
    plays: N AS
    hears: East plays TS
    plays: S 5S
"""
"""The first trick of South as declarer, which dummy wins."""

EASTS_CARDS = "East's cards : S T 9 8. H 7 6 5. D 4 3 2. C A K Q J."

PLACES: dict[str, Callable[..., Any]] = {
    "nobody": table,
    "guarded": guarded,
    "seated": seated,
    "start of board": at_start_of_board,
    "auction": in_auction,
    "1C": opened,
    "play": in_play,
    "lead": after_the_lead,
    "1NT": mixed_in_1nt,
    "stateful auction": begun,
    "stateful 1NT": in_1nt,
    "stateful lead": stateful_lead,
    "minibridge": lambda level=False, **given: minibridge_rig(*[LEVEL] * level, NORTH_DECLARES, **given),
    "player that has connected": lambda: Player(PlayerCore(Seat.SOUTH, "Alpha")),
    "player of any seat": lambda: Player(PlayerCore(None, "Alpha", version=19, system="sayc")),
    "player at the table": lambda: Player(wire_players.seated_player()),
    "player that waits for its cards": lambda: Player(
        wire_players.seated_player(),
        "hears: Start of board\nhears: Board number 1. Dealer North. Neither vulnerable.",
    ),
    "player in an auction": lambda: Player(wire_players.in_auction()),
    "player that declares": lambda: Player(wire_players.declarer()),
    "player whose dummy has won a trick": lambda: Player(wire_players.declarer(), TRICK),
    "player that defends": lambda: Player(wire_players.defender()),
    "player that leads": lambda: Player(wire_players.in_auction(Seat.EAST, EASTS_CARDS)),
}
WORDS = {"undo": UndoRule, "rejoin": Rejoin, "alerting": AlertMode, "irregularity_remedy": RemedyName}
"""Rules whose values are words; those of others are numbers."""

YES_OR_NO = {"yes": True, "no": False, "auto": None}
OF_PROFILES: dict[str, Callable[[str], Any]] = {
    "teams_line": TeamsLineForm,
    "seated": SeatedForm,
    "ready_for_cards": ReadyForCards,
    "infos": YES_OR_NO.__getitem__,
    "alerts": YES_OR_NO.__getitem__,
    "charset": lambda word: Charset(word) if word != "auto" else None,
}
"""Settings of profiles whose values are words."""


def sides_of(words: Sequence[str]) -> list[Side]:
    """The sides of these words, both if there are none."""
    return [Side(word) for word in words] or [*Side]


def begin(heading: str) -> Any:  # noqa: PLR0912 # a case for each setting
    """Whatever holds conversations where a heading begins: a place and settings, `auction, boards 1 2, claims`."""
    place, *settings = heading.split(", ")
    if place in ("lobby", "game of four"):
        rig = LobbyRig(LobbyLimits(**{name: int(most) for name, most in map(str.split, settings)}))
        if place == "game of four":
            rig.converse(
                "Ann comes: JOIN-M\n" + "".join(f"{name} comes: JOIN-M g1\n" for name in ("Bob", "Cat", "Dan"))
            )
        return rig
    if place == "port":
        return Port(*settings)
    if place == "tournament":
        return in_tournament(**dict(map(str.split, settings)))
    given: dict[str, Any] = {}
    rules: dict[str, Any] = {}
    by_seat: dict[Seat, TeamAccess] = {}
    times: dict[str, Any] = {}
    for setting in settings:
        match setting.split():
            case ["boards", *numbers]:
                given["boards"] = [board(int(number)) for number in numbers]
            case ["level"]:
                given["level"] = True
            case ["voids"]:
                given["boards"] = [Board.numbered(1, VOIDS)]
            case ["makes", tricks]:
                given["boards"] = [replace(each, makes=DoubleDummyTable.parse(tricks)) for each in given["boards"]]
            case ["asking", "for", words]:
                given["extensions"] = words
            case ["stateful", letters]:
                given["stateful"] = frozenset(map(Seat.from_letter, letters))
            case ["programs", "of", name, *sides]:
                given.setdefault("profiles", {}).update(dict.fromkeys(sides_of(sides), PROFILES[name]))
            case ["connections_per_address", number]:
                given["access"] = TableAccess(ConnectionLimits(connections_per_address=int(number)))
            case ["a", "phrase", "each"]:
                by_seat.update((seat, TeamAccess(hash_phrase(f"{seat.title}'s", "5a17"))) for seat in Seat)
            case ["NS" | "EW" as side, "from", *networks]:
                team = TeamAccess(allow=tuple(map(ip_network, networks)))
                by_seat.update(dict.fromkeys(Side(side).seats, team))
            case ["profile", side, name, value]:
                profile = given.setdefault("profiles", {}).get(Side(side), WireProfile())
                given["profiles"][Side(side)] = replace(profile, **{name: OF_PROFILES.get(name, int)(value)})
            case ["version", letter, number]:
                given.setdefault("version", {})[Seat.from_letter(letter)] = int(number)
            case ["ours", *sides]:
                given["ours"] = frozenset(sides_of(sides))
            case ["spent", *ms]:
                given["spent_ms"] = dict(zip(Side, map(int, ms), strict=True))
            case ["ns_team" | "ew_team" as side, *words]:
                given[side] = " ".join(words)
            case ["trick_pause_ms" | "bad_lines_max" as name, number]:
                given[name] = int(number)
            case ["penalty", kind, amount]:
                rules["penalty"] = Penalty(RulingKind(kind), int(amount))
            case ["call" | "board" | "match" as name, ms, remedy]:
                times[name] = TimeLimit(int(ms), RemedyName(remedy))
            case [name, value]:
                named = times if name in {field.name for field in fields(TimeRules)} else rules
                named[name] = WORDS.get(name, int)(value)
            case words:
                rules[" ".join(words)] = True
    if by_seat:
        given["access"] = TableAccess(by_seat=by_seat)
    if rules or times:
        given["rules"] = TableRules(time=TimeRules(**times), **rules)
    return PLACES[place](**given)


# Steps of these conversations alone


def made(rig: TableRig) -> list[CallMade | CardPlayed]:
    return [record for record in rig.records if isinstance(record, CallMade | CardPlayed)]


def extend(rig: TableRig, number: str, ms: str, *more: str) -> list[str]:
    """Extend a limit, `extend 1 30_000` of board 1, `extend match 30_000 EW`; `order 7` is a number given before."""
    order_id = int(more[1]) if "order" in more else len(rig.of_kind(TimeExtended)) + 1
    side = Side(more[0]) if more and more[0] in ("NS", "EW") else None
    board_number = int(number) if number != "match" else None
    return [rig.order(ExtendTime(TimeExtended(order_id, board_number, side, int(ms))))]


def late(rig: TableRig, most_ms: str = "300_000") -> list[str]:
    """Wait until somebody is late for the next time; how long that took."""

    def count() -> int:
        return sum(incident.kind is IncidentKind.OVER_TIME for incident in rig.of_kind(Incident))

    known, began_ms = count(), rig.now_ms
    while count() == known and rig.now_ms < began_ms + int(most_ms):
        rig.wait(1000)
    return [str(rig.now_ms - began_ms)]


def answer(rig: TableRig, call: str, *text: str) -> list[str]:
    """The operator's answer on a call: `answer 0 weak`, `answer 9.0` of board 9."""
    *number, seq = call.split(".")
    return [rig.order(RelayAnswer(int("".join(number) or 1), int(seq), " ".join(text), "Olga"))]


def client(rig: TableRig, letter: str, own_ms: str) -> None:
    """The client of a seat says of all its lines from now on that they took so long."""
    rig.seats[Seat.from_letter(letter)].line_own_ms = int(own_ms)


def allowed(rig: TableRig, side: str, ms: str) -> None:
    """So much of the network's delays has not been charged to a side on this board."""
    rig.board_state.clock.allowed_ms[Side(side)] = int(ms)


def never(rig: TableRig, letters: str, *words: str) -> None:
    """Seats have never heard a line with these words: `never NS: X-UNDO`."""
    heard = [line for letter in letters.rstrip(":") for line in rig.sent(Seat.from_letter(letter))]
    assert not [line for line in heard if " ".join(words) in line]


def ours(rig: TableRig, *letters: str) -> None:
    """We have started the programs of these seats."""
    for seat in map(Seat.from_letter, letters):
        connection = rig.core.state.seats[seat].connection
        assert connection is not None
        connection.is_ours = True


def ada(rig: TableRig, verb: str, *more: str) -> list[str]:
    """An order of the director's: `Ada stops after the board`, `Ada kicks W on board 2`, `without forfeit`."""
    if verb == "stops":
        return [rig.order(Stop("stopped by Ada", waits_for_board=bool(more)))]
    number = int(more[-1]) if "board" in more else None
    return [rig.order(KickPlayer(Seat.from_letter(more[0]), "it hangs", "Ada", "forfeit" not in more, number))]


def stand_still(rig: TableRig, ms: str) -> None:
    """The table's machine stands still."""
    rig.standstills.append((rig.now_ms, rig.now_ms + int(ms)))
    rig.now_ms += int(ms)


def flood(rig: TableRig, letter: str, lines: str) -> None:
    for _ in range(int(lines)):
        rig.send_line(Seat.from_letter(letter), "what?")


def unread(rig: TableRig, letter: str) -> None:
    """What was written to a seat lies unread, and its connection is ended."""
    why = "more than 65536 bytes lay unread"
    rig.carry_out(
        rig.core.close_connection(rig.seats[Seat.from_letter(letter)].number, rig.now_ms, why, is_aborted=True)
    )


def crashed(rig: TableRig) -> list[str]:
    """The seats whose programs have crashed, when that is judged."""
    rig.wait(LOST_WAIT_MS)
    return [at.seat.letter for at in rig.of_kind(Incident) if at.kind is IncidentKind.CRASH and at.seat is not None]


def delays(rig: TableRig) -> list[str]:
    """What is on record of the network: own time, delay, and what of it is not charged."""
    measured = [record.delay for record in made(rig)]
    return [f"{each.own_ms} {each.delay_ms} {each.allowed_ms}" if each is not None else "-" for each in measured]


def results(rig: TableRig) -> list[str]:
    found = [ended.result for ended in rig.of_kind(BoardEnded)]
    return [f"{each.contract or 'Pass'} {each.tricks} {each.score}" if each is not None else "-" for each in found]


def attempts(rig: TableRig) -> list[str]:
    """The calls and cards of each attempt on record, and how it ended."""
    told: list[str] = []
    for record in rig.records:
        match record:
            case CallMade() | CardPlayed():
                told[-1] += f" {record.call if isinstance(record, CallMade) else record.card}"
            case BoardEnded():
                told[-1] += f" {record.end.value}"
            case BoardBegan():
                told.append("")
            case _:
                pass
    return [each.strip() or "-" for each in told]


def by_side(ms: dict[Side, int]) -> list[str]:
    return [f"{ms[Side.NS]} {ms[Side.EW]}"]


OWN: dict[str, Callable[..., list[str] | None]] = {
    "extend": extend,
    "late": late,
    "answer": answer,
    "client": client,
    "standstill": stand_still,
    "allowed": allowed,
    "ours": ours,
    "Ada": ada,
    "never": never,
    "may": lambda rig, letter: [
        line.removeprefix("X-MAY ") for line in rig.sent(Seat.from_letter(letter)) if line.startswith("X-MAY ")
    ],
    "led": lead_through,
    "seat": lambda rig, words="-", letters="NESW": seat_stateful(rig, words, [*map(Seat.from_letter, letters)]),
    "alerts": lambda rig: [made.alert if made.alerted else "-" for made in rig.of_kind(CallMade)],
    "voids": lambda rig: [str(rig.core.state.counts.voids)],
    "void": lambda rig, number: [rig.order(VoidBoard(board(int(number)), "the wrong cards", "Ada"))],
    "voided": lambda rig: [f"{each.board} {each.reason} {each.author}" for each in rig.of_kind(BoardVoided)],
    "delays": delays,
    "results": results,
    "attempts": attempts,
    "clock": lambda rig: by_side(rig.board_state.clock.spent_ms),
    "total": lambda rig: by_side(rig.core.state.total_ms),
    "questions": lambda rig: [f"{each.seq} {each.seat.letter}" for each in rig.of_kind(AlertAsked)],
    "answers": lambda rig: [f"{each.author}: {each.text}" for each in rig.of_kind(AlertAnswered)],
    "texts": lambda rig: [each.text for each in rig.of_kind(Incident)],
    "rulings": lambda rig: [
        f"{each.author}, {each.clause}, {each.amount}: {each.reason}" for each in rig.of_kind(Ruled)
    ],
    "flood": flood,
    "unread": unread,
    "crashed": crashed,
    "last": lambda rig: rig.play_on(1, relayed=False),
    "order": lambda rig: [getattr(record, "kind", type(record).__name__) for record in rig.records],
    "from": lambda rig, address: rig.connect(address=address).take(),
    "peer": lambda rig, number: rig.peers[int(number)].take(),
    "gone": lambda rig: rig.hang_up(rig.peers[len(rig.peers)]),
    "disconnect": lambda rig, letter, *why: rig.order(
        Disconnect(rig.seats[Seat.from_letter(letter)].number, " ".join(why))
    ),
    "systems": lambda rig: [f"{at.seat.letter} {at.version} {at.system or '-'}" for at in rig.of_kind(SeatTaken)],
    "probed": lambda rig: [seat.letter for seat, peer in rig.seats.items() if peer.number in rig.probed],
    "restarted": lambda rig: ["".join(seat.letter for seat in rig.restarted)],
    "owes": lambda rig, letter: [
        line.what for line in rig.core.state.pending_lines() if line.seat is Seat.from_letter(letter)
    ],
}


def sits(rig: LobbyRig, name: str) -> list[str]:
    """Where somebody sits in a tournament."""
    return [f"{at.table} {at.seat.side.value}" for at, client in rig.rounds.items() if client == rig.clients[name]]


OF_LOBBIES: dict[str, Callable[..., list[str] | None]] = {
    "started": lambda rig: [" ".join([f"{at.number} {at.kind}", *map(at.players.get, SEATS)]) for at in rig.started],
    "broken": lambda rig: [f"{each.number} {each.reason}" for each in rig.broken],
    "seated": lambda rig, game: ["".join(seat.letter for seat in sorted(rig.tables[int(game)].seated))],
    "bots": lambda rig, game: [
        "".join(seat.letter for seat, client in sorted(rig.tables[int(game)].seated.items()) if client < 0)
    ],
    "sits": sits,
    "pairs": lambda rig: rig.begun[-1].pairs,
    "passed": lambda rig: [f"{rig.names_of(client)[0]} {line.decode()}" for client, line in rig.passed_on],
    "kept": lambda rig: sorted(rig.kept),
    "probed": lambda rig: [str(client) for client in rig.probed],
    "client": lambda rig, number: rig.heard(int(number)),
    "gone": lambda rig, number: rig.hang_up(int(number)),
    "rounds": lambda rig, _: rig.end_round(),
    "tournament": lambda rig, number, _: rig.end_tournament(int(number)),
    "sent": lambda rig, _, letter: rig.send_away(1, Seat.from_letter(letter)),
}


@pytest.mark.parametrize(
    ("start", "script"),
    [each for path in sorted((GOLDEN / "conversations").glob("*.txt")) for each in conversations(path.stem)],
)
def test_what_is_said_in_return_is_what_is_written_down(start: str, script: str) -> None:
    rig = begin(start)
    for number, part in enumerate(script.split("the host is lost\n")):
        rig = taken_over(rig) if number else rig
        own = {TableRig: OWN, LobbyRig: OF_LOBBIES}
        rig.converse(part, **own.get(type(rig), {}))


@pytest.mark.parametrize(
    ("start", "script"), [case for case in conversations("crashes") if "rejoin" not in str(case.values[0])]
)
def test_a_program_that_ended_by_itself_in_a_board_has_crashed_where_that_is_forfeited_too(
    start: str, script: str
) -> None:
    begin(f"{start}, rejoin forfeit").converse(script, **OWN)
