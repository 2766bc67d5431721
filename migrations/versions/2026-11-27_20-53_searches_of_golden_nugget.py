"""Searches for short records of Golden Nugget, as they report."""

import sqlalchemy as sa
from alembic import op

revision = "713b2948ee9d"
down_revision = "4f0ac95d17be"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nugget_searches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("boards", sa.SmallInteger(), nullable=False),
        sa.Column("seconds", sa.BigInteger(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("reported_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("reports", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("state", sa.Text(), server_default="running", nullable=False),
        sa.Column("tried", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("path_boards", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("path_moves", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("cycle_first", sa.SmallInteger(), nullable=True),
        sa.Column("cycle_last", sa.SmallInteger(), nullable=True),
        sa.Column("cycle_boards", sa.SmallInteger(), nullable=True),
        sa.Column("cycle_moves", sa.BigInteger(), nullable=True),
        sa.Column("board", sa.SmallInteger(), nullable=True),
        sa.Column("blocks", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_nugget_searches")),
    )
    op.create_table(
        "nugget_search_samples",
        sa.Column("search_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("solved", sa.BigInteger(), nullable=False),
        sa.Column("fewest", sa.ARRAY(sa.BigInteger()), nullable=False),
        sa.ForeignKeyConstraint(
            ["search_id"],
            ["nugget_searches.id"],
            name=op.f("fk_nugget_search_samples_search_id_nugget_searches"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("search_id", "number", name=op.f("pk_nugget_search_samples")),
    )


def downgrade() -> None:
    op.drop_table("nugget_search_samples")
    op.drop_table("nugget_searches")
