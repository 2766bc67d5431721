"""Remember which accounts are leaving their challenges, tournaments and games."""

import sqlalchemy as sa
from alembic import op

revision = "c41d8f0b6e27"
down_revision = "5e9a3c71d8b4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "departures",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_departures_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_departures")),
    )


def downgrade() -> None:
    op.drop_table("departures")
