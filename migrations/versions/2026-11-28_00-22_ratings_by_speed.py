"""Ratings by speed, which servers compute for all players after the update."""

import sqlalchemy as sa
from alembic import op

from app.core.database.migrate import create_functions

revision = "74dd2b1f4e85"
down_revision = "06215c9863fd"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "speed_ratings",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("speed", sa.Text(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.Column("opponents", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_speed_ratings_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", "game", "speed", name=op.f("pk_speed_ratings")),
    )
    op.execute(
        "CREATE INDEX ix_speed_ratings_places ON speed_ratings (game, speed, rating DESC, account_id) "
        "INCLUDE (deviation, volatility, games, opponents, updated_at)"
    )
    op.create_table(
        "speeds_due",
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_speeds_due")),
    )
    create_functions()
    op.execute(
        "CREATE TRIGGER ratings_note_rating AFTER INSERT OR UPDATE ON ratings "
        "FOR EACH ROW EXECUTE FUNCTION note_rating()"
    )
    op.execute("INSERT INTO speeds_due (account_id, game) SELECT account_id, game FROM ratings")


def downgrade() -> None:
    op.execute("DROP TRIGGER ratings_note_rating ON ratings")
    op.drop_table("speeds_due")
    op.drop_table("speed_ratings")
