"""A backup that is made under load has every move that was acknowledged before it began."""

from tests.faults.load import Observed
from tests.support.threads import run_coroutine


def test_a_backup_under_load_is_restored(postgres, servers, play, tmp_path):
    tmp_path.chmod(0o777)  # PostgreSQL's programs run as its user
    dump = tmp_path / "dump"
    with play(postgres, servers) as load:
        load.play_for(2)
        known = Observed(acknowledged=list(load.observed.acknowledged), games=list(load.observed.games))
        postgres.run("pg_dump", "--format=custom", f"--file={dump}", postgres.url)
        load.wait_until_whole()
    restored = postgres.new_database("restored")
    postgres.run("pg_restore", "--exit-on-error", f"--dbname={restored}", str(dump))
    known.sent = load.observed.sent
    assert run_coroutine(known.compare(restored)) == []
