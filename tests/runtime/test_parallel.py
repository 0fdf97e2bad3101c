"""Work shared out among processes: what comes back, in which order, and what is said when one fails."""

import multiprocessing
import traceback
from functools import partial

import pytest

from tests.support.shared_work import die, large, squares, squares_up_to, wrong
from tourney.errors import LaunchError, StoreError
from tourney.runtime.parallel import side_by_side


@pytest.mark.parametrize("count", [20, 1000])
def test_results_come_in_the_order_of_the_items(count: int) -> None:
    assert list(side_by_side(squares, range(count), 3)) == [number * number for number in range(count)]
    assert multiprocessing.active_children() == []


def test_an_error_in_a_process_is_raised_here_after_all_results_before_it() -> None:
    squared = side_by_side(partial(squares_up_to, 6), range(20), 2)
    assert [next(squared) for _ in range(7)] == [number * number for number in range(7)]
    with pytest.raises(StoreError, match=r"^numbers are at most 6, got 7$"):
        next(squared)
    assert multiprocessing.active_children() == []


def test_a_bug_in_a_process_is_raised_here_with_where_it_happened() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(side_by_side(wrong, range(5), 2))
    assert "tests/support/shared_work.py" in "".join(traceback.format_exception(caught.value))


def test_a_process_that_dies_is_told_in_a_sentence() -> None:
    with pytest.raises(LaunchError, match=r"^one of 2 processes that share the work has died$"):
        list(side_by_side(die, range(10), 2))
    assert multiprocessing.active_children() == []


def test_who_takes_no_more_results_leaves_no_process_behind() -> None:
    results = side_by_side(large, range(1000), 2)
    assert next(results).startswith("0 ")
    results.close()
    assert multiprocessing.active_children() == []
