"""Say where earlier games began, and let players of ladders have several challengers."""

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


def upgrade() -> None:
    op.execute(_FILL)
    op.drop_index("uq_ladder_challenges_defender", table_name="ladder_challenges")


def downgrade() -> None:
    op.create_index(
        "uq_ladder_challenges_defender",
        "ladder_challenges",
        ["game", "defender_id"],
        unique=True,
        postgresql_where=sa.text("outcome IS NULL"),
    )
