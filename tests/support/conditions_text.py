"""The conditions of contest of an event file, as `tourney export` writes them."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.commands import run


def conditions_text(event: Path, form: str = "md") -> str:
    """Export the conditions of contest, and return one of the two files: `md` or `html`."""
    with TemporaryDirectory() as folder:
        result = run("export", event, "--format", "conditions", "--out", folder)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.splitlines() == [f"{folder}/conditions.md", f"{folder}/conditions.html"]
        return Path(folder, f"conditions.{form}").read_text(encoding="utf-8")
