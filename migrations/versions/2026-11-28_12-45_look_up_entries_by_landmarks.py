"""Look up entries by landmarks."""

from app.core.database.migrate import create_functions

revision = "c4f1d27a90be"
down_revision = "808999015c6a"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_functions()


def downgrade() -> None:
    """Nothing calls the function, which may stay, as a new database has it from the first migration on."""
