"""Store the positions of Golden Nugget entries, and those that the computer helped with.

The server computes the positions of the entries that exist already.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "b8d21f6c3e90"
down_revision = "8b1f27c6d9e4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("nugget_entries", sa.Column("positions", postgresql.ARRAY(sa.BigInteger()), nullable=True))
    op.create_table(
        "nugget_helped_positions",
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("helped_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_nugget_helped_positions")),
    )


def downgrade() -> None:
    op.drop_table("nugget_helped_positions")
    op.drop_column("nugget_entries", "positions")
