"""Remember the puzzle that a player has before them."""

import sqlalchemy as sa
from alembic import op

revision = "c3e81b5d09f4"
down_revision = "b6d2f80c41a7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "open_puzzles",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_open_puzzles_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_open_puzzles")),
    )


def downgrade() -> None:
    op.drop_table("open_puzzles")
