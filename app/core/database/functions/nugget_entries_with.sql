-- The ids of the entries with one of some landmarks, by the index of landmarks, however many they are. PostgreSQL's
-- planner knows nothing about them: it would compare the arrays of all entries for the boards of a long one.
CREATE OR REPLACE FUNCTION nugget_entries_with(landmarks bigint[])
RETURNS SETOF text LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
    SELECT id FROM nugget_entries WHERE positions && landmarks
$$;
