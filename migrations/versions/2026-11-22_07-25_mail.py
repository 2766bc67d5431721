"""E-mail addresses of accounts, and the links of mails."""

import sqlalchemy as sa
from alembic import op

revision = "f2b7d09c4e18"
down_revision = "9be7430d61fa"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "email_addresses",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("unconfirmed", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("unsubscribe_key", sa.Text(), nullable=False),
        sa.Column("undeliverable_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_email_addresses_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_email_addresses")),
        sa.UniqueConstraint("unsubscribe_key", name=op.f("uq_email_addresses_unsubscribe_key")),
    )
    op.create_index("ix_email_addresses_address_lower", "email_addresses", [sa.text("lower(address)")])
    op.create_table(
        "mail_links",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_mail_links_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "purpose", name=op.f("pk_mail_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_mail_links_token_hash")),
    )


def downgrade() -> None:
    op.drop_table("mail_links")
    op.drop_table("email_addresses")
