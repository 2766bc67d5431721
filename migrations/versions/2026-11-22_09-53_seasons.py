"""Keep the points of seasons."""

import sqlalchemy as sa
from alembic import op

revision = "b8c2d75e9f01"
down_revision = "3d6f64272634"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "season_awards",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.Text(), nullable=False),
        sa.Column("rank", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_season_awards_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("source", "account_id", name=op.f("pk_season_awards")),
    )
    op.create_index(op.f("ix_season_awards_account_id"), "season_awards", ["account_id"])
    op.create_index(op.f("ix_season_awards_season"), "season_awards", ["season"])


def downgrade() -> None:
    op.drop_table("season_awards")
