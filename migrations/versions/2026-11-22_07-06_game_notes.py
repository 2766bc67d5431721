"""Add the private notes of players about their games."""

import sqlalchemy as sa
from alembic import op

revision = "7d02c9e4b319"
down_revision = "7d02c9e4b318"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game_notes",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_game_notes_game_id_games"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_game_notes_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("game_id", "account_id", name=op.f("pk_game_notes")),
    )


def downgrade() -> None:
    op.drop_table("game_notes")
