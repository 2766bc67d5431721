"""Commitments to records of Golden Nugget, with links in the ledger and the time of their reveal."""

import sqlalchemy as sa
from alembic import op

revision = "d19e00ee4fd3"
down_revision = "b2d7f04e61a9"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nugget_commitments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("competition_id", sa.Text(), nullable=True),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("committed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("entry_id", sa.Text(), nullable=True),
        sa.Column("file", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["competition_id"], ["nugget_competitions.id"]),
        sa.ForeignKeyConstraint(["entry_id"], ["nugget_entries.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("sha256"),
        sa.UniqueConstraint("entry_id"),
        sa.Index("ix_nugget_commitments_account", "account_id", "committed_at"),
        sa.Index("ix_nugget_commitments_competition", "competition_id", "committed_at"),
    )
    op.add_column("nugget_entries", sa.Column("revealed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_nugget_entries_revealed_at",
        "nugget_entries",
        ["revealed_at"],
        postgresql_where=sa.text("revealed_at IS NOT NULL"),
    )
    op.add_column(
        "nugget_ledger",
        sa.Column("commitment_id", sa.Text(), sa.ForeignKey("nugget_commitments.id"), nullable=True),
    )
    op.create_index("ix_nugget_ledger_commitment_id", "nugget_ledger", ["commitment_id"])
    op.add_column("nugget_ledger", sa.Column("newer", sa.Text(), nullable=True))
    op.alter_column("nugget_ledger", "entry_id", nullable=True)


def downgrade() -> None:
    # This fails once there are commitments: their links are part of the chain, and have no entry.
    op.alter_column("nugget_ledger", "entry_id", nullable=False)
    op.drop_column("nugget_ledger", "newer")
    op.drop_column("nugget_ledger", "commitment_id")
    op.drop_column("nugget_entries", "revealed_at")
    op.drop_table("nugget_commitments")
