"""Keep reviews of games for one and of boards of Golden Nugget."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "b6d2f80c41a7"
down_revision = "c41f7a90d2e8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("reviewed_plies", sa.Column("line", postgresql.ARRAY(sa.Text()), nullable=True))
    op.create_table(
        "nugget_reviewed_pushes",
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("board", sa.SmallInteger(), nullable=False),
        sa.Column("ply", sa.SmallInteger(), nullable=False),
        sa.Column("forces", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["nugget_entries.id"],
            name=op.f("fk_nugget_reviewed_pushes_entry_id_nugget_entries"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("entry_id", "board", "ply", name=op.f("pk_nugget_reviewed_pushes")),
    )


def downgrade() -> None:
    op.drop_table("nugget_reviewed_pushes")
    op.drop_column("reviewed_plies", "line")
