"""Count what is sent to recipients, hold back what is too much, and undo changes of address."""

import sqlalchemy as sa
from alembic import op

revision = "8b1f27c6d9e4"
down_revision = "7d0c5b92e6a1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sendings",
        sa.Column("delivery_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("recipient", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("notification_id", sa.BigInteger(), nullable=True),
        sa.Column("is_read", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_sendings_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["actor_id"], ["accounts.id"], name=op.f("fk_sendings_actor_id_accounts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("delivery_id", name=op.f("pk_sendings")),
    )
    for column in ("account_id", "actor_id", "sent_at"):
        op.create_index(f"ix_sendings_{column}", "sendings", [column])
    op.create_index("ix_sendings_recipient_kind_sent_at", "sendings", ["recipient", "kind", "sent_at"])
    op.create_table(
        "address_undos",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_address_undos_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address_undos")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_address_undos_token_hash")),
    )
    op.create_index("ix_address_undos_account_id", "address_undos", ["account_id"])
    op.add_column(
        "deliveries", sa.Column("is_held", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )


def downgrade() -> None:
    op.drop_column("deliveries", "is_held")
    op.drop_table("address_undos")
    op.drop_table("sendings")
