"""The structure of `app/`: its wings, their features, and the roles of the files of a feature."""

import ast

import pytest

from app.core.settings import ROOT
from app.server.features import FEATURES
from tests.support.sources import APP, modules

TESTS = ROOT / "tests" / "app"
WINGS = sorted(path for path in APP.iterdir() if (path / "__init__.py").exists())

ROLES = (
    {"models"},
    {"queries", "decisions"},
    {"service"},
    {"schemas", "forms", "presenter", "views"},
    {"deps"},
    {"pages", "api", "live"},
)
"""The roles of a feature's files. Each imports those before it; files of other names serve any of them."""


def test_app_has_at_most_nine_wings():
    assert len(WINGS) <= 9
    assert {path.name for path in APP.glob("*.py")} == {"__init__.py", "__main__.py", "main.py"}


@pytest.mark.parametrize("wing", WINGS, ids=lambda wing: wing.name)
def test_tests_have_the_folders_of_the_wings(wing):
    tested, features = (
        {path.parent.relative_to(root) for path in root.rglob("__init__.py")}
        for root in (TESTS / wing.name, wing)
    )
    assert tested <= features


def test_all_features_are_listed_in_their_wing():
    with_routes = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in APP.glob("*/**/*.py")
        if path.stem in ("live", "api", "pages") or path.stem.endswith("_pages")
    }
    listed = [feature.package for feature in FEATURES]
    missing = with_routes - {"app.people.identity"} - set(listed)
    assert missing == set(), "list them in the features.py of their wings"
    assert len(listed) == len(set(listed))


def test_the_files_of_a_feature_import_in_the_order_of_their_roles():
    violations = {
        f"{module} imports {imported}"
        for path, nodes in modules().items()
        for module in [".".join(path.relative_to(ROOT).with_suffix("").parts)]
        for imported in imports_of(nodes)
        if is_against_the_order(module, imported)
    }
    assert violations == set(), f"against the order {ROLES}"


def is_against_the_order(module, imported):
    (feature, rank), (other, other_rank) = place_of(module), place_of(imported)
    return feature == other and None not in (rank, other_rank) and other_rank > rank


def place_of(module):
    """Return the package of a feature that a module is in, and the rank of its role, or None."""
    parts = module.split(".")
    for place, part in enumerate(parts[2:], 2):
        name = "pages" if part.endswith("_pages") else part
        for rank, roles in enumerate(ROLES):
            if name in roles:
                return ".".join(parts[:place]), rank
    return module, None


def imports_of(nodes):
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_files_of_features_contain_what_their_names_say():
    models = schema_names()
    violations = {
        f"{path.relative_to(ROOT)} {violation}"
        for path, nodes in modules().items()
        if path.relative_to(APP).parts[0] != "core"
        for violation in violations_of(path, nodes, models)
    }
    assert violations == set(), "these belong in other files of the feature"


def violations_of(path, nodes, schemas):
    """Yield what a module of a feature contains although its name does not say so."""
    folders = path.relative_to(ROOT).parts
    has_pages = path.stem == "pages" or path.stem.endswith("_pages") or "pages" in folders
    has_routes = has_pages or path.stem in ("api", "live")
    has_schemas = has_pages or path.stem in ("api", "schemas", "forms") or "schemas" in folders
    for node in nodes:
        match node:
            case ast.ClassDef() if "Base" in bases(node) and path.stem != "models":
                yield "defines a table"
            case ast.ClassDef() if bases(node) & schemas and not has_schemas:
                yield "defines a schema"
            case ast.Call(func=ast.Name(id="APIRouter" | "Router")) if not has_routes:
                yield "makes a router"
            case ast.Call(func=ast.Attribute(attr="websocket")) if has_pages:
                yield "serves a websocket"
            case ast.Call(func=ast.Attribute(attr="transaction")) if has_routes:
                yield "opens a transaction"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="bus"))) if has_routes:
                yield "publishes an event"
            case ast.Subscript(value=ast.Name(id="Part"), slice=ast.Name(id="Database")) if has_routes:
                yield "takes the database"
            case ast.ImportFrom(module=str(name)) | ast.alias(name=name) if has_routes and name.startswith(
                "sqlalchemy"
            ):
                yield "imports SQLAlchemy"


def schema_names():
    """Return the names of all classes of `app` that derive from Pydantic's BaseModel."""
    classes = [
        (node.name, bases(node))
        for nodes in modules().values()
        for node in nodes
        if isinstance(node, ast.ClassDef)
    ]
    names = {"BaseModel"}
    while more := {name for name, parents in classes if parents & names} - names:
        names |= more
    return names


def bases(node):
    return {base.id for base in node.bases if isinstance(base, ast.Name)}
