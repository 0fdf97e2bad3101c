"""Tests of clusters leave Dask's settings as they were."""

import copy
from collections.abc import Iterator

import dask
import pytest


@pytest.fixture(autouse=True)
def settings_of_dask() -> Iterator[None]:
    before = copy.deepcopy(dask.config.config)
    yield
    dask.config.config.clear()
    dask.config.config.update(before)
