"""A name means one thing in the whole house."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_a_class_name_stands_for_one_class() -> None:
    places: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tourney").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(str(path.relative_to(ROOT)))
    assert {name: sorted(found) for name, found in places.items() if len(found) > 1} == {}
