"""Devices that get notifications by Web Push, and the key of the server."""

import sqlalchemy as sa
from alembic import op

revision = "5e8d20b7c4f1"
down_revision = "5b7de1c09f42"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "push_devices",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("proof", sa.LargeBinary(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.Text(), nullable=False),
        sa.Column("auth", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_push_devices_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_devices")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_push_devices_endpoint")),
    )
    op.create_index("ix_push_devices_account_id", "push_devices", ["account_id"])
    op.create_table(
        "push_keys",
        sa.Column("single", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.CheckConstraint("single", name=op.f("ck_push_keys_one_row")),
        sa.PrimaryKeyConstraint("single", name=op.f("pk_push_keys")),
    )


def downgrade() -> None:
    op.drop_table("push_keys")
    op.drop_table("push_devices")
