"""Benchmarks can be run and explain themselves."""

import importlib
import runpy
import sys

import pytest
from starlette.routing import compile_path

from app.core.ids import new_id
from app.core.settings import ROOT
from benchmarks import nugget_pages, pages
from tests.support.routes import calls

BENCHMARKS = sorted((ROOT / "benchmarks").glob("[!_]*.py"))


def test_benchmarks_find_what_they_import():
    for path in BENCHMARKS:
        importlib.import_module(f"benchmarks.{path.stem}")


def test_benchmarks_explain_themselves(monkeypatch, capsys):
    for path in BENCHMARKS:
        if '__name__ == "__main__"' in path.read_text():
            monkeypatch.setattr(sys, "argv", [path.name, "--help"])
            with pytest.raises(SystemExit) as ended:
                runpy.run_path(str(path), run_name="__main__")
            assert ended.value.code == 0, path
            assert "usage: " in capsys.readouterr().out, path


def test_a_benchmark_names_the_programs_that_it_lacks(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["machines"])
    monkeypatch.setattr("shutil.which", lambda *_arguments, **_options: None)
    with pytest.raises(SystemExit):
        importlib.import_module("benchmarks.machines").main()
    assert "haproxy and pgbouncer not found" in capsys.readouterr().err


def test_the_pages_that_benchmarks_ask_for_exist():
    an_id = new_id()
    kinds = ("entry", "common", "holder", "witnessed")
    names = {**{kind: [an_id] for kind in kinds}, "node": ["start"], "player": ["made-up-1"]}
    prepared = pages.Prepared("", "", over=[an_id], under_way=[an_id], tournament=an_id, entry=an_id)
    of_nugget, of_site = nugget_pages.asked("http://site", "", names), pages.asked("http://site", prepared)
    routes = [compile_path(call.path)[0] for call in calls() if call.method == "GET"]
    for asking in [*of_nugget, *of_site]:
        prefix = asking.http.base_url.path.rstrip("/")
        for path in asking.paths:
            whole = prefix + path.partition("?")[0]
            assert any(route.match(whole) for route in routes), (asking.name, whole)
