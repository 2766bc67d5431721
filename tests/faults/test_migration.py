"""Migrations run while games are played, and stop them for a moment at most."""

import shutil
import threading
import time

import asyncpg
import pytest
from alembic import command
from alembic.script import ScriptDirectory

from app.core.database.migrate import config, upgrade
from app.core.settings import ROOT
from tests.support.threads import run_coroutine, run_in_thread

PAUSE = 3.0  # seconds; 1 s is aimed at, and the machine of the tests may be busy
READS_FOR = 6  # seconds

MIGRATION = """
from alembic import op
import sqlalchemy as sa

from app.core.database.migrate import create_index, drop_index

revision = "{name}"
down_revision = "{before}"


def upgrade():
    {upgrade}


def downgrade():
    {downgrade}
"""
COLUMN = {
    "upgrade": 'op.add_column("games", sa.Column("note", sa.String()))',
    "downgrade": 'op.drop_column("games", "note")',
}
INDEX = {
    "upgrade": 'create_index("ix_games_note", "games", ["note"])',
    "downgrade": 'drop_index("ix_games_note", "games")',
}


@pytest.fixture
def changed(postgres, tmp_path):
    """Return Alembic's configuration with two more migrations, which are undone at the end."""
    folder = tmp_path / "migrations"
    shutil.copytree(ROOT / "migrations", folder)
    alembic = config(postgres.url)
    alembic.set_main_option("script_location", str(folder))
    head = ScriptDirectory.from_config(alembic).get_current_head()
    for name, before, change in (("column", head, COLUMN), ("index", "column", INDEX)):
        (folder / "versions" / f"{name}.py").write_text(MIGRATION.format(name=name, before=before, **change))
    yield alembic
    run_in_thread(command.downgrade, alembic, head)


def test_migrating_when_nothing_is_to_be_done(postgres, servers, play):
    with play(postgres, servers) as load:
        started = time.monotonic()
        run_in_thread(upgrade, postgres.url)
        assert load.longest_pause(since=started) < PAUSE


def test_migrating_behind_an_open_reader(postgres, servers, changed, play):
    with play(postgres, servers) as load:
        started = time.monotonic()
        reader = threading.Thread(target=run_coroutine, args=[read_games_for(READS_FOR, postgres.url)])
        reader.start()
        load.play_for(0.5)
        run_in_thread(command.upgrade, changed, "head")
        reader.join()
        load.wait_until_whole()
        assert load.longest_pause(since=started) < PAUSE


async def read_games_for(seconds, database_url):
    """Keep a transaction open that has read the table of games."""
    connection = await asyncpg.connect(database_url)
    async with connection.transaction():
        await connection.execute("SELECT count(*) FROM games")
        await connection.execute("SELECT pg_sleep($1)", seconds)
    await connection.close()
