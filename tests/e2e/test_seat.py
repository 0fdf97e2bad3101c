"""People who play in their browsers: against a program of their own, and with each other in a lobby."""

import json
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.events import BOT, port_range, printed, read_until, rest_of, start_tourney
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
    assert printed("verify", event).status == 0
    (match,) = json.loads(printed("standings", event, "--json").out)["fields"][0]["standings"][:1]
    assert match["played"] == 1


PEOPLE = """
[[pair]]
name = "People"
protocol = "stateful"
pass_phrase = "open sesame"

[[pair]]
name = "Bots"
command = "{bot}"
"""


@pytest.mark.campaign
def test_two_people_without_scripts_play_a_board_of_an_event_one_by_a_link_and_one_by_the_passphrase(
    tmp_path: Path,
) -> None:
    players, _, served_at = port_range(3).partition("-")
    web = int(players) + 1
    event = tmp_path / "event.toml"
    (tmp_path / "movement.csv").write_text("round,table,ns,ew,set\n1,1,1,2,1\n", encoding="utf-8")
    event.write_text(
        f'[event]\nname = "Evening"\n[stateful]\nport = {players}\n[web]\nseats = true\nport = {web}\n'
        '[[stage]]\nformat = "movement"\nmovement = "movement.csv"\nboards_per_round = 1\n[deals]\nseed = 5\n'
        + PEOPLE.format(bot=BOT),
        encoding="utf-8",
    )
    assert printed("schedule", event).status == 0
    run = start_tourney("run", event)
    people: list[SeatBrowser] = []
    try:
        serving = start_tourney("serve", event, "--port", served_at)
        try:
            read_until(serving, "people sit down at")
            link = printed("invite", event, "people", "--link", "seat").out.strip()
            assert link.startswith(f"http://127.0.0.1:{served_at}/seat/link/")
            people += [SeatBrowser(f"http://127.0.0.1:{served_at}/") for _ in range(3)]
            people[0].sit_by(link)
            people[1].sit(name="People", phrase="open sesame")
            with pytest.raises(AssertionError):
                people[2].sit_by(link)
            with ThreadPoolExecutor(2) as threads:
                for played in [threads.submit(person.play_until, "Board 1: ") for person in people[:2]]:
                    played.result()
        finally:
            serving.send_signal(signal.SIGINT)
            rest_of(serving)
        assert rest_of(run).status == 0
    finally:
        for person in people:
            person.close()
        if run.poll() is None:
            run.kill()
            run.communicate()
    assert printed("verify", event).status == 0


def test_what_goes_wrong_with_a_game_against_a_program_is_said_in_its_words(tmp_path: Path) -> None:
    ended = printed("play", "--against", "no-such-program {port}", "--boards", "1")
    assert ended.status == 1
    assert "no-such-program" in ended.err
    for words, why in (
        (("--against", "x", "--port", "2100"), "has a table of its own"),
        (("--name", "Ann"), "--port and --name say where you play"),
    ):
        refused = printed("play", *words)
        assert refused.status == 2
        assert why in refused.err
