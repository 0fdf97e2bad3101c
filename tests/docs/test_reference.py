"""Nothing is left out of the manual: commands, options, keys of the event file."""

import re
from pathlib import Path

import click
import pytest

from tests.support.manual import PAGES, ROOT, Quoted, quoted_commands
from tourney.cli.main import cli
from tourney_manual import GENERATORS, fill_page
from tourney_manual.commands import describe_option, render_commands, walk_commands
from tourney_manual.event_file import Key, list_sections, render_event_file

MEANING_CHARS_MIN = 20
"""Anything shorter only repeats the name."""

COMMANDS = [(words, command) for words, command in walk_commands() if len(words) > 1]


@pytest.fixture(scope="module")
def keys() -> list[Key]:
    """Every key of the event file, section by section."""
    return [key for section in list_sections() for key in section.keys]


@pytest.fixture(scope="module")
def quoted() -> list[Quoted]:
    """Every command line that the manual and the README quote."""
    return [quoted for page in PAGES for quoted in quoted_commands(page)]


def test_every_command_and_option_is_described_in_the_reference() -> None:
    reference = render_commands()
    lacking = []
    for words, command in COMMANDS:
        name = " ".join(words)
        _, found, section = reference.partition(f"\n{'#' * len(words)} `{name}`\n")
        if (not found and words != COMMANDS[0][0]) or len(command.help or "") < MEANING_CHARS_MIN:
            lacking.append(name)
        for option in command.params:
            if isinstance(option, click.Option):
                is_listed = f"`{option.opts[0]}" in section or words == COMMANDS[0][0]
                if not is_listed or len(describe_option(option)) < MEANING_CHARS_MIN // 2:
                    lacking.append(f"{name} {option.opts[0]}")
    assert lacking == []


def test_every_command_is_explained_in_a_guide(quoted: list[Quoted]) -> None:
    explained = {each.words for each in quoted if not each.place.startswith("cli.md:")}
    missing = [
        " ".join(words)
        for words, command in COMMANDS
        if not isinstance(command, click.Group) and not any(each[: len(words) - 1] == words[1:] for each in explained)
    ]
    assert missing == []


def test_every_key_of_the_event_file_has_a_meaning(keys: list[Key]) -> None:
    reference = render_event_file()
    assert len(keys) > 100
    lacking = [
        f"{key.section} {key.name}: {key.meaning}"
        for key in keys
        if len(key.meaning) < MEANING_CHARS_MIN
        or not key.meaning.endswith((".", "`"))
        or f"\n- `{key.name}`: *{key.type}" not in reference
    ]
    assert lacking == [], "give its attribute a docstring"


def test_no_default_is_written_as_python_writes_an_object(keys: list[Key]) -> None:
    assert [(key.name, key.default) for key in keys if "(" in (key.default or "")] == []


def test_every_value_that_a_key_allows_is_explained(keys: list[Key]) -> None:
    lacking = []
    for key in keys:
        if key.name == "profile" or "one of" not in key.type:
            continue
        values = re.findall(r'`("[a-z0-9-]+")`', key.type)
        lacking += [f"{key.section} {key.name}: {value}" for value in values if value not in key.meaning]
    assert lacking == []


def test_every_section_of_the_event_file_has_a_meaning() -> None:
    assert [section.heading for section in list_sections() if len(section.meaning) < MEANING_CHARS_MIN] == []


def test_every_command_line_in_the_manual_is_one_that_tourney_takes(
    quoted: list[Quoted], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(quoted) > 200
    refused = []
    for number, each in enumerate(quoted):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        try:
            take(each)
        except (click.ClickException, LookupError) as error:
            refused.append(f"{each.place}: tourney {' '.join(each.words)}: {error}")
    assert not refused, "\n".join(refused)


def take(quoted: Quoted) -> None:
    """Read a command line as tourney does, in a folder that is empty; an error where there is no such command,
    option or value."""
    command: click.Command = cli
    context = click.Context(cli, info_name="tourney", **cli.context_settings)  # Click keeps the help option
    words = list(quoted.words)
    if words[:1] == ["COMMAND"]:
        words[0] = COMMANDS[0][0][1]
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        below = command.get_command(context, words[0])
        if below is None:
            raise LookupError(f"there is no command {words[0]!r}")
        command, context = below, click.Context(below, parent=context, info_name=words.pop(0))
    try:
        command.make_parser(context).parse_args(list(words))  # raises where there is no such option
    except click.BadOptionUsage:
        if quoted.whole:  # only running text may name an option without its value
            raise
    if quoted.whole and not isinstance(command, click.Group):
        for name in re.findall(r"[^\s=]+\.(?:toml|pbn|lin|json|csv|db)\b", " ".join(words)):
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).touch()
        command.make_context(context.info_name, list(words), parent=context.parent)  # raises where a value is wrong


def test_derived_parts_of_the_manual_are_up_to_date() -> None:
    texts = {page: page.read_text(encoding="utf-8") for page in PAGES}
    named = [
        name
        for text in texts.values()
        for name in re.findall(r"^<!-- generated by `make docs`: (.*) -->$", text, re.MULTILINE)
    ]
    assert sorted(named) == sorted(GENERATORS)
    assert [page.name for page, text in texts.items() if fill_page(text) != text] == [], "run make docs"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_of_pages_beside_the_manual_resolve(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 700
