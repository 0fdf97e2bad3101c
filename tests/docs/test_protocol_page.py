"""The protocol page has one entry for each clause that the code or a test names, and its sessions are real ones."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tourney.bridge import DOUBLE, PASS, REDOUBLE, SEATS, parse_call, parse_card
from tourney.protocol.bluechip import AskCall, AskCard, Leave, PlayerCore, PlayerEffect, Say

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")

ENTRIES = [f"BC-{number}" for number in re.findall(r"^\(bc-(\d\d)\)=\n### BC-\1: \S", PAGE, re.MULTILINE)]
TARGETS = set(re.findall(r"^\(([\w-]+)\)=$", PAGE, re.MULTILINE))
SESSIONS = [
    text for text in re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if "for deal" in text
]
PLAYER_SESSIONS = [text for text in SESSIONS if text.startswith("> Connecting")]


def _named(folder: str, pattern: str) -> set[str]:
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py"))
    return {clause for text in texts for clause in re.findall(pattern, text)}


def test_every_clause_that_is_proved_or_named_has_its_entry_and_no_other_has_one() -> None:
    named = _named("tests", r'clause\("(BC-\d\d)"\)') | _named("tourney", r"\bBC-\d\d\b")

    assert set(ENTRIES) == named


def test_every_clause_has_one_entry() -> None:
    assert [clause for clause, count in Counter(ENTRIES).items() if count > 1] == []
    assert len(ENTRIES) == len(re.findall(r"^\(bc-", PAGE, re.MULTILINE))


def test_every_link_within_the_page_has_its_target() -> None:
    assert set(re.findall(r"\]\(#([\w-]+)\)", PAGE)) <= TARGETS


def test_the_page_has_sessions_from_the_log_on_to_the_end_of_a_board() -> None:
    assert [text.splitlines()[-1].partition(" -")[0] for text in PLAYER_SESSIONS] == [
        "< Timing",
        "< Timing",
        "< North plays 3H",  # the connection is cut here
        "< End of session",
    ]


@pytest.mark.parametrize("session", PLAYER_SESSIONS, ids=["declarer", "dummy", "cut", "led-through"])
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
            case Say():
                assert next(lines) == f"> {effect.line}"
            case AskCall():
                line = next(lines, None)
                if line is None:
                    return  # the connection was cut here
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
