"""Store the seal of a competition in one place, and name the hash of a record consistently.

An entry was sealed by a copy of its competition's end. Now the competition's own end decides, and the
competition says when its entries were released to the rankings.
"""

import sqlalchemy as sa
from alembic import op

revision = "3b1f0c6a9d52"
down_revision = "b3f0a6c2d914"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("nugget_competitions", sa.Column("released_at", sa.DateTime(timezone=True), nullable=True))
    op.drop_index(op.f("ix_nugget_entries_sealed_until"), table_name="nugget_entries")
    op.drop_column("nugget_entries", "sealed_until")
    op.alter_column("nugget_entries", "digest", new_column_name="record_sha256")
    op.execute(
        "ALTER TABLE nugget_entries "
        "RENAME CONSTRAINT uq_nugget_entries_digest TO uq_nugget_entries_record_sha256"
    )


def downgrade() -> None:
    op.execute(
        "ALTER TABLE nugget_entries "
        "RENAME CONSTRAINT uq_nugget_entries_record_sha256 TO uq_nugget_entries_digest"
    )
    op.alter_column("nugget_entries", "record_sha256", new_column_name="digest")
    op.add_column("nugget_entries", sa.Column("sealed_until", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_nugget_entries_sealed_until"), "nugget_entries", ["sealed_until"], unique=False)
    op.execute(
        "UPDATE nugget_entries SET sealed_until = ends_at FROM nugget_competitions competition "
        "WHERE competition_id = competition.id AND visibility = 'sealed' AND released_at IS NULL"
    )
    op.drop_column("nugget_competitions", "released_at")
