"""Requests to pause a game."""

import sqlalchemy as sa
from alembic import op

revision = "6a1f93c8d25e"
down_revision = "b8c2d75e9f01"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("pause", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "pause")
