"""Records of Golden Nugget by board numbers, a board for each day, and signed heads."""

import sqlalchemy as sa
from alembic import op

revision = "b7d3f16c84e9"
down_revision = "7e52c0d9ab14"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nugget_record_changes",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("moves", sa.SmallInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("holders", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["entry_id"], ["nugget_entries.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.Index("ix_nugget_record_changes_account_id", "account_id"),
        sa.Index("ix_nugget_record_changes_entry_id", "entry_id"),
        sa.Index("ix_nugget_record_changes_record", "players", "kind", "number", "moves", unique=True),
        sa.Index("ix_nugget_record_changes_at", "players", "at"),
    )
    op.create_table(
        "nugget_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("best", sa.Text(), nullable=True),
        sa.Column(
            "announced_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("day"),
    )
    op.create_table(
        "nugget_day_tries",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.Text(), server_default="", nullable=False),
        sa.Column("undone", sa.Text(), server_default="", nullable=False),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_request", sa.Uuid(), nullable=True),
        sa.Column("solution", sa.Text(), nullable=True),
        sa.Column("solved_in", sa.SmallInteger(), nullable=True),
        sa.Column("found_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["day"], ["nugget_days.day"]),
        sa.PrimaryKeyConstraint("day", "account_id"),
        sa.Index("ix_nugget_day_tries_account_id", "account_id"),
        sa.Index(
            "ix_nugget_day_tries_rank",
            "day",
            "solved_in",
            "found_at",
            "account_id",
            postgresql_where=sa.text("solved_in IS NOT NULL"),
        ),
    )
    op.create_table(
        "nugget_ledger_keys",
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("private_key", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("key_id"),
    )
    op.create_table(
        "nugget_ledger_heads",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("signed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )


def downgrade() -> None:
    op.drop_table("nugget_ledger_heads")
    op.drop_table("nugget_ledger_keys")
    op.drop_table("nugget_day_tries")
    op.drop_table("nugget_days")
    op.drop_table("nugget_record_changes")
