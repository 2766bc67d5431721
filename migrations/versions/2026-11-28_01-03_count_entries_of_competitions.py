"""Count the entries of large competitions by an index."""

import sqlalchemy as sa

from app.core.database.migrate import create_index, drop_index

revision = "c1f0a7d2e9b4"
down_revision = "7a2318ea2038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    entered = sa.text("competition_id IS NOT NULL AND withdrawn_at IS NULL")
    create_index("ix_nugget_entries_entered", "nugget_entries", ["competition_id"], postgresql_where=entered)


def downgrade() -> None:
    drop_index("ix_nugget_entries_entered", "nugget_entries")
