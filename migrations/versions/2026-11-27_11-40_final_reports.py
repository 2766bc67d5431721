"""Final reports of competitions: their entries are open, and players describe their methods."""

import sqlalchemy as sa
from alembic import op

revision = "b2d7f04e61a9"
down_revision = "7c3e51f0a9d4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("nugget_entries", sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True))
    # Nobody was told that entries of these would be opened.
    op.execute(
        "UPDATE nugget_competitions SET released_at = ends_at "
        "WHERE visibility = 'open' AND released_at IS NULL AND ends_at <= now()"
    )
    op.create_table(
        "nugget_methods",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("competition_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["competition_id"], ["nugget_competitions.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("competition_id", "account_id"),
        sa.Index("ix_nugget_methods_account_id", "account_id"),
    )


def downgrade() -> None:
    op.drop_table("nugget_methods")
    op.drop_column("nugget_entries", "opened_at")
