"""Importing much at a time: what features declare in files of one name, and what a process consists of."""

import gc
import importlib
from collections.abc import Iterator
from contextlib import contextmanager

from app.core.settings import ROOT


def import_all(stem: str) -> None:
    """Import the files of a name of all features."""
    for path in sorted(ROOT.glob(f"app/**/{stem}.py")):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


@contextmanager
def without_collections() -> Iterator[None]:
    """Import what a process consists of with the garbage collector off: it takes a quarter of the time.

    What was imported stays until the end, so no later collection looks at it either; what is garbage among it
    is never freed, which is little.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
