"""Keep tournaments, their players and pairings."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "3d6f64272634"
down_revision = "d4a6f1b83e20"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="created", nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("organiser_id", sa.BigInteger(), nullable=True),
        sa.Column("series", sa.Text(), nullable=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("time_control", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("plan", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("max_players", sa.BigInteger(), nullable=False),
        sa.Column("rating_min", sa.BigInteger(), nullable=True),
        sa.Column("rating_max", sa.BigInteger(), nullable=True),
        sa.Column("min_games", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("team_id", sa.Text(), nullable=True),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("computers", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("chat", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("size", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("round", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("pause_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('created', 'started', 'finished', 'cancelled')", name=op.f("ck_tournaments_status")
        ),
        sa.ForeignKeyConstraint(
            ["organiser_id"], ["accounts.id"], name=op.f("fk_tournaments_organiser_id_accounts")
        ),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_tournaments_team_id_teams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("series", "starts_at", name=op.f("uq_tournaments_series_starts_at")),
    )
    op.create_index(
        "ix_tournaments_due_at",
        "tournaments",
        ["due_at"],
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_index(
        "ix_tournaments_ended_at",
        "tournaments",
        ["ended_at", "id"],
        postgresql_where=sa.text("ended_at IS NOT NULL"),
    )
    op.create_index(op.f("ix_tournaments_organiser_id"), "tournaments", ["organiser_id"])
    op.create_index("ix_tournaments_status_starts_at", "tournaments", ["status", "starts_at"])
    op.create_index(op.f("ix_tournaments_team_id"), "tournaments", ["team_id"])
    op.create_table(
        "tournament_pairings",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("round", sa.BigInteger(), nullable=False),
        sa.Column("board", sa.BigInteger(), nullable=False),
        sa.Column("leg", sa.SmallInteger(), server_default=sa.text("1"), nullable=False),
        sa.Column("group_number", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("first_id", sa.BigInteger(), nullable=False),
        sa.Column("second_id", sa.BigInteger(), nullable=True),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("is_played", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "outcome IN ('first', 'second', 'draw', 'neither')", name=op.f("ck_tournament_pairings_outcome")
        ),
        sa.ForeignKeyConstraint(
            ["first_id"], ["accounts.id"], name=op.f("fk_tournament_pairings_first_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["second_id"], ["accounts.id"], name=op.f("fk_tournament_pairings_second_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_pairings_tournament_id_tournaments"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament_pairings")),
        sa.UniqueConstraint("game_id", name=op.f("uq_tournament_pairings_game_id")),
        sa.UniqueConstraint(
            "tournament_id",
            "round",
            "group_number",
            "leg",
            "board",
            name="uq_tournament_pairings_board",
        ),
    )
    op.create_index(op.f("ix_tournament_pairings_first_id"), "tournament_pairings", ["first_id"])
    op.create_index(
        "ix_tournament_pairings_open",
        "tournament_pairings",
        ["tournament_id"],
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.create_index(op.f("ix_tournament_pairings_second_id"), "tournament_pairings", ["second_id"])
    op.create_table(
        "tournament_players",
        sa.Column("tournament_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("rating", sa.BigInteger(), nullable=False),
        sa.Column("seed", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("group_number", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("stage", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("points", sa.Double(), server_default=sa.text("0"), nullable=False),
        sa.Column("tie_breaks", postgresql.ARRAY(sa.Double()), server_default="{}", nullable=False),
        sa.Column("games", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("wins", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("streak", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("seats", postgresql.ARRAY(sa.BigInteger()), server_default="{}", nullable=False),
        sa.Column("last_opponent", sa.BigInteger(), nullable=True),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("free_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("rank", sa.BigInteger(), nullable=True),
        sa.Column("joined_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('active', 'paused', 'withdrawn')", name=op.f("ck_tournament_players_status")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_tournament_players_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=op.f("fk_tournament_players_tournament_id_tournaments"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "account_id", name=op.f("pk_tournament_players")),
    )
    op.create_index("ix_tournament_players_account_id_rank", "tournament_players", ["account_id", "rank"])
    op.create_index(
        "ix_tournament_players_free",
        "tournament_players",
        ["tournament_id"],
        postgresql_where=sa.text("status = 'active' AND game_id IS NULL"),
    )
    op.create_index(
        "ix_tournament_players_order",
        "tournament_players",
        [
            "tournament_id",
            sa.literal_column("stage DESC"),
            sa.literal_column("points DESC"),
            sa.literal_column("tie_breaks DESC"),
            "seed",
            "account_id",
        ],
    )


def downgrade() -> None:
    op.drop_index("ix_tournament_players_order", table_name="tournament_players")
    op.drop_index(
        "ix_tournament_players_free",
        table_name="tournament_players",
        postgresql_where=sa.text("status = 'active' AND game_id IS NULL"),
    )
    op.drop_index("ix_tournament_players_account_id_rank", table_name="tournament_players")
    op.drop_table("tournament_players")
    op.drop_index(op.f("ix_tournament_pairings_second_id"), table_name="tournament_pairings")
    op.drop_index(
        "ix_tournament_pairings_open",
        table_name="tournament_pairings",
        postgresql_where=sa.text("outcome IS NULL"),
    )
    op.drop_index(op.f("ix_tournament_pairings_first_id"), table_name="tournament_pairings")
    op.drop_table("tournament_pairings")
    op.drop_index(op.f("ix_tournaments_team_id"), table_name="tournaments")
    op.drop_index("ix_tournaments_status_starts_at", table_name="tournaments")
    op.drop_index(op.f("ix_tournaments_organiser_id"), table_name="tournaments")
    op.drop_index(
        "ix_tournaments_ended_at", table_name="tournaments", postgresql_where=sa.text("ended_at IS NOT NULL")
    )
    op.drop_index(
        "ix_tournaments_due_at", table_name="tournaments", postgresql_where=sa.text("due_at IS NOT NULL")
    )
    op.drop_table("tournaments")
