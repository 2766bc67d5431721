"""The modules of the server as syntax trees, parsed once for all tests that look at them."""

import ast
from functools import cache
from pathlib import Path

from app.core.settings import ROOT

APP = ROOT / "app"


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text())


@cache
def modules() -> dict[Path, tuple[ast.AST, ...]]:
    """Return all nodes of each module of `app`, by its path."""
    return {path: tuple(ast.walk(parsed(path))) for path in sorted(APP.rglob("*.py"))}
