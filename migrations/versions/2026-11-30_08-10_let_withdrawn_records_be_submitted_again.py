"""Allow withdrawn records to be submitted again."""

from alembic import op

revision = "5d0e9b7c41f2"
down_revision = "de658d3a3dd4"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_nugget_entries_record",
        "nugget_entries",
        ["record_sha256", "withdrawn_at"],
        unique=True,
        postgresql_nulls_not_distinct=True,
    )
    op.drop_constraint("uq_nugget_entries_record_sha256", "nugget_entries")


def downgrade() -> None:
    # Of a record that was submitted again, the version before knows the last entry only.
    op.execute("""
        UPDATE nugget_entries SET record_sha256 = record_sha256 || ' ' || id
        WHERE withdrawn_at IS NOT NULL AND EXISTS (
            SELECT FROM nugget_entries later
            WHERE later.record_sha256 = nugget_entries.record_sha256
            AND later.submitted_at > nugget_entries.submitted_at
        )
    """)
    op.create_unique_constraint("uq_nugget_entries_record_sha256", "nugget_entries", ["record_sha256"])
    op.drop_index("ix_nugget_entries_record", "nugget_entries")
