"""Marks in long rankings, from which ranks are counted."""

import sqlalchemy as sa
from alembic import op

revision = "b58e02c4d7a1"
down_revision = "b5c19a04e7d2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ranking_marks",
        sa.Column("ranking", sa.Text(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("better", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("ranking", "value", name=op.f("pk_ranking_marks")),
    )


def downgrade() -> None:
    op.drop_table("ranking_marks")
