"""Keep the tournament that a game is part of."""

import sqlalchemy as sa
from alembic import op

revision = "d4a6f1b83e20"
down_revision = "51f7c2d9ae04"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("tournament_id", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "tournament_id")
