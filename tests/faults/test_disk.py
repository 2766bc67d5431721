"""The disk is full, or power is lost: what was acknowledged is still there afterwards."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

import pytest

from app.core.database.session import Database, DurabilityError
from tests.faults.cluster import Postgres, Web
from tests.faults.load import Observed
from tests.faults.scale import TIMES
from tests.support.database import execute
from tests.support.threads import run_coroutine
from tests.support.waiting import wait_until

DISK = 400  # MB
REFUSED_FOR = 3  # seconds


@pytest.fixture
def mounted(tmp_path):
    """Return a function that mounts a file system on a folder; only root may."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount the file systems that this test breaks: run it as root, too")
    folders = []

    def mount(name, *arguments):
        folder = tmp_path / name
        folder.mkdir()
        done = subprocess.run(["mount", *arguments, folder], check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"this system does not mount file systems: {done.stderr.strip()}")
        folders.append(folder)
        return folder

    yield mount
    for folder in folders:
        subprocess.run(["umount", "--lazy", folder], check=True)


@dataclass
class Disk:
    """A PostgreSQL with its data on a file system of its own, and a server."""

    folder: object
    postgres: Postgres
    server: Web


@contextlib.contextmanager
def disk(folder, log):
    postgres = Postgres.create(folder)
    postgres.start()
    server = Web(postgres.url, log)
    try:
        server.start()
        yield Disk(folder, postgres, server)
    finally:
        server.close()
        postgres.close()


def test_a_full_disk(mounted, tmp_path, play):
    folder = mounted("full", "-t", "tmpfs", "-o", f"size={DISK}m,mode=755", "tmpfs")
    with disk(folder, tmp_path / "log") as site, play(site.postgres, [site.server]) as load:
        fill = folder / "fill"
        with contextlib.suppress(OSError), fill.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(2**20))
        filled = time.monotonic()
        wait_until(lambda: load.longest_pause(since=filled) > REFUSED_FOR)
        fill.unlink()
        if site.postgres.process.poll() is not None:  # it ends itself when it cannot write
            site.postgres.start()
        load.wait_until_whole()
        wait_until(site.server.is_ready)


def test_power_is_lost(mounted, tmp_path, play):
    """What has reached the disk at a moment has every move that was acknowledged by then.

    The disk is a file. It is copied while PostgreSQL is paused, without what the kernel has not written yet.
    """
    image = tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(DISK * 2**20)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    folder = mounted("disk", "-o", "loop", image)
    folder.chmod(0o755)
    with disk(folder, tmp_path / "log") as site, play(site.postgres, [site.server]) as load:
        for number in range(TIMES):
            load.play_for(3)
            site.postgres.pause()
            load.play_for(0.5)
            known = Observed(acknowledged=list(load.observed.acknowledged), games=list(load.observed.games))
            known.sent = set(load.observed.sent)
            copy = tmp_path / f"copy{number}"
            shutil.copyfile(image, copy)
            site.postgres.resume()
            load.wait_until_whole()
            recovered = site.postgres.recovering(mounted(f"recovered{number}", "-o", "loop", copy))
            recovered.start()
            try:
                assert run_coroutine(known.compare(recovered.url)) == []
            finally:
                recovered.stop()


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes", "synchronous_commit"])
def test_a_database_that_may_lose_moves_is_refused(postgres, setting):
    execute(postgres.url, f"ALTER SYSTEM SET {setting} = off")
    postgres.process.send_signal(signal.SIGHUP)
    try:
        with pytest.raises(DurabilityError, match=setting):
            run_coroutine(Database.open(postgres.url, pool_size=1))
    finally:
        execute(postgres.url, f"ALTER SYSTEM RESET {setting}")
        postgres.process.send_signal(signal.SIGHUP)
