"""Alembic's migrations, run from code."""

from alembic import command
from alembic.config import Config

from app.settings import ROOT


def config(url: str) -> Config:
    """Return Alembic's configuration for the database at `url`."""
    alembic = Config(ROOT / "alembic.ini")
    alembic.attributes["url"] = url
    return alembic


def upgrade(url: str) -> None:
    """Apply the migrations that the database at `url` lacks."""
    command.upgrade(config(url), "head")
