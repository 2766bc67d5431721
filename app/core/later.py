"""Importing modules that are large and seldom needed only when they are."""

from importlib import import_module
from typing import Any


class Later:
    """A module that is imported when something of it is needed first, by whichever thread.

    For libraries that take many milliseconds or megabytes, and that no web process needs when it starts:

        if TYPE_CHECKING:
            import webauthn
        else:
            webauthn = Later("webauthn")
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)
