"""Count unanswered questions of witnesses, and what they have seen."""

import sqlalchemy as sa
from alembic import op

revision = "06215c9863fd"
down_revision = "713b2948ee9d"
branch_labels = None
depends_on = None


def upgrade() -> None:
    failures = sa.Column("failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False)
    op.add_column("nugget_witnessed_servers", failures)
    op.add_column("nugget_witnessed_servers", sa.Column("problem", sa.Text(), nullable=True))
    for name in ("heads", "conflicts"):
        column = sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False)
        op.add_column("nugget_witnessed_servers", column)
    op.execute("""
        UPDATE nugget_witnessed_servers AS server SET (heads, conflicts) = (
            SELECT count(*) FILTER (WHERE conflict IS NULL), count(*) FILTER (WHERE conflict IS NOT NULL)
            FROM nugget_witnessed_heads WHERE server_id = server.id
        )
    """)


def downgrade() -> None:
    for name in ("conflicts", "heads", "problem"):
        op.drop_column("nugget_witnessed_servers", name)
    op.drop_column("nugget_witnessed_servers", "failures")
