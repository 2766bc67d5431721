"""Store who wrote the words of teams, and when the points of competitions were decided."""

import sqlalchemy as sa
from alembic import op

revision = "c41f7a20e9b8"
down_revision = "9b2e61d07fc4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("teams", sa.Column("written_by", sa.BigInteger(), nullable=True))
    op.create_foreign_key("fk_teams_written_by_accounts", "teams", "accounts", ["written_by"], ["id"])
    op.execute("UPDATE teams SET written_by = leader_id")  # as reports have seen it until now
    op.create_index("ix_teams_written_by", "teams", ["written_by"])
    op.add_column("nugget_competitions", sa.Column("awarded_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("""
        UPDATE nugget_competitions SET awarded_at = now()
        WHERE 'competition:' || id IN (SELECT source FROM season_awards)
            OR to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-Q') IN (SELECT season FROM season_places)
    """)


def downgrade() -> None:
    op.drop_column("nugget_competitions", "awarded_at")
    op.drop_column("teams", "written_by")
