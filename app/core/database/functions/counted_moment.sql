-- The moment, not before `start`, at a place among the milliseconds that count: see `counted_position`.
CREATE OR REPLACE FUNCTION counted_moment(start timestamptz, place bigint, weekends_off boolean) RETURNS timestamptz
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN weekends_off
        THEN greatest(start, to_timestamp(0) + interval '1 ms'
            * (345600000 + (place - 1) / 432000000 * 604800000 + (place - 1) % 432000000 + 1))
        ELSE to_timestamp(0) + interval '1 ms' * place END
$$;
