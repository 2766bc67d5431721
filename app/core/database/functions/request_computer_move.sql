-- The only place that asks for a computer's move: called by the statements that begin a game and that write a
-- move, so that a game never waits for a move that no job makes. The account's other moves that wait or are made
-- lower the priority, which stays above that of all other jobs. `app.core.jobs.queue` has the same names for the kind
-- and the priority. PL/pgSQL keeps the plan of the INSERT.
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
$$;
