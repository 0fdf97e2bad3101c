"""Settings of the manual's build: `make docs`."""

from tourney import __version__

project = "tourney"
author = "Developers of tourney"
copyright = "2026, Developers of tourney"  # noqa: A001 # Sphinx's name
release = __version__

extensions = ["myst_parser"]
exclude_patterns = ["_build", "_ext"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

smartquotes = False  # `--option` in help texts must stay what it is

html_theme = "furo"
html_title = f"tourney {release}"
html_copy_source = False
html_show_sourcelink = False
