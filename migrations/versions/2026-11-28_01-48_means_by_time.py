"""Find the best means over time by an index."""

from alembic import op

revision = "5e0b9c3a71d6"
down_revision = "c1f0a7d2e9b4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_nugget_entries_means", "nugget_entries", ["submitted_at", "mean_key"])


def downgrade() -> None:
    op.drop_index("ix_nugget_entries_means", "nugget_entries")
