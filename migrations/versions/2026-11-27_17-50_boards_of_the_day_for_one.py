"""Boards of the day of the games for one, and the tries at them."""

import sqlalchemy as sa
from alembic import op

revision = "4f0ac95d17be"
down_revision = "e4b0731d9c52"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "solo_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("best", sa.Text(), nullable=True),
        sa.Column(
            "announced_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("day", "game"),
    )
    op.create_table(
        "solo_day_tries",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("solution", sa.Text(), nullable=True),
        sa.Column("points", sa.SmallInteger(), nullable=True),
        sa.Column("tie_break", sa.SmallInteger(), nullable=True),
        sa.Column("found_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["day", "game"], ["solo_days.day", "solo_days.game"]),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"]),
        sa.PrimaryKeyConstraint("day", "game", "account_id"),
        sa.UniqueConstraint("game_id"),
        sa.Index("ix_solo_day_tries_account_id", "account_id"),
        sa.Index(
            "ix_solo_day_tries_rank",
            "game",
            "day",
            sa.text("points DESC"),
            "tie_break",
            "found_at",
            "account_id",
            postgresql_where=sa.text("found_at IS NOT NULL"),
        ),
    )


def downgrade() -> None:
    op.drop_table("solo_day_tries")
    op.drop_table("solo_days")
