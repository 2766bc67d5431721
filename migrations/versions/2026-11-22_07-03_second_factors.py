"""Second factors, recovery codes, and log-ins that wait for a code."""

import sqlalchemy as sa
from alembic import op

revision = "e60d2b7f4c15"
down_revision = "5c1e9d70b2a5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "second_factors",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        _of_account("second_factors"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_second_factors")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        _of_account("recovery_codes"),
        sa.PrimaryKeyConstraint("account_id", "code_hash", name=op.f("pk_recovery_codes")),
    )
    op.create_table(
        "pending_log_ins",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        _of_account("pending_log_ins"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_pending_log_ins")),
    )
    op.create_index(op.f("ix_pending_log_ins_account_id"), "pending_log_ins", ["account_id"])


def downgrade() -> None:
    op.drop_table("pending_log_ins")
    op.drop_table("recovery_codes")
    op.drop_table("second_factors")


def _of_account(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_account_id_accounts")
    return sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=name, ondelete="CASCADE")
