"""Reports, what moderators do, retired names, exports and erasures of personal data."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "84d1f0b6c3e7"
down_revision = "3c8e51f7a902"
branch_labels = None
depends_on = None

# Only the text of an action may be removed, after the account that it is about has been erased.
_APPEND_ONLY = """
CREATE FUNCTION refuse_change_of_moderation_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.reason = '' AND NEW.details = '{}'
        AND (NEW.id, NEW.at, NEW.moderator_id, NEW.account_id, NEW.action)
            IS NOT DISTINCT FROM (OLD.id, OLD.at, OLD.moderator_id, OLD.account_id, OLD.action)
        AND EXISTS (SELECT FROM erasures WHERE account_id = OLD.account_id AND done_at IS NOT NULL)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'The log of moderation is append-only.';
END $$
"""
_PROTECT_ROWS = """
CREATE TRIGGER moderation_actions_append_only BEFORE UPDATE OR DELETE ON moderation_actions
FOR EACH ROW EXECUTE FUNCTION refuse_change_of_moderation_log()
"""
_PROTECT_TABLE = """
CREATE TRIGGER moderation_actions_keep BEFORE TRUNCATE ON moderation_actions
FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_moderation_log()
"""


def upgrade() -> None:
    op.create_table(
        "sanctions",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_sanctions_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", "kind", name=op.f("pk_sanctions")),
    )
    op.create_table(
        "retired_names",
        sa.Column("name_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("retired_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_retired_names_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("name_hash", name=op.f("pk_retired_names")),
    )
    op.create_index(op.f("ix_retired_names_account_id"), "retired_names", ["account_id"])
    op.create_table(
        "erasures",
        sa.Column("account_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_erasures_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_erasures")),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("reporter_id", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), server_default="", nullable=False),
        sa.Column("reported_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_by", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_reports_account_id_accounts")),
        sa.ForeignKeyConstraint(
            ["reporter_id"], ["accounts.id"], name=op.f("fk_reports_reporter_id_accounts")
        ),
        sa.ForeignKeyConstraint(["closed_by"], ["accounts.id"], name=op.f("fk_reports_closed_by_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index(op.f("ix_reports_account_id"), "reports", ["account_id"])
    op.create_index(op.f("ix_reports_reporter_id"), "reports", ["reporter_id"])
    op.create_index(
        "uq_reports_open",
        "reports",
        ["account_id", "reporter_id", "reason", "place"],
        unique=True,
        postgresql_where=sa.text("closed_at IS NULL"),
        postgresql_nulls_not_distinct=True,
    )
    op.create_index(
        "ix_reports_open", "reports", ["reported_at"], postgresql_where=sa.text("closed_at IS NULL")
    )
    op.create_table(
        "moderation_actions",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("moderator_id", sa.BigInteger(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("details", postgresql.JSONB(), server_default="{}", nullable=False),
        sa.ForeignKeyConstraint(
            ["moderator_id"], ["accounts.id"], name=op.f("fk_moderation_actions_moderator_id_accounts")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_moderation_actions_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moderation_actions")),
    )
    op.create_index(op.f("ix_moderation_actions_account_id"), "moderation_actions", ["account_id"])
    op.execute(_APPEND_ONLY)
    op.execute(_PROTECT_ROWS)
    op.execute(_PROTECT_TABLE)
    op.create_table(
        "exports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("size", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_exports_account_id_accounts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exports")),
    )
    op.create_index(op.f("ix_exports_account_id"), "exports", ["account_id"])
    op.create_table(
        "export_parts",
        sa.Column("export_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["export_id"],
            ["exports.id"],
            name=op.f("fk_export_parts_export_id_exports"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("export_id", "number", name=op.f("pk_export_parts")),
    )


def downgrade() -> None:
    for table in (
        *("export_parts", "exports", "moderation_actions", "reports"),
        *("erasures", "retired_names", "sanctions"),
    ):
        op.drop_table(table)
    op.execute("DROP FUNCTION refuse_change_of_moderation_log()")
