"""The conditions of contest: every setting of the event file is said, nothing that would spoil the event is."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from pydantic import BaseModel

from tests.config.test_sentences import LIMITED
from tests.support.golden_figures import GOLDEN
from tests.support.html_pages import Page
from tourney.conditions.document import conditions_of, format_html, format_markdown
from tourney.config import EventConfig, parse_event_file
from tourney.config.alarms import AlarmsConfig
from tourney.config.event import VpTableConfig
from tourney.config.lobby import LobbyConfig
from tourney.config.team import WireConfig
from tourney.movement.tie_breaks import UNIT_OF, TieBreak
from tourney.site.rendering import render_conditions

BASE = {
    "event.name": '"Spring Cup"',
    "team.name": '"Alpha"',
    "team.pass_phrase": '"open sesame"',
    "stage.boards_per_match": "8",
    "deals.seed": "20261121",
}
"""Settings as they stand in the file, in TOML; those of a team are the first one's."""

BEFORE = "(stages before)"
"""Not a setting: whole sections that stand before the stage."""

ENTRANTS = "(entrants)"
"""Not a setting: how many teams there are in all."""

GROUPS = '[[stage]]\nname = "Groups"\ngroups = 2\nboards_per_match = 4\n'
LEAGUE = '[[stage]]\nname = "League"\n'
FIRST = '[[stage]]\nname = "First"\nformat = "howell"\n'

NAMED: dict[str, dict[str, str]] = {
    "AFTER_A_LEAGUE": {BEFORE: LEAGUE},
    "AFTER_GROUPS": {BEFORE: GROUPS},
    "AFTER_TWO_STAGES": {BEFORE: GROUPS + LEAGUE},
    "AFTER_A_HOWELL": {BEFORE: FIRST},
    "ODD": {"event.name": "'<b>&\"*_`|x#'", "stage.name": "'1. <i>[a](b)'", "team.name": '"1. `FC` - $_~&[x]"'},
}
"""Settings by the names that the files have for them; more are below."""


def read_settings(text: str) -> dict[str, str]:
    """The settings of `SWISS & stage.teams = 4`: some by their name here, others as they stand in an event file."""
    settings: dict[str, str] = {}
    for part in text.split(" & ") if text else ():
        setting, is_one, value = part.partition(" =")
        settings |= {setting: value.strip()} if is_one else NAMED[part]
    return settings


for _named in """
SWISS: stage.format = "swiss" & stage.rounds = 2
KNOCKOUT: stage.format = "knockout"
LATER_KNOCKOUT: AFTER_A_LEAGUE & KNOCKOUT
FINAL: stage.name = "Final" & stage.format = "match" & stage.teams = 2
TABLE: stage.vp_scale = "house" & vp_table.house.steps = [[0, 10, 10], [3, 11, 9], [8, 12.5, 7.5]]
NO_BOARDS: stage.boards_per_match =
RUBBER: NO_BOARDS & stage.format = "rubber"
CHICAGO: NO_BOARDS & stage.format = "chicago"
HOWELL: NO_BOARDS & stage.format = "howell" & (entrants) = 8
LATER_HOWELL: HOWELL & AFTER_A_HOWELL
MITCHELL: HOWELL & stage.format = "mitchell"
DUEL: stage.format = "duel" & (entrants) = 2
OWN: NO_BOARDS & stage.format = "movement" & stage.movement = "own.csv"
BOXED: team.command = "./bot {port}" & sandbox.kind = "command"
""".strip().splitlines():
    _name, _, _settings = _named.partition(": ")
    NAMED[_name] = read_settings(_settings)

MOVEMENTS = {
    "own.csv": "round,table,ns,ew,set\n1,1,1,2,1\n1,2,3,4,1\n2,1,1,3,2\n2,2,4,2,2\n",
    "other.csv": "round,table,ns,ew,set\n1,1,1,2,1\n1,2,3,4,1\n2,1,3,1,2\n2,2,4,2,2\n",
}
"""The files with movements that event files name."""


def event_file(changes: dict[str, str] | str, others: tuple[str, ...] = ("Beta", "Gamma", "Delta")) -> EventConfig:
    """An event file with other settings than the usual ones, as they are or as `read_settings` has them."""
    settings = BASE | (read_settings(changes) if isinstance(changes, str) else changes)
    earlier = settings.pop(BEFORE, "")
    if ENTRANTS in settings:
        others = tuple(f"Team {number}" for number in range(2, int(settings.pop(ENTRANTS)) + 1))
    lines: dict[str, list[str]] = {
        "[event]": [],
        "[[team]]": [],
        "[team.wire]": [],
        **{f'[[team]]\nname = "{name}"': [] for name in others},
        f"{earlier}[[stage]]": [],
    }
    headings = {"team": "[[team]]", "stage": f"{earlier}[[stage]]"}
    for place, value in given_values(settings).items():
        section, _, key = place.rpartition(".")
        lines.setdefault(headings.get(section, f"[{section}]"), []).append(f"{key} = {value}")
    text = "\n".join("\n".join([heading, *rows]) for heading, rows in lines.items())
    return parse_event_file(text, "event.toml", MOVEMENTS.__getitem__)


def markdown(changes: dict[str, str] | str) -> str:
    return format_markdown(conditions_of(event_file(changes)))


def html(changes: dict[str, str] | str) -> Markup:
    return format_html(conditions_of(event_file(changes)))


def section_of(text: str, title: str) -> str:
    return re.split(r"^## \d+\. ", text.partition(f". {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


# Every setting


def read_lines(name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the lines of a file, each with the settings behind its `#`."""
    for line in (GOLDEN / f"conditions_{name}.txt").read_text(encoding="utf-8").splitlines():
        text, _, settings = line.partition("  # ")
        yield text.strip(), read_settings(settings)


def read_changes() -> Iterator[tuple[str, tuple[dict[str, str], str]]]:
    """Yield each setting with what else must be set for it to matter, and another value."""
    for change, with_it in read_lines("settings"):
        place, _, value = change.partition(" =")
        yield place, (with_it, value.strip())


CHANGES = dict(read_changes())
"""For each setting: what else must be set for it to matter, and another value; an empty one removes it."""

UNSAID = """
# The organiser's own machine.
event.results event.database event.backup_every_s
# Who plays for a team that has a command then, which is said; of a service see the test below.
team.player team.api team.play_api team.model team.opponents_model team.request_s
# What programs may see there is said with the kind of sandbox.
sandbox.readable team.folder
# Where hosts are started, which makes no difference to anybody.
launch.scheduler launch.database launch.keys
# Where the live pages are, and how they look.
web.host web.port web.hosts web.proxies web.vugraph_phrase web.notice web.seats
# When boards are solved that everybody may see.
analysis.automatic
# By which way the programs of a team come is its own affair; what their delay costs is said.
tables.connect_port
"""
"""Whom the organiser has woken, in [alarms], is unsaid too; and a lobby has no conditions of contest."""


def unsaid() -> set[str]:
    words = {word for line in UNSAID.splitlines() if not line.startswith("#") for word in line.split()}
    return words | {*settings_of(AlarmsConfig, "alarms."), *settings_of(LobbyConfig, "lobby.")}


def models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


def settings_of(model: type[BaseModel], place: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        inner = list(models_in(field.annotation))
        if f"{place}{name}" in ("pair", "player"):
            continue  # its settings are those of a team
        if inner == [VpTableConfig]:
            yield f"{place}{name}.house.steps"
        elif inner:
            yield from settings_of(inner[0], f"{place}{name}.")
        else:
            yield f"{place}{name}"


def given_values(values: dict[str, str]) -> dict[str, str]:
    return {place: value for place, value in values.items() if value}


def test_every_setting_of_the_event_file_is_said_or_the_organisers_own_affair() -> None:
    assert set(settings_of(EventConfig)) == CHANGES.keys() | unsaid()
    assert {f"team.wire.{name}" for name in WireConfig.model_fields} <= CHANGES.keys()


def test_a_team_whose_program_has_a_network_for_a_service_is_named() -> None:
    text = markdown('team.api = "ben http://127.0.0.1:8085"')
    assert "the organiser; it asks a service over HTTP, and has a network for that" in text
    assert "8085" not in text


@pytest.mark.parametrize("place", CHANGES)
def test_a_setting_that_is_changed_changes_the_text(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_it, value = CHANGES[place]
    for setting in [key for key, value in with_it.items() if not value]:
        monkeypatch.delitem(BASE, setting)
    before = given_values(with_it)
    if not value:
        monkeypatch.delitem(BASE, place)
    assert markdown(given_values(before | {place: value})) != markdown(before)


NUMBERS = {
    **{f"{section}.{key}": limits for section, key, *limits in LIMITED if f"{section}.{key}" in CHANGES},
    "stateful.port": (5000, 9000),
    "stage.boards_per_match": (1, 1000),
    "stage.bye_vp": (0, 100),
    "stage.extra_boards": (0, 64),
    "stage.carry_over.cap": (0, 1000),
    "clock.call_s": (1, 86_400),
    "clock.board_s": (1, 86_400),
    "clock.match_s": (1, 86_400),
    "reports.butler_trim": (0, 100),
    "team.wire.line_gap_ms": (0, 1000),
    "team.wire.lead_gap_ms": (0, 10_000),
}
PARTS = {"stage.carry_over.won": 97, "stage.carry_over.lost": 60}
"""What a part of the carry-over is divided by."""


@given(st.data())
def test_two_values_of_a_figure_never_read_alike(data: st.DataObject) -> None:
    place = data.draw(st.sampled_from(sorted(NUMBERS.keys() | PARTS.keys())))
    limits = NUMBERS.get(place) or (0, PARTS[place])
    one, other = data.draw(st.lists(st.integers(*limits), min_size=2, max_size=2, unique=True))
    with_it, of = CHANGES[place][0], f"/{PARTS[place]}" if place in PARTS else ""
    texts = [markdown(with_it | {place: f'"{value}{of}"' if of else str(value)}) for value in (one, other)]
    assert texts[0] != texts[1]


# What it says


def test_times_of_rounds_stand_in_their_own_zone_and_in_utc() -> None:
    starts = "2026-11-21T14:00:00Z, 2026-11-21T16:30:00-03:30, 2026-11-22T00:30:00+02:00"
    text = markdown(f"stage.starts = [{starts}]")
    assert "| 1 | 2026-11-21 14:00:00 UTC | 2026-11-21 14:00:00 |" in text
    assert "| 2 | 2026-11-21 16:30:00 UTC-03:30 | 2026-11-21 20:00:00 |" in text
    assert "| 3 | 2026-11-22 00:30:00 UTC+02:00 | 2026-11-21 22:30:00 |" in text


def test_every_tie_break_has_its_words_and_they_stand_in_the_order_of_the_file() -> None:
    words = {}
    for name in TieBreak:
        settings = {"stage.tie_breaks": f'["{name.value}"]'}
        if UNIT_OF.get(name) == "points":
            settings["stage.scoring"] = '"board-a-match"'
        text = section_of(markdown(settings), "Standings")
        words[name] = re.findall(r"are broken by (.*?)\.\s", text)[0]
    assert len(set(words.values())) == len(TieBreak)
    names = [name.value for name in TieBreak if UNIT_OF.get(name) != "points"]
    text = section_of(markdown({"stage.tie_breaks": str(names).replace("'", '"')}), "Standings")
    places = [text.index(words[TieBreak(name)]) for name in names]
    assert all(before < after for before, after in pairwise(places))
    assert text.count("\n1. ") == 1
    assert "share their rank" not in text
    none = section_of(markdown("stage.tie_breaks = []"), "Standings")
    assert "Teams with the same victory points share their rank." in none


# What it does not say, and how


def test_nothing_that_would_spoil_the_event_is_said() -> None:
    secret = """
        event.results = "private-folder" & event.database = "sqlite:///private.db" & team.pass_phrase = "open sesame"
        & team.allow = ["192.168.77.0/24"] & team.command = "./private-bot --port {port}"
    """
    secret = " ".join(secret.split())
    for text in (markdown(secret), html(secret), markdown("deals.seed = 20261121")):
        for word in ("private", "sesame", "192.168", "20261121"):
            assert word not in text


def test_the_file_of_the_boards_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BASE, "deals.seed")
    text = markdown('deals.pbn = "private.pbn"')
    assert "private" not in text
    assert "The boards come from a file that the organiser has prepared" in text


def test_names_are_shown_as_they_are_and_never_taken_for_markup() -> None:
    text = markdown("ODD")
    assert text.startswith('# Conditions of contest: \\<b\\>\\&"\\*\\_\\`\\|x\\#\n')
    assert 'The stage "1. \\<i\\>\\[a\\](b)" is' in text
    assert "\n- 1\\. \\`FC\\` - \\$\\_\\~\\&\\[x\\], Beta, Gamma and Delta: the team names" in text
    assert '`` Connecting "1. `FC` - $_~&[x]#..." as North' in text
    page = html("ODD")
    assert "The stage &#34;1. &lt;i&gt;[a](b)&#34; is" in page
    assert page.count("<b>") == page.count("<i>") == 0


@pytest.mark.parametrize(
    ("changes", "sections"),
    [
        ("", 15),
        ("ODD", 15),
        ("TABLE", 15),
        ('stage.tie_breaks = ["wins", "lot"]', 15),
        ("AFTER_TWO_STAGES & FINAL", 18),
        ("AFTER_GROUPS & ODD", 17),
    ],
)
def test_the_page_is_whole_needs_nothing_else_and_its_links_lead_somewhere(
    changes: str, sections: int, tmp_path: Path
) -> None:
    path = tmp_path / "conditions.html"
    path.write_bytes(render_conditions(conditions_of(event_file(changes)), "tourney"))
    page = Page(path)
    assert sorted(set(page.links) - {"#content"}) == sorted(f"#section-{number}" for number in range(1, sections + 1))
    assert {link[1:] for link in page.links} <= page.ids
    assert not {"script", "link", "img", "iframe"} & page.tags
    assert "@import" not in page.source
    assert "url(" not in page.source


BOTH = """
AFTER_TWO_STAGES & FINAL; KNOCKOUT; SWISS; HOWELL; RUBBER; AFTER_A_LEAGUE & MITCHELL & stage.name = "Final"
"""


@pytest.mark.parametrize("changes", ["", *BOTH.strip().split("; ")])
def test_both_forms_say_the_same(changes: str) -> None:
    page = html(changes).partition("</nav>")[2].striptags()
    body = re.sub(r"^\d+\. (?=[a-z])", "", markdown(changes).partition("\n## ")[2], flags=re.MULTILINE)
    # The page leaves numbers of a list to the browser.
    assert re.findall(r"\w+", page) == re.findall(r"\w+", body.replace("\\", ""))
