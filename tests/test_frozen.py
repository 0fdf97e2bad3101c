"""Classes made by `frozen` behave as frozen dataclasses do."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import pytest

from tourney.frozen import frozen


def _spot(decorate: Callable[[type], Any]) -> Any:
    class Spot:
        """A spot."""

        x: int
        y: int = 0
        names: dict[str, int] = field(default_factory=dict, hash=False)
        secret: str = field(default="", repr=False)
        note: str = field(default="", compare=False, kw_only=True)

    return decorate(Spot)


@frozen
class Point:
    """A point."""

    x: int
    y: int = 0


@frozen(kw_only=True)
class Place(Point):
    """A point with a name, by its place and by its name."""

    name: str = ""


@frozen(slots=False)
class Sum:
    """Numbers that must not be negative."""

    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if any(number < 0 for number in self.numbers):
            raise ValueError(self.numbers)

    @cached_property
    def total(self) -> int:
        return sum(self.numbers)


def test_a_frozen_class_answers_as_a_frozen_dataclass_does() -> None:
    ours, usual = (
        [
            repr(spot(1, 2, secret="s", note="n")),
            hash(spot(1, 2, {"a": 1})),
            spot(1, note="a") == spot(1, note="b"),
            spot(1) == spot(1, secret="s"),
            spot(1) == (1, 0, {}, "", ""),
            spot(1).names is spot(1).names,
            asdict(replace(spot(1, 2), x=3, note="n")),
            spot.__match_args__,
        ]
        for spot in (_spot(frozen), _spot(dataclass(frozen=True, slots=True)))
    )
    assert ours == usual


def test_nothing_of_an_instance_can_be_changed() -> None:
    point: Any = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2
    with pytest.raises(FrozenInstanceError):
        point.z = 2
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert point == Point(1)


def test_instances_are_copied_and_pickled() -> None:
    place = Place(1, 2, name="here")
    assert copy.copy(place) == copy.deepcopy(place) == pickle.loads(pickle.dumps(place)) == place


def test_a_class_without_slots_checks_its_values_and_caches_properties() -> None:
    assert Sum((1, 2)).total == 3
    with pytest.raises(ValueError, match="-1"):
        Sum((-1,))
