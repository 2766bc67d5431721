"""Rename what notifications are about by triggers, and count retries from the first failure."""

import sqlalchemy as sa
from alembic import op

from app.core.database.migrate import create_functions

revision = "9b2e61d07fc4"
down_revision = "5d0e9b7c41f2"
branch_labels = None
depends_on = None

_NAMED = {"teams": "name", "tournaments": "name", "nugget_competitions": "title"}


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("first_failed_at", sa.DateTime(timezone=True), nullable=True))
    create_functions()
    for table, column in _NAMED.items():
        op.execute(
            f"CREATE TRIGGER {table}_rename_subject AFTER UPDATE OF {column} ON {table} FOR EACH ROW"
            f" WHEN (OLD.{column} <> NEW.{column}) EXECUTE FUNCTION rename_subject('{column}')"
        )


def downgrade() -> None:
    for table in _NAMED:
        op.execute(f"DROP TRIGGER {table}_rename_subject ON {table}")
    op.drop_column("deliveries", "first_failed_at")
