-- Notifications have copies of the names of what they are about: the argument is the column with the name.
-- Their subjects begin with its id; the condition is that of the index ix_notifications_named.
CREATE OR REPLACE FUNCTION rename_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE notifications SET data = data || jsonb_build_object('name', to_jsonb(NEW) -> TG_ARGV[0])
    WHERE split_part(subject, ':', 1) = NEW.id AND data ? 'name';
    RETURN NULL;
END $$;
