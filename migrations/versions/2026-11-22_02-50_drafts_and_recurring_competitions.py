"""Keep records of guests until they have registered, and allow competitions of the server itself."""

import sqlalchemy as sa
from alembic import op

revision = "7d20e6b1f8c3"
down_revision = "c3d7520be94f"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nugget_drafts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("competition", sa.Text(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_nugget_drafts_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_nugget_drafts")),
    )
    op.alter_column("nugget_competitions", "organiser_id", nullable=True)


def downgrade() -> None:
    op.execute(
        "DELETE FROM nugget_standings USING nugget_competitions AS own "
        "WHERE ranking = 'competition:' || own.id AND own.organiser_id IS NULL"
    )
    op.execute(
        "UPDATE nugget_entries SET competition_id = NULL FROM nugget_competitions AS own "
        "WHERE competition_id = own.id AND own.organiser_id IS NULL"
    )
    op.execute("DELETE FROM nugget_competitions WHERE organiser_id IS NULL")
    op.alter_column("nugget_competitions", "organiser_id", nullable=False)
    op.drop_table("nugget_drafts")
