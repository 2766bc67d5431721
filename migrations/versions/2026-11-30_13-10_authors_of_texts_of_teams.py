"""Store who wrote the text of a team, which need not be who wrote its name."""

import sqlalchemy as sa
from alembic import op

revision = "d5a90c3e17b4"
down_revision = "a81d35f6c20e"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("teams", sa.Column("text_by", sa.BigInteger(), nullable=True))
    op.create_foreign_key("fk_teams_text_by_accounts", "teams", "accounts", ["text_by"], ["id"])
    op.execute("UPDATE teams SET text_by = written_by")
    op.create_index("ix_teams_text_by", "teams", ["text_by"])


def downgrade() -> None:
    op.drop_column("teams", "text_by")
