"""Settings of the whole suite."""

import os

import pytest
from hypothesis import settings

# A busy machine is no failure: examples have no time limit of their own, tests have pytest's.
settings.register_profile("tourney", deadline=None, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "tourney"))

FIGURES = "figures"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted: those that say it with `record_property("figures", ...)`."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == FIGURES:
                terminalreporter.write_line(f"{value}")
