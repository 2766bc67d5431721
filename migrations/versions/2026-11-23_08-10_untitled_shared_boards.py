"""Remove the players' names from the titles of shared boards."""

from alembic import op

revision = "e8b35d7f20a6"
down_revision = "d4f09a6c17e8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE studies SET title = '' WHERE game_id IS NOT NULL")


def downgrade() -> None:
    """Leave the titles empty: the version before can show such boards, too."""
