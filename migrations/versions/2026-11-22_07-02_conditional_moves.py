"""Add the conditional moves of players."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "5c1e9d70b2a5"
down_revision = "5c1e9d70b2a4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "conditional_moves",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("lines", postgresql.JSONB(), nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("followed", sa.BigInteger(), nullable=False),
        sa.Column("dropped", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("dropped_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_conditional_moves_game_id_games"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_conditional_moves_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("game_id", "account_id", name=op.f("pk_conditional_moves")),
    )
    op.create_index(
        "ix_conditional_moves_lines",
        "conditional_moves",
        ["game_id"],
        postgresql_where=sa.text("lines <> '[]'"),
    )


def downgrade() -> None:
    op.drop_table("conditional_moves")
