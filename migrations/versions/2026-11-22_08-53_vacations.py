"""Vacations of accounts, for which the clocks of correspondence games stop."""

import sqlalchemy as sa
from alembic import op

revision = "3c1f5a8e0b27"
down_revision = "a93d60e7b1c8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "vacations",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("saved", sa.BigInteger(), nullable=False),
        sa.Column("counted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_settled", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_vacations_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_vacations")),
    )
    op.create_index(
        "ix_vacations_not_settled",
        "vacations",
        ["account_id"],
        postgresql_where=sa.text("NOT is_settled"),
    )


def downgrade() -> None:
    op.drop_table("vacations")
