"""The volatility after each rated game, from which later ratings can be recomputed."""

import sqlalchemy as sa
from alembic import op

revision = "3c8e51f7a902"
down_revision = "c41d8e07b3a6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rating_changes", sa.Column("volatility", sa.Double(), nullable=True))


def downgrade() -> None:
    op.drop_column("rating_changes", "volatility")
