"""Add accounts with their sessions and API tokens, games with their moves, and challenges."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "57ba41168263"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("username", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
    )
    op.create_index(
        "uq_accounts_username_lower", "accounts", [sa.literal_column("lower(username)")], unique=True
    )
    op.create_table(
        "api_tokens",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_api_tokens_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_api_tokens")),
    )
    op.create_index(op.f("ix_api_tokens_account_id"), "api_tokens", ["account_id"], unique=False)
    op.create_table(
        "games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("first_player", sa.BigInteger(), nullable=False),
        sa.Column("second_player", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("ply", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("winner", sa.Text(), nullable=True),
        sa.Column("termination", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("status IN ('started', 'finished', 'aborted')", name=op.f("ck_games_status")),
        sa.ForeignKeyConstraint(
            ["first_player"], ["accounts.id"], name=op.f("fk_games_first_player_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["second_player"], ["accounts.id"], name=op.f("fk_games_second_player_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index("ix_games_first_player", "games", ["first_player", "updated_at"], unique=False)
    op.create_index("ix_games_second_player", "games", ["second_player", "updated_at"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_sessions_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_account_id"), "sessions", ["account_id"], unique=False)
    op.create_table(
        "challenges",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("maker_id", sa.BigInteger(), nullable=False),
        sa.Column("opponent_id", sa.BigInteger(), nullable=True),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "(kind = 'direct') = (opponent_id IS NOT NULL)", name=op.f("ck_challenges_opponent")
        ),
        sa.CheckConstraint("kind IN ('open', 'link', 'direct')", name=op.f("ck_challenges_kind")),
        sa.CheckConstraint(
            "status IN ('open', 'accepted', 'declined', 'cancelled')", name=op.f("ck_challenges_status")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_challenges_game_id_games")),
        sa.ForeignKeyConstraint(["maker_id"], ["accounts.id"], name=op.f("fk_challenges_maker_id_accounts")),
        sa.ForeignKeyConstraint(
            ["opponent_id"], ["accounts.id"], name=op.f("fk_challenges_opponent_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    op.create_index(
        "ix_challenges_lobby",
        "challenges",
        ["created_at"],
        unique=False,
        postgresql_where=sa.text("status = 'open' AND kind = 'open'"),
    )
    op.create_index(op.f("ix_challenges_maker_id"), "challenges", ["maker_id"], unique=False)
    op.create_index(op.f("ix_challenges_opponent_id"), "challenges", ["opponent_id"], unique=False)
    op.create_table(
        "moves",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=False),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("move_id", sa.Uuid(), nullable=True),
        sa.Column("played_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_moves_game_id_games"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "ply", name=op.f("pk_moves")),
        sa.UniqueConstraint("game_id", "move_id", name=op.f("uq_moves_game_id_move_id")),
    )


def downgrade() -> None:
    op.drop_table("moves")
    op.drop_index(op.f("ix_challenges_opponent_id"), table_name="challenges")
    op.drop_index(op.f("ix_challenges_maker_id"), table_name="challenges")
    op.drop_index(
        "ix_challenges_lobby",
        table_name="challenges",
        postgresql_where=sa.text("status = 'open' AND kind = 'open'"),
    )
    op.drop_table("challenges")
    op.drop_index(op.f("ix_sessions_account_id"), table_name="sessions")
    op.drop_table("sessions")
    op.drop_index("ix_games_second_player", table_name="games")
    op.drop_index("ix_games_first_player", table_name="games")
    op.drop_table("games")
    op.drop_index(op.f("ix_api_tokens_account_id"), table_name="api_tokens")
    op.drop_table("api_tokens")
    op.drop_index("uq_accounts_username_lower", table_name="accounts")
    op.drop_table("accounts")
