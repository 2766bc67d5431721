"""Keep the lessons that players have passed."""

import sqlalchemy as sa
from alembic import op

revision = "d27f40c9b158"
down_revision = "84d1f0b6c3e7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lesson_steps",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("passed_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_lesson_steps_account_id_accounts"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "game", "step", name=op.f("pk_lesson_steps")),
    )


def downgrade() -> None:
    op.drop_table("lesson_steps")
