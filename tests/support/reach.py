"""What a function of the application comes to call, found in the source by the types of its arguments."""

import ast
import contextlib
import functools
import inspect
import sys
import textwrap
import typing
from types import SimpleNamespace


def reaches(function, name):
    """Return whether a function, or anything of the application that it uses, has an attribute of that name.

    Methods are found by the types that the arguments of functions, and of `__init__`, are annotated with.
    """
    seen, waiting = set(), [(function, None)]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            names, used = _parts(*each)
            if name in names:
                return True
            waiting += used
    return False


@functools.cache
def _parts(function, owner):
    """Return the names of the attributes in a function, and the functions of the application that it uses."""
    types = {"self": owner, **_hints(function)}
    nodes = list(ast.walk(_tree(function)))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names, [used for node in nodes for used in _used(node, types, function.__globals__)]


def _used(node, types, names):
    """Yield the functions of the application that a part of the source refers to, with their classes."""
    if isinstance(node, ast.Name):
        found = names.get(node.id)
        if inspect.isfunction(found) and _is_ours(found):
            yield found, None
    elif isinstance(node, ast.Attribute):
        for owner in _types_of(node.value, types):
            found = inspect.getattr_static(owner, node.attr, None)
            found = found.fget if isinstance(found, property) else found
            if inspect.isfunction(found):
                yield found, owner


def _types_of(node, types):
    if isinstance(node, ast.Name):
        return _classes(types.get(node.id))
    if isinstance(node, ast.Attribute):
        return [
            found
            for owner in _types_of(node.value, types)
            for found in _classes(_fields(owner).get(node.attr))
        ]
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
    return [each for each in (*typing.get_args(hint), hint) if isinstance(each, type) and _is_ours(each)]


def _is_ours(found):
    return found.__module__.startswith("app.")


def _tree(function):
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except OSError:  # the __init__ of a dataclass
        return ast.parse("")
