"""The page of known programs, and the reasons of profiles, derived from the table of programs."""

from collections.abc import Iterator

from tourney.config.programs import PROFILES, PROGRAMS, KnownProgram, Tried
from tourney.config.toml import format_toml_text
from tourney_manual.event_file import format_settings
from tourney_manual.markdown import as_item


def render_known_programs() -> str:
    """A table of all programs, then a section for each that starts at a table or was tried there."""
    lines = ["| program | name in `--team` | profile | known |", "| --- | --- | --- | --- |"]
    for program in PROGRAMS:
        profile = f"`{program.profile}`" if program.profile is not None else "is asked over HTTP"
        lines.append(f"| {program.title} | `{program.name}` | {profile} | {program.tried} |")
    for program in PROGRAMS:
        if program.team or program.tried != Tried.DOCUMENTS:
            lines += ["", f"### {program.title}", "", *_render(program)]
    return "\n".join(lines)


def _render(program: KnownProgram) -> Iterator[str]:
    if program.team:
        yield "```toml"
        yield "[[team]]"
        yield 'name = "Alpha"'
        for key, value in program.team.items():
            yield f"{key} = {format_toml_text(value)}"
        if program.profile not in (None, "default"):
            yield f'profile = "{program.profile}"'
        yield "```"
        yield ""
    if program.versions:
        yield as_item("Versions", program.versions)
    if program.started:
        yield as_item("Started", program.started)
    if program.needs:
        yield as_item("Needs", "; ".join(program.needs))
    if program.watch:
        yield as_item("To watch", " ".join(program.watch))


def render_profile_reasons() -> str:
    """A table of the named profiles: what differs from the default, and why."""
    lines = [
        "| profile | differs from the default in | because the program |",
        "| --- | --- | --- |",
        "| `default` | | |",
    ]
    because = {program.name: program.because for program in PROGRAMS}
    for name, profile in PROFILES.items():
        if name != "default":
            lines.append(f"| `{name}` | {format_settings(profile)} | {because[name]} |")
    return "\n".join(lines)
