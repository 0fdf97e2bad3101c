"""The decorator of classes of values: frozen dataclasses that cost a process a fifth of the usual at its start.

`dataclass(frozen=True, slots=True)` compiles six functions a class, one by one: for the two hundred classes of a
table host, a quarter of its start. Here only `__init__` is compiled; the rest differs from class to class by the
names of the fields alone. For `fields`, `replace`, `asdict`, `match` and mypy, the class is a dataclass.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

_Class = TypeVar("_Class", bound=type)


@overload
def frozen(cls: _Class, /) -> _Class: ...
@overload
def frozen(*, kw_only: bool = False, slots: bool = True) -> Callable[[_Class], _Class]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(Field, field))
def frozen(cls: type | None = None, /, *, kw_only: bool = False, slots: bool = True) -> Any:
    """Make a dataclass whose instances never change, and are equal and hashed by the values of their fields.

    Args:
        cls: the class.
        kw_only: whether fields are given by name only.
        slots: whether instances have no dictionary, which cached properties need; such a class is made anew, so that
            `super()` in its methods does not find it.
    """

    def make(cls: type) -> Any:
        made: Any = dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
        methods = {"__init__": _compile_init(made), "__repr__": _repr, **_comparing(made)}
        for name, method in methods.items():
            if vars(made).get(name) is None:  # the class has none of its own
                setattr(made, name, method)
        made.__setattr__ = made.__delattr__ = _refuse
        if slots:
            made.__getstate__, made.__setstate__ = _getstate, _setstate
        return made

    return make if cls is None else make(cls)


def _compile_init(cls: type) -> Callable[..., None]:
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    by_place, by_name, body = ["self"], list[str](), list[str]()
    for each in fields(cls):
        name = argument = value = each.name
        if each.default is not MISSING:
            names[f"_default_{name}"] = each.default
            argument = f"{name}=_default_{name}"
        elif each.default_factory is not MISSING:
            names[f"_make_{name}"] = each.default_factory
            argument, value = f"{name}=_missing", f"_make_{name}() if {name} is _missing else {name}"
        if each.init:
            (by_name if each.kw_only else by_place).append(argument)
            body.append(f"_set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ", ".join([*by_place, "*", *by_name] if by_name else by_place)
    exec(f"def __init__({arguments}):\n " + "\n ".join(body or ["pass"]), names)  # noqa: S102 # as dataclasses do
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _comparing(cls: type) -> dict[str, Callable[..., Any]]:
    """Return the methods that compare and hash instances of a class."""
    compared = [each for each in fields(cls) if each.compare]
    key, hash_key = (
        attrgetter(*names) if names else lambda _: ()
        for names in ([each.name for each in compared], [each.name for each in compared if each.hash is not False])
    )

    def eq(self: object, other: object) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return {"__eq__": eq, "__hash__": lambda self: hash(hash_key(self))}


def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _refuse(self: object, name: str, value: object = None) -> None:  # noqa: ARG001 # called with it, or without
    raise FrozenInstanceError(f"cannot change field {name!r} of a {self.__class__.__qualname__}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
