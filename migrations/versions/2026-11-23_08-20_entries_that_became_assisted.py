"""Note when an accepted entry became assisted."""

import sqlalchemy as sa
from alembic import op

revision = "f1c94e6a83d2"
down_revision = "e8b35d7f20a6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("nugget_entries", sa.Column("assisted_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_nugget_entries_assisted_at",
        "nugget_entries",
        ["assisted_at"],
        postgresql_where=sa.text("assisted_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_nugget_entries_assisted_at", "nugget_entries")
    op.drop_column("nugget_entries", "assisted_at")
