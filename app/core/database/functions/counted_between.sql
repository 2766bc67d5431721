-- How many milliseconds count between two moments, without those of a stop.
CREATE OR REPLACE FUNCTION counted_between(
    start timestamptz, until timestamptz, weekends_off boolean, stop_from timestamptz, stop_until timestamptz
) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest(0, counted_position(until, weekends_off) - counted_position(start, weekends_off))
        - coalesce(greatest(0, counted_position(least(until, stop_until), weekends_off)
            - counted_position(greatest(start, stop_from), weekends_off)) * (stop_from < until)::int, 0)
$$;
