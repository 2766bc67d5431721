"""Keep games with a coach."""

import sqlalchemy as sa
from alembic import op

revision = "51f7c2d9ae04"
down_revision = "d80a6f3e1c57"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "coached_games",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("warned_ply", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_coached_games_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_coached_games")),
    )


def downgrade() -> None:
    op.drop_table("coached_games")
