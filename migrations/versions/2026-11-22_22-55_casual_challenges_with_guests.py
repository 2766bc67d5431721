"""Add a column for rated challenges that are casual if a guest accepts them."""

import sqlalchemy as sa
from alembic import op

revision = "d4f09a6c17e8"
down_revision = "c3e81b5d09f4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "challenges",
        sa.Column("casual_with_guests", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )


def downgrade() -> None:
    op.drop_column("challenges", "casual_with_guests")
