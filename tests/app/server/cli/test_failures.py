"""Why a command fails is said by what failed: the database only if there is one."""

import errno
import os

import numpy as np
import pytest
from typer.main import get_command

from app.server.cli import cli
from engine.search import match
from engine.search.jadejack.network import empty, save, stored
from engine.search.match import chooser
from tests.support.commands import failure, invoke

AWAY = "postgresql://gorrion:secret@127.0.0.1:1/gorrion"
OWN_WAY = {"serve", "doctor", "restore", "load", "check-backup", "solve"}
"""Commands that wait for a database, look at more than it, or need a file before."""
ARGUMENTS = {
    "announce": ["text"],
    "backup": ["FILE"],
    "dump": ["FILE"],
    "end-invitation": ["code"],
    "grant": ["name", "moderator"],
    "release-name": ["name"],
    "rerate": ["jadejack"],
    "reserve-name": ["name"],
    "revoke": ["name", "moderator"],
    "run-schedule": ["name"],
    "test-mail": ["name"],
}


def using_a_database():
    commands = get_command(cli).commands
    return sorted(
        name
        for name, command in commands.items()
        if name not in OWN_WAY and any("--data" in parameter.opts for parameter in command.params)
    )


@pytest.mark.parametrize("command", ["migrate", *using_a_database()])
def test_a_database_that_is_away_does_not_answer(command, tmp_path):
    arguments = [each.replace("FILE", str(tmp_path / "new")) for each in ARGUMENTS.get(command, [])]
    problem = failure(command, *arguments, database_url=AWAY)
    assert problem.startswith("The database does not answer: ")
    assert "secret" not in problem


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN])
def test_a_machine_that_has_no_more_is_not_the_database_s_fault(monkeypatch, number):
    def exhausted(*_arguments):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(match, "_in_order", exhausted)
    problem = failure("match", "plain", "plain")
    assert problem == f"The machine has no more of what this needs: {os.strerror(number)}.\n"


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """Return the bytes of a file with a network."""
    path = tmp_path_factory.mktemp("network") / "network.npz"
    with path.open("wb") as opened:
        save(empty(), opened)
    return path.read_bytes()


def damages(whole, folder):
    """Yield what is no network, but has something of one."""
    yield b""
    yield b"no network"
    for tenth in range(1, 10):
        yield whole[: len(whole) * tenth // 10]
    for name, arrays in {"array.npy": None, "other.npz": {"a": np.zeros(3)}}.items():
        with (folder / name).open("wb") as opened:
            np.save(opened, np.zeros(3)) if arrays is None else np.savez(opened, **arrays)
        yield (folder / name).read_bytes()
    wrong = {**empty()._asdict(), "bias": np.zeros(empty().bias.shape, np.int64)}
    with (folder / "kind.npz").open("wb") as opened:
        np.savez(opened, **wrong)
    yield (folder / "kind.npz").read_bytes()


def reading(option, file):
    """Return a command that reads a file."""
    return ["match", f"8:network={file}", "plain"] if option == "network" else ["solve", "--graph", file]


@pytest.mark.parametrize("option", ["network", "graph"])
def test_a_file_that_is_damaged_is_named_in_one_line(option, network, tmp_path):
    for number, damage in enumerate(damages(network, tmp_path)):
        file = tmp_path / f"{option}{number}"
        file.write_bytes(damage)
        assert str(file) in failure(*reading(option, file))
        assert file.read_bytes() == damage
    assert str(tmp_path) in failure(*reading(option, tmp_path))


def test_a_whole_network_is_read(network, tmp_path):
    (tmp_path / "network").write_bytes(network)
    assert all(not array.any() for array in stored(str(tmp_path / "network")))


@pytest.mark.parametrize("change", ["in_game=1", "__class__=1", "lines", "lines=", "lines=x", "plays_on=1"])
def test_what_is_no_skill_is_named(change):
    with pytest.raises(ValueError, match="is no program: write plain"):
        chooser("jadejack", f"8:{change}")


@pytest.mark.parametrize("value", ["0", "-1", "1" * 30])
@pytest.mark.parametrize("name", ["depth", "budget", "lines", "width", "noise", "form", "insight", "seconds"])
def test_numbers_of_a_skill_have_bounds(name, value):
    if value == "0" and name in ("noise", "form", "insight"):
        chooser("jadejack", f"8:{name}=0")
        return
    with pytest.raises(ValueError, match=f"is no program: {name} must be from"):
        chooser("jadejack", f"8:{name}={value}")


@pytest.mark.parametrize("command", ["end-invitation", "release-name"])
def test_what_is_not_there_is_not_ended_in_silence(command, database_url):
    assert "unknown" in failure(command, "unknown", database_url=database_url)


def test_an_invitation_is_ended_by_its_link(database_url):
    path = invoke("invite", database_url=database_url).stdout.partition('"path":"')[2].partition('"')[0]
    assert invoke("end-invitation", path, database_url=database_url).exit_code == 0
    assert "There is no invitation" in failure("end-invitation", path, database_url=database_url)
