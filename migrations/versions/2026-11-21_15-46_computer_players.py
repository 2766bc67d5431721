"""Add computer players, background jobs, and the computer's help in Golden Nugget runs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "c97eb7400b10"
down_revision = "8faea11b938d"
branch_labels = None
depends_on = None

# "!" is the hash of no password. A player who has such a name keeps it. A downgrade keeps the accounts.
_COMPUTERS = """
INSERT INTO accounts (username, password_hash, is_computer, computer_level)
SELECT 'Gorrion-' || level || CASE WHEN EXISTS (
           SELECT FROM accounts WHERE lower(username) = 'gorrion-' || level AND NOT is_computer
       ) THEN '-computer' ELSE '' END,
       '!', true, level
FROM generate_series(1, 8) level
ON CONFLICT (lower(username)) DO UPDATE SET computer_level = excluded.computer_level
"""


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column(
            "claimable_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_jobs")),
    )
    op.create_index(
        "ix_jobs_done", "jobs", ["done_at"], unique=False, postgresql_where=sa.text("done_at IS NOT NULL")
    )
    op.create_index(
        "ix_jobs_waiting", "jobs", ["claimable_at"], unique=False, postgresql_where=sa.text("done_at IS NULL")
    )
    op.add_column("accounts", sa.Column("computer_level", sa.SmallInteger(), nullable=True))
    op.create_index("uq_accounts_computer_level", "accounts", ["computer_level"], unique=True)
    op.add_column(
        "nugget_runs", sa.Column("hints", sa.SmallInteger(), server_default=sa.text("0"), nullable=False)
    )
    op.add_column(
        "nugget_runs", sa.Column("finished", sa.SmallInteger(), server_default=sa.text("0"), nullable=False)
    )
    op.add_column(
        "nugget_entries", sa.Column("assisted", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.execute(_COMPUTERS)


def downgrade() -> None:
    op.drop_column("nugget_entries", "assisted")
    op.drop_column("nugget_runs", "finished")
    op.drop_column("nugget_runs", "hints")
    op.drop_index("uq_accounts_computer_level", table_name="accounts")
    op.drop_column("accounts", "computer_level")
    op.drop_index("ix_jobs_waiting", table_name="jobs", postgresql_where=sa.text("done_at IS NULL"))
    op.drop_index("ix_jobs_done", table_name="jobs", postgresql_where=sa.text("done_at IS NOT NULL"))
    op.drop_table("jobs")
