"""Nothing is left out of the manual: commands, options, keys of the event file, JSON documents."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from tests.support.manual import DOCS, PAGES, ROOT, Quoted, quoted_commands
from tourney.cli._names import rename_command
from tourney.cli.main import cli
from tourney_manual import GENERATORS, fill_page
from tourney_manual.commands import describe_option, render_commands, walk_commands
from tourney_manual.event_file import Key, list_sections, render_event_file
from tourney_manual.json_documents import JsonDocument, list_documents

MEANING_CHARS_MIN = 20
"""Anything shorter only repeats the name."""

COMMANDS = [(words, command) for words, command in walk_commands() if len(words) > 1]
KEYS = [key for section in list_sections() for key in section.keys]
QUOTED = [quoted for page in PAGES for quoted in quoted_commands(page)]


def key_id(key: Key) -> str:
    return f"{key.section} {key.name}"


@pytest.mark.parametrize(("words", "command"), COMMANDS, ids=[" ".join(words) for words, _ in COMMANDS])
def test_every_command_and_option_is_described_in_the_reference(
    words: tuple[str, ...], command: click.Command
) -> None:
    _, found, section = render_commands().partition(f"\n{'#' * len(words)} `{' '.join(words)}`\n")
    assert found or words == COMMANDS[0][0]
    assert len(command.help or "") >= MEANING_CHARS_MIN
    for option in command.params:
        if isinstance(option, click.Option):
            assert f"`{option.opts[0]}" in section or words == COMMANDS[0][0]
            assert len(describe_option(option)) >= MEANING_CHARS_MIN // 2, option.name


def test_every_command_is_explained_in_a_guide() -> None:
    quoted = {quoted.words for quoted in QUOTED if not quoted.place.startswith("cli.md:")}
    missing = [
        " ".join(words)
        for words, command in COMMANDS
        if not isinstance(command, click.Group) and not any(each[: len(words) - 1] == words[1:] for each in quoted)
    ]
    assert missing == []


@pytest.mark.parametrize("key", KEYS, ids=key_id)
def test_every_key_of_the_event_file_has_a_meaning(key: Key) -> None:
    assert len(key.meaning) >= MEANING_CHARS_MIN, "give its attribute a docstring"
    assert key.meaning.endswith((".", "`")), key.meaning
    assert f"\n- `{key.name}`: *{key.type}" in render_event_file()


@pytest.mark.parametrize("key", [key for key in KEYS if key.name != "profile"], ids=key_id)
def test_every_value_that_a_key_allows_is_explained(key: Key) -> None:
    for value in re.findall(r'`("[a-z0-9-]+")`', key.type if "one of" in key.type else ""):
        remedies = key.name.endswith("_remedy") and "`call_remedy`" in key.meaning
        assert value in key.meaning or remedies, value


def test_every_section_of_the_event_file_has_a_meaning() -> None:
    assert [section.heading for section in list_sections() if len(section.meaning) < MEANING_CHARS_MIN] == []


def test_every_field_of_a_json_document_has_a_meaning() -> None:
    documents = list_documents()
    assert documents
    assert [name for document in documents for name in _without_meaning(document)] == []


def _without_meaning(document: JsonDocument) -> Iterator[str]:
    """The objects of a document without a meaning, and their fields with none or one that only repeats the name."""
    for name, each in {document.title: document.schema, **document.schema.get("$defs", {})}.items():
        if "properties" in each and not each.get("description"):
            yield name
        for field, value in _fields(each):
            if len(value.get("description", "")) < MEANING_CHARS_MIN // 2:
                yield f"{name}.{field}"


def _fields(schema: Any) -> Iterator[tuple[str, Any]]:  # a JSON Schema
    """The fields of an object and of the objects inside it."""
    for name, field in schema.get("properties", {}).items():
        yield name, field
        yield from _fields(field.get("items", field))


def test_every_command_with_a_json_document_is_on_its_page() -> None:
    page = (DOCS / "json.md").read_text(encoding="utf-8")
    with_json = [words for words, command in COMMANDS if any("--json" in each.opts for each in command.params)]
    assert [words for words in with_json if f"`{' '.join(words)}`" not in page] == []


@pytest.mark.parametrize("quoted", QUOTED, ids=[f"{each.place} {' '.join(each.words)}" for each in QUOTED])
def test_every_command_line_in_the_manual_is_one_that_tourney_takes(
    quoted: Quoted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command: click.Command = cli
    context = click.Context(cli, info_name="tourney", **cli.context_settings)  # Click keeps the help option
    renamed = rename_command(list(quoted.words))
    words = renamed[2] if renamed is not None else list(quoted.words)
    if words[:1] == ["COMMAND"]:
        words[0] = COMMANDS[0][0][1]
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        below = command.get_command(context, words[0])
        assert below is not None, f"there is no command {words[0]!r}"
        command, context = below, click.Context(below, parent=context, info_name=words.pop(0))
    try:
        command.make_parser(context).parse_args(list(words))  # raises where there is no such option
    except click.BadOptionUsage:
        assert not quoted.whole, "only running text may name an option without its value"
    if quoted.whole and not isinstance(command, click.Group):
        monkeypatch.chdir(tmp_path)
        for name in re.findall(r"\S+\.(?:toml|pbn|lin|json|csv)\b", " ".join(words)):
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


def test_the_manual_is_built_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [*(sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--nitpicky", "--quiet"),
         *("--doctree-dir", tmp_path / "doctrees", DOCS, tmp_path / "html")],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "html" / "index.html").exists()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_of_pages_beside_the_manual_resolve(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
