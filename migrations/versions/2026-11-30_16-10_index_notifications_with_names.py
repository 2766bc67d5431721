"""Index notifications that have a name by what they are about."""

import sqlalchemy as sa

from app.core.database.migrate import create_index, drop_index

revision = "c4f0917e5ad2"
down_revision = "d5a90c3e17b4"
branch_labels = None
depends_on = None

_NAME, _TABLE = "ix_notifications_named", "notifications"


def upgrade() -> None:
    create_index(
        _NAME,
        _TABLE,
        [sa.text("split_part(subject, ':', 1)")],
        postgresql_where=sa.text("data ? 'name'"),
    )


def downgrade() -> None:
    drop_index(_NAME, _TABLE)
