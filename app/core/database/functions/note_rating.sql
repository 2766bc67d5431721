-- The ratings by speed follow from the games behind a rating, so they are due whenever it is written.
CREATE OR REPLACE FUNCTION note_rating() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO speeds_due (account_id, game) VALUES (NEW.account_id, NEW.game);
    RETURN NULL;
END $$;
