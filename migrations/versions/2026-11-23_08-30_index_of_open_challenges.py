"""Index the open challenges by their makers, which are looked through twice a minute."""

import sqlalchemy as sa
from alembic import op

revision = "0c7b2e94d15f"
down_revision = "f1c94e6a83d2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_challenges_open", "challenges", ["maker_id"], postgresql_where=sa.text("status = 'open'")
    )


def downgrade() -> None:
    op.drop_index("ix_challenges_open", "challenges")
