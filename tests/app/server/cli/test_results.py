"""What commands find in minutes or hours is not lost: not for a wrong file, nor when they are stopped."""

import json
import signal
import subprocess
import sys

import pytest
from typer.main import get_command

from app.server.cli import cli
from engine.golden_nugget.bounds import verify
from engine.search.jadejack import training
from engine.search.nugget import bounds, search
from engine.search.nugget.exhaustion import exhaust
from tests.engine.golden_nugget.boards import ROWS, arranged
from tests.support.commands import failure, invoke
from tests.support.waiting import WITHIN, wait_until

SOLVED = f"A:{','.join(map(str, arranged(ROWS).cells))}"
WRITING = {
    ("bound", "--out"): ["bound", SOLVED],
    ("solve", "--graph"): ["solve", "--seconds", 1],
    ("solve", "--out"): ["solve", "--seconds", 1],
    ("train", "--out"): ["train", "--generations", 1],
}
"""The options that name a file for what takes long, each with a command."""
QUICK = {("seal", "--out")}


def test_every_option_that_names_a_file_to_write_is_tried():
    commands = get_command(cli).commands
    found = {
        (name, option)
        for name, command in commands.items()
        for parameter in command.params
        for option in parameter.opts
        if option in ("--out", "--graph")
    }
    assert found == WRITING.keys() | QUICK


@pytest.mark.parametrize("writing", WRITING, ids=" ".join)
@pytest.mark.parametrize("place", ["", "none/file", "file/file"], ids=["a folder", "no folder", "in a file"])
def test_where_nothing_can_be_written_nothing_is_searched(writing, place, tmp_path, monkeypatch):
    def searched(*_arguments, **_options):
        pytest.fail("It searches.")

    for module, name in ((bounds, "prove"), (search, "search"), (training, "gathered")):
        monkeypatch.setattr(module, name, searched)
    (tmp_path / "file").write_text("as before")
    assert str(tmp_path) in failure(*WRITING[writing], writing[1], tmp_path / place)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]
    assert (tmp_path / "file").read_text() == "as before"


def test_a_certificate_that_cannot_be_written_is_printed():
    done = invoke("bound", SOLVED, "--out", "/dev/full")
    assert done.exit_code == 1
    assert done.stderr == (
        "/dev/full cannot be written: No space left on device. The result is on standard output instead.\n"
    )
    assert verify(done.stdout.encode(), exhaust).valid


def test_the_last_whole_network_stays(tmp_path, monkeypatch):
    out, gathered = tmp_path / "network.npz", training.gathered

    def gathered_once(games, network, *arguments):
        if network is not None:
            raise KeyboardInterrupt
        return gathered(games, network, *arguments)

    monkeypatch.setattr(training, "gathered", gathered_once)
    done = invoke("train", "--out", out, "--generations", 2, "--games", 10, "--epochs", 1)
    assert done.exit_code == 130
    assert json.loads(done.stdout)["positions"] > 100
    assert list(tmp_path.iterdir()) == [out]
    played = invoke("match", f"8:depth=1,network={out}", "plain", "--size", 8, "--games", 2)
    assert played.exit_code == 0, played.stderr


@pytest.fixture
def stopped(tmp_path):
    """Return a function that stops a command when it has found something, and returns what it printed."""

    def stop(number, found, *arguments):
        output, told = tmp_path / "output", tmp_path / "told"
        # Tests that run in the background ignore SIGINT, and what they start would, too.
        command = ["env", "--default-signal=INT", sys.executable, "-m", "app", *arguments]
        with output.open("w") as stdout, told.open("w") as stderr:
            running = subprocess.Popen(command, stdout=stdout, stderr=stderr, start_new_session=True)
        with running:
            try:
                wait_until(lambda: found in told.read_text(), within=60)
                running.send_signal(number)
                running.wait(WITHIN)
            finally:
                running.kill()
        assert running.returncode == 128 + number
        return json.loads(output.read_text())

    return stop


STOPS = [signal.SIGINT, signal.SIGTERM]


@pytest.mark.parametrize("number", STOPS)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_match_that_is_stopped_has_its_result_so_far(stopped, number, jobs):
    arguments = ("match", "plain", "plain", "--size", "8", "--games", "100000", "--jobs", jobs)
    result = stopped(number, "4 games: ", *arguments)
    assert result["games"] >= 4
    assert 0 <= result["points"] <= 1


@pytest.mark.parametrize("number", STOPS)
def test_records_that_were_found_before_the_search_is_stopped_are_printed(stopped, number):
    arguments = ("records", "up_and_up", "--max-n", "12", "--width", "100000")
    found = stopped(number, "up_and_up 4×4", *arguments)["records"]
    assert [record["size"] for record in found][:4] == [1, 2, 3, 4]
    assert all(len(record["cells"]) == record["size"] ** 2 for record in found)
