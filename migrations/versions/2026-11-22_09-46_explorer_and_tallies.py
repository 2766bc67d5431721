"""Keep what has been played in each position, and statistics."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "d80a6f3e1c57"
down_revision = "3b9d41e6a7f0"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "explored_moves",
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("band", sa.SmallInteger(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("first_won", sa.Integer(), nullable=False),
        sa.Column("second_won", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("position", "move", "band", name=op.f("pk_explored_moves")),
    )
    op.create_table(
        "explored_games",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("positions", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_explored_games_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_explored_games")),
    )
    op.create_table(
        "tallies",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("size", sa.SmallInteger(), nullable=False),
        sa.Column("measure", sa.Text(), nullable=False),
        sa.Column("bucket", sa.Text(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "game", "size", "measure", "bucket", name=op.f("pk_tallies")),
    )
    digested = op.create_table(
        "digested",
        sa.Column("single", sa.Boolean(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.CheckConstraint("single", name=op.f("ck_digested_single")),
        sa.PrimaryKeyConstraint("single", name=op.f("pk_digested")),
    )
    op.execute(sa.insert(digested).values(single=True, ended_at=sa.text("'epoch'"), game_id=""))


def downgrade() -> None:
    op.drop_table("digested")
    op.drop_table("tallies")
    op.drop_table("explored_games")
    op.drop_table("explored_moves")
