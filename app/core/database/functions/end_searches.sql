-- Whoever begins a game looks for no other one.
CREATE OR REPLACE FUNCTION end_searches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE searches SET game_id = NEW.id WHERE account_id IN (
        SELECT account_id FROM searches
        WHERE account_id IN (NEW.first_player, NEW.second_player) AND until > now() AND game_id IS NULL
        ORDER BY account_id FOR UPDATE
    );
    RETURN NULL;
END $$;
