"""What a contest cannot be: the place in the event file, and the sentence."""

import pytest

from tests.support.refusals import file_of, problems_of, refusals


@pytest.mark.parametrize(("entrants", "stages", "sentences"), refusals("contests"))
def test_a_contest_that_cannot_be_is_refused_in_a_sentence(entrants: str, stages: str, sentences: list[str]) -> None:
    assert problems_of(stages if entrants == "whole file" else file_of(entrants, stages)) == sentences
