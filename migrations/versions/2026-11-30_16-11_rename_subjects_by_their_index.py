"""Find the notifications about what is renamed by their index."""

from app.core.database.migrate import create_functions

revision = "1d7a6be3f085"
down_revision = "c4f0917e5ad2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_functions()


def downgrade() -> None:
    """Leave the function: it does the same without the index, but for the time it takes."""
