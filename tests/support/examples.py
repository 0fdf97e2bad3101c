"""How many examples Hypothesis tries: few in the suite, eight times as many in `make campaigns`."""

import os

from hypothesis import settings

IS_THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
THOROUGH_TIMES = 8
EXAMPLES = 25
"""How many a test tries that does not say."""


def examples(count: int = EXAMPLES) -> settings:
    """Return the settings of a test that tries so many examples in the suite."""
    return settings(deadline=None, max_examples=count * THOROUGH_TIMES if IS_THOROUGH else count)
