"""The manual as tests read it: its pages, the blocks of code in them, the commands that they quote."""

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.support.commands import run
from tests.support.events import Finished, tourney

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
README: Final = ROOT / "README.md"

PAGES: Final = (README, *sorted(DOCS.glob("*.md")))
"""Every page, the README among them."""

_PLACEHOLDER: Final = re.compile(r"[A-Z][A-Z-]*(\.\.\.)?|\.\.\.|…")
"""What stands for an argument in running text: EVENT, MATCH-ROOM, ..."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    info: str
    """What stands behind the fence, such as `console`."""
    caption: str | None
    """The name of the file that it shows, when it has one."""
    text: str
    line: int
    """Line of the page, from 1."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a console block, and what it prints."""

    command: str
    output: str
    line: int


@dataclass(frozen=True, slots=True)
class Quoted:
    """A command line that a page quotes."""

    words: tuple[str, ...]
    """From the name of the command on, `tourney` left out."""
    place: str
    """Page and line, for messages."""
    whole: bool
    """Whether it is to be typed as it stands; else it may lack arguments or have placeholders."""


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [_block(token) for token in _tokens(page) if token.type == "fence"]


def code(page: Path, language: str) -> list[str]:
    """The blocks of a page in a language."""
    return [block.text for block in blocks(page) if block.info == language]


@cache
def _tokens(page: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def _block(token: Token) -> Block:
    assert token.map is not None
    text, caption = token.content, None
    if token.info.startswith("{"):  # a directive: options first, then what it holds
        options, _, text = token.content.partition("\n\n")
        found = re.search(r"^:caption: (.+)$", options, re.MULTILINE)
        caption = found[1] if found is not None else None
    return Block(token.info, caption, text, token.map[0] + 1)


def steps(page: Path) -> Iterator[Step]:
    """The commands of the console blocks of a page with their output, in order."""
    for block in blocks(page):
        if block.info == "console":
            yield from block_steps(block)


def block_steps(block: Block) -> Iterator[Step]:
    """The commands of one console block: each stands behind `$ `, its output below it."""
    command, output, line = None, list[str](), block.line
    for number, text in enumerate(block.text.splitlines(), block.line + 1):
        if text.startswith("$ "):
            if command is not None:
                yield Step(command, "\n".join(output), line)
            command, output, line = text[2:], [], number
        else:
            output.append(text)
    assert command is not None, f"a console block begins with a command: line {block.line}"
    yield Step(command, "\n".join(output), line)


def run_step(step: Step, play: Callable[..., Finished] = tourney) -> str:
    """What a command of a page prints, run in the working folder; it has to succeed.

    If it asks for a passphrase, it gets one.

    Args:
        step: the command.
        play: how `tourney run` is run: as a process with all that it starts, or on simulated time.
    """
    name, *words = shlex.split(step.command)
    assert name == "tourney", f"the manual shows no runs of other commands, got {step.command!r}"
    if words[0] == "run":
        done = play(*words)
    else:
        printed = run(*words, given="a passphrase\n")
        done = Finished(printed.exit_code, printed.stdout, printed.stderr)
    assert done.status == 0, f"{step.command}: status {done.status}\n{done.out}{done.err}"
    return _announced_first(done.out + done.err)


def _announced_first(text: str) -> str:
    """Move what tables play on a busy machine before all are announced behind the first announcement."""
    early = r"((?:^match \d+, (?:open|closed) room: \d+ of \d+ boards\n)+)"
    return re.sub(rf"{early}(^match \d+, \w+ room: [^:]*:\d+\n)", r"\2\1", text, count=1, flags=re.MULTILINE)


def agrees(expected: str, printed: str) -> bool:
    """Whether output is what a page shows; `...` stands for anything, blanks at the ends of lines do not count."""
    pattern = ".*?".join(re.escape(part) for part in trimmed(expected).split("..."))
    return re.fullmatch(pattern, trimmed(printed), re.DOTALL) is not None


def trimmed(text: str) -> str:
    """The text without empty lines around it and blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def quoted_commands(page: Path) -> Iterator[Quoted]:
    """Every command line beginning with `tourney` that a page quotes, in a block or in running text."""
    for token in _tokens(page):
        if token.type == "fence" and _is_shell(token.info):
            block = _block(token)
            for number, line in enumerate(block.text.splitlines(), block.line + 1):
                text = line.removeprefix("$ ").strip()
                if text.startswith("tourney "):
                    yield _quoted(text, f"{page.name}:{number}", whole=True)
        for child in token.children or ():
            if child.type == "code_inline" and child.content.startswith("tourney "):
                assert token.map is not None
                yield _quoted(child.content, f"{page.name}:{token.map[0] + 1}", whole=False)


def _is_shell(info: str) -> bool:
    return info.split(" ", maxsplit=1)[0] in ("console", "sh", "bash", "shell", "")


def _quoted(text: str, place: str, *, whole: bool) -> Quoted:
    words = tuple(shlex.split(text, comments=True))[1:]
    is_whole = whole and not any(_PLACEHOLDER.fullmatch(word) for word in words)
    return Quoted(words, place, is_whole)
