-- Where a moment is among the milliseconds that count, as in `engine.counted_time`; a test compares both.
-- Monday, 5 January 1970, begins 345,600 s after the epoch.
CREATE OR REPLACE FUNCTION counted_position(moment timestamptz, weekends_off boolean) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN weekends_off
        THEN (ms - (ms % 604800000 + 604800000) % 604800000) / 604800000 * 432000000
            + least((ms % 604800000 + 604800000) % 604800000, 432000000)
        ELSE ms END
    FROM (SELECT (extract(epoch FROM moment) * 1000)::bigint
        - CASE WHEN weekends_off THEN 345600000 ELSE 0 END AS ms) AS milliseconds
$$;
