"""Passkeys, their challenges, and when a session's owner last confirmed that it is them."""

import sqlalchemy as sa
from alembic import op

revision = "5b1f0c93d7aa"
down_revision = "a4c81e96d2b7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sessions", sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "passkeys",
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_passkeys_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("credential_id", name=op.f("pk_passkeys")),
    )
    op.create_index(op.f("ix_passkeys_account_id"), "passkeys", ["account_id"])
    op.create_table(
        "passkey_challenges",
        sa.Column("challenge", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_passkey_challenges_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("challenge", name=op.f("pk_passkey_challenges")),
    )
    op.create_index(op.f("ix_passkey_challenges_account_id"), "passkey_challenges", ["account_id"])


def downgrade() -> None:
    op.drop_table("passkey_challenges")
    op.drop_table("passkeys")
    op.drop_column("sessions", "confirmed_at")
