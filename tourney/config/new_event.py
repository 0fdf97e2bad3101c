"""Makes the text of a new event file: the example, with other entries and another format."""

import re
import textwrap
from collections.abc import Sequence
from typing import Final

from tourney.config.entries import EventEntry
from tourney.config.programs import KnownProgram
from tourney.config.reader import parse_event_file
from tourney.config.toml import EventFileError, format_toml_text
from tourney.config.values import one_of
from tourney.contest import ROUND_ROBIN, Contest, formats_by_word
from tourney.errors import ConfigError
from tourney.movement.pairs.planning import OWN
from tourney.protocol.wires import OWN_PROFILE, Language

_BOT: Final = "tourney bot --host {host} --port {port} --seat {seat} --team {team} --seed %d"
_STATEFUL_BOT: Final = "tourney bot --protocol stateful --host {host} --port {port} --team {team} --seed %d"
"""The commands of our own bot; each entry has its own seed."""

_NO_COMMAND: Final = (
    "# The list of entries has no command here, so our own bot plays. Give the command of a program in its place, or",
    "# remove `command` and `profile` to wait until a program connects.",
)

_COMMENT_CHARS_MAX: Final = 118

_FIRST: Final = "[[team]]\n"
_STAGES: Final = "\n\n# The stages"
"""Where the first entry of the example begins, and what follows the last."""
_BOARDS: Final = "boards_per_match = 8\n"
_WORD_TEAM: Final = re.compile(r"(?<![\w{\[.-])([Tt])eam(?=s?\b)")
"""The word in a sentence, but no placeholder, option or heading."""
_PROBLEM_OF_ENTRY: Final = re.compile(r"(?:team|pair|player) (\d+)(, .*)", re.DOTALL)
_PROBLEM_OF_ALL: Final = re.compile(r"(?:stage 1, \w+|team|pair|player): (.*)", re.DOTALL)


def find_new_format(word: str) -> Contest:
    """Return the format of a new event by its word in an event file.

    Raises:
        ConfigError: there is none, or it cannot be had without a file of the organiser's.
    """
    formats = formats_by_word()
    if word not in formats:
        raise ConfigError(one_of(formats, word), option="--format")
    if word == OWN:
        raise ConfigError(
            f"{OWN!r} plays a movement from your own file: take 'mitchell' or 'howell', and change it in the file",
            option="--format",
        )
    return formats[word]


def make_event_text(example: str, played: Contest, entrant: str, entries: Sequence[EventEntry], source: str) -> str:
    """Return the text of an event file, which has been checked.

    Args:
        example: the event file of teams in a round robin.
        played: the format.
        entrant: what enters an event of it, the name of its sections: `team`, `pair` or `player`.
        entries: who enters, in the order of the draw.
        source: what messages call the list of entries, or the options that stand for one.

    Raises:
        EventFileError: a value of an entry cannot be used, or so many cannot play the format.
    """
    head, _, sections = example.partition(_FIRST)
    _, _, rest = sections.partition(_STAGES)
    profile = _profile_of_bots(entries, entrant)
    texts = []
    explained_programs: set[str] = set()
    for number, entry in enumerate(entries, 1):
        if entry.program is None:
            lines = _entry_lines(entry, number, played, profile)
        else:
            is_new = entry.program.name not in explained_programs
            explained_programs.add(entry.program.name)
            lines = _program_lines(entry.name, entry.program, is_explained=is_new)
        texts.append("".join(f"{line}\n" for line in (f"[[{entrant}]]", *lines)))
    sections = "\n".join(texts)
    rest = _set_stage(rest, played, len(entries))
    if any(entry.program is not None and entry.program.has_seat_ports for entry in entries):
        rest = _set(rest, "port_plan", "per-seat")
    text = f"{_name_entrants(head, entrant)}{sections}{_STAGES}{rest}"
    try:
        parse_event_file(text, source)
    except EventFileError as error:
        raise EventFileError(source, [_place_in_list(problem, entries) for problem in error.problems]) from None
    return text


def _profile_of_bots(entries: Sequence[EventEntry], entrant: str) -> str:
    """Return the profile of our own bots: in an individual that of the others, for partners get the same lines."""
    others = [entry for entry in entries if entry.command or entry.program is not None]
    if entrant != "player" or not others:
        return OWN_PROFILE
    programs = [entry.program for entry in others if entry.program is not None]
    return programs[0].profile or OWN_PROFILE if programs else "default"


def _entry_lines(entry: EventEntry, number: int, played: Contest, profile: str) -> list[str]:
    """Return the lines of an entry; comments stand with the key that they are about.

    Args:
        entry: who enters, with a command of its own or for our bot.
        number: its place in the draw, from 1.
        played: the format.
        profile: the profile of our own bots.
    """
    is_stateful = Language.BLUE_CHIP not in played.languages
    lines = [f"name = {format_toml_text(entry.name)}"]
    for title, value in (("Members", entry.members), ("Contact", entry.contact)):
        if value:
            lines.append(f"# {title}: {''.join(filter(str.isprintable, value))}")
    if not entry.command and entry.line:
        lines += _NO_COMMAND
    bot = _STATEFUL_BOT if is_stateful else _BOT
    lines.append(f"command = {format_toml_text(entry.command or bot % number)}")
    if not entry.command and profile != "default" and not is_stateful:
        lines.append(f'profile = "{profile}"')
    if is_stateful:
        lines.append('protocol = "stateful"')
    return lines


def _program_lines(name: str, program: KnownProgram, *, is_explained: bool) -> list[str]:
    """Return the lines of an entry for which a known program plays.

    Args:
        name: the name of the entry.
        program: plays for it.
        is_explained: whether what is known of the program stands above them, as comments.
    """
    comments = program.describe() if is_explained else [f"{program.title}, as above."]
    if not program.team:
        comments.append("It has no command here: its table waits until it connects, and `tourney invite` says where.")
    lines, width = [f"name = {format_toml_text(name)}"], _COMMENT_CHARS_MAX
    for comment in comments:
        lines += textwrap.wrap(comment, width, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
    lines += [f"{key} = {format_toml_text(value)}" for key, value in program.team.items()]
    if program.profile not in (None, "default"):
        lines.append(f'profile = "{program.profile}"')
    return lines


def _set(text: str, key: str, value: str) -> str:
    """Put a setting below the comment that has its default."""
    return re.sub(rf"^# {key} = .*\n", rf'\g<0>{key} = "{value}"\n', text, count=1, flags=re.MULTILINE)


def _set_stage(text: str, played: Contest, entrants: int) -> str:
    """Return what follows the entries with the settings that the format needs for so many of them."""
    if played.name != ROUND_ROBIN.name:
        text = _set(text, "format", played.name)
    settings = {"boards_per_match": "8", **played.settings_of_new(entrants)}
    text = text.replace(
        _BOARDS, "".join(f"{key} = {value}\n" for key, value in settings.items() if value is not None)
    )
    if Language.BLUE_CHIP not in played.languages:
        text = text.replace("\n# [stateful]\n", "\n[stateful]\n").replace("\n# port = 5000\n", "\nport = 5000\n")
    return text


def _name_entrants(text: str, entrant: str) -> str:
    """Return the text of a team event as it is in one of pairs or players."""
    if entrant == "team":
        return text
    if entrant == "player":
        text = text.replace("The teams, 2 to 256 sections,", "The teams, each a section,")
    return _WORD_TEAM.sub(lambda found: entrant.title() if found[1] == "T" else entrant, text)


def _place_in_list(problem: str, entries: Sequence[EventEntry]) -> str:
    """Return a problem of the file as one of the list of entries, in which entries are found by their lines."""
    found = _PROBLEM_OF_ENTRY.fullmatch(problem)
    if found is not None:
        line = entries[int(found[1]) - 1].line
        return f"line {line}{found[2]}" if line else problem
    found = _PROBLEM_OF_ALL.fullmatch(problem)
    return found[1] if found is not None else problem
