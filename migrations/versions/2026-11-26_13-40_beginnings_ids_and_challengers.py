"""Set the first ply of earlier games, drop words from ids, and allow several challengers on ladders."""

import sqlalchemy as sa
from alembic import op

revision = "c95e02b7d418"
down_revision = "b2d81f6a9c37"
branch_labels = None
depends_on = None

# The moves that led to the beginning were stored in the transaction that made the game, so they have its
# moment, and all others a later one. Only games against the computer began like that.
_FILL = """
UPDATE games SET first_ply = led_there.plies
FROM (
    SELECT game_id, count(*) AS plies
    FROM moves JOIN games ON games.id = game_id AND played_at = created_at
    WHERE first_ply = 0 AND (
        first_player IN (SELECT id FROM accounts WHERE computer_level IS NOT NULL)
        OR second_player IN (SELECT id FROM accounts WHERE computer_level IS NOT NULL)
    )
    GROUP BY game_id
) AS led_there
WHERE id = led_there.game_id
"""

# Ids of competitions began with words of the title, which may have been removed; the rest is unique.
_WORDED = "'^(competition:)?[a-z0-9-]+-([2-9a-hjkmnp-z]{10})$'"
_NAMES_OF_COMPETITIONS = (
    ("nugget_competitions", "id", "true"),
    ("nugget_entries", "competition_id", "true"),
    ("nugget_drafts", "competition", "true"),
    ("nugget_standings", "ranking", "true"),
    ("season_awards", "source", "true"),
    ("reports", "place", "true"),
    ("notifications", "subject", "kind LIKE 'competition%'"),
    ("security_events", "detail", "action LIKE 'competition%'"),
)


def upgrade() -> None:
    op.execute(_FILL)
    _drop_words()
    op.drop_index("uq_ladder_challenges_defender", table_name="ladder_challenges")


def _drop_words() -> None:
    key = "fk_nugget_entries_competition_id_nugget_competitions"
    op.drop_constraint(key, "nugget_entries", type_="foreignkey")
    for table, column, condition in _NAMES_OF_COMPETITIONS:
        without_words = f"regexp_replace({column}, {_WORDED}, '\\1\\2')"
        changed = f"{column} ~ {_WORDED} AND {condition}"
        op.execute(f"UPDATE {table} SET {column} = {without_words} WHERE {changed}")  # noqa: S608 - see above
    op.create_foreign_key(key, "nugget_entries", "nugget_competitions", ["competition_id"], ["id"])


def downgrade() -> None:
    op.create_index(
        "uq_ladder_challenges_defender",
        "ladder_challenges",
        ["game", "defender_id"],
        unique=True,
        postgresql_where=sa.text("outcome IS NULL"),
    )
