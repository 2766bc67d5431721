"""Index usernames by how they begin, for the search of players."""

import sqlalchemy as sa
from alembic import op

revision = "b5c19a04e7d2"
down_revision = "7d20e6b1f8c3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_accounts_username_start",
        "accounts",
        [sa.func.lower(sa.column("username")).label("start")],
        postgresql_ops={"start": "text_pattern_ops"},
        postgresql_where=sa.text("closed_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_accounts_username_start", "accounts")
