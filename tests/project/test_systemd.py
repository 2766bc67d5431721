"""The unit for systemd is valid, and lets the service do little."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.project.files import read

MOST_EXPOSED = 2.0
"""On the scale of `systemd-analyze security`, from 0 to 10; below 4 it says "OK"."""


@pytest.fixture
def unit(tmp_path):
    """Return the unit as a file, with a program that exists here."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("There is no systemd-analyze.")
    text = re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", read("deploy", "gorrion.service"))
    file = tmp_path / "gorrion.service"
    file.write_text(text)
    return file


def analyze(*arguments):
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_the_unit_is_valid(unit):
    _said, warned = analyze("verify", unit)
    assert unit.name not in warned


def test_only_the_first_process_is_told_to_stop():
    assert re.search(r"(?m)^KillMode=mixed$", read("deploy", "gorrion.service"))


def test_the_service_is_hardly_exposed(unit):
    said, _warned = analyze("security", "--offline=true", unit)
    assert float(re.search(r"Overall exposure level for \S+ ([\d.]+)", said)[1]) <= MOST_EXPOSED
