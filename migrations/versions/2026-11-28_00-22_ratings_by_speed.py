"""Ratings by speed, which servers compute for all players after the update."""

import sqlalchemy as sa
from alembic import op

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
    op.create_index(
        "ix_speed_ratings_places",
        "speed_ratings",
        ["game", "speed", sa.literal_column("rating DESC"), "account_id"],
        postgresql_include=["deviation", "volatility", "games", "opponents", "updated_at"],
    )
    op.add_column(
        "ratings",
        sa.Column(
            "speeds_due_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=True
        ),
    )
    op.create_index(
        "ix_ratings_speeds_due",
        "ratings",
        ["speeds_due_at"],
        postgresql_where=sa.text("speeds_due_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_ratings_speeds_due", table_name="ratings")
    op.drop_column("ratings", "speeds_due_at")
    op.drop_table("speed_ratings")
