"""The documents describe the project as it is."""

import itertools
import json
import re
import tomllib
from pathlib import Path

import pytest
from prometheus_client import Counter, Gauge, Histogram

from app.core import metrics
from app.core.settings import ROOT, Settings
from engine.game_record import parse as record_of
from engine.golden_nugget.entry import verify_file
from tests.project.files import read


def test_every_setting_is_documented():
    documented = re.findall(r"^\| `(GORRION_\w+)`", read("docs", "operations.md"), re.MULTILINE)
    assert documented == [f"GORRION_{name.upper()}" for name in Settings.model_fields]


def test_every_dependency_has_its_row():
    project = tomllib.loads(read("pyproject.toml"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    wanted = itertools.chain(project["project"]["dependencies"], *extras.values(), *groups.values())
    names = {re.match(r"[\w-]+", each)[0] for each in wanted} - {"gorrion"}  # an extra needs another one
    rows = re.findall(r"^\| (`.+?`) \|", read("docs", "dependencies.md"), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([\w-]+)", row)} == names


def test_every_test_of_faults_is_documented():
    documented = re.findall(r"`(test_\w+\.py)`", read("docs", "reliability.md"))
    assert set(documented) == {path.name for path in (ROOT / "tests" / "faults").glob("test_*.py")}


def test_every_release_says_how_to_upgrade():
    parts = re.split(r"^## (.+)$", read("CHANGELOG.md"), flags=re.MULTILINE)[1:]
    releases = dict(zip(parts[::2], parts[1::2], strict=True))
    *later, _first = releases
    for name in later:
        assert "\n### Upgrading\n" in releases[name], f"add the part Upgrading to {name} in CHANGELOG.md"


def test_every_package_is_in_the_readme_of_its_wing():
    for path in (ROOT / "app").glob("*/*/__init__.py"):
        name = path.parent.relative_to(ROOT)
        assert f"`{name}/`" in read(name.parent, "README.md"), f"name {name}/ in the README of its wing"


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
    extras = {*re.findall(r"--extra (\w+)", commands[0])}
    assert f"[{','.join(sorted(extras))}]" in read("README.md"), "a wheel is installed with the same extras"
    assert "--no-dev" in commands[0]
    assert "--all-extras" in commands[1]
    assert commands[0].endswith(".venv/bin/gorrion serve")
    assert commands[1].endswith(".venv/bin/python -m tests")
    pattern = re.search(r"sed -n 's/(.*)/\\1/p'", read(".ci", "run")).group(1)
    lines = [
        line
        for line in read("README.md").splitlines()
        if re.match(pattern.replace(r"\(", "(").replace(r"\)", ")"), line)
    ]
    assert lines == [f"    {commands[1]}"]


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
    ("name", "boards", "most"),
    [("20", 20, 40), ("20-best", 20, 19), ("50-best", 50, 17), ("100-best", 100, 17), ("200-best", 200, 16)],
)
def test_the_sample_records_are_valid(name, boards, most):
    verdict = verify_file((ROOT / "docs" / "samples" / f"golden-nugget-{name}.txt").read_bytes())
    assert verdict.valid
    assert len(verdict.counts) == boards
    assert sum(verdict.counts) <= most * boards
