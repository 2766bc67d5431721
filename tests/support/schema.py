"""What a database consists of, as texts that can be compared with those of another one."""

import json

from tests.support.database import fetch

# Without what nothing depends on: the order of columns, and what the constraints NOT NULL are called.
_PARTS = {
    "tables": """
        SELECT relname, relkind, relpersistence, reloptions, relrowsecurity FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'S')
    """,
    "columns": """
        SELECT attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
            attgenerated, attcollation::regcollation, attstorage, attcompression, attstattarget,
            pg_get_expr(adbin, adrelid)
        FROM pg_attribute
        JOIN pg_class relation ON relation.oid = attrelid AND relkind = 'r'
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
    """,
    "constraints": """
        SELECT conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    """,
    "indexes": """
        SELECT pg_get_indexdef(indexrelid), indisvalid FROM pg_index
        JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
    """,
    "triggers": "SELECT pg_get_triggerdef(oid), tgenabled FROM pg_trigger WHERE NOT tgisinternal",
    "sequences": """
        SELECT to_jsonb(sequence), attrelid::regclass, attname FROM pg_sequences sequence
        LEFT JOIN pg_depend ON objid = sequencename::regclass AND deptype IN ('a', 'i') AND refobjsubid > 0
        LEFT JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
    """,
    "enumerations": "SELECT enumtypid::regtype, enumlabel, enumsortorder FROM pg_enum",
    "extensions": "SELECT extname, extversion FROM pg_extension",
    "schemas": "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_'",
}
# Without those of the tests' clock, which have names of PostgreSQL's own.
_FUNCTIONS = """
SELECT jsonb_agg(ARRAY[proname, pg_get_functiondef(oid)] ORDER BY proname) FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
  AND proname NOT IN (SELECT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace)
"""
_ROWS = """
SELECT array_agg(row::text ORDER BY row::text) FROM (
    SELECT to_jsonb({table}) - ARRAY(
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = '{table}'::regclass AND atttypid = 'timestamptz'::regtype
    ) AS row FROM {table}
) AS without_moments
"""


def schema_of(url):
    """Return all parts of a database, and the rows of its tables without moments."""
    parts = {
        part: fetch(url, f"SELECT array_agg(part::text ORDER BY part::text) FROM ({query}) part")[0]
        for part, query in _PARTS.items()
    }
    tables = fetch(url, "SELECT array_agg(tablename) FROM pg_tables WHERE schemaname = 'public'")[0]
    rows = {f"rows of {table}": fetch(url, _ROWS.format(table=table))[0] for table in tables}
    return {"functions": functions_of(url), **parts, **rows}


def functions_of(url):
    """Return the functions in SQL, each as a name and its definition."""
    return json.loads(fetch(url, _FUNCTIONS)[0])
