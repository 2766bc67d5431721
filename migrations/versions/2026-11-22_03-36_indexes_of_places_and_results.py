"""Count places and results from indexes only."""

import sqlalchemy as sa

from app.core.database.migrate import create_index, drop_index

revision = "e91c7a36f052"
down_revision = "b58e02c4d7a1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index(
        "ix_ratings_places",
        "ratings",
        ["game", sa.text("rating DESC"), "account_id"],
        postgresql_include=["deviation", "volatility", "games", "opponents", "updated_at"],
    )
    create_index(
        "ix_games_of_first_player",
        "games",
        ["first_player", "ended_at"],
        postgresql_include=["second_player", "status", "winner_seat"],
    )
    create_index(
        "ix_games_of_second_player",
        "games",
        ["second_player", "ended_at"],
        postgresql_include=["first_player", "status", "winner_seat"],
    )
    drop_index("ix_ratings_leaderboard", "ratings")
    drop_index("ix_games_first_player_ended_at", "games")
    drop_index("ix_games_second_player_ended_at", "games")


def downgrade() -> None:
    create_index("ix_games_second_player_ended_at", "games", ["second_player", "ended_at"])
    create_index("ix_games_first_player_ended_at", "games", ["first_player", "ended_at"])
    create_index("ix_ratings_leaderboard", "ratings", ["game", "rating"])
    drop_index("ix_games_of_second_player", "games")
    drop_index("ix_games_of_first_player", "games")
    drop_index("ix_ratings_places", "ratings")
