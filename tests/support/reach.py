"""What a function of the application comes to call, found in the source by the types of its values."""

import ast
import contextlib
import functools
import inspect
import sys
import textwrap
import typing
from types import SimpleNamespace

from app.core.database.base import Base


def reaches(function, name):
    """Return whether a function, or anything of the application that it uses, has an attribute of that name.

    Methods are found by the types that arguments and results of functions are annotated with.
    """
    return any(
        isinstance(node, ast.Attribute) and node.attr == name
        for part, _ in _parts(function)
        for node in ast.walk(_tree(part))
    )


def first_reached(function, names):
    """Return the attribute of some names that a function, or what it uses, comes to first; None if to none.

    The order is that of the source.
    """
    return _first_reached(function, None, names, set())


def _first_reached(function, owner, names, seen):
    if (function, owner) in seen:
        return None
    seen.add((function, owner))
    for node, used in _uses(function, owner):
        if isinstance(node, ast.Attribute) and node.attr in names:
            return node.attr
        for each in used:
            if (found := _first_reached(*each, names, seen)) is not None:
                return found
    return None


def tables_filled_by(function):
    """Return the tables to which a function, or anything of the application that it uses, adds rows.

    Statements that are written in SQL are not read.
    """
    return {table for part, _ in _parts(function) for table in _tables(part)}


def called_outside(function):
    """Return the functions of other modules that a function, or its helpers in its own module, uses."""
    seen, waiting, outside = set(), [(function, None)], set()
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            for used in _used_by(*each):
                if used[0].__module__ == function.__module__:
                    waiting.append(used)
                else:
                    outside.add(used[0])
    return outside


@functools.cache
def _tables(function):
    """Return the tables of which a function makes rows: those of the classes that it calls or inserts."""
    tables = set()
    names = inspect.unwrap(function).__globals__
    for node in ast.walk(_tree(function)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            is_insert = node.func.id == "insert" and node.args and isinstance(node.args[0], ast.Name)
            found = names.get(node.args[0].id if is_insert else node.func.id)
            if inspect.isclass(found) and issubclass(found, Base):
                tables.add(found.__tablename__)
    return tables


@functools.cache
def _parts(function):
    """Return a function and all functions of the application that it comes to call, with their classes."""
    seen, waiting = set(), [(function, None)]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            waiting += _used_by(*each)
    return seen


@functools.cache
def _used_by(function, owner):
    """Return the functions of the application that a function uses, with their classes."""
    return [used for _, found in _uses(function, owner) for used in found]


@functools.cache
def _uses(function, owner):
    """Return the nodes of a function in the order of its source, each with the functions that it names."""
    names = inspect.unwrap(function).__globals__
    types = {"self": [owner], "cls": [owner]} if owner else {}
    types |= {name: _classes(hint) for name, hint in _hints(function).items()}
    nodes = [node for node in ast.walk(_tree(function)) if hasattr(node, "lineno")]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    for node in nodes:
        for target, value in _bound(node):
            types[target] = _types_of(value, types, names)
    return [(node, list(_found(node, types, names))) for node in nodes]


def _bound(statement):
    """Yield the names that a statement binds, with what they are bound to."""
    pairs = []
    if isinstance(statement, ast.Assign):
        pairs = [(target, statement.value) for target in statement.targets]
    elif isinstance(statement, ast.With | ast.AsyncWith):
        pairs = [(item.optional_vars, item.context_expr) for item in statement.items if item.optional_vars]
    elif isinstance(statement, ast.For | ast.AsyncFor):
        pairs = [(statement.target, statement.iter)]
    for target, value in pairs:
        yield from ((node.id, value) for node in ast.walk(target) if isinstance(node, ast.Name))


def _found(node, types, names):
    """Yield the functions of the application that an expression names, with their classes."""
    if isinstance(node, ast.Name):
        found = [] if node.id in types else [(names.get(node.id), None)]
    elif isinstance(node, ast.Attribute):
        module = names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        found = [(getattr(module, node.attr, None), None)] if inspect.ismodule(module) else []
        for owner in _types_of(node.value, types, names):
            member = inspect.getattr_static(owner, node.attr, None)
            member = getattr(member, "fget", None) or getattr(member, "__func__", member)
            found.append((member, owner))
    else:
        found = []
    yield from ((each, owner) for each, owner in found if inspect.isfunction(each) and _is_ours(each))


def _types_of(node, types, names):
    """Return the classes of the application of which a value may be, or be made of."""
    if isinstance(node, ast.Await):
        return _types_of(node.value, types, names)
    if isinstance(node, ast.Name):
        return types.get(node.id) or _classes(names.get(node.id))
    if isinstance(node, ast.Attribute):
        return [
            found
            for owner in _types_of(node.value, types, names)
            for found in _classes(_fields(owner).get(node.attr))
        ]
    if isinstance(node, ast.Call):
        made = _classes(names.get(node.func.id)) if isinstance(node.func, ast.Name) else []
        returned = (_hints(found).get("return") for found, _ in _found(node.func, types, names))
        return made + [found for hint in returned for found in _classes(hint)]
    return []


@functools.cache
def _fields(owner):
    """Return the types of attributes: those declared, and those that `__init__` sets to its arguments."""
    fields = dict(_hints(owner))
    if inspect.isfunction(owner.__init__) and _is_ours(owner.__init__):
        types = _hints(owner.__init__)
        for node in ast.walk(_tree(owner.__init__)):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in types:
                fields.update({target.attr: types[node.value.id] for target in node.targets})
    return fields


@functools.cache
def _hints(annotated):
    """Return the types of a function's or class's annotations, without those that only type checkers know."""
    hints = {}
    for each in reversed(inspect.getmro(annotated)) if inspect.isclass(annotated) else [annotated]:
        names = vars(sys.modules[each.__module__])
        for name, annotation in inspect.get_annotations(each).items():
            with contextlib.suppress(NameError, TypeError):
                hints |= typing.get_type_hints(SimpleNamespace(__annotations__={name: annotation}), names)
    return hints


def _classes(hint):
    within = [found for each in typing.get_args(hint) for found in _classes(each)]
    return [*within, hint] if isinstance(hint, type) and _is_ours(hint) else within


def _is_ours(found):
    return found.__module__.startswith("app.")


@functools.cache
def _tree(function):
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except OSError:  # the __init__ of a dataclass
        return ast.parse("")
