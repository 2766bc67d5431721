"""Static files that are served as one."""

import re

import pytest

from app.core.web.joined import FOLDER, MODULES, text_of

IMPORT = re.compile(r'^import (?:{(.+)} from )?"(.+)";', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|function) (?:{(.+)}|(\w+))", re.MULTILINE)
SCRIPTS = [str(path.relative_to(FOLDER)) for path in sorted((FOLDER / "js").rglob("*.js"))]
JOINED = {path for paths in MODULES.values() for path in paths}


def names(groups):
    return {name.strip() for group in groups for name in group.split(",") if name.strip()}


def exported(path):
    return names(name for found in EXPORT.findall(text_of(path).decode()) for name in found)


@pytest.mark.parametrize("path", sorted({*SCRIPTS, *MODULES} - JOINED | {*MODULES}))
def test_a_script_imports_what_is_served_and_no_module_twice(path):
    for imported, source in IMPORT.findall(text_of(path).decode()):
        target = str(((FOLDER / path).parent / source).resolve().relative_to(FOLDER.resolve()))
        assert target in MODULES or target in {*SCRIPTS} - JOINED
        assert names([imported]) <= exported(target)


@pytest.mark.parametrize("path", MODULES)
def test_joined_modules_come_after_those_that_they_import(path):
    met = set()
    for member in MODULES[path]:
        script = (FOLDER / member).read_text()
        sources = {
            str(((FOLDER / member).parent / source).resolve().relative_to(FOLDER.resolve()))
            for _, source in IMPORT.findall(script)
        }
        assert sources & {*MODULES[path]} <= met
        met.add(member)


@pytest.mark.parametrize("path", MODULES)
def test_joined_modules_export_different_names(path):
    exports = [
        name
        for member in MODULES[path]
        for found in EXPORT.findall((FOLDER / member).read_text())
        for name in found
        if name
    ]
    assert len(exports) == len({*exports}) == len(exported(path))
