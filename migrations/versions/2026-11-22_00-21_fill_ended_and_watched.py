"""Fill the columns by which games are listed and watched."""

from alembic import op
from sqlalchemy import text

revision = "9a06d3c5e2b1"
down_revision = "4e8b1f7730ac"
branch_labels = None
depends_on = None

# In batches, each in its own transaction, so that no move waits for long. It can be repeated.
_FILL = text("""
WITH batch AS (
    SELECT id FROM games WHERE id > :last ORDER BY id LIMIT 5000
), filled AS (
    UPDATE games SET ended_at = CASE WHEN status <> 'started' THEN updated_at END, watch_at = deadline
    FROM batch WHERE games.id = batch.id AND (status <> 'started' OR deadline IS NOT NULL)
)
SELECT max(id) FROM batch
""")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        last: str | None = ""
        while last is not None:
            last = op.get_bind().scalar(_FILL, {"last": last})


def downgrade() -> None:
    """Leave the columns as they are."""
