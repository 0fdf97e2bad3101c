"""Brings the derived parts of the manual up to date."""

from pathlib import Path

from tourney_manual import write_pages

write_pages(Path(__file__).parents[2])
