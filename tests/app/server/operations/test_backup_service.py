"""The script of `docker-compose.yml` that writes backups, in a real shell, with a PostgreSQL that is none."""

import os
import random
import subprocess
import time
from datetime import UTC, datetime, timedelta

import pytest

from app.core.settings import ROOT
from tests.support.waiting import wait_until

PG_DUMP = """#!/bin/sh
for argument; do
    case $argument in --file=*) echo dump > "${argument#--file=}" ;; esac
done
"""
NAME = "gorrion-%Y%m%d-%H%M%S.dump"


@pytest.fixture
def service(tmp_path):
    """Return a function that starts the service with settings; its backups are in the folder `backups`."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, script in (("pg_dump", PG_DUMP), ("psql", "#!/bin/sh\n")):
        (programs / name).write_text(script)
        (programs / name).chmod(0o755)
    (tmp_path / "backups").mkdir()
    started = []

    def start(every, kept, *arguments):
        started.append(
            subprocess.Popen(
                ["sh", ROOT / "deploy" / "backup.sh", *arguments],
                env={
                    "PATH": f"{programs}:{os.environ['PATH']}",
                    "BACKUP_FOLDER": str(tmp_path / "backups"),
                    "BACKUP_EVERY": str(every),
                    "BACKUPS_KEPT": str(kept),
                },
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=10)


def make(folder, *ages):
    """Make backups that began so many seconds ago."""
    now = datetime.now(UTC)
    for age in ages:
        (folder / (now - timedelta(seconds=age)).strftime(NAME)).touch()


def moments(folder):
    """Return when the backups in a folder began, in seconds since 1970, the newest first."""
    began = [datetime.strptime(file.name, NAME).replace(tzinfo=UTC) for file in folder.glob("*.dump")]
    return sorted((int(each.timestamp()) for each in began), reverse=True)


WRONG = ["", "0", "00", "007", "-1", "+1", "1.5", "14d", "1 day", "all", "$(id)", "*", "1" * 10, "1" * 30]


@pytest.mark.parametrize("value", WRONG)
@pytest.mark.parametrize("name", ["BACKUP_EVERY", "BACKUPS_KEPT"])
@pytest.mark.parametrize("arguments", [(), ("check",)])
def test_settings_that_are_no_whole_numbers_are_refused(service, tmp_path, name, value, arguments):
    make(tmp_path / "backups", 10, 20)
    before = moments(tmp_path / "backups")
    process = service(*((value, 14) if name == "BACKUP_EVERY" else (86400, value)), *arguments)
    said = process.communicate(timeout=10)[1]
    assert said == f'GORRION_{name} must be a whole number from 1 to 999999999, not "{value}".\n'
    assert process.returncode == 1
    assert moments(tmp_path / "backups") == before


def test_starts_within_the_interval_of_the_last_backup_wait_for_the_rest_of_it(service, tmp_path):
    make(tmp_path / "backups", 1000, 5000)
    before = moments(tmp_path / "backups")
    for _ in range(3):
        process = service(3600, 1)
        time.sleep(0.5)
        process.terminate()
        assert process.wait(10) == 0
    assert moments(tmp_path / "backups") == before


def test_backups_are_as_far_apart_as_the_interval(service, tmp_path):
    make(tmp_path / "backups", 1)
    [first] = moments(tmp_path / "backups")
    service(3, 9)
    wait_until(lambda: len(moments(tmp_path / "backups")) == 3)
    third, second, _ = moments(tmp_path / "backups")
    assert second - first >= 3
    assert third - second >= 3


def test_a_clock_that_was_set_back_puts_no_backup_off_for_more_than_the_interval(service, tmp_path):
    make(tmp_path / "backups", -1000)
    service(2, 2)
    wait_until(lambda: len(moments(tmp_path / "backups")) == 2)


@pytest.mark.parametrize("seed", range(10))
def test_a_backup_is_deleted_only_for_enough_that_are_far_enough_apart(service, tmp_path, seed):
    rng = random.Random(seed)
    every, kept = rng.choice([(3600, 1), (3600, 3), (86400, 4)])
    folder = tmp_path / "backups"
    make(folder, *(rng.randrange(every, every * 2 * kept + 2) for _ in range(rng.randrange(20))))
    before = moments(folder)
    process = service(every, kept)
    assert process.stdout.readline().startswith("Wrote ")
    process.terminate()
    process.wait(10)
    after = moments(folder)
    apart = after[:1]
    for moment in after:
        if apart[-1] - moment >= every:
            apart.append(moment)
    assert len(apart) <= kept
    if deleted := set(before) - set(after):
        assert len(apart) == kept
        assert max(deleted) < after[-1]
