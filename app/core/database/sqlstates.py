"""What PostgreSQL's error codes mean for whoever asked: an outage, or a mistake.

An error is an outage if the same statement may succeed later although nobody corrects anything: requests are
answered 503 and may be repeated, tasks wait. All others are mistakes, in the statement, in its values, or in
how the database was set up, which waiting would only hide.
"""

OUTAGE, MISTAKE = True, False

CLASSES = {
    "00": MISTAKE,  # successful completion
    "01": MISTAKE,  # warning
    "02": MISTAKE,  # no data
    "03": MISTAKE,  # statement not yet complete
    "08": OUTAGE,  # connection exception; poolers use it for what they cannot do at the moment
    "09": MISTAKE,  # triggered action exception
    "0A": MISTAKE,  # feature not supported
    "0B": MISTAKE,  # invalid transaction initiation
    "0F": MISTAKE,  # locator exception
    "0L": MISTAKE,  # invalid grantor
    "0P": MISTAKE,  # invalid role specification
    "0Z": MISTAKE,  # diagnostics exception
    "10": MISTAKE,  # XQuery error
    "20": MISTAKE,  # case not found
    "21": MISTAKE,  # cardinality violation
    "22": MISTAKE,  # data exception
    "23": MISTAKE,  # integrity constraint violation
    "24": MISTAKE,  # invalid cursor state
    "25": MISTAKE,  # invalid transaction state: statements in the wrong order
    "26": MISTAKE,  # invalid statement name: a pooler of transactions without GORRION_DATABASE_DIRECT_URL
    "27": MISTAKE,  # triggered data change violation
    "28": MISTAKE,  # invalid authorization: a wrong password does not become right
    "2B": MISTAKE,  # dependent privileges exist
    "2D": MISTAKE,  # invalid transaction termination
    "2F": MISTAKE,  # SQL routine exception
    "34": MISTAKE,  # invalid cursor name, see 26
    "38": MISTAKE,  # external routine exception
    "39": MISTAKE,  # external routine invocation exception
    "3B": MISTAKE,  # savepoint exception
    "3D": MISTAKE,  # invalid catalog name: the database does not exist
    "3F": MISTAKE,  # invalid schema name
    "40": OUTAGE,  # transaction rollback: a conflict with another transaction
    "42": MISTAKE,  # syntax error, unknown table, insufficient privilege
    "44": MISTAKE,  # WITH CHECK OPTION violation
    "53": OUTAGE,  # insufficient resources: disk, memory, connections
    "54": MISTAKE,  # program limit exceeded: the statement is too large
    "55": MISTAKE,  # object not in prerequisite state
    "57": OUTAGE,  # operator intervention: shutting down, starting, recovering, cancelling
    "58": OUTAGE,  # system error outside of PostgreSQL, such as that of a disk
    "72": OUTAGE,  # snapshot too old
    "F0": MISTAKE,  # configuration file error
    "HV": MISTAKE,  # foreign data wrapper error
    "P0": MISTAKE,  # PL/pgSQL error, in functions of ours
    "XX": MISTAKE,  # internal error: a bug of PostgreSQL, or data that are damaged and stay so
}
"""Every class of codes (the first two characters) that PostgreSQL 18 and asyncpg have."""

_CODES = {  # those that differ from their class
    "25006": OUTAGE,  # read-only: a full disk, or a standby that is not promoted yet
    "25P03": OUTAGE,  # the transaction was idle for too long: this process was stopped meanwhile
    "25P04": OUTAGE,  # the transaction took too long
    "40002": MISTAKE,  # it violated a constraint
    "55000": OUTAGE,  # PostgreSQL is recovering
    "55006": OUTAGE,  # in use by another transaction
    "55P03": OUTAGE,  # lock not available
}


def is_outage(sqlstate: str) -> bool:
    """Return whether an error with this code may pass by itself."""
    return _CODES.get(sqlstate, CLASSES.get(sqlstate[:2], MISTAKE))
