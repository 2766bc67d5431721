"""Count the entries of competitions by an index."""

import sqlalchemy as sa
from alembic import op

revision = "c1f0a7d2e9b4"
down_revision = "7a2318ea2038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_nugget_entries_entered",
        "nugget_entries",
        ["competition_id"],
        postgresql_where=sa.text("competition_id IS NOT NULL AND withdrawn_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_nugget_entries_entered", "nugget_entries")
