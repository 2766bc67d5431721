"""Add Golden Nugget: runs, entries, the ledger, standings, competitions, and the right to create them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "5a67d6bf2a65"
down_revision = "57ba41168263"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "nugget_competitions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("organiser_id", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("min_boards", sa.SmallInteger(), nullable=False),
        sa.Column("max_boards", sa.SmallInteger(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "visibility IN ('open', 'sealed')", name=op.f("ck_nugget_competitions_visibility")
        ),
        sa.CheckConstraint(
            "20 <= min_boards AND min_boards <= max_boards AND max_boards <= 200",
            name=op.f("ck_nugget_competitions_boards"),
        ),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_nugget_competitions_dates")),
        sa.ForeignKeyConstraint(
            ["organiser_id"], ["accounts.id"], name=op.f("fk_nugget_competitions_organiser_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_nugget_competitions")),
    )
    op.create_table(
        "nugget_runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("board", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_request", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_nugget_runs_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_nugget_runs")),
    )
    op.create_index("ix_nugget_runs_account", "nugget_runs", ["account_id", "updated_at"], unique=False)
    op.create_table(
        "nugget_boards",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("start", sa.LargeBinary(), nullable=False),
        sa.Column("moves", sa.Text(), server_default="", nullable=False),
        sa.Column("undone", sa.Text(), server_default="", nullable=False),
        sa.Column("solved_in", sa.SmallInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["nugget_runs.id"],
            name=op.f("fk_nugget_boards_run_id_nugget_runs"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "number", name=op.f("pk_nugget_boards")),
    )
    op.create_table(
        "nugget_entries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("competition_id", sa.Text(), nullable=True),
        sa.Column("counts", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("mean_key", sa.BigInteger(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sealed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_nugget_entries_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["nugget_competitions.id"],
            name=op.f("fk_nugget_entries_competition_id_nugget_competitions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_nugget_entries")),
        sa.UniqueConstraint("digest", name=op.f("uq_nugget_entries_digest")),
    )
    op.create_index(op.f("ix_nugget_entries_account_id"), "nugget_entries", ["account_id"], unique=False)
    op.create_index(
        op.f("ix_nugget_entries_competition_id"), "nugget_entries", ["competition_id"], unique=False
    )
    op.create_index(op.f("ix_nugget_entries_sealed_until"), "nugget_entries", ["sealed_until"], unique=False)
    op.create_table(
        "nugget_ledger",
        sa.Column("sequence", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["nugget_entries.id"], name=op.f("fk_nugget_ledger_entry_id_nugget_entries")
        ),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_nugget_ledger")),
    )
    op.create_index(op.f("ix_nugget_ledger_entry_id"), "nugget_ledger", ["entry_id"], unique=False)
    op.create_table(
        "nugget_standings",
        sa.Column("ranking", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("mean_key", sa.BigInteger(), nullable=False),
        sa.Column("fewer_boards", sa.SmallInteger(), nullable=False),
        sa.Column("last_boards", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_nugget_standings_account_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["nugget_entries.id"], name=op.f("fk_nugget_standings_entry_id_nugget_entries")
        ),
        sa.PrimaryKeyConstraint("ranking", "account_id", name=op.f("pk_nugget_standings")),
    )
    op.create_index(op.f("ix_nugget_standings_entry_id"), "nugget_standings", ["entry_id"], unique=False)
    op.create_index(
        "ix_nugget_standings_rank",
        "nugget_standings",
        ["ranking", "mean_key", "fewer_boards", "last_boards", "submitted_at", "account_id"],
        unique=False,
    )
    op.create_index("ix_nugget_standings_mean", "nugget_standings", ["ranking", "mean_key"], unique=False)
    op.add_column(
        "accounts", sa.Column("is_computer", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.add_column(
        "accounts", sa.Column("rights", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False)
    )


def downgrade() -> None:
    op.drop_column("accounts", "rights")
    op.drop_column("accounts", "is_computer")
    op.drop_index("ix_nugget_standings_mean", table_name="nugget_standings")
    op.drop_index("ix_nugget_standings_rank", table_name="nugget_standings")
    op.drop_index(op.f("ix_nugget_standings_entry_id"), table_name="nugget_standings")
    op.drop_table("nugget_standings")
    op.drop_index(op.f("ix_nugget_ledger_entry_id"), table_name="nugget_ledger")
    op.drop_table("nugget_ledger")
    op.drop_index(op.f("ix_nugget_entries_sealed_until"), table_name="nugget_entries")
    op.drop_index(op.f("ix_nugget_entries_competition_id"), table_name="nugget_entries")
    op.drop_index(op.f("ix_nugget_entries_account_id"), table_name="nugget_entries")
    op.drop_table("nugget_entries")
    op.drop_table("nugget_boards")
    op.drop_index("ix_nugget_runs_account", table_name="nugget_runs")
    op.drop_table("nugget_runs")
    op.drop_table("nugget_competitions")
