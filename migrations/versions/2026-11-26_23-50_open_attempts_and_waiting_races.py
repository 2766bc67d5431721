"""Attempts at puzzles stay open after a slip, and races wait for their makers."""

import sqlalchemy as sa
from alembic import op

revision = "d41c7be09a52"
down_revision = "e41b7c92d350"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "puzzle_attempts",
        sa.Column("is_open", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column("races", sa.Column("minutes", sa.BigInteger(), nullable=True))
    op.add_column("races", sa.Column("started_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE races SET started_at = created_at")
    op.alter_column("races", "started_at", server_default=sa.text("now()"))
    op.alter_column("race_games", "game_id", nullable=True)


def downgrade() -> None:
    op.execute("DELETE FROM race_games WHERE game_id IS NULL")
    op.alter_column("race_games", "game_id", nullable=False)
    op.drop_column("races", "started_at")
    op.drop_column("races", "minutes")
    op.drop_column("puzzle_attempts", "is_open")
