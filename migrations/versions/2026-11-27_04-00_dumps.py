"""Add nightly dumps."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "7e52c0d9ab14"
down_revision = "d41c7be09a52"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dumps",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("manifest", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_dumps")),
    )
    op.create_table(
        "dump_parts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["day"], ["dumps.day"], name=op.f("fk_dump_parts_day_dumps"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("day", "file", "number", name=op.f("pk_dump_parts")),
    )


def downgrade() -> None:
    op.drop_table("dump_parts")
    op.drop_table("dumps")
