"""Add columns by which games are listed and watched, and which do not change with each move."""

import sqlalchemy as sa
from alembic import op

revision = "4e8b1f7730ac"
down_revision = "e1a7c4f90b26"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("games", sa.Column("watch_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("ALTER TABLE games SET (fillfactor = 80)")


def downgrade() -> None:
    op.execute("ALTER TABLE games RESET (fillfactor)")
    op.drop_column("games", "watch_at")
    op.drop_column("games", "ended_at")
