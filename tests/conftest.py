"""Settings of the whole suite."""

import pytest
from hypothesis import settings

# A busy machine is no failure: examples have no time limit of their own, tests have pytest's.
settings.register_profile("tourney", deadline=None)
settings.load_profile("tourney")

FIGURES = "figures"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have counted: those that say it with `record_property("figures", ...)`."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == FIGURES:
                terminalreporter.write_line(f"{value}")
