"""When sessions and API tokens were last used."""

import sqlalchemy as sa
from alembic import op

revision = "b7c1e90d4a35"
down_revision = "a94e1b7d3c60"
branch_labels = None
depends_on = None


def upgrade() -> None:
    used_at = sa.Column("used_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False)
    op.add_column("sessions", used_at)
    op.add_column("api_tokens", sa.Column("used_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("api_tokens", "used_at")
    op.drop_column("sessions", "used_at")
