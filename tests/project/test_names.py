"""The names that CONTRIBUTING decides on."""

import ast
from collections import defaultdict

from app.core.settings import ROOT
from tests.support.sources import APP, modules, parsed

_SHOWN = ("api", "events", "schemas")  # files whose names are those of the API and of events


def test_public_classes_have_different_names():
    places = defaultdict(set)
    for path in modules():
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and path.stem not in _SHOWN:
                places[node.name].add(str(path.relative_to(APP)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_moments_in_milliseconds_and_datetimes_have_different_names():
    wrong = {("now", "int"), ("moment", "datetime")}
    violations = {
        f"{path.relative_to(ROOT)}: {node.arg}: {ast.unparse(node.annotation)}"
        for path, nodes in modules().items()
        for node in nodes
        if isinstance(node, ast.arg) and node.annotation is not None
        if (node.arg, ast.unparse(node.annotation)) in wrong
    }
    assert violations == set()


def test_who_gives_a_command_is_called_identity():
    wrong = {"moderator", "organiser", "author", "reporter"}
    violations = {
        f"{path.relative_to(ROOT)}: {node.arg}"
        for path, nodes in modules().items()
        for node in nodes
        if isinstance(node, ast.arg) and node.arg in wrong and node.annotation is not None
        if ast.unparse(node.annotation).startswith("Identity")
    }
    assert violations == set()
