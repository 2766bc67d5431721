"""Add kept games."""

import sqlalchemy as sa
from alembic import op

revision = "808999015c6a"
down_revision = "5e0b9c3a71d6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_games",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_kept_games_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_kept_games_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "game_id", name=op.f("pk_kept_games")),
    )
    op.create_index(op.f("ix_kept_games_game_id"), "kept_games", ["game_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_kept_games_game_id"), table_name="kept_games")
    op.drop_table("kept_games")
