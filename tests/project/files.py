"""The files of the project that several rules are about."""

from pathlib import Path

from app.core.settings import ROOT

SOURCES = [path for folder in ("app", "engine") for path in sorted((ROOT / folder).rglob("*.py"))]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SHEETS = sorted((ROOT / "static" / "css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))


def read(*parts):
    return (ROOT / Path(*parts)).read_text()
