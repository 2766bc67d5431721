"""The wheel, installed into an empty environment that is read-only then."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest

from app.core.i18n.languages import LANGUAGES
from app.core.settings import ROOT
from tests.support.ports import free_port
from tests.support.server import Server, wait_until_ready
from tests.support.waiting import WITHIN

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""The versions that the wheel is tested with, those of them that the machine has."""

UV = ("env", "--unset=SSL_CERT_DIR", sys.executable, "-m", "uv", "--system-certs")
# Root may write everywhere, unless it gives that up.
READING = ("setpriv", "--bounding-set", "-dac_override") if os.geteuid() == 0 else ()


def _run(*arguments, **options):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _build(folder, *options):
    _run(*UV, "build", "--quiet", *options, "--out-dir", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def _contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {member.filename: member.CRC for member in archive.infolist()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the wheel that the source distribution builds."""
    return _build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module", params=PYTHONS)
def programs(request, wheel, tmp_path_factory):
    """Return the folder of the programs of an environment with the wheel, which nobody may change."""
    python = _python(request.param)
    if python is None:
        pytest.skip(f"There is no Python {request.param}.")
    folder = tmp_path_factory.mktemp("installed") / "env"
    locked = folder.with_name("pylock.toml")
    exported = ("export", "--quiet", "--frozen", "--no-dev", "--no-emit-project", "--format", "pylock.toml")
    _run(*UV, *exported, "--output-file", locked, cwd=ROOT)
    _run(*UV, "venv", "--quiet", "--python", python, folder)
    install = (*UV, "pip", "install", "--quiet", "--python", folder)
    _run(*install, "--requirements", locked)
    _run(*install, "--offline", wheel)  # so it needs nothing else
    _run("chmod", "--recursive", "a-w", folder)
    yield folder / "bin"
    _run("chmod", "--recursive", "u+w", folder)


def _python(version):
    """Return a Python of a version, from the path or from pyenv, or None."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
    for python in (shutil.which(f"python{version}"), *found):
        # The path may have pyenv's program for a version that is not chosen, which fails.
        if python and subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0:
            return python
    return None


def test_the_checkout_and_its_source_distribution_build_the_same_wheel(wheel, tmp_path):
    assert _contents(_build(tmp_path, "--wheel")) == _contents(wheel)


def test_the_command_of_the_readme_installs_the_newest_wheel_in_a_bare_environment(tmp_path):
    """The folder of programs is not on the path yet, and an older wheel is still there."""
    checkout, home, tools = (tmp_path / name for name in ("checkout", "home", "tools"))
    _run(*UV, "build", "--quiet", "--sdist", "--out-dir", tmp_path, ROOT)
    (source,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (tmp_path / source.name.removesuffix(".tar.gz")).rename(checkout)
    (checkout / "dist").mkdir()
    (checkout / "dist" / "gorrion-0.0.1-py3-none-any.whl").touch()
    os.utime(checkout / "dist" / "gorrion-0.0.1-py3-none-any.whl", (0, 0))
    home.mkdir()
    tools.mkdir()
    (tools / "uv").symlink_to(Path(sys.executable).with_name("uv"))
    (command,) = re.findall(r"^    (uv build .*) serve$", (ROOT / "README.md").read_text(), re.MULTILINE)
    environment = {
        "PATH": f"{tools}:/usr/bin:/bin",
        "HOME": str(home),
        "UV_CACHE_DIR": _run(*UV, "cache", "dir").strip(),
        "UV_PYTHON": sys.executable,
        "UV_SYSTEM_CERTS": "1",
    }
    said = _run("sh", "-c", f"{command} --version", cwd=checkout, env=environment)
    assert said.split() == ["gorrion", version("gorrion")]


def test_the_installed_program_says_its_version(programs, wheel):
    assert _run(programs / "gorrion", "--version").split() == ["gorrion", wheel.name.split("-")[1]]


def test_the_installed_program_serves_everything_from_a_read_only_folder(programs, new_database, tmp_path):
    port = free_port()
    url = new_database("wheel")
    environment = {
        "PATH": os.environ["PATH"],
        "GORRION_DATABASE_URL": url,
        # What a later Python takes away fails already, in the code of the wheel.
        "PYTHONWARNINGS": "default::DeprecationWarning",
    }
    command = (*READING, programs / "gorrion", "serve", "--computers", "0", "--port", str(port))
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=output, stderr=output)
    server = Server(process, port, url, log)
    try:
        wait_until_ready(server, process.poll)
        with httpx.Client(base_url=server.url, follow_redirects=True, timeout=WITHIN) as site:
            titles = {_title(site.get("/rules", headers={"Accept-Language": each})) for each in LANGUAGES}
            assert len(titles) == len(LANGUAGES)
            files = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', site.get("/").text))
            assert len(files) > 3
            assert {site.get(file).status_code for file in files} == {200}
    finally:
        server.stop()
    said = log.read_text()
    assert "Traceback" not in said
    assert [
        line for line in said.splitlines() if re.search(r"/site-packages/(app|engine)/.*Warning", line)
    ] == []


def _title(answer):
    assert answer.status_code == 200
    return re.search("<title>(.*?)</title>", answer.text, re.DOTALL)[1]
