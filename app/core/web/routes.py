"""Routers whose routes are prepared when they are asked first, since most of 560 are not asked for long."""

from collections.abc import Callable
from threading import RLock
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import compile_path, get_name

_OF_PATHS = frozenset({"path_regex", "path_format", "param_convertors"})
_PREPARED = frozenset({*APIRoute.__annotations__, "form_limits", "app"})
_PREPARING = RLock()  # the description of the API is made in a thread


class LateRoute(APIRoute):
    """A route that knows by what it is chosen; its parameters and schemas are worked out when they are read.

    That takes 0.2 to 8 ms, once.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        self.path = path
        self.endpoint = endpoint
        self.name = settings["name"] or get_name(endpoint)
        self.methods = {method.upper() for method in settings["methods"] or ("GET",)}
        self.include_in_schema = settings["include_in_schema"]
        self._settings = settings

    def __getattr__(self, name: str) -> Any:
        if name in _OF_PATHS:
            self.path_regex, self.path_format, self.param_convertors = compile_path(self.path)
        elif name in _PREPARED:
            with _PREPARING:
                if name not in vars(self):
                    super().__init__(self.path, self.endpoint, **self._settings)
                    del self._settings
        return object.__getattribute__(self, name)


class Router(APIRouter):
    """A router of such routes. Those of websockets alone are FastAPI's."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(route_class=LateRoute, **settings)
