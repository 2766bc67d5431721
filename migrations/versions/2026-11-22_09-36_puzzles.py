"""Keep puzzles, attempts at them, and what players have reached."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "5b7de1c09f42"
down_revision = "e7b03c59d1a4"
branch_labels = None
depends_on = None


def _account() -> sa.Column[int]:
    return sa.Column(
        "account_id", sa.BigInteger(), sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False
    )


def _moment(name: str, **options: object) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False, **options)


def _rating() -> list[sa.Column[float]]:
    return [
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("solved", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
    ]


def upgrade() -> None:
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("solution", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("themes", postgresql.ARRAY(sa.Text()), nullable=False),
        *_rating(),
        sa.Column("game_id", sa.Text(), sa.ForeignKey("games.id", ondelete="SET NULL")),
        sa.Column("ply", sa.BigInteger()),
        _moment("created_at", server_default=sa.func.now()),
    )
    op.create_index("ix_puzzles_rating", "puzzles", ["game", "rating"])
    op.create_index(
        "ix_puzzles_source",
        "puzzles",
        ["game_id", "ply"],
        postgresql_where=sa.text("game_id IS NOT NULL"),
    )
    op.create_table(
        "puzzle_attempts",
        _account(),
        sa.Column("puzzle_id", sa.Text(), sa.ForeignKey("puzzles.id"), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("rating_change", sa.Double(), nullable=False),
        _moment("attempted_at", server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("account_id", "puzzle_id"),
    )
    op.create_index("ix_puzzle_attempts_history", "puzzle_attempts", ["account_id", "attempted_at"])
    op.create_table(
        "puzzle_ratings",
        _account(),
        sa.Column("game", sa.Text(), nullable=False),
        *_rating(),
        sa.Column("streak", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("best_streak", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        _moment("updated_at", server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("account_id", "game"),
    )
    op.create_table(
        "puzzle_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("puzzle_id", sa.Text(), sa.ForeignKey("puzzles.id"), nullable=False),
        sa.PrimaryKeyConstraint("day", "game"),
    )
    op.create_table(
        "puzzle_searches",
        sa.Column("game_id", sa.Text(), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        _moment("ended_at"),
    )
    op.create_index("ix_puzzle_searches_ended_at", "puzzle_searches", ["ended_at"])


def downgrade() -> None:
    for table in ("puzzle_searches", "puzzle_days", "puzzle_ratings", "puzzle_attempts", "puzzles"):
        op.drop_table(table)
