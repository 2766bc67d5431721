"""Let the computers' moves for one account wait behind those for others."""

from alembic import op

revision = "3b8e5d91c7a2"
down_revision = "d9f3b6a2c418"
branch_labels = None
depends_on = None

# The account's other moves that wait or are made lower the priority. It stays above that of all other jobs.
_FAIR = """
CREATE OR REPLACE FUNCTION request_computer_move(game_id text, version bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    person bigint;
BEGIN
    SELECT CASE WHEN first.computer_level IS NULL THEN first.id ELSE game.second_player END INTO person
    FROM games game JOIN accounts first ON first.id = game.first_player
    WHERE game.id = request_computer_move.game_id;
    INSERT INTO pgqueuer (entrypoint, priority, status, dedupe_key, payload, headers)
    SELECT
        'computer_move', greatest(10 - count(*), 1), 'queued',
        'computer_move:' || request_computer_move.game_id || ':' || request_computer_move.version,
        convert_to(jsonb_build_object('game_id', request_computer_move.game_id)::text, 'UTF8'),
        jsonb_build_object('account', person)
    FROM pgqueuer
    WHERE status IN ('queued', 'picked') AND entrypoint = 'computer_move'
      AND headers -> 'account' = to_jsonb(person)
    ON CONFLICT DO NOTHING;
END
$$
"""

_FIRST_COME = """
CREATE OR REPLACE FUNCTION request_computer_move(game_id text, version bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pgqueuer (entrypoint, priority, status, dedupe_key, payload)
    VALUES (
        'computer_move', 10, 'queued',
        'computer_move:' || game_id || ':' || version,
        convert_to(jsonb_build_object('game_id', game_id)::text, 'UTF8')
    )
    ON CONFLICT DO NOTHING;
END
$$
"""


def upgrade() -> None:
    op.execute(_FAIR)


def downgrade() -> None:
    op.execute(_FIRST_COME)
