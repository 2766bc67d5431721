"""A server with this feature, in a process of its own: other tests do not know its table."""

import asyncio
import importlib
import multiprocessing

import uvicorn
from alembic.autogenerate import produce_migrations
from alembic.migration import MigrationContext
from alembic.operations import Operations

from app.core.database.base import Base
from app.core.database.migrate import is_ours
from app.core.database.session import create_engine
from app.core.feature import Feature, Schedule
from app.core.importing import import_all
from app.core.settings import Settings
from app.people.inbox.kinds import NewsKind


def serving(database_url, port):
    """Return the process of a server on a migrated database, not started yet."""
    return multiprocessing.get_context("spawn").Process(target=_serve, args=(database_url, port))


def _serve(database_url, port):
    _add_kind("GREETED", "greeted")
    importlib.import_module("tests.support.greetings.news")  # in `app`, it is found by its name
    # After that, since the API has a switch for each kind that is declared.
    from app.main import create_app
    from app.server.features import FEATURES
    from tests.support.greetings.service import Greetings

    greetings = Feature(
        "tests.support.greetings",
        schedules=(Schedule("delete_old_greetings", "* * * * * *", Greetings.delete_old),),
    )
    import_all("models")
    asyncio.run(_migrate(database_url))
    settings = Settings(database_url=database_url, throttle="off", password_memory=1024, recurring_arenas=())
    uvicorn.run(create_app(settings, (*FEATURES, greetings)), port=port, log_config=None)


async def _migrate(database_url):
    engine = create_engine(database_url)
    async with engine.begin() as connection:
        await connection.run_sync(_add_table)
    await engine.dispose()


def _add_kind(name, value):
    """Do what a line in `app/people/inbox/kinds.py` does."""
    kind = str.__new__(NewsKind, value)
    kind._name_, kind._value_ = name, value
    type.__setattr__(NewsKind, name, kind)
    NewsKind._member_names_.append(name)
    NewsKind._member_map_[name] = NewsKind._value2member_map_[value] = kind


def _add_table(connection):
    """Do what `alembic revision --autogenerate` writes: it finds the one table that the database lacks."""
    context = MigrationContext.configure(connection, opts={"include_name": is_ours})
    (addition,) = produce_migrations(context, Base.metadata).upgrade_ops.ops
    Operations(context).invoke(addition)
