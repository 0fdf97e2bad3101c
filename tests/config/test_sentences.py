"""Every part of the event file wrong in turn: the place, what is allowed, and what was found."""

import pytest

from tests.config.test_file import LEAST, file, parse, problems, teams
from tourney.config import EventConfig
from tourney.config.command import PLACEHOLDERS
from tourney.config.reader import section_models

PLACES = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
DOUBLE = "in double brackets"
SINGLE = "in single brackets"
FORMATS = (
    'expected one of "round-robin", "double-round-robin", "swiss", "knockout", "gauntlet", "match", '
    '"duel", "mitchell", "howell", "movement", "individual", "american-whist", "new-england-relay", "rubber", '
    '"chicago", "minibridge"'
)
BRACES = "write a literal brace twice"


def name(text: str) -> str:
    """A file whose second team has this name."""
    return f'[event]\nname = "Cup"\n[[team]]\nname = "Alpha"\n[[team]]\nname = {text}\n[[stage]]\n'


def command(text: str) -> str:
    return file(team=f"command = {text}")


def steps(rows: str) -> str:
    return file(more=f"[vp_table.house]\nsteps = {rows}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            file(more="[x]"),
            "'x' is not known here, allowed are event, team, pair, player, stage, deals, tables, stateful, lobby, "
            "limits, clock, rules, sandbox, launch, record, analysis, reports, web, alarms, vp_table",
        ),
        (
            file(team='nick = "x"'),
            "team 2: 'nick' is not known here, allowed are name, command, player, processes, api, play_api, "
            "model, opponents_model, request_s, second_command, open_room, enters, "
            "pass_phrase, allow, folder, protocol, profile, wire, methods",
        ),
        (
            file(stage="boards = 8"),
            "stage 1: 'boards' is not known here; did you mean 'boards_per_match' or 'boards_per_round' or "
            "'board_points'?",
        ),
        (
            file(more="[record]\ndurable = true"),
            "record: 'durable' is not known here; did you mean 'durability'?",
        ),
        (
            file(stage='format = "duel"\n[stage.sprt]\nd1 = 1'),
            "stage 1, sprt: expected text in quotes, got a section",
        ),
        (
            file(stage='format = "duel"\nsprt = "0"'),
            "stage 1, sprt: expected D0,D1 or D0,D1,ALPHA,BETA, with or without two-sided behind them, got '0'",
        ),
        (
            file(stage='format = "duel"\nsprt = "0.5,0"'),
            "stage 1, sprt: d0 must be below d1, got d0 = 0.5 and d1 = 0",
        ),
        (
            file(deals="trick_pause_ms = 8"),
            "deals: 'trick_pause_ms' is not known here; it is a key of [tables]",
        ),
        (file(more="[vp_table.house]"), "vp_table, house: steps is missing"),
        (LEAST.replace('name = "Cup"', ""), "event: name is missing"),
        (LEAST.replace("[[stage]]", ""), "there is no [[stage]] section"),
        (
            LEAST.replace("[[stage]]", "[stage]"),
            f"stage: expected sections [[stage]], {DOUBLE}, got a section",
        ),
        ("team = 5\n[[stage]]\n[event]\nname = 'Cup'", f"team: expected sections [[team]], {DOUBLE}, got 5"),
        (
            LEAST.replace("[event]", "[[event]]"),
            f"event: expected one section [event], {SINGLE}, got sections",
        ),
        ("tables = 1\n" + LEAST, f"tables: expected one section [tables], {SINGLE}, got 1"),
        (
            LEAST + "[vp_table]\nsteps = [[0, 1, 1]]",
            "vp_table, steps: expected a [vp_table.NAME] section, got [[0, 1, 1]]",
        ),
    ],
)
def test_keys_and_sections(text: str, problem: str) -> None:
    assert problems(text) == [problem]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (LEAST.replace('"Cup"', "7"), "event, name: expected text in quotes, got 7"),
        (LEAST.replace('"Cup"', '""'), "event, name: it must not be blank"),
        (LEAST.replace("Cup", "x" * 101), "event, name: at most 100 characters are allowed, got 101"),
        (
            LEAST.replace("Cup", "Cup\\u0000"),
            "event, name: a control character is not allowed, got '\\x00' in 'Cup\\x00'",
        ),
        (file(event='database = " "'), "event, database: it must not be blank"),
    ],
)
def test_event(text: str, problem: str) -> None:
    assert problems(text) == [problem]


FILE_NAME = "a team name has only characters that a file name may have"
WINDOWS = "a team name must be allowed as a file name on Windows too"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("3", "expected text in quotes, got 3"),
        ('""', "a team name has 1 to 64 characters, got 0"),
        (f'"{"x" * 65}"', "a team name has 1 to 64 characters, got 65"),
        *[(f"'a{char}b'", f"{FILE_NAME}, got {char!r} in {'a' + char + 'b'!r}") for char in '<>:"/\\|?*'],
        ("'a\N{RIGHT-TO-LEFT OVERRIDE}b'", f"{FILE_NAME}, got '\\u202e' in 'a\\u202eb'"),
        (
            "'Álpha'",
            "names must differ in ASCII too, for PBN and LIN: 'Álpha' and 'Alpha' of team 1 are both 'Alpha' there",
        ),
        ('"a\\u0007b"', f"{FILE_NAME}, got '\\x07' in 'a\\x07b'"),
        ("'Alpha.'", f"{WINDOWS}, got 'Alpha.'"),
        ("'COM1.bot'", f"{WINDOWS}, got 'COM1.bot'"),
        ("'ALPHA'", "names must differ in more than case: 'ALPHA' is that of team 1"),
    ],
)
def test_team_names(text: str, problem: str) -> None:
    assert problems(name(text)) == [f"team 2, name: {problem}"]


LATIN, ASCII = '[team.wire]\ncharset = "latin-1"', '[team.wire]\ncharset = "ascii"'


def two_teams(name: str, more: str, other: str, more_of_other: str) -> str:
    text = f'[event]\nname = "Cup"\n[[team]]\nname = "{name}"\n{more}\n'
    return text + f'[[team]]\nname = "{other}"\n{more_of_other}\n[[stage]]\nboards_per_match = 1\n'


@pytest.mark.clause("BC-10")
@pytest.mark.parametrize(
    "text",
    [
        two_teams("Zürich", "", "Łódź", ""),
        two_teams("Zürich", LATIN, "Øresund", LATIN),
        two_teams("Zürich", "", "東京", 'profile = "ben"'),
        two_teams("Zurich", ASCII, "Beta", 'profile = "blue-chip"'),
    ],
)
def test_names_may_have_letters_that_every_team_can_be_sent(text: str) -> None:
    assert len(parse(text).team) == 2


@pytest.mark.clause("BC-10")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (two_teams("Łódź", LATIN, "B", ""), "'Łódź' has letters that cannot be sent to its own programs, {} latin-1"),
        (
            two_teams("Zürich", "", "B", ASCII),
            "'Zürich' has letters that cannot be sent to team 2's programs, {} ascii",
        ),
        (
            two_teams("Zürich", "", "B", 'profile = "blue-chip"'),
            "'Zürich' has letters that cannot be sent to team 2's programs, {} ascii",
        ),
    ],
)
def test_names_with_letters_that_a_team_cannot_be_sent_are_told(text: str, problem: str) -> None:
    assert problems(text) == [f"team 1, name: {problem.format('whose charset is')}"]


def test_a_name_is_composed_as_programs_send_it() -> None:
    assert problems(two_teams("Zürich", "", "Zu\N{COMBINING DIAERESIS}rich", "")) == [
        "team 2, name: names must differ in more than case: 'Zürich' is that of team 1"
    ]


@pytest.mark.parametrize("count", [1, 257])
def test_the_number_of_teams(count: int) -> None:
    text = f'[event]\nname = "Cup"\n{teams(count)}[[stage]]\n'
    assert problems(text) == [f"team: an event has 2 to 256 teams, got {count}"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1", "command: expected text in quotes, got 1"),
        ('""', "command: it must not be blank"),
        ("\"''\"", "command: a command names a program, got \"''\""),
        ('"bot \'x"', 'command: a command is words as in a shell, got "bot \'x": a quote is not closed'),
        ("'bot \\'", "command: a command is words as in a shell, got 'bot \\\\': it ends in a backslash"),
        ("'bot {Seat}'", f"command: a command may have {PLACES}, got {{Seat}}; {BRACES}; did you mean 'seat'?"),
        (
            "'bot {seat!r}'",
            f"command: a command may have {PLACES}, got {{seat!r}}; {BRACES}; did you mean 'seat'?",
        ),
        ("'bot {seat'", f"command: braces stand around a name in a command, got '{{seat'; {BRACES}"),
        ("'bot seat}'", f"command: braces stand around a name in a command, got 'seat}}'; {BRACES}"),
        ('"bot \\u0000"', "command: a control character is not allowed, got '\\x00' in 'bot \\x00'"),
    ],
)
def test_commands(text: str, problem: str) -> None:
    assert problems(command(text)) == [f"team 2, {problem}"]


PHRASE = "a passphrase has 4 to 64 ASCII characters other than double quotes"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1234567", f"{PHRASE}, got no text"),
        ("''", f"{PHRASE}, got 0"),
        (f"'{'x' * 65}'", f"{PHRASE}, got 65"),
        ("'open \"sesame\"'", f"{PHRASE}, got another character"),
        ("'s\N{LATIN SMALL LETTER E WITH ACUTE}same'", f"{PHRASE}, got another character"),
    ],
)
def test_pass_phrases_are_refused_without_being_shown(text: str, problem: str) -> None:
    assert problems(file(team=f"pass_phrase = {text}")) == [f"team 2, pass_phrase: {problem}"]


NETWORK = 'expected an address or a network such as "10.0.0.7" or "192.168.1.0/24"'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("'10.0.0.7'", "allow: expected a list in square brackets, got '10.0.0.7'"),
        ("[]", "allow: a list of at least 1 is allowed, got 0"),
        (str(["10.0.0.7"] * 101), "allow: a list of at most 100 is allowed, got 101"),
        ("['10.0.0.7', 10]", f"allow 2: {NETWORK}, got 10"),
        ("['localhost']", f"allow 1: {NETWORK}, got 'localhost'"),
        ("['10.0.0.0/33']", f"allow 1: {NETWORK}, got '10.0.0.0/33'"),
        ("['192.168.1.7/24']", "allow 1: the network is \"192.168.1.0/24\", got '192.168.1.7/24'"),
    ],
)
def test_addresses_that_a_team_may_come_from(text: str, problem: str) -> None:
    assert problems(file(team=f"allow = {text}")) == [f"team 2, {problem}"]


@pytest.mark.parametrize("entrant", ["pair", "player"])
@pytest.mark.parametrize("key", ['open_room = "east-west"', "enters = 2", 'second_command = "b"'])
def test_a_pair_and_a_player_have_no_keys_of_two_rooms_or_of_late_teams(entrant: str, key: str) -> None:
    entrants = teams(8).replace("team", entrant) + f'command = "a"\n{key}\n'
    name, found = key.partition(" ")[0], problems(f'[event]\nname = "Cup"\n{entrants}[[stage]]\nformat = "howell"\n')
    assert f"{entrant} 8, {name}: it is a key of [[team]], a {entrant} has none" in found
    assert not [problem for problem in found if problem.startswith("team")]


LIMITED = [
    (
        section,
        key,
        *sorted(
            limit
            for each in field.metadata
            for limit in (getattr(each, "ge", None), getattr(each, "le", None))
            if limit is not None
        ),
    )
    for section, model in section_models(EventConfig).items()
    for key, field in model.model_fields.items()
    if section not in ("event", "team", "pair", "player", "stage", "lobby")
    and len(field.metadata) > 1
    and field.annotation is int
]
"""The whole numbers of sections that stand by themselves, each with its least and most."""


@pytest.mark.parametrize(("section", "key", "least", "most"), LIMITED)
def test_a_whole_number_is_within_its_limits(section: str, key: str, least: int, most: int) -> None:
    for value, sentence in (
        (least - 1, f"at least {least} is allowed, got {least - 1}"),
        (most + 1, f"at most {most} is allowed, got {most + 1}"),
        ("0.5", "expected a whole number, got 0.5"),
        ("'all'", "expected a whole number, got 'all'"),
    ):
        assert problems(f"{LEAST}[{section}]\n{key} = {value}") == [f"{section}, {key}: {sentence}"]
    for value in (least, most) if section != "stateful" else (most,):
        assert getattr(getattr(parse(f"{LEAST}[{section}]\n{key} = {value}"), section), key) == value


TIME = "expected a date and time, such as 2026-11-21T14:00:00Z"
ZONE = "expected a time zone, as in 2026-11-21T14:00:00Z, or a timezone in [event]"
TIE_BREAKS = (
    'expected one of "head-to-head-vp", "head-to-head-imps", "imp-difference", "imp-quotient", '
    '"head-to-head-points", "points", "total-points-quotient", "boards-won", "wins", "lot"'
)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("format = 'league'", f"format: {FORMATS}, got 'league'"),
        ("boards_per_match = 0", "boards_per_match: at least 1 is allowed, got 0"),
        ("boards_per_match = 100001", "boards_per_match: at most 100000 is allowed, got 100001"),
        ("format = 'swiss'\nrounds = 1001", "rounds: at most 1000 is allowed, got 1001"),
        ("boards_per_match = '8'", "boards_per_match: expected a whole number, got '8'; write it without quotes"),
        ("vp_scale = 20", "vp_scale: expected text in quotes, got 20"),
        (
            "vp_scale = 'wbf'",
            "vp_scale: there is no VP scale 'wbf': the scales are wbf-continuous, wbf-discrete, seed-24; "
            "did you mean 'wbf-continuous' or 'wbf-discrete'?",
        ),
        ("vp_scale = 'seed-24'", "vp_scale: VP scale seed-24 is for matches of 24 boards, got 16"),
        ("starts = 14:00:00", "starts: expected a list in square brackets, got 14:00:00"),
        (
            "starts = ['2026-11-21T14:00:00Z']",
            f"starts 1: {TIME}, got '2026-11-21T14:00:00Z'; write it without quotes",
        ),
        ("starts = [2026-11-21]", f"starts 1: {TIME}, got 2026-11-21"),
        ("starts = [2026-11-21T14:00:00]", f"starts 1: {ZONE}, got 2026-11-21 14:00:00"),
        (
            "starts = [0026-11-21T14:00:00Z]",
            "starts 1: at least 2000-01-01T00:00:00Z is allowed, got 0026-11-21 14:00:00+00:00",
        ),
        (
            "starts = [9999-12-31T23:59:59-12:00]",
            "starts 1: at most 2999-12-31T00:00:00Z is allowed, got 9999-12-31 23:59:59-12:00",
        ),
        ("starts = []", "starts: expected one time a round, 1 for 2 teams, got 0"),
        (
            "format = 'double-round-robin'\nstarts = [2026-11-21T14:00:00Z, 2026-11-21T14:00:00+00:01]",
            "starts: a round starts no earlier than the one before it",
        ),
        ("tie_breaks = 'wins'", "tie_breaks: expected a list in square brackets, got 'wins'"),
        ("tie_breaks = ['wins', 'coin']", f"tie_breaks 2: {TIE_BREAKS}, got 'coin'; did you mean 'points'?"),
    ],
)
def test_stage(text: str, problem: str) -> None:
    assert problems(file(stage=text)) == [f"stage 1, {problem}"]


def test_the_number_of_stages() -> None:
    most = "".join(f"name = 'Stage {number}'\n[[stage]]\n" for number in range(1, 20))
    assert len(parse(file(stage=most)).stage) == 20
    assert problems(file(stage=f"{most}name = 'Stage 20'\n[[stage]]")) == [
        "stage: an event has 1 to 20 stages, got 21"
    ]
    assert problems("stage = []\n" + LEAST.replace("[[stage]]", "")) == ["stage: an event has 1 to 20 stages, got 0"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("seed = 1\npbn = 'boards.pbn'", "deals: give seed or pbn, not both"),
        ("seed = '1'", "deals, seed: expected a whole number, got '1'; write it without quotes"),
        ("pbn = ''", "deals, pbn: it must not be blank"),
        ('pbn = "\\u0000"', "deals, pbn: a control character is not allowed, got '\\x00' in '\\x00'"),
        (
            "shared = 'rounds'",
            "deals, shared: expected one of \"round\", \"match\", got 'rounds'; did you mean 'round'?",
        ),
    ],
)
def test_deals(text: str, problem: str) -> None:
    assert problems(file(deals=text)) == [problem]


RANGE = 'ports are a range such as "2000-4999"'
INSIDE = "ports run upwards inside 1024..65535"
HOST = "a host is a name or an address such as 127.0.0.1 or localhost"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("host = ''", f"host: {HOST}, got ''"),
        ("host = 1", "host: expected text in quotes, got 1"),
        ("host = 'my pc'", f"host: {HOST}, got 'my pc'"),
        (f"host = '{'a' * 64}'", f"host: {HOST}, got '{'a' * 56}..."),
        ("ports = true", f"ports: {RANGE}, got true"),
        ("ports = 'many'", f"ports: {RANGE}, got 'many'"),
        ("ports = '2000-'", f"ports: {RANGE}, got '2000-'"),
        ("ports = '2999-2000'", f"ports: {INSIDE}, got '2999-2000'"),
        ("ports = '1023-2000'", f"ports: {INSIDE}, got '1023-2000'"),
        ("ports = '2000-65536'", f"ports: {INSIDE}, got '2000-65536'"),
        ("ports = 80", f"ports: {INSIDE}, got '80'"),
        ("port_plan = 'one'", 'port_plan: expected one of "per-table", "per-seat", "per-pair", got \'one\''),
        ("wire_log = 1", "wire_log: expected true or false, got 1"),
    ],
)
def test_tables(text: str, problem: str) -> None:
    assert problems(file(tables=text)) == [f"tables, {problem}"]


@pytest.mark.parametrize(
    ("plan", "at_once", "side_by_side", "needed"),
    [("per-table", 16, 3, 6), ("per-table", 2, 2, 4), ("per-seat", 16, 3, 24), ("per-seat", 1, 1, 8)],
)
def test_ports_for_the_matches_side_by_side(plan: str, at_once: int, side_by_side: int, needed: int) -> None:
    def text(last: int) -> str:
        tables = f'port_plan = "{plan}"\nat_once = {at_once}\nports = "2000-{last}"'
        return f'[event]\nname = "Cup"\n{teams(7)}[[stage]]\n[tables]\n{tables}\n'

    assert len(parse(text(2000 + needed - 1)).tables.ports) == needed
    assert problems(text(2000 + needed - 2)) == [
        f"tables, ports: {side_by_side} matches side by side need {needed} ports, "
        f"2000-{2000 + needed - 2} has {needed - 1}"
    ]


ROW = "[least margin in IMPs, winner's VPs, loser's VPs]"
FIGURE = "victory points are -9999.99..9999.99 with at most two decimals"


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("5", "expected a list of rows, got 5"),
        ("{a = 1}", "expected a list of rows, got a section"),
        ("[5]", f"row 1 is {ROW}, got 5"),
        ("[[0, 10, 10], []]", f"row 2 is {ROW}, got []"),
        ("[[0, 10]]", f"row 1 is {ROW}, got [0, 10]"),
        ("[[false, 10, 10]]", f"row 1 is {ROW}, got [false, 10, 10]"),
        ("[[0, 10, 10], [3, 'ten', 9]]", f"row 2: {FIGURE}, got 'ten'"),
        ("[[0, true, 10]]", "row 1: victory points are a number with at most two decimals, got true"),
        ("[[0, 10, 10], [5, 11, 9], [4, 12, 8]]", "step 3 of a VP table: its margin is above 5, got 4"),
    ],
)
def test_victory_point_tables(rows: str, problem: str) -> None:
    assert problems(steps(rows)) == [f"vp_table, house, steps: {problem}"]


def test_a_victory_point_table_cannot_take_a_built_in_name() -> None:
    text = file(more="[vp_table.seed-24]\nsteps = [[0, 10, 10]]")
    assert problems(text) == [
        "stage 1, vp_scale: a VP table of your own cannot be named 'seed-24': that is a built-in scale"
    ]


def test_long_values_are_cut_in_messages() -> None:
    (problem,) = problems(command(f"'{'x' * 500} {{'"))
    assert len(problem) < 200
    (problem,) = problems(file(deals=f"seed = '{'9' * 5000}'"))
    assert problem == f"deals, seed: expected a whole number, got '{'9' * 56}..."
