"""Alembic's migrations, run from code."""

from collections.abc import Mapping

from alembic import command
from alembic.config import Config

from app.settings import ROOT

_PGQUEUER = "pgqueuer"
"""The names of PgQueuer's tables begin with this. They have no models: a migration has PgQueuer's own DDL."""


def is_ours(name: str | None, type_: str, _parents: Mapping[str, str | None]) -> bool:
    """Return whether a database object is compared with the models; Alembic's `include_name`."""
    return type_ != "table" or name is None or not name.startswith(_PGQUEUER)


def config(url: str) -> Config:
    """Return Alembic's configuration for the database at `url`."""
    alembic = Config(ROOT / "alembic.ini")
    alembic.attributes["url"] = url
    return alembic


def upgrade(url: str) -> None:
    """Apply the migrations that the database at `url` lacks."""
    command.upgrade(config(url), "head")
