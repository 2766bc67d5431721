"""Add clocks, takebacks, ratings and presence, rated and timed challenges, and account settings."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "8fcd4c808e4b"
down_revision = "5a67d6bf2a65"
branch_labels = None
depends_on = None

_STATUSES = "status IN ('open', 'accepted', 'declined', 'cancelled'{})"


def upgrade() -> None:
    op.create_table(
        "connections",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("process_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connections")),
    )
    op.create_index(op.f("ix_connections_account_id"), "connections", ["account_id"], unique=False)
    op.create_index(op.f("ix_connections_place"), "connections", ["place"], unique=False)
    op.create_index(op.f("ix_connections_process_id"), "connections", ["process_id"], unique=False)
    op.create_table(
        "heartbeat",
        sa.Column("single", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("single", name=op.f("ck_heartbeat_one_row")),
        sa.PrimaryKeyConstraint("single", name=op.f("pk_heartbeat")),
    )
    op.execute("INSERT INTO heartbeat DEFAULT VALUES")
    op.create_table(
        "processes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("beat_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    op.create_table(
        "ratings",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_ratings_account_id_accounts")),
        sa.PrimaryKeyConstraint("account_id", "game", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_leaderboard", "ratings", ["game", "rating"], unique=False)
    op.create_table(
        "rating_changes",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("before", sa.Double(), nullable=False),
        sa.Column("after", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_rating_changes_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rating_changes_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "account_id", name=op.f("pk_rating_changes")),
    )
    op.create_index(
        "ix_rating_changes_account", "rating_changes", ["account_id", "game", "changed_at"], unique=False
    )
    op.add_column(
        "accounts",
        sa.Column(
            "preferences", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False
        ),
    )
    op.add_column("accounts", sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("api_tokens", sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "challenges", sa.Column("rated", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.add_column(
        "challenges", sa.Column("time_control", postgresql.JSONB(astext_type=sa.Text()), nullable=True)
    )
    op.add_column("challenges", sa.Column("rating_min", sa.BigInteger(), nullable=True))
    op.add_column("challenges", sa.Column("rating_max", sa.BigInteger(), nullable=True))
    op.add_column("challenges", sa.Column("decline_reason", sa.Text(), nullable=True))
    op.add_column("challenges", sa.Column("rematch_of", sa.Text(), nullable=True))
    op.create_index(op.f("ix_challenges_rematch_of"), "challenges", ["rematch_of"], unique=False)
    op.create_foreign_key(
        op.f("fk_challenges_rematch_of_games"), "challenges", "games", ["rematch_of"], ["id"]
    )
    op.drop_constraint(op.f("ck_challenges_status"), "challenges")
    op.create_check_constraint(op.f("ck_challenges_status"), "challenges", _STATUSES.format(", 'expired'"))
    op.add_column("games", sa.Column("rated", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.add_column("games", sa.Column("time_control", postgresql.JSONB(astext_type=sa.Text()), nullable=True))
    op.add_column("games", sa.Column("clock_left", postgresql.ARRAY(sa.BigInteger()), nullable=True))
    op.add_column("games", sa.Column("clock_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("games", sa.Column("deadline", sa.DateTime(timezone=True), nullable=True))
    op.add_column("games", sa.Column("takeback", sa.Text(), nullable=True))
    op.add_column("games", sa.Column("taken_back_to", sa.BigInteger(), nullable=True))
    op.add_column(
        "games", sa.Column("ratings", postgresql.ARRAY(sa.Double()), server_default="{}", nullable=False)
    )
    op.add_column(
        "games", sa.Column("deviations", postgresql.ARRAY(sa.Double()), server_default="{}", nullable=False)
    )
    op.add_column("games", sa.Column("rating_changes", postgresql.ARRAY(sa.Double()), nullable=True))
    op.create_index(
        "ix_games_deadline",
        "games",
        ["deadline"],
        unique=False,
        postgresql_where=sa.text("deadline IS NOT NULL"),
    )
    op.create_index(
        "ix_games_under_way",
        "games",
        ["updated_at"],
        unique=False,
        postgresql_where=sa.text("status = 'started'"),
    )
    op.add_column("sessions", sa.Column("browser", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("sessions", "browser")
    op.drop_index("ix_games_under_way", table_name="games", postgresql_where=sa.text("status = 'started'"))
    op.drop_index("ix_games_deadline", table_name="games", postgresql_where=sa.text("deadline IS NOT NULL"))
    op.drop_column("games", "rating_changes")
    op.drop_column("games", "deviations")
    op.drop_column("games", "ratings")
    op.drop_column("games", "taken_back_to")
    op.drop_column("games", "takeback")
    op.drop_column("games", "deadline")
    op.drop_column("games", "clock_since")
    op.drop_column("games", "clock_left")
    op.drop_column("games", "time_control")
    op.drop_column("games", "rated")
    op.execute("UPDATE challenges SET status = 'cancelled' WHERE status = 'expired'")
    op.drop_constraint(op.f("ck_challenges_status"), "challenges")
    op.create_check_constraint(op.f("ck_challenges_status"), "challenges", _STATUSES.format(""))
    op.drop_constraint(op.f("fk_challenges_rematch_of_games"), "challenges", type_="foreignkey")
    op.drop_index(op.f("ix_challenges_rematch_of"), table_name="challenges")
    op.drop_column("challenges", "rematch_of")
    op.drop_column("challenges", "decline_reason")
    op.drop_column("challenges", "rating_max")
    op.drop_column("challenges", "rating_min")
    op.drop_column("challenges", "time_control")
    op.drop_column("challenges", "rated")
    op.drop_column("api_tokens", "expires_at")
    op.drop_column("accounts", "closed_at")
    op.drop_column("accounts", "preferences")
    op.drop_index("ix_rating_changes_account", table_name="rating_changes")
    op.drop_table("rating_changes")
    op.drop_index("ix_ratings_leaderboard", table_name="ratings")
    op.drop_table("ratings")
    op.drop_table("processes")
    op.drop_table("heartbeat")
    op.drop_index(op.f("ix_connections_process_id"), table_name="connections")
    op.drop_index(op.f("ix_connections_place"), table_name="connections")
    op.drop_index(op.f("ix_connections_account_id"), table_name="connections")
    op.drop_table("connections")
