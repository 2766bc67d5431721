"""Index games by when they ended and were voided."""

import sqlalchemy as sa

from app.core.database.migrate import create_index, drop_index

revision = "e7b03c59d1a4"
down_revision = "d4e1f7a2960b"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index("ix_games_ended_at", "games", ["ended_at"], postgresql_where=sa.text("ended_at IS NOT NULL"))
    create_index(
        "ix_games_voided_at", "games", ["voided_at"], postgresql_where=sa.text("voided_at IS NOT NULL")
    )


def downgrade() -> None:
    drop_index("ix_games_voided_at", "games")
    drop_index("ix_games_ended_at", "games")
