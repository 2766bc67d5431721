"""Correct PostgreSQL's clock if it is set, and give clocks the time of a downtime in batches."""

import sqlalchemy as sa
from alembic import op

revision = "7d21c0f5a8e4"
down_revision = "7c1d9e52a8f4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("heartbeat", sa.Column("correction", sa.BigInteger(), server_default="0", nullable=False))
    op.create_table(
        "clock_credits",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_clock_credits")),
    )


def downgrade() -> None:
    op.drop_table("clock_credits")
    op.drop_column("heartbeat", "correction")
