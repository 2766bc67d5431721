"""Keep reviews of games."""

import sqlalchemy as sa
from alembic import op

revision = "e7a1d05c2b94"
down_revision = "f0a6b2d9c815"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game_reviews",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_game_reviews_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_game_reviews")),
    )
    op.create_table(
        "reviewed_plies",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=False),
        sa.Column("best", sa.Text(), nullable=False),
        sa.Column("points", sa.Double(), nullable=False),
        sa.Column("played", sa.Double(), nullable=True),
        sa.Column("is_exact", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_reviewed_plies_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "ply", name=op.f("pk_reviewed_plies")),
    )


def downgrade() -> None:
    op.drop_table("reviewed_plies")
    op.drop_table("game_reviews")
