-- Adds notifications to the lists of accounts, and to what their channels carry. Called by sessions and by the plain
-- connection that writes moves, both through `app.people.inbox.service`.
CREATE OR REPLACE FUNCTION add_notifications(news jsonb) RETURNS void LANGUAGE sql AS $$
DELETE FROM notifications older
USING jsonb_to_recordset(news) AS item(account_id bigint, kind text, subject text)
WHERE older.account_id = item.account_id AND older.kind = item.kind AND older.subject = item.subject;

WITH item AS (
    SELECT * FROM jsonb_to_recordset(news) AS item(
        account_id bigint, kind text, subject text, actor_id bigint, data jsonb, delays jsonb
    )
), added AS (
    INSERT INTO notifications (account_id, kind, subject, actor_id, data)
    SELECT account_id, kind, subject, actor_id, data FROM item
    ON CONFLICT (account_id, kind, subject) DO UPDATE SET actor_id = excluded.actor_id, data = excluded.data
    RETURNING id, account_id, kind, subject
)
INSERT INTO deliveries (channel, kind, account_id, notification_id, due_at)
SELECT chosen.channel, added.kind, added.account_id, added.id, now() + delay.value::float * interval '1 s'
FROM added
JOIN item USING (account_id, kind, subject)
CROSS JOIN jsonb_each_text(item.delays) AS delay
JOIN notification_channels chosen ON chosen.account_id = added.account_id AND chosen.channel = delay.key
WHERE chosen.is_active AND coalesce(chosen.switches ->> added.kind, 'on') = 'on'
ON CONFLICT (notification_id, channel) DO NOTHING
$$;
