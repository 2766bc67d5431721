"""Servers that this one is a witness of, and the heads of their ledgers that it has seen."""

import sqlalchemy as sa
from alembic import op

revision = "5c27e9a81f46"
down_revision = "d19e00ee4fd3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nugget_witnessed_servers",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("public_keys", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("url"),
    )
    op.create_table(
        "nugget_witnessed_heads",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("server_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("signed_at", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("conflict", sa.Text(), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["server_id"], ["nugget_witnessed_servers.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "ix_nugget_witnessed_heads_number",
        "nugget_witnessed_heads",
        ["server_id", "number"],
        unique=True,
        postgresql_where=sa.text("conflict IS NULL"),
    )
    op.create_index("ix_nugget_witnessed_heads_server", "nugget_witnessed_heads", ["server_id", "id"])


def downgrade() -> None:
    op.drop_table("nugget_witnessed_heads")
    op.drop_table("nugget_witnessed_servers")
