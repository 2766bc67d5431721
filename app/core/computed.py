"""Attributes of immutable values that are computed when they are first read."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class computed_once(Generic[T]):  # noqa: N801 - a decorator
    """Like `functools.cached_property`, which takes three times as long: up to Python 3.11 it has a lock."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.__doc__ = compute.__doc__
        self._compute = compute
        self._name = compute.__name__

    def __get__(self, instance: Any, _owner: type) -> T:
        if instance is None:  # it is read on the class, as tools that inspect it do
            return self  # type: ignore[return-value]
        # The next time the attribute is found in the instance, without a call of this.
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
