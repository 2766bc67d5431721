"""List the methods of a competition by time."""

from alembic import op

revision = "de658d3a3dd4"
down_revision = "c4f1d27a90be"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_nugget_methods_listed", "nugget_methods", ["competition_id", "updated_at", "id"])


def downgrade() -> None:
    op.drop_index("ix_nugget_methods_listed", table_name="nugget_methods")
