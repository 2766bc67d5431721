"""Add solitaire games: races, submitted scores, and moves that can be undone."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "8faea11b938d"
down_revision = "8fcd4c808e4b"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "races",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("maker_id", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["maker_id"], ["accounts.id"], name=op.f("fk_races_maker_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_races")),
    )
    op.create_index("ix_races_ends_at", "races", ["ends_at"], unique=False)
    op.create_table(
        "race_games",
        sa.Column("race_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_race_games_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_race_games_game_id_games")),
        sa.ForeignKeyConstraint(["race_id"], ["races.id"], name=op.f("fk_race_games_race_id_races")),
        sa.PrimaryKeyConstraint("race_id", "account_id", name=op.f("pk_race_games")),
        sa.UniqueConstraint("game_id", name=op.f("uq_race_games_game_id")),
    )
    op.create_index("ix_race_games_account", "race_games", ["account_id"], unique=False)
    op.create_table(
        "scores",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("tie_break", sa.BigInteger(), nullable=False),
        sa.Column("undos", sa.BigInteger(), nullable=False),
        sa.Column("is_best", sa.Boolean(), nullable=False),
        sa.Column(
            "submitted_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_scores_account_id_accounts")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_scores_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_scores")),
    )
    op.create_index(
        "ix_scores_best",
        "scores",
        ["account_id", "game", "size"],
        unique=True,
        postgresql_where=sa.text("is_best"),
    )
    op.create_index(
        "ix_scores_ranking",
        "scores",
        ["game", "size", sa.literal_column("points DESC"), "tie_break", "submitted_at", "game_id"],
        unique=False,
        postgresql_where=sa.text("is_best"),
    )
    op.add_column("games", sa.Column("undos", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.add_column(
        "games", sa.Column("submitted", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )


def downgrade() -> None:
    op.drop_column("games", "submitted")
    op.drop_column("games", "undos")
    op.drop_index("ix_scores_ranking", table_name="scores", postgresql_where=sa.text("is_best"))
    op.drop_index("ix_scores_best", table_name="scores", postgresql_where=sa.text("is_best"))
    op.drop_table("scores")
    op.drop_index("ix_race_games_account", table_name="race_games")
    op.drop_table("race_games")
    op.drop_index("ix_races_ends_at", table_name="races")
    op.drop_table("races")
