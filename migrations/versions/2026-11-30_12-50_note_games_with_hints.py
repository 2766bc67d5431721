"""Note the games against the computer in which it gave a hint: a win in them proves no achievement."""

import sqlalchemy as sa
from alembic import op

revision = "e7b3580c92da"
down_revision = "c41f7a20e9b8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "helped_games",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_helped_games_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_helped_games")),
    )


def downgrade() -> None:
    op.drop_table("helped_games")
