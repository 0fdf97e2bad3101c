"""A person who plays in a browser against a program of its own."""

import json
import re
import signal
import sys
from pathlib import Path

from tests.support.commands import run
from tests.support.events import read_until, rest_of, start_tourney
from tests.support.seat_browser import SeatBrowser

FOREIGN = Path(__file__).parents[1] / "support" / "foreign_player.py"
PROGRAM = f"{sys.executable} {FOREIGN} {{host}} {{port}} {{seat}} {{team}}"


def test_a_person_plays_against_its_own_program_without_a_script_and_the_game_is_on_record(tmp_path: Path) -> None:
    playing = start_tourney(
        *("play", "--against", PROGRAM, "--boards", "1", "--seed", "5", "--keep", "game"),
        cwd=tmp_path,
    )
    found = re.search(r"(http://\S+/)seat\?name=You", read_until(playing, "seat?name=You"))
    assert found is not None
    read_until(playing, "passphrase")
    person = SeatBrowser(found[1])
    try:
        person.sit(name="You")
        person.play_until("Board 1: ")
        read_until(playing, "All boards are played")
    finally:
        person.close()
        playing.send_signal(signal.SIGINT)
    assert rest_of(playing).status == 130
    event = tmp_path / "game" / "event.toml"
    assert run("verify", event).exit_code == 0
    (match,) = json.loads(run("standings", event, "--json").stdout)["fields"][0]["standings"][:1]
    assert match["played"] == 1


def test_what_goes_wrong_with_a_game_against_a_program_is_said_in_its_words(tmp_path: Path) -> None:
    ended = run("play", "--against", "no-such-program {port}", "--boards", "1")
    assert ended.exit_code == 1
    assert "no-such-program" in ended.stderr
    for words, why in (
        (("--against", "x", "--port", "2100"), "has a table of its own"),
        (("--name", "Ann"), "--port and --name say where you play"),
    ):
        refused = run("play", *words)
        assert refused.exit_code == 2
        assert why in refused.stderr
