"""Add ladders, and the final tables of seasons."""

import sqlalchemy as sa
from alembic import op

revision = "c41f7a90d2e8"
down_revision = "5b0e8c47d913"
branch_labels = None
depends_on = None

_ACCOUNT = "accounts.id"


def upgrade() -> None:
    op.create_table(
        "ladder_players",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("inactive_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("drops", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], [_ACCOUNT], name=op.f("fk_ladder_players_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("game", "account_id", name=op.f("pk_ladder_players")),
        sa.UniqueConstraint(
            "game",
            "place",
            name=op.f("uq_ladder_players_game_place"),
            deferrable=True,
            initially="DEFERRED",
        ),
    )
    op.create_index(op.f("ix_ladder_players_account_id"), "ladder_players", ["account_id"])
    op.create_index(op.f("ix_ladder_players_inactive_at"), "ladder_players", ["inactive_at"])
    op.create_table(
        "ladder_challenges",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("challenger_id", sa.BigInteger(), nullable=False),
        sa.Column("defender_id", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "outcome IN ('won', 'defended', 'drawn', 'forfeited', 'withdrawn', 'void')",
            name=op.f("ck_ladder_challenges_outcome"),
        ),
        sa.ForeignKeyConstraint(
            ["challenger_id"], [_ACCOUNT], name=op.f("fk_ladder_challenges_challenger_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["defender_id"], [_ACCOUNT], name=op.f("fk_ladder_challenges_defender_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_challenges")),
        sa.UniqueConstraint("game_id", name=op.f("uq_ladder_challenges_game_id")),
    )
    for column in ("challenger", "defender"):
        op.create_index(op.f(f"ix_ladder_challenges_{column}_id"), "ladder_challenges", [f"{column}_id"])
        op.create_index(
            f"uq_ladder_challenges_{column}",
            "ladder_challenges",
            ["game", f"{column}_id"],
            unique=True,
            postgresql_where=sa.text("outcome IS NULL"),
        )
    op.create_table(
        "ladder_changes",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("opponent_id", sa.BigInteger(), nullable=True),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("place_before", sa.BigInteger(), nullable=True),
        sa.Column("place_after", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], [_ACCOUNT], name=op.f("fk_ladder_changes_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["opponent_id"], [_ACCOUNT], name=op.f("fk_ladder_changes_opponent_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_changes")),
    )
    op.create_index(op.f("ix_ladder_changes_account_id"), "ladder_changes", ["account_id"])
    op.create_index(op.f("ix_ladder_changes_opponent_id"), "ladder_changes", ["opponent_id"])
    op.create_index("ix_ladder_changes_game_id", "ladder_changes", ["game", "id"])
    op.create_table(
        "season_places",
        sa.Column("season", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("rank", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], [_ACCOUNT], name=op.f("fk_season_places_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("season", "account_id", name=op.f("pk_season_places")),
    )
    op.create_index(op.f("ix_season_places_account_id"), "season_places", ["account_id"])
    op.create_index(
        "ix_season_places_order", "season_places", ["season", sa.text("points DESC"), "account_id"]
    )


def downgrade() -> None:
    op.drop_table("season_places")
    op.drop_table("ladder_changes")
    op.drop_table("ladder_challenges")
    op.drop_table("ladder_players")
