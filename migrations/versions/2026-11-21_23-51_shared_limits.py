"""Counts of rate limits, and the browsers in which accounts have logged in."""

import sqlalchemy as sa
from alembic import op

revision = "c4e8a1d7f052"
down_revision = "b7c1e90d4a35"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "throttle_counts",
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("hits", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_throttle_counts")),
        prefixes=["UNLOGGED"],
    )
    op.create_table(
        "devices",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_devices_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", "account_id", name=op.f("pk_devices")),
    )
    op.create_index(op.f("ix_devices_account_id"), "devices", ["account_id"])


def downgrade() -> None:
    op.drop_table("devices")
    op.drop_table("throttle_counts")
