"""Keep what was refused of the last commands, so that a retry is answered as the first time."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "a81d35f6c20e"
down_revision = "e7b3580c92da"
branch_labels = None
depends_on = None

_TABLES = ("nugget_runs", "nugget_day_tries")


def upgrade() -> None:
    for table in _TABLES:
        op.add_column(table, sa.Column("last_refusal", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    for table in _TABLES:
        op.drop_column(table, "last_refusal")
