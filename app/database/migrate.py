"""Running Alembic's migrations from code."""

from alembic import command
from alembic.config import Config

from app.settings import ROOT


def config(url: str) -> Config:
    """Give Alembic's configuration for a database."""
    alembic = Config(ROOT / "alembic.ini")
    alembic.attributes["url"] = url
    return alembic


def upgrade(url: str) -> None:
    """Bring the database up to date; nothing happens when it is."""
    command.upgrade(config(url), "head")
