"""Keep achievements, and when a rated game was voided."""

import sqlalchemy as sa
from alembic import op

revision = "d4e1f7a2960b"
down_revision = "3c1f5a8e0b27"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("voided_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "awards",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("achievement", sa.Text(), nullable=False),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_awards_account_id_accounts")),
        sa.PrimaryKeyConstraint("account_id", "achievement", name=op.f("pk_awards")),
    )
    op.create_table(
        "award_marks",
        sa.Column("judged_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("judged_until", name=op.f("pk_award_marks")),
    )
    op.execute("INSERT INTO award_marks VALUES (now())")
    op.create_index("ix_scores_submitted_at", "scores", ["submitted_at"])
    op.create_index("ix_nugget_entries_submitted_at", "nugget_entries", ["submitted_at"])
    op.create_index(
        "ix_nugget_entries_withdrawn_at",
        "nugget_entries",
        ["withdrawn_at"],
        postgresql_where=sa.text("withdrawn_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_nugget_entries_withdrawn_at", "nugget_entries")
    op.drop_index("ix_nugget_entries_submitted_at", "nugget_entries")
    op.drop_index("ix_scores_submitted_at", "scores")
    op.drop_table("award_marks")
    op.drop_table("awards")
    op.drop_column("games", "voided_at")
