"""Store who is to blame for an aborted game, and against how many opponents a rating was reached."""

import sqlalchemy as sa
from alembic import op

revision = "a94e1b7d3c60"
down_revision = "7d21c0f5a8e4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "ratings", sa.Column("opponents", sa.BigInteger(), server_default=sa.text("0"), nullable=False)
    )
    op.execute(
        """
        UPDATE ratings SET opponents = (
            SELECT count(DISTINCT other.account_id)
            FROM rating_changes one JOIN rating_changes other ON other.game_id = one.game_id
            WHERE one.account_id = ratings.account_id AND one.game = ratings.game
                AND other.account_id <> one.account_id
        )
        """
    )
    # Last, so that games are locked for no longer than a moment.
    op.add_column("games", sa.Column("aborted_by", sa.SmallInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("ratings", "opponents")
    op.drop_column("games", "aborted_by")
