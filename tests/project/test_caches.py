"""Caches: none is looked for before it is read, since it may expire in between, and none has coroutines."""

import ast

from tests.support.sources import modules


def caches_that_expire(nodes):
    """Return the names of attributes that are set to such a cache."""
    return {
        target.attr
        for node in nodes
        if isinstance(node, ast.Assign | ast.AnnAssign) and "TTLCache(" in ast.unparse(node)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute)
    }


CACHES = {path: names for path, nodes in modules().items() if (names := caches_that_expire(nodes))}


def test_caches_are_found():
    assert len(CACHES) >= 4


def test_no_value_is_looked_for_before_it_is_read():
    found = [
        f"{path}: {ast.unparse(node)}"
        for path, names in CACHES.items()
        for node in modules()[path]
        if isinstance(node, ast.Compare) and any(isinstance(each, ast.In | ast.NotIn) for each in node.ops)
        for right in node.comparators
        if isinstance(right, ast.Attribute) and right.attr in names
    ]
    assert found == [], "use get"


def test_no_coroutine_is_cached():
    """It can be awaited once only."""
    found = [
        f"{path}: {node.name}"
        for path, nodes in modules().items()
        for node in nodes
        if isinstance(node, ast.AsyncFunctionDef)
        and any("cache" in ast.unparse(decorator) for decorator in node.decorator_list)
    ]
    assert found == []
