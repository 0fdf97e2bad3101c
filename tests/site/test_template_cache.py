"""Translated templates are kept beside the templates, used again while they fit, and never needed."""

import errno
import sys
from pathlib import Path
from types import ModuleType

import jinja2
import pytest

from tourney.site.template_cache import TemplateCache


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The source of a module whose functions templates call."""
    module = ModuleType("functions_of_templates")
    source = tmp_path / "functions_of_templates.py"
    source.write_text("double = lambda text: text + text\n", encoding="utf-8")
    module.__file__ = str(source)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return source


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a template."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "page.html").write_text("{{ 'ab' | double }}, {{ name }}", encoding="utf-8")
    return folder


def render(templates: Path, double: object = lambda text: text + text) -> tuple[str, bool]:
    """Render the page in a new process, as it were; returns the text, and whether the template was translated."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates),
        autoescape=True,
        bytecode_cache=TemplateCache(["functions_of_templates"]),
    )
    environment.filters["double"] = double
    translated = []
    translate = environment.compile

    def note(*given: object, **more: object) -> object:
        translated.append(given)
        return translate(*given, **more)  # type: ignore[call-overload]

    environment.compile = note  # type: ignore[method-assign, assignment]
    return environment.get_template("page.html").render(name="Ants"), bool(translated)


@pytest.mark.usefixtures("functions")
def test_a_template_is_translated_once(templates: Path) -> None:
    assert render(templates) == ("abab, Ants", True)
    assert render(templates) == ("abab, Ants", False)
    assert [path.name for path in templates.glob("*/*")] == [f"page.{sys.implementation.cache_tag}.pyc"]


@pytest.mark.usefixtures("functions")
def test_a_template_that_has_changed_is_translated_anew(templates: Path) -> None:
    render(templates)
    (templates / "page.html").write_text("{{ name }} only", encoding="utf-8")
    assert render(templates) == ("Ants only", True)
    assert render(templates) == ("Ants only", False)


def test_a_function_that_has_changed_has_templates_translated_anew(templates: Path, functions: Path) -> None:
    render(templates)
    functions.write_text("double = lambda text: 2 * text.upper()\n", encoding="utf-8")
    assert render(templates, lambda text: 2 * text.upper()) == ("ABAB, Ants", True)


@pytest.mark.usefixtures("functions")
def test_another_version_of_jinja_has_templates_translated_anew(
    templates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    render(templates)
    monkeypatch.setattr(jinja2, "__version__", "99.9")
    assert render(templates) == ("abab, Ants", True)


@pytest.mark.usefixtures("functions")
@pytest.mark.parametrize("kept", [b"", b"no translation at all", b"j2\x00\x00"])
def test_a_damaged_file_is_replaced(templates: Path, kept: bytes) -> None:
    render(templates)
    (file,) = templates.glob("*/*")
    file.write_bytes(kept)
    assert render(templates) == ("abab, Ants", True)
    assert render(templates) == ("abab, Ants", False)


@pytest.mark.usefixtures("functions")
def test_a_folder_that_cannot_be_written_to_keeps_nothing_and_is_no_error(templates: Path) -> None:
    (templates / "__pycache__").write_text("a file where the folder would be", encoding="utf-8")
    assert render(templates) == ("abab, Ants", True)
    assert render(templates) == ("abab, Ants", True)


@pytest.mark.usefixtures("functions")
def test_nothing_is_kept_where_python_is_to_write_no_bytecode(
    templates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert render(templates) == ("abab, Ants", True)
    assert list(templates.iterdir()) == [templates / "page.html"]


@pytest.mark.usefixtures("functions")
def test_a_disk_that_is_full_leaves_nothing_behind(templates: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr("jinja2.bccache.Bucket.write_bytecode", fail)
    assert render(templates) == ("abab, Ants", True)
    assert list((templates / "__pycache__").iterdir()) == []
