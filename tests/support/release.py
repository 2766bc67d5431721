"""A filled database of this version, for the tests of later ones: `python -m tests.support.release`."""

import gzip
import re
import tempfile
import tomllib
from pathlib import Path

from app.core.settings import ROOT
from app.server.operations import programs
from tests.support.database import connected, fetch
from tests.support.example_site import NEVER_SENDS, ExampleSite
from tests.support.players import keep_clients
from tests.support.ports import free_port
from tests.support.server import site_of_its_own

FOLDER = ROOT / "tests" / "app" / "core" / "database" / "releases"
_OPTIONS = ("--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges")
_NOT_LOADED = re.compile(
    r"^(\\(un)?restrict .*|SELECT pg_catalog\.set_config\('search_path'.*)\n", re.MULTILINE
)
"""Commands of psql, and the statement after which nothing would find the functions of the tests' clock."""


def dump(url):
    """Return the tables and rows of a database, as SQL."""
    major = fetch(url, "SELECT current_setting('server_version_num')::int / 10000")[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dump.sql"
        programs.run(programs.find("pg_dump", major), url, *_OPTIONS, f"--file={file}")
        return _NOT_LOADED.sub("", file.read_text())


async def load(url, version):
    """Load the database of a release into an empty one."""
    sql = gzip.decompress((FOLDER / f"{version}.sql.gz").read_bytes()).decode()
    async with connected(url) as connection:  # of its own: the dump sets options of the session
        await connection.execute(sql)


def main():
    """Fill a server of this version, and write what its database has."""
    port = free_port()
    with site_of_its_own(port=port, public_url=f"http://localhost:{port}", **NEVER_SENDS) as server:
        with keep_clients():
            ExampleSite(server, server.database_url)
        sql = dump(server.database_url)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{version}.sql.gz").write_bytes(gzip.compress(sql.encode(), mtime=0))


if __name__ == "__main__":
    main()
