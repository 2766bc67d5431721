"""Programs find every code of an error in the documentation, and readers a title in their language."""

import ast
import functools

from app.core.settings import ROOT
from app.core.web.errors import _TITLES

DOCS = "\n".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))


@functools.cache
def trees():
    """Return the syntax trees of all modules by their paths."""
    return {path: ast.parse(path.read_text()) for path in sorted((ROOT / "app").rglob("*.py"))}


def position_of_code(arguments):
    """Return which argument of a call is the code, not counting `self`, or None."""
    names = [argument.arg for argument in arguments.args if argument.arg != "self"]
    return names.index("code") if "code" in names else None


def takers():
    """Return which argument is the code in calls of each class and function, by its name."""
    found = {"Most": 1}
    bases = {}
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and (position := position_of_code(node.args)) is not None:
                found[node.name] = position
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
                for member in node.body:
                    if isinstance(member, ast.FunctionDef) and member.name == "__init__":
                        found[node.name] = position_of_code(member.args)
    del found["__init__"]
    for name in bases:
        errors = [name]
        while errors[-1] not in found and bases.get(errors[-1]):
            errors.append(bases[errors[-1]][0])
        found[name] = found.get(errors[-1])
    return found, bases


def codes():
    """Return the codes that stand in calls, each with the file that has it."""
    positions, bases = takers()
    found = {}
    for path, tree in trees().items():
        for owner in ast.walk(tree):
            parents = bases.get(owner.name, []) if isinstance(owner, ast.ClassDef) else []
            for node in ast.walk(owner) if parents or owner is tree else ():
                if not isinstance(node, ast.Call):
                    continue
                name = getattr(node.func, "id", getattr(node.func, "attr", None))
                if name == "__init__":
                    name = parents[0] if parents else None
                position = positions.get(name)
                if position is not None and len(node.args) > position:
                    code = node.args[position]
                    if isinstance(code, ast.Constant) and isinstance(code.value, str):
                        found[code.value] = path
    return found


def test_every_code_of_an_error_is_in_the_documentation():
    known = codes()
    assert len(known) > 200
    assert {"username_taken", "wrong_credentials", "unknown_opponent", "too_many_requests"} <= known.keys()
    missing = {code: path.name for code, path in known.items() if f"`{code}`" not in DOCS}
    assert missing == {}


def statuses():
    """Return the statuses that stand in calls which make errors."""
    return {
        argument.value
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", ""))
        in {"__init__", "AppError", "HTTPException"}
        for argument in node.args
        if isinstance(argument, ast.Constant) and type(argument.value) is int and 400 <= argument.value < 500
    }


def test_every_status_of_an_error_has_a_title():
    assert {404, 409, 410, 429} <= statuses()
    assert statuses() - set(_TITLES) == set()
