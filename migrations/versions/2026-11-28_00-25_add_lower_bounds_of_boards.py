"""Add lower bounds of boards."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "7a2318ea2038"
down_revision = "74dd2b1f4e85"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nugget_bounds",
        sa.Column("node", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("bound", sa.SmallInteger(), nullable=True),
        sa.Column("certificate", sa.Text(), nullable=True),
        sa.Column("heights", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("runs", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("node", name=op.f("pk_nugget_bounds")),
    )


def downgrade() -> None:
    op.drop_table("nugget_bounds")
