"""Announcements, invitations, reserved names, and what administrators see of backups and figures."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "7c3e51f0a9d4"
down_revision = "4e9a27c5d1f8"
branch_labels = None
depends_on = None

_NOW = sa.text("now()")
_TRUE = sa.text("true")


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "announcements",
        sa.Column("single", sa.Boolean(), server_default=_TRUE, nullable=False),
        sa.Column("texts", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("ends_at", moment, nullable=False),
        sa.CheckConstraint("single", name=op.f("ck_announcements_one_row")),
        sa.PrimaryKeyConstraint("single", name=op.f("pk_announcements")),
    )
    op.create_table(
        "registration_modes",
        sa.Column("single", sa.Boolean(), server_default=_TRUE, nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.CheckConstraint("single", name=op.f("ck_registration_modes_one_row")),
        sa.PrimaryKeyConstraint("single", name=op.f("pk_registration_modes")),
    )
    op.create_table(
        "invitations",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("most", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("ends_at", moment, nullable=False),
        sa.Column("created_at", moment, server_default=_NOW, nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_invitations")),
    )
    op.create_table(
        "reserved_names",
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", moment, server_default=_NOW, nullable=False),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_reserved_names")),
    )
    op.create_table(
        "backup_notes",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("at", moment, server_default=_NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_backup_notes")),
    )
    op.create_table(
        "figure_samples",
        sa.Column("at", moment, server_default=_NOW, nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.BigInteger(), nullable=False),
        sa.Column("connections", sa.BigInteger(), nullable=True),
        sa.Column("jobs", sa.BigInteger(), nullable=False),
        sa.Column("database_bytes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("at", name=op.f("pk_figure_samples")),
    )


def downgrade() -> None:
    for table in (
        "figure_samples",
        "backup_notes",
        "reserved_names",
        "invitations",
        "registration_modes",
        "announcements",
    ):
        op.drop_table(table)
