"""Index games by columns that do not change with each move."""

import sqlalchemy as sa

from app.core.database.migrate import create_index, drop_index

revision = "c3d7520be94f"
down_revision = "9a06d3c5e2b1"
branch_labels = None
depends_on = None

_IS_STARTED = sa.text("status = 'started'")


def upgrade() -> None:
    create_index("ix_games_first_player_ended_at", "games", ["first_player", "ended_at"])
    create_index("ix_games_second_player_ended_at", "games", ["second_player", "ended_at"])
    create_index("ix_games_watch_at", "games", ["watch_at"], postgresql_where=sa.text("watch_at IS NOT NULL"))
    create_index(
        "ix_games_to_watch",
        "games",
        [sa.text("coalesce(ratings[1] + ratings[2], 0)"), "created_at"],
        postgresql_where=sa.text("status = 'started' AND second_player IS NOT NULL"),
    )
    drop_index("ix_games_first_player", "games")
    drop_index("ix_games_second_player", "games")
    drop_index("ix_games_deadline", "games")
    drop_index("ix_games_under_way", "games")


def downgrade() -> None:
    create_index("ix_games_under_way", "games", ["updated_at"], postgresql_where=_IS_STARTED)
    create_index("ix_games_deadline", "games", ["deadline"], postgresql_where=sa.text("deadline IS NOT NULL"))
    create_index("ix_games_second_player", "games", ["second_player", "updated_at"])
    create_index("ix_games_first_player", "games", ["first_player", "updated_at"])
    drop_index("ix_games_to_watch", "games")
    drop_index("ix_games_watch_at", "games")
    drop_index("ix_games_second_player_ended_at", "games")
    drop_index("ix_games_first_player_ended_at", "games")
