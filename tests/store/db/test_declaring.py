"""Tables declared as classes."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("heavy", ["sqlalchemy.orm", "sqlalchemy.dialects.postgresql"])
def test_the_store_loads_without(heavy: str) -> None:
    code = f"import sys, tourney.store.models; print([m for m in sys.modules if m.startswith({heavy!r})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
