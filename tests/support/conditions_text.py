"""The conditions of contest of an event file, as `tourney export` writes them."""

from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from tourney.cli.main import cli


def conditions_text(event: Path, form: str = "md") -> str:
    """Export the conditions of contest, and return one of the two files: `md` or `html`."""
    with TemporaryDirectory() as folder:
        words = ["export", str(event), "--format", "conditions", "--out", folder]
        result = CliRunner().invoke(cli, words)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.splitlines() == [f"{folder}/conditions.md", f"{folder}/conditions.html"]
        return Path(folder, f"conditions.{form}").read_text(encoding="utf-8")
