"""The protocol pages have one entry for each clause that the code or a test names; their sessions are real ones."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tests.support.table_rig import TableRig
from tourney.bridge import DOUBLE, PASS, REDOUBLE, SEATS, Seat, board_from_seed, parse_call, parse_card
from tourney.config.programs import PROFILES
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine
from tourney.protocol.session.table import TableSettings
from tourney.protocol.wires import WireProfile

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")

PAGES = {"BC": PAGE, "SS": (ROOT / "docs" / "stateful.md").read_text(encoding="utf-8")}
"""The pages by the letters of their clauses."""
SESSIONS = [
    text for text in re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if "for deal" in text
]
PLAYER_SESSIONS = [text for text in SESSIONS if text.startswith("> Connecting")]


def _named(folder: str, pattern: str) -> set[str]:
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))
    return {clause for text in texts for clause in re.findall(pattern, text)}


def _proved(letters: str) -> set[str]:
    """The clauses of marks, and those that conversations name."""
    conversations = (ROOT / "tests" / "golden" / "conversations").rglob("*.txt")
    said = [path.read_text(encoding="utf-8") for path in conversations]
    marks = _named("tests", r"mark\.clause\(([^)]*)\)")
    return set(re.findall(rf"{letters}-\d\d", " ".join([*marks, *said])))


def _entries(letters: str) -> list[str]:
    pattern = rf"^\({letters.lower()}-(\d\d)\)=\n### {letters}-\1: \S"
    return [f"{letters}-{number}" for number in re.findall(pattern, PAGES[letters], re.MULTILINE)]


@pytest.mark.parametrize("letters", PAGES)
def test_every_clause_that_is_proved_or_named_has_its_entry_and_no_other_has_one(letters: str) -> None:
    assert set(_entries(letters)) == _proved(letters) | _named("tourney", rf"\b{letters}-\d\d\b")


@pytest.mark.parametrize("letters", PAGES)
def test_every_clause_has_one_entry(letters: str) -> None:
    entries = _entries(letters)

    assert [clause for clause, count in Counter(entries).items() if count > 1] == []
    assert len(entries) == len(re.findall(rf"^\({letters.lower()}-", PAGES[letters], re.MULTILINE))


def test_every_clause_of_the_stateful_protocol_is_proved_by_a_test() -> None:
    assert set(_entries("SS")) == _proved("SS")


@pytest.mark.parametrize("letters", PAGES)
def test_every_link_within_a_page_and_to_a_clause_of_the_other_has_its_target(letters: str) -> None:
    targets = {name: set(re.findall(r"^\(([\w-]+)\)=$", page, re.MULTILINE)) for name, page in PAGES.items()}

    assert set(re.findall(r"\]\(#([\w-]+)\)", PAGES[letters])) <= targets[letters]
    assert set(re.findall(r"\]\(protocol\.md#([\w-]+)\)", PAGES[letters])) <= targets["BC"]
    assert set(re.findall(r"\]\(stateful\.md#([\w-]+)\)", PAGES[letters])) <= targets["SS"]


def _rows(head: str) -> list[list[str]]:
    """The cells of the table under a head, row by row."""
    table = PAGE.partition(f"{head}\n")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in row[1:-1].split("|")] for row in table.splitlines()[1:]]


def test_a_refused_log_on_is_told_what_the_page_says() -> None:
    def answer(
        seat: str, *, team: str = "Alpha", version: int = 18, quote: str = '"', port: Seat | None = None
    ) -> str:
        log_on = f"Connecting {quote}{team}{quote} as {seat} using protocol version {version}"
        return "`{}`".format(*table.send_line(table.connect(port), log_on))

    table = TableRig(TableSettings(ns_team="Alpha", ew_team="Beta", boards=(board_from_seed(1, "test", 1),)))
    assert answer("North") == '`North ("Alpha") seated`'

    assert [cells[1] for cells in _rows("| cause | the table says |")] == [
        answer("North"),
        answer("Nort"),
        answer("East"),
        answer("North", team="Gamma"),
        answer("North", version=20),
        answer("North", quote=""),
        answer("East", team="Beta", port=Seat.NORTH),
    ]


def test_every_setting_of_a_profile_has_its_row() -> None:
    rows = _rows("| setting | values | default | what it does |")

    assert [cells[0] for cells in rows] == [f"`{field.name}`" for field in fields(WireProfile)]


def test_every_named_profile_is_listed_with_what_it_changes() -> None:
    def changes(profile: WireProfile) -> str:
        differing = {
            field.name: value
            for field in fields(WireProfile)
            if (value := getattr(profile, field.name)) != getattr(PROFILES["default"], field.name)
        }
        texts = {
            name: str(value).lower() if isinstance(value, bool | int) else f'"{value}"'
            for name, value in differing.items()
        }
        return ", ".join(f"`{name} = {text}`" for name, text in texts.items())

    rows = _rows("| profile | differs from the default in | because the program |")

    assert {cells[0].strip("`"): _sorted(cells[1]) for cells in rows} == {
        name: _sorted(changes(profile)) for name, profile in PROFILES.items()
    }


def _sorted(changes: str) -> list[str]:
    return sorted(changes.split(", "))


def test_the_page_has_sessions_from_the_log_on_to_the_play() -> None:
    assert [text.splitlines()[-1].partition(" -")[0] for text in PLAYER_SESSIONS] == [
        "< Dummy to lead",
        "< South plays 6H",
    ]


@pytest.mark.parametrize("session", PLAYER_SESSIONS, ids=["declarer", "led-through"])
def test_a_player_that_is_told_the_lines_of_a_session_says_those_of_its_player(session: str) -> None:
    lines = iter(session.splitlines())
    team, seat = re.findall(r'"(.*)" as (\w+)', session)[0]
    player = PlayerCore(next(s for s in SEATS if s.title == seat), team, system="tourney basic")

    _say_all(player, player.start(), lines)
    for line in lines:
        mark, _, text = line.partition(" ")
        assert mark == "<", f"{line!r} is not what the player would say now"
        _say_all(player, player.receive_line(text.encode()), lines)


def _say_all(player: PlayerCore, effects: list[PlayerEffect], lines: Iterator[str]) -> None:
    """Compare what a player says with the next lines of the session; where it is asked, the session answers."""
    for effect in effects:
        match effect:
            case SendLine():
                assert next(lines, f"> {effect.line}") == f"> {effect.line}"  # a session may end with what it shows
            case AskCall():
                line = next(lines, None)
                if line is None:
                    return
                verb, *bid = line.split()[2:]
                call = parse_call(bid[0]) if bid else {"passes": PASS, "doubles": DOUBLE, "redoubles": REDOUBLE}[verb]
                _say_all(player, player.make_call(call, asked=effect)[1:], lines)
            case AskCard():
                line = next(lines, None)
                if line is None:
                    return
                card = parse_card(line.split()[3])
                _say_all(player, player.make_card(effect.hand, card, asked=effect)[1:], lines)
            case Leave():
                assert effect.reason is None
                assert next(lines, None) is None
