"""Index the positions of Golden Nugget entries, while entries come in."""

import sqlalchemy as sa

from app.core.database.migrate import create_index, drop_index

revision = "e4a7905c1b2d"
down_revision = "b8d21f6c3e90"
branch_labels = None
depends_on = None

_TABLE = "nugget_entries"


def upgrade() -> None:
    create_index("ix_nugget_entries_positions", _TABLE, ["positions"], postgresql_using="gin")
    create_index(
        "ix_nugget_entries_to_trace",
        _TABLE,
        ["submitted_at"],
        postgresql_where=sa.text("positions IS NULL"),
    )


def downgrade() -> None:
    drop_index("ix_nugget_entries_to_trace", _TABLE)
    drop_index("ix_nugget_entries_positions", _TABLE)
