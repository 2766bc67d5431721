"""The parts of a running process, such as its database and its games, by their types.

A part says by the annotations of its constructor which others it works with, so nobody lists them all.
"""

import inspect
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, get_type_hints

from starlette.requests import HTTPConnection

T = TypeVar("T")


class Parts:
    """The parts of one process, each made once, when it is wanted first."""

    def __init__(self) -> None:
        self._made: dict[type, Any] = {}
        self._classes: dict[type, type] = {}
        self._being_made: list[type] = []

    def add(self, kind: type[T], part: T) -> None:
        """Add a part that was made by hand, such as one that needs more than other parts."""
        self._made[kind] = part

    def use(self, protocol: type, kind: type) -> None:
        """Use the part of a class wherever a protocol is asked for."""
        self._classes[protocol] = kind

    def get(self, kind: type[T]) -> T:
        """Return the part of a type, which is made unless it is there. Raise TypeError if it cannot be."""
        try:
            part: T = self._made[kind]
        except KeyError:
            part = self._made[kind] = self._make(kind)
        return part

    def bind(self, function: Callable[..., T], *left: str) -> Callable[..., T]:
        """Return a function with the parts that its parameters are annotated with, but those that are `left`.

        Parameters with a default keep it. A method is bound to the part of its class. Raise TypeError if a
        part cannot be made.
        """
        arguments = self._arguments(function, left)
        owner = (arguments.pop("self"),) if "self" in arguments else ()
        return partial(function, *owner, **arguments)

    def _make(self, kind: Any) -> Any:
        if kind in self._classes:
            return self.get(self._classes[kind])
        if kind in self._being_made:
            raise TypeError(" needs ".join(each.__name__ for each in (*self._being_made, kind)))
        if getattr(kind, "_is_protocol", False) or not inspect.isfunction(getattr(kind, "__init__", None)):
            raise TypeError(f"no part is {kind}")
        self._being_made.append(kind)
        try:
            return kind(**self._arguments(kind.__init__, ("self",)))
        finally:
            self._being_made.pop()

    def _arguments(self, function: Callable[..., Any], left: tuple[str, ...]) -> dict[str, Any]:
        types = get_type_hints(function)
        arguments = {}
        for name, parameter in inspect.signature(function).parameters.items():
            if name in left or parameter.default is not parameter.empty:
                continue
            kind: Any = _class_of(function) if name == "self" else types.get(name)
            try:
                arguments[name] = self.get(kind)
            except TypeError as error:
                raise TypeError(f"{function.__qualname__}({name}): {error}") from None
        return arguments


def parts_of(connection: HTTPConnection) -> Parts:
    """Return the parts of the process that serves a connection."""
    parts: Parts = connection.scope["state"]["parts"]
    return parts


def _class_of(method: Callable[..., Any]) -> Any:
    return getattr(sys.modules[method.__module__], method.__qualname__.rpartition(".")[0])
