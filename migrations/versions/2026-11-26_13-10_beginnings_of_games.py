"""Keep the ply at which a game began, and what takebacks left on its clocks."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "a7d41e9c5b20"
down_revision = "f6c09b3a7d15"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "games", sa.Column("first_ply", sa.BigInteger(), server_default=sa.text("0"), nullable=False)
    )
    op.add_column("games", sa.Column("clock_marks", postgresql.JSONB(astext_type=sa.Text()), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "clock_marks")
    op.drop_column("games", "first_ply")
