"""What holds in files of all kinds: nothing is left unfinished, and vendored files are the published ones."""

import hashlib
import re
from pathlib import Path

from app.core.settings import ROOT
from tests.project.files import SOURCES

_UNFINISHED = re.compile(r"TODO|FIXME|XXX|mark\.skip|mark\.xfail")


def test_nothing_is_left_unfinished():
    paths = {*SOURCES, *(ROOT / "tests").rglob("*.py")} - {Path(__file__)}
    assert [path for path in sorted(paths) if _UNFINISHED.search(path.read_text())] == []


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
