"""The open tree of Golden Nugget, and common records."""

import sqlalchemy as sa
from alembic import op

revision = "4e9a27c5d1f8"
down_revision = "5a9d20c7e1b8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "nugget_entries", sa.Column("common", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.add_column(
        "nugget_entries",
        sa.Column("is_in_tree", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.create_index(
        "ix_nugget_entries_not_in_tree",
        "nugget_entries",
        ["published_at"],
        postgresql_where=sa.text("published_at IS NOT NULL AND NOT is_in_tree"),
    )
    op.add_column(
        "nugget_runs",
        sa.Column("first_board", sa.SmallInteger(), server_default=sa.text("1"), nullable=False),
    )
    op.create_table(
        "nugget_credits",
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("boards", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["entry_id"], ["nugget_entries.id"]),
        sa.PrimaryKeyConstraint("entry_id", "account_id"),
        sa.Index("ix_nugget_credits_account_id", "account_id"),
    )
    op.create_table(
        "nugget_tree",
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("node", sa.BigInteger(), nullable=False),
        sa.Column("next", sa.BigInteger(), nullable=False),
        sa.Column("blocks", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.SmallInteger(), nullable=False),
        sa.Column("reached", sa.SmallInteger(), nullable=False),
        sa.Column("five", sa.SmallInteger(), nullable=True),
        sa.Column("twenty", sa.SmallInteger(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["nugget_entries.id"]),
        sa.PrimaryKeyConstraint("entry_id", "number"),
        sa.Index("ix_nugget_tree_reached", "next", "reached", "at"),
        sa.Index("ix_nugget_tree_moves", "node", "moves", "next", "at"),
        sa.Index("ix_nugget_tree_five", "node", "five", "at", postgresql_where=sa.text("five IS NOT NULL")),
        sa.Index(
            "ix_nugget_tree_twenty", "node", "twenty", "at", postgresql_where=sa.text("twenty IS NOT NULL")
        ),
    )


def downgrade() -> None:
    op.drop_table("nugget_tree")
    op.drop_table("nugget_credits")
    op.drop_column("nugget_runs", "first_board")
    op.drop_index("ix_nugget_entries_not_in_tree", "nugget_entries")
    op.drop_column("nugget_entries", "is_in_tree")
    op.drop_column("nugget_entries", "common")
