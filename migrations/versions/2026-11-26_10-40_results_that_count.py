"""Store which results of rated games count; all earlier ones do."""

import sqlalchemy as sa
from alembic import op

revision = "7b1e90c4d2a6"
down_revision = "e4a7905c1b2d"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "rating_changes", sa.Column("counted", sa.Boolean(), server_default=sa.text("true"), nullable=False)
    )
    op.add_column("rating_changes", sa.Column("counted_in", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("rating_changes", "counted_in")
    op.drop_column("rating_changes", "counted")
