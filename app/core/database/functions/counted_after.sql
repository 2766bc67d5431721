-- The moment at which so many milliseconds have counted, without those of a stop.
CREATE OR REPLACE FUNCTION counted_after(
    start timestamptz, milliseconds bigint, weekends_off boolean,
    stop_from timestamptz, stop_until timestamptz
) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN stop_from IS NULL OR straight <= stop_from OR start >= stop_until THEN straight
        ELSE counted_moment(
            start,
            counted_position(start, weekends_off) + milliseconds
                + counted_between(greatest(start, stop_from), stop_until, weekends_off, NULL, NULL),
            weekends_off) END
    FROM (SELECT counted_moment(start, counted_position(start, weekends_off) + milliseconds, weekends_off)
        AS straight) AS without_stop
$$;
