"""Store how the boards of Golden Nugget entries end, to recognise entries that are derived from others.

The server computes the hashes of the entries that exist already.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "7c1d9e52a8f4"
down_revision = "d2a6c0f4b7e1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("nugget_entries", sa.Column("prefixes", postgresql.ARRAY(sa.LargeBinary()), nullable=True))
    op.create_index(
        "ix_nugget_entries_prefixes", "nugget_entries", ["prefixes"], unique=False, postgresql_using="gin"
    )
    op.create_index(
        "ix_nugget_entries_untraced",
        "nugget_entries",
        ["submitted_at"],
        unique=False,
        postgresql_where=sa.text("prefixes IS NULL"),
    )
    op.create_table(
        "nugget_helped_boards",
        sa.Column("prefix", sa.LargeBinary(), nullable=False),
        sa.Column("helped_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("prefix", name=op.f("pk_nugget_helped_boards")),
    )


def downgrade() -> None:
    op.drop_table("nugget_helped_boards")
    op.drop_index("ix_nugget_entries_untraced", table_name="nugget_entries")
    op.drop_index("ix_nugget_entries_prefixes", table_name="nugget_entries")
    op.drop_column("nugget_entries", "prefixes")
