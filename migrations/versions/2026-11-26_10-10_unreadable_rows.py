"""List the stored rows that cannot be read."""

import sqlalchemy as sa
from alembic import op

revision = "7d0c5b92e6a1"
down_revision = "c41d8f0b6e27"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "unreadable_rows",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("reader", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column(
            "first_seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("kind", "id", name=op.f("pk_unreadable_rows")),
    )


def downgrade() -> None:
    op.drop_table("unreadable_rows")
