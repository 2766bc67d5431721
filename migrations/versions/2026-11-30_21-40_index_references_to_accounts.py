"""Index all columns that refer to accounts: deleting one looks for rows that refer to it."""

from app.core.database.migrate import create_index, drop_index

revision = "7e19c5b80da4"
down_revision = "1d7a6be3f085"
branch_labels = None
depends_on = None

_COLUMNS = (
    ("conditional_moves", "account_id"),
    ("game_notes", "account_id"),
    ("moderation_actions", "moderator_id"),
    ("nugget_competitions", "organiser_id"),
    ("reports", "closed_by"),
    ("scores", "account_id"),
)


def upgrade() -> None:
    for table, column in _COLUMNS:
        create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    for table, column in _COLUMNS:
        drop_index(f"ix_{table}_{column}", table)
