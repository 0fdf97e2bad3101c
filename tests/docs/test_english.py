"""Phrases that are no plain English stay out of the code; those of the manual are in tools/prose/vocabulary.yml."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.manual import ROOT

MODULES = sorted(
    path for folder in ("tourney", "bench", "migrations", "tests") for path in (ROOT / folder).rglob("*.py")
)
EVENT_FILES = sorted((ROOT / "config").glob("*.toml"))
PHRASES = {
    re.compile(r"\bhangs? (on|upon)\b"): "depends on",
    re.compile(r"(?<!carry )(?<!carried )(?<!-)\bover with\b"): "finished",
    re.compile(r"\btold of\b"): "told about",
    re.compile(r"\bso often may\b"): "at most",
}
"""What is not to be written, with what to write instead."""


def _wrong_phrases(text: str) -> list[str]:
    joined = " ".join(text.split())
    return [
        f"{found[0]!r}: write {better!r}" for phrase, better in PHRASES.items() for found in phrase.finditer(joined)
    ]


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The docstrings of a module, its classes, functions and attributes, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                value = statement.value if isinstance(statement, ast.Expr) else None
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield statement.lineno, value.value


def test_docstrings_say_what_a_thing_is_or_does() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in MODULES}
    fragments = [
        f"{path.relative_to(ROOT)}:{line}: {text.strip().splitlines()[0]}"
        for path, source in sources.items()
        if re.search(r"""["']\s*(Of|By)\b""", source)  # few have such a string at all: parsing takes seconds
        for line, text in _docstrings(ast.parse(source))
        if re.match(r"\s*(Of|By)\b", text)
    ]
    assert fragments == [], "name the thing: a docstring does not begin with Of or By"


@pytest.mark.parametrize("paths", [MODULES, EVENT_FILES], ids=["code", "event files"])
def test_code_and_event_files_are_in_plain_english(paths: list[Path]) -> None:
    found = {path: _wrong_phrases(path.read_text(encoding="utf-8")) for path in paths}
    assert {path.relative_to(ROOT): wrong for path, wrong in found.items() if wrong} == {}
