"""The migrations build exactly the tables of the models, and each can be undone."""

import ast
import asyncio
import shutil
from pathlib import Path
from uuid import uuid4

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import inspect, text

from app.core.database.base import Base
from app.core.database.migrate import config, is_ours, upgrade
from app.core.database.session import Database, DurabilityError, create_engine
from app.core.moments import now
from app.core.settings import ROOT
from tests.support.database import execute, fetch
from tests.support.threads import run_in_thread
from tests.support.web_processes import web_processes


def on_connection(url, function):
    async def run():
        engine = create_engine(url)
        async with engine.connect() as connection:
            result = await connection.run_sync(function)
        await engine.dispose()
        return result

    return asyncio.run(run())


def test_upgrading_makes_the_models_and_downgrading_leaves_nothing(empty_database):
    url = empty_database("migrations")
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
        command.downgrade(config(url), "base")
        tables = on_connection(url, lambda connection: inspect(connection).get_table_names())
        assert tables == ["alembic_version"]


async def test_moves_are_played_one_migration_back(new_database):
    """Servers of a new version may start before the migrations of that version have run."""
    url = new_database("one_back")
    run_in_thread(command.downgrade, config(url), "-1")
    async with web_processes(url, 1) as [process]:
        state = await process.new_game(rated=True)
        for move in ("c4", "f6", "d4", "f5", "e4", "f4", "c5", "f3"):
            player = state.player_to_move.id
            state = await process.games.play_move(state.id, player, move, state.ply, uuid4(), at=now())
        state = await process.games.resign(state.id, state.players[0].id, at=now())
        assert (state.ply, state.status) == (8, "finished")


BEFORE_UNTITLED_BOARDS = "d4f09a6c17e8"


async def test_no_shared_board_has_a_stored_title(new_database):
    url = new_database("titles")
    async with web_processes(url, 1) as [process]:
        await process.new_game()
    columns = "id, account_id, game_id, visibility, title, game, players, options, position, moves"
    execute(
        url,
        f"INSERT INTO studies ({columns}) "
        "SELECT id, first_player, id, 'link', 'wren, robin', game, 2, options, '', '' FROM games "
        "UNION ALL SELECT 'own', first_player, NULL, 'link', 'wren', game, 2, options, '', '' FROM games",
    )
    run_in_thread(command.downgrade, config(url), BEFORE_UNTITLED_BOARDS)
    run_in_thread(upgrade, url)
    assert fetch(url, "SELECT array_agg(title ORDER BY title) FROM studies")[0] == ["", "wren"]


BEFORE_SUBJECTS_OF_MESSAGES = "0c7b2e94d15f"


async def test_notifications_of_messages_have_one_subject_for_all_names_of_an_author(new_database):
    url = new_database("subjects")
    async with web_processes(url, 1) as [process]:
        author, reader = (await process.new_game()).players
        other, _ = (await process.new_game()).players
    run_in_thread(command.downgrade, config(url), BEFORE_SUBJECTS_OF_MESSAGES)
    added = "INSERT INTO notifications (account_id, kind, subject, actor_id) VALUES ($1, 'message', $2, $3)"
    for name in ("before", "after"):
        execute(url, added, reader.id, name, author.id)
    # A name may be a number, and then that of an account.
    execute(url, "UPDATE accounts SET username = $2 WHERE id = $1", other.id, str(author.id))
    execute(url, added, reader.id, str(author.id), other.id)
    run_in_thread(upgrade, url)
    subjects = "SELECT array_agg(subject ORDER BY id) FROM notifications WHERE kind = 'message'"
    assert fetch(url, subjects)[0] == [str(author.id), str(other.id)]
    run_in_thread(command.downgrade, config(url), BEFORE_SUBJECTS_OF_MESSAGES)
    assert fetch(url, subjects)[0] == [author.username, str(author.id)]


BEFORE_SKELETONS = "f6c09b3a7d15"


async def test_teams_that_look_alike_keep_their_names_and_nameless_ones_get_one(new_database):
    url = new_database("look_alikes")
    async with web_processes(url, 1) as [process]:
        leader = (await process.new_game()).players[0]
    run_in_thread(command.downgrade, config(url), BEFORE_SKELETONS)
    names = {"older": "Finches", "newer": "Finche\u0455", "hidden": "\u3164\u3164\u3164", "other": "Owls"}
    for age, (id_, name) in enumerate(names.items()):
        execute(
            url,
            "INSERT INTO teams (id, name, is_open, leader_id, created_at) "
            "VALUES ($1, $2, true, $3, now() + make_interval(hours => $4))",
            id_,
            name,
            leader.id,
            age,
        )
    run_in_thread(upgrade, url)
    kept = fetch(url, "SELECT array_agg(name ORDER BY created_at) FROM teams")[0]
    assert kept == ["Finches", "Finche\u0455", "hidden", "Owls"]
    without = "SELECT array_agg(id) FROM teams WHERE skeleton IS NULL"
    assert fetch(url, without)[0] == ["newer"]


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
        run_in_thread(command.downgrade, alembic, "-2")
    assert fetch(url, "SELECT version_num FROM alembic_version")[0] == "needed"


def test_the_names_of_the_files_are_in_the_order_of_the_chain():
    scripts = ScriptDirectory.from_config(config("unused"))
    chain = [Path(script.path).name for script in scripts.walk_revisions()]
    assert chain == sorted(chain, reverse=True)
    assert len(set(chain)) == len(chain)


BUSY_TABLES = {"games", "moves"}
WITHOUT_CONCURRENTLY = "7d21c0f5a8e4"  # migrations up to this one were written before the rule


def test_indexes_of_busy_tables_are_made_concurrently_and_alone():
    scripts = ScriptDirectory.from_config(config("unused"))
    for script in scripts.iterate_revisions("head", WITHOUT_CONCURRENTLY):
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
