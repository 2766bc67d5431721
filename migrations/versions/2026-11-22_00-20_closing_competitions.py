"""Store why a competition was ended early or cancelled, and refuse dates that cannot be read."""

import sqlalchemy as sa
from alembic import op

revision = "e1a7c4f90b26"
down_revision = "3b8e5d91c7a2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("nugget_competitions", sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("nugget_competitions", sa.Column("reason", sa.Text(), server_default="", nullable=False))
    op.execute(
        "UPDATE nugget_competitions SET starts_at = greatest(least(starts_at, '8998-01-01'), '1970-01-01'), "
        "ends_at = least(ends_at, '8999-01-01') "
        "WHERE starts_at <= '1900-01-01' OR ends_at >= '9000-01-01'"
    )
    op.create_check_constraint(
        op.f("ck_nugget_competitions_readable"),
        "nugget_competitions",
        "starts_at > '1900-01-01' AND ends_at < '9000-01-01'",
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_nugget_competitions_readable"), "nugget_competitions", type_="check")
    op.drop_column("nugget_competitions", "reason")
    op.drop_column("nugget_competitions", "cancelled_at")
