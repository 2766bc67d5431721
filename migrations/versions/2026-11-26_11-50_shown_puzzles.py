"""Remember several puzzles that a player was shown and has not tried."""

import sqlalchemy as sa
from alembic import op

revision = "f6c09b3a7d15"
down_revision = "e3a5c8d17f42"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shown_puzzles",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("puzzle_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_shown_puzzles_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "puzzle_id", name=op.f("pk_shown_puzzles")),
    )


def downgrade() -> None:
    op.drop_table("shown_puzzles")
