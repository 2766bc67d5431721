"""When players were reminded of commitments that expire."""

import sqlalchemy as sa
from alembic import op

revision = "e4b0731d9c52"
down_revision = "5c27e9a81f46"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("nugget_commitments", sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("nugget_commitments", "reminded_at")
