"""Find the results that wait for their opponents to be proven."""

import sqlalchemy as sa

from app.core.database.migrate import create_index, drop_index

revision = "e3a5c8d17f42"
down_revision = "7b1e90c4d2a6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index(
        "ix_rating_changes_waiting",
        "rating_changes",
        ["account_id", "game", "changed_at"],
        postgresql_where=sa.text("NOT counted"),
    )


def downgrade() -> None:
    drop_index("ix_rating_changes_waiting", "rating_changes")
