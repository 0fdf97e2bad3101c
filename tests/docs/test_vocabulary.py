"""The core's names are the field's and the industry's words: the ones that they replaced do not come back."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "tourney"
CORE = ("protocol", "host", "store", "coordinator", "launch", "event", "bots", "client", "compliance", "testing")
OLD_WORDS = {
    "poll": r"(?:^|_)looks?(?:$|_)|looking|looked|^Look",
    "send, report": r"(?:^|_)tells?(?:$|_)|(?:^|_)told(?:$|_)|telling",
    "send, notify, record": r"(?:^|_)says?(?:$|_)|^Say",
    "admission, connection budget": r"(?<!front_)door|(?<!Front)Door|crowd",
    "unauthenticated": r"stranger",
    "sandbox": r"(?:^|_)walls?$|walled",
    "console": r"[Dd]esk",
    "problem, failure": r"trouble",
    "passphrase": r"pass_phrases$|PassPhrase",
    "release, revoke": r"let_go|dismiss",
    "resume, continue, cancel": r"(?:^|_)go_on|play_on|take_up|taken_up|tak(?:e|en)_over",
    "reconnect, rejoin": r"(?:come|came|tak(?:e|en))_back",
    "auto_play, stop_waiting": r"stand_in|act_for|wait_no_more",
    "ignore, discard": r"excuse|swallow",
    "RestartProgram": r"vacate",
    "LogRemark": r"^Note$",
    "RoundAssignment": r"^sittings?$|^Sitting",
    "MatchFilter": r"^Scope$",
    "Visibility": r"[Ss]ight(?:$|_)",
    "RulingBasis": r"[Gg]rounds",
    "evict": r"gives_way|crowded_out",
    "withdraw a team": r"(?:^|_)retire",
    "terminate, remove": r"swept|(?:^|_)bury",
    "recorder, membership": r"[Kk]eeper",
}


def names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case _:
                pass


def replaced_words(names: Iterable[str]) -> list[str]:
    """Say of each name with a word that was replaced what to write instead."""
    return [f"{name}, say {better}" for name in names for better, old in OLD_WORDS.items() if re.search(old, name)]


@pytest.mark.parametrize("room", CORE)
def test_no_name_of_the_core_has_a_word_that_was_replaced(room: str) -> None:
    found = []
    for path in sorted((ROOT / room).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        wrong = replaced_words([path.stem])
        outside_docstrings = re.sub(r'""".*?"""', "", source, flags=re.DOTALL)
        if replaced_words(set(re.findall(r"\w+", outside_docstrings))):  # parsing all modules takes seconds
            wrong += replaced_words({*names(ast.parse(source))})
        found += [f"{path.relative_to(ROOT)}: {each}" for each in wrong]
    assert not found
