"""Let players of ladders have several challengers."""

import sqlalchemy as sa
from alembic import op

revision = "c95e02b7d418"
down_revision = "b2d81f6a9c37"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("uq_ladder_challenges_defender", table_name="ladder_challenges")


def downgrade() -> None:
    op.create_index(
        "uq_ladder_challenges_defender",
        "ladder_challenges",
        ["game", "defender_id"],
        unique=True,
        postgresql_where=sa.text("outcome IS NULL"),
    )
