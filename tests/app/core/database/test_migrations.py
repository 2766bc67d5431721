"""The migrations build exactly the tables of the models and the functions, and each can be undone."""

import ast
import asyncio
import itertools
import json
import shutil
from pathlib import Path
from uuid import uuid4

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import text

from app.core.database import migrate
from app.core.database.base import Base
from app.core.database.migrate import (
    FUNCTIONS,
    UnknownSchemaError,
    config,
    is_ours,
    migrations,
    upgrade,
)
from app.core.database.session import Database, DurabilityError, create_engine
from app.core.database.upgrading import LOCK, newest_revision, upgrade_patiently
from app.core.moments import now
from app.core.settings import ROOT, Settings
from app.play.games.decisions import Command
from app.server.operations.backup import back_up, restore
from app.server.operations.doctor import examine_database
from engine.registry import GAMES
from tests.support.database import connected, execute, fetch
from tests.support.schema import functions_of, schema_of
from tests.support.threads import run_coroutine, run_in_thread
from tests.support.web_processes import web_processes


def on_connection(url, function):
    async def run():
        engine = create_engine(url)
        async with engine.connect() as connection:
            result = await connection.run_sync(function)
        await engine.dispose()
        return result

    return asyncio.run(run())


FIRST = migrations().get_base()


def test_upgrading_makes_the_models_and_downgrading_the_first_schema(empty_database):
    url = empty_database("migrations")
    command.upgrade(config(url), FIRST)
    first = schema_of(url)
    for _ in range(2):
        upgrade(url)
        upgrade(url)
        difference = on_connection(
            url,
            lambda connection: compare_metadata(
                MigrationContext.configure(connection, opts={"include_name": is_ours}), Base.metadata
            ),
        )
        assert difference == []
        command.downgrade(config(url), FIRST)
        assert schema_of(url) == first


def test_a_database_of_the_version_before_becomes_the_same_as_a_new_one(empty_database, new_database):
    url = empty_database("before")
    execute(url, (Path(__file__).parent / "before_0_1.sql").read_text())
    run_in_thread(upgrade, url)
    assert schema_of(url) == schema_of(new_database("after"))


def test_the_functions_are_what_their_files_say(new_database):
    url, files = new_database("functions"), sorted(FUNCTIONS.glob("*.sql"))
    migrated = functions_of(url)
    assert [name for name, _ in migrated] == [file.stem for file in files]
    for file in files:
        execute(url, file.read_text())
    assert functions_of(url) == migrated


async def test_moves_are_played_one_migration_back(new_database):
    """Servers of a new version may start before the migrations of that version have run."""
    url = new_database("one_back")
    before = migrations().get_revision("head").down_revision or FIRST
    run_in_thread(command.downgrade, config(url), before)
    async with web_processes(url, 1) as [process]:
        state = await process.new_game(rated=True)
        for move in ("c4", "f6", "d4", "f5", "e4", "f4", "c5", "f3"):
            player = state.player_to_move.id
            state = await process.games.play_move(state.id, player, move, state.ply, uuid4(), at=now())
        state = await process.games.command(Command.RESIGN, state.id, state.players[0].id, at=now())
        assert (state.ply, state.status) == (8, "finished")


BEFORE_BEGINNINGS = "b2d81f6a9c37"
MOVES = ("c4", "f6", "d4", "f5", "e4")


async def test_earlier_games_against_the_computer_begin_where_they_did(new_database):
    url = new_database("beginnings")
    beginnings = {}
    async with web_processes(url, 1) as [process]:
        for opening, own in itertools.product(range(4), range(2)):
            game_id, players = await process.begin(GAMES["jadejack"], {"size": 8}, MOVES[:opening])
            for ply in range(opening, opening + own):
                await process.games.play_move(game_id, players[ply % 2], MOVES[ply], ply, uuid4(), at=now())
            beginnings[game_id] = opening
    make_computers = "UPDATE accounts SET computer_level = 1000 + id WHERE id IN"
    execute(url, f"{make_computers} (SELECT second_player FROM games)")
    run_in_thread(command.downgrade, config(url), BEFORE_BEGINNINGS)
    execute(url, "UPDATE games SET first_ply = 0")
    run_in_thread(upgrade, url)
    assert json.loads(fetch(url, "SELECT json_object_agg(id, first_ply) FROM games")[0]) == beginnings


async def test_ids_of_competitions_lose_the_words_of_their_titles_wherever_they_are(new_database):
    url = new_database("worded")
    async with web_processes(url, 1) as [process]:
        organiser = (await process.new_game()).players[0].id
    worded, kept = "rude-words-k7m2wq9xab", "month-2026-11"
    run_in_thread(command.downgrade, config(url), BEFORE_BEGINNINGS)
    for id_ in (worded, kept):
        for table, values in {
            "nugget_competitions (id, organiser_id, title, text, starts_at, ends_at, min_boards, max_boards,"
            " visibility)": "$1, $2, '', '', now(), now() + interval '1 day', 20, 20, 'open'",
            "nugget_entries (id, account_id, competition_id, counts, mean_key, record, record_sha256,"
            " submitted_at)": "'entry ' || $1::text, $2, $1, '{12}', 1, '', $1, now()",
            "nugget_standings (ranking, account_id, entry_id, mean_key, fewer_boards, last_boards,"
            " submitted_at)": "'competition:' || $1::text, $2, 'entry ' || $1::text, 1, -20, '{12}', now()",
            "season_awards (source, account_id, season, rank, points)": (
                "'competition:' || $1::text, $2, '2026-4', 1, 1"
            ),
            "notifications (account_id, kind, subject)": "$2, 'competition_ended', $1",
        }.items():
            execute(url, f"INSERT INTO {table} VALUES ({values})", id_, organiser)
    run_in_thread(upgrade, url)
    without_words = sorted(["k7m2wq9xab", kept])
    of_rankings = [f"competition:{id_}" for id_ in without_words]
    for column, expected in {
        "nugget_competitions.id": without_words,
        "nugget_entries.competition_id": without_words,
        "nugget_standings.ranking": of_rankings,
        "season_awards.source": of_rankings,
        "notifications.subject": without_words,
    }.items():
        table, name = column.split(".")
        assert sorted(fetch(url, f"SELECT array_agg({name}) FROM {table}")[0]) == expected, column


@pytest.fixture
def version_before(tmp_path, monkeypatch):
    """Return a function that takes the last migration away from this version."""

    def become():
        folder = tmp_path / "migrations"
        shutil.copytree(ROOT / "migrations", folder)
        (folder / "versions" / Path(migrations().get_revision("head").path).name).unlink()

        def config_of_the_version_before(url):
            alembic = config(url)
            alembic.set_main_option("script_location", str(folder))
            return alembic

        monkeypatch.setattr(migrate, "config", config_of_the_version_before)

    return become


def finding(url):
    """Return what the doctor finds about the migrations of a database."""
    findings = asyncio.run(examine_database(Settings(), url))
    return next(each for each in findings if each.check == "schema")


def test_the_version_before_works_on_the_tables_of_this_one_and_migrates_nothing(
    new_database, empty_database, version_before, tmp_path
):
    url, head, backup = new_database("back"), migrations().get_current_head(), tmp_path / "backup"
    before = schema_of(url)
    version_before()
    upgrade(url)
    assert schema_of(url) == before
    assert finding(url).level == "ok"
    assert f"revision {head} of a newer Gorrion" in finding(url).detail
    back_up(url, backup)
    restored = empty_database("back_restored")
    execute(restored, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")  # the backup has the tests' clock
    restore(restored, backup)
    upgrade(restored)
    assert schema_of(restored) == before


def test_a_version_that_the_tables_do_not_serve_is_refused(
    empty_database, version_before, tmp_path, monkeypatch
):
    url, backup = empty_database("far_back"), tmp_path / "backup"
    monkeypatch.setattr(migrate, "OLDEST_SERVED", migrations().get_current_head())
    upgrade(url)
    before = schema_of(url)
    version_before()
    with pytest.raises(UnknownSchemaError, match="A newer Gorrion has migrated this database"):
        upgrade(url)
    assert schema_of(url) == before
    assert finding(url).level == "fail"
    back_up(url, backup)
    with pytest.raises(UnknownSchemaError, match="A newer Gorrion has migrated this backup"):
        restore(empty_database("far_back_restored"), backup)


NEEDED = """from alembic import op
revision = "needed"
down_revision = "{before}"
def upgrade():
    pass
def downgrade():
    op.alter_column("accounts", "password_hash", nullable=False)
"""


async def test_a_migration_is_not_undone_if_the_data_need_it(new_database, tmp_path):
    url, folder = new_database("needed"), tmp_path / "migrations"
    async with web_processes(url, 1) as [process]:
        await process.new_game()  # its players are guests, who have no passwords
    shutil.copytree(ROOT / "migrations", folder)
    alembic = config(url)
    alembic.set_main_option("script_location", str(folder))
    head = ScriptDirectory.from_config(alembic).get_current_head()
    (folder / "versions" / "needed.py").write_text(NEEDED.format(before=head))
    run_in_thread(command.upgrade, alembic, "head")
    execute(url, "INSERT INTO accounts (username) VALUES ('guest')")
    with pytest.raises(CommandError, match="The stored data do not allow this migration"):
        run_in_thread(command.downgrade, alembic, head)
    assert fetch(url, "SELECT version_num FROM alembic_version")[0] == "needed"


def test_the_names_of_the_files_are_in_the_order_of_the_chain():
    chain = [Path(script.path).name for script in migrations().walk_revisions()]
    assert chain == sorted(chain, reverse=True)
    assert len(set(chain)) == len(chain)
    assert newest_revision() == migrations().get_current_head()


def test_a_server_upgrades_a_database_only_if_it_lacks_migrations(empty_database, monkeypatch):
    url, applied = empty_database("upgrading"), []
    monkeypatch.setattr(migrate, "upgrade", lambda url: applied.append(url) or upgrade(url))
    upgrade_patiently(url)
    upgrade_patiently(url)
    assert applied == [url]
    run_in_thread(command.downgrade, config(url), "-1")
    upgrade_patiently(url)
    assert applied == [url, url]
    assert fetch(url, "SELECT version_num FROM alembic_version")[0] == newest_revision()


def test_a_server_waits_for_another_one_that_is_migrating(empty_database):
    url = empty_database("migrating")
    upgrade(url)

    async def start_meanwhile():
        async with connected(url) as connection:
            await connection.execute("SELECT pg_advisory_lock($1)", LOCK)
            start = asyncio.create_task(asyncio.to_thread(upgrade_patiently, url))
            done, _ = await asyncio.wait([start], timeout=3)
            assert not done
        await start

    run_coroutine(start_meanwhile())


BUSY_TABLES = {"games", "moves"}


def test_indexes_of_busy_tables_are_made_concurrently_and_alone():
    for script in migrations().iterate_revisions("head", FIRST):
        for function in ast.parse(Path(script.path).read_text()).body:
            if isinstance(function, ast.FunctionDef):
                assert not blocking_indexes(function), script.path
                calls = [called(getattr(statement, "value", None)) for statement in function.body]
                if {"create_index", "drop_index"} & set(calls):
                    assert set(calls) <= {"create_index", "drop_index"}, script.path


def blocking_indexes(function):
    """Return the calls of Alembic's operations that lock a busy table while they build an index."""
    blocking = ("op.create_index", "op.drop_index", "op.create_unique_constraint")
    return [
        ast.unparse(call)
        for call in ast.walk(function)
        if called(call) in blocking
        and BUSY_TABLES & {node.value for node in ast.walk(call) if isinstance(node, ast.Constant)}
    ]


def called(node):
    """Return the name of the function that a node calls, or None."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else None


def test_a_postgresql_that_may_lose_commits_is_refused(empty_database):
    url = empty_database("forgetful")

    async def run():
        engine = create_engine(url, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            name = await connection.scalar(text("SELECT current_database()"))
            await connection.execute(text(f'ALTER DATABASE "{name}" SET synchronous_commit = off'))
        await engine.dispose()
        with pytest.raises(DurabilityError):
            await Database.open(url, pool_size=1)

    asyncio.run(run())
