"""Let owners who close their accounts choose whether their results stay in rankings."""

import sqlalchemy as sa
from alembic import op

revision = "b2d81f6a9c37"
down_revision = "a4d7e9c1b360"
branch_labels = None
depends_on = None

_SCORES = ("game", "size", sa.text("points DESC"), "tie_break", "submitted_at", "game_id")


def upgrade() -> None:
    op.add_column(
        "accounts", sa.Column("keeps_results", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    )
    op.create_index(
        "ix_accounts_left",
        "accounts",
        ["id"],
        postgresql_where=sa.text("closed_at IS NOT NULL AND NOT keeps_results"),
    )
    _replace_indexes(["account_id"])


def downgrade() -> None:
    _replace_indexes([])
    op.drop_index("ix_accounts_left", table_name="accounts")
    op.drop_column("accounts", "keeps_results")


def _replace_indexes(included: list[str]) -> None:
    """Replace the indexes from which ranks are counted; a count needs the accounts of the rows."""
    op.drop_index("ix_nugget_standings_mean", table_name="nugget_standings")
    op.create_index(
        "ix_nugget_standings_mean",
        "nugget_standings",
        ["ranking", "mean_key"],
        postgresql_include=included,
    )
    op.drop_index("ix_scores_ranking", table_name="scores")
    op.create_index(
        "ix_scores_ranking",
        "scores",
        [*_SCORES],
        postgresql_include=included,
        postgresql_where=sa.text("is_best"),
    )
