"""Benchmarks can be run and explain themselves."""

import importlib
import runpy
import sys

import pytest

from app.core.settings import ROOT

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
