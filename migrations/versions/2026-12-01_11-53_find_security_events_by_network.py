"""Find security events by network."""

from alembic import op

revision = "0a80ed42a5bb"
down_revision = "6d34f273a8e7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_security_events_network", "security_events", ["network", "action", "account_id"], unique=False
    )


def downgrade() -> None:
    op.drop_index("ix_security_events_network", table_name="security_events")
