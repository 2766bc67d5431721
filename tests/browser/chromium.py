"""Find a Chromium for the browser tests, or install one, with or without root.

`python -m tests` calls `ensure` once; the fixtures use `executable`, `shell` and `LAUNCH_ARGS`.
"""

import functools
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UNPACKED = ROOT / ".chromium"
"""Where packages are unpacked for users who may not install them."""

_DRIVER = UNPACKED / "driver"

SHELL = "chromium-headless-shell"
"""Chromium without windows, and its Debian package: a page costs it a fifth of the time."""

VARIABLE = "GORRION_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

LAUNCH_ARGS = (
    # Playwright leaves the sandbox off by itself. It is stated here too: root cannot have it, nor can a
    # container without user namespaces, and the only pages that are opened are our own, on this machine.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container's /dev/shm is often 64 MB, too small for a few pages
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

_APT_MINUTES = 10
_DOWNLOAD_MINUTES = 5
# A program that mixes this C library with the machine's own does not run.
_NEVER_UNPACKED = ("libc6", "libc-bin")

_WRAPPER = """\
#!/bin/sh
# Starts the program of this name that is unpacked beside this file, with its libraries and fonts.
here=$(dirname "$(readlink -f "$0")")
# Some libraries sit one folder deeper, where only their own package's absolute path would find them.
for folder in "$here"/root/usr/lib "$here"/root/usr/lib/*-linux-gnu* "$here"/root/usr/lib/*-linux-gnu*/*/ \\
    "$here"/root/lib/*-linux-gnu*; do
    ls "$folder"/lib*.so* >/dev/null 2>&1 || continue
    LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder"
done
export LD_LIBRARY_PATH FONTCONFIG_FILE="$here/fonts.conf"
export XDG_DATA_DIRS="$here/root/usr/share:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
exec "$here/root/usr/lib/chromium/$(basename "$0")" "$@"
"""

_FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">root/usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
"""


class NoChromiumError(RuntimeError):
    """There is no Chromium, and none could be installed."""


@functools.cache
def executable() -> str:
    """Return the path of a Chromium that starts, without installing anything.

    Raise NoChromiumError when there is none.
    """
    _lend_libraries()
    for path in _candidates():
        if _starts(path):
            return path
    raise NoChromiumError(f"No Chromium found. `python -m tests` installs one, or name yours in {VARIABLE}.")


def shell() -> str:
    """Return the path of a Chromium without windows, or of another one. It cannot show notifications."""
    if VARIABLE in os.environ:
        return executable()
    return shutil.which(SHELL) or shutil.which(SHELL, path=str(UNPACKED)) or executable()


def ensure() -> None:
    """Install a Chromium that starts where there is none, and as root also one without windows.

    Raise NoChromiumError, with what to do, if none can be installed.
    """
    named = os.environ.get(VARIABLE)
    if named and not _starts(named):
        raise NoChromiumError(f"{VARIABLE} names {named}, and that does not start.")
    _ensure_driver()
    _ensure_browser()
    if shell() == executable() and not named and _can_install():
        _install(SHELL)


def _ensure_browser() -> None:
    for install in (None, _from_playwright, _from_debian_as_root, _from_debian_unpacked):
        if install is not None and not install():
            continue
        executable.cache_clear()
        try:
            executable()
        except NoChromiumError:
            continue
        else:
            return
    raise NoChromiumError(
        f"The browser tests need a Chromium, and none could be downloaded. "
        f"Install Chromium or Google Chrome, or name one in {VARIABLE}, and try again."
    )


def _candidates() -> Iterator[str]:
    named = os.environ.get(VARIABLE)
    if named:
        yield named
        return  # and no other
    for name in NAMES:
        if path := shutil.which(name):
            yield path
    # The unpacked one comes before Playwright's, since asking Playwright takes half a second.
    yield str(UNPACKED / "chromium")
    yield _playwright_path()


def _starts(path: str) -> bool:
    # Answering --version takes all libraries, so an incomplete installation fails here.
    if not os.access(path, os.X_OK):
        return False
    return _run([path, "--version"], minutes=0.5, quiet=True)


def _playwright_path() -> str:
    # In another process: Playwright's blocking API refuses to run beside an event loop.
    code = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p: print(p.chromium.executable_path)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return answer.stdout.strip()


def _from_playwright() -> bool:
    _say("No Chromium here yet: trying Playwright's download …")
    # --no-shell: one browser, not two; the tests run the whole Chromium without a window.
    command = [sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"]
    if not _run(command, minutes=_DOWNLOAD_MINUTES, quiet=True):
        _say("That download is closed here.")
        return False
    if _is_root() and not _starts(_playwright_path()):
        _run([sys.executable, "-m", "playwright", "install-deps", "chromium"], minutes=_APT_MINUTES)
    return True


def _from_debian_as_root() -> bool:
    if not _can_install():
        return False
    _say("Installing the distribution's chromium package …")
    return _install("chromium")


def _from_debian_unpacked() -> bool:
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return False
    _say(f"Unpacking the distribution's chromium package into {UNPACKED.name}/ …")
    if not _unpack(["chromium", SHELL], UNPACKED / "root"):
        return False
    (UNPACKED / "fonts.conf").write_text(_FONTS)
    # Written last, so that a wrapper means that the rest is complete.
    for name in ("chromium", SHELL):
        wrapper = UNPACKED / name
        wrapper.write_text(_WRAPPER)
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return True


def _ensure_driver() -> None:
    """Install what Playwright itself needs to start: its Node needs a library that a bare machine lacks.

    Raise NoChromiumError when it does not.
    """
    _lend_libraries()
    if _driver_starts():
        return
    _say("Playwright does not start yet: getting libatomic1, which it needs …")
    if not (_is_root() and _install("libatomic1")):
        _unpack(["libatomic1"], _DRIVER)
        _lend_libraries()
    if not _driver_starts():
        raise NoChromiumError(
            "Playwright, which drives the browser tests, does not start: `python -m playwright --version` "
            "says why. Most often a system library is missing; on Debian it is libatomic1."
        )


def _driver_starts() -> bool:
    return _run([sys.executable, "-m", "playwright", "--version"], minutes=1, quiet=True)


def _lend_libraries() -> None:
    """Enable child processes to find the libraries that were unpacked for Playwright's driver."""
    known = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    for library in _DRIVER.glob("usr/lib/*/libatomic.so.1"):
        if str(library.parent) not in known:
            os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [str(library.parent), *known]))


def _install(package: str) -> bool:
    """Install a distribution's package for the whole machine, as root."""
    apt = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    quietly = {"DEBIAN_FRONTEND": "noninteractive"}
    # An update may fail for one source of several; the installation shows whether that matters.
    _run([*apt, "update"], minutes=_APT_MINUTES, environment=quietly)
    install = [*apt, "install", "-y", "--no-install-recommends", package]
    return _run(install, minutes=_APT_MINUTES, environment=quietly)


def _unpack(packages: list[str], folder: Path) -> bool:
    """Unpack a distribution's packages, and those they need that are missing here, into `folder`."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return False
    # Start from nothing, since an interrupted attempt may have left incomplete files.
    work = UNPACKED / "apt"
    for leftover in (work, folder):
        shutil.rmtree(leftover, ignore_errors=True)
    apt = _private_apt(work)
    _run([*apt, "update"], minutes=_APT_MINUTES)
    download = [*apt, "install", "-y", "--download-only", "--no-install-recommends", *packages]
    if not _run(download, minutes=_APT_MINUTES):
        return False
    for archive in sorted((work / "archives").glob("*.deb")):
        if archive.name.split("_")[0] in _NEVER_UNPACKED:
            continue
        if not _run(["dpkg-deb", "-x", str(archive), str(folder)], minutes=_APT_MINUTES):
            return False
    shutil.rmtree(work)
    return True


def _private_apt(folder: Path) -> list[str]:
    """Return an apt-get that knows the machine's sources and packages but writes only inside `folder`."""
    for name in ("lists/partial", "archives/partial"):
        (folder / name).mkdir(parents=True)
    # apt locks the folder of the status file, so it gets a copy of the file in a folder that can be locked.
    status = folder / "status"
    shutil.copyfile("/var/lib/dpkg/status", status)
    options = {
        "Dir::State": folder,
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": status,
        "Dir::Cache": folder,
        "Dir::Cache::archives": folder / "archives",
        "Dir::Log": folder,
        "APT::Sandbox::User": "",
    }
    return ["apt-get", "-q", *(part for key, value in options.items() for part in ("-o", f"{key}={value}"))]


def _run(
    command: list[str], *, minutes: float, quiet: bool = False, environment: Mapping[str, str] | None = None
) -> bool:
    """Return whether a command succeeds. If it fails and is not `quiet`, print the end of its output."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
            timeout=minutes * 60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        if not quiet:
            _say(str(error))
        return False
    if done.returncode != 0 and not quiet:
        _say(done.stdout.decode(errors="replace")[-2000:])
    return done.returncode == 0


def _is_root() -> bool:
    return os.geteuid() == 0


def _can_install() -> bool:
    """Return whether packages of the distribution can be installed for the whole machine."""
    return _is_root() and shutil.which("apt-get") is not None


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
