"""Note which games have conditional moves, so that the steps of all others need not look for them."""

import sqlalchemy as sa
from alembic import op

revision = "5c1e9d70b2a4"
down_revision = "e7a1d05c2b94"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "games", sa.Column("conditional", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )


def downgrade() -> None:
    op.drop_column("games", "conditional")
