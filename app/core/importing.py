"""Importing what features declare in files of one name."""

import importlib

from app.core.settings import ROOT


def import_all(stem: str) -> None:
    """Import the files of a name of all features."""
    for path in sorted(ROOT.glob(f"app/**/{stem}.py")):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
