"""Note who may know the solution of a puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "6d34f273a8e7"
down_revision = "7e19c5b80da4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "known_puzzles",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("puzzle_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_known_puzzles_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzles.id"], name=op.f("fk_known_puzzles_puzzle_id_puzzles")
        ),
        sa.PrimaryKeyConstraint("account_id", "puzzle_id", name=op.f("pk_known_puzzles")),
    )


def downgrade() -> None:
    op.drop_table("known_puzzles")
