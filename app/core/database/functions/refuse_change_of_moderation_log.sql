-- Only the text of an action may be removed, after the account that it is about has been erased.
CREATE OR REPLACE FUNCTION refuse_change_of_moderation_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.reason = '' AND NEW.details = '{}'
        AND (NEW.id, NEW.at, NEW.moderator_id, NEW.account_id, NEW.action)
            IS NOT DISTINCT FROM (OLD.id, OLD.at, OLD.moderator_id, OLD.account_id, OLD.action)
        AND EXISTS (SELECT FROM erasures WHERE account_id = OLD.account_id AND done_at IS NOT NULL)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'The log of moderation is append-only.';
END $$;
