"""The methods that a path accepts. Starlette knows only those of the first route that matches the path."""

from functools import cache

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import compile_path

_compiled = cache(compile_path)


def allowed_methods(app: FastAPI, path: str) -> str:
    """Return the methods of all routes that match a path, as in the header Allow: "GET, POST"."""
    methods: set[str] = set()
    for route in iter_route_contexts(app.routes):
        if route.methods and _compiled(route.path)[0].match(path):
            methods |= route.methods
    return ", ".join(sorted(methods))
