"""A name means one thing in the whole house."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_a_class_name_stands_for_one_class() -> None:
    places: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tourney").rglob("*.py")):
        for name in re.findall(r"^ *class ([A-Za-z]\w*)[:([]", path.read_text(encoding="utf-8"), re.MULTILINE):
            places[name].add(str(path.relative_to(ROOT)))
    assert len(places) > 1000
    assert {name: sorted(found) for name, found in places.items() if len(found) > 1} == {}
