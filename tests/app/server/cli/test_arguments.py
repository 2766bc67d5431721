"""No argument is ignored: what a command cannot use is named, with exit status 1 or 2."""

from typing import get_type_hints

import pytest
from typer.main import get_command

from app.server.cli import cli
from tests.support.commands import failure, invoke

NEEDED = {"announce": ["text"], "match": ["plain", "plain"]}
"""The arguments of commands that have numbers among their options."""

COMMANDS = sorted(get_command(cli).commands)
NOT_UTF_8 = "x\udcff"
"""The bytes x and 0xFF, as Python gives them to a program."""

BOARD = "A:" + ",".join(map(str, range(49)))


def numbers():
    """Return the commands with the names of their options that are decimal numbers, and how many of them."""
    for topic in cli.registered_groups:
        for command in topic.typer_instance.registered_commands:
            name = command.name or command.callback.__name__
            for option, kind in get_type_hints(command.callback).items():
                if kind is float:
                    yield name, f"--{option}", 1
                elif "float" in str(kind):
                    yield name, f"--{option}", 2


@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "1e999", "-1", ""])
@pytest.mark.parametrize(("command", "option", "count"), [*numbers()])
def test_a_number_without_a_meaning_is_refused(command, option, count, value):
    done = invoke(command, *NEEDED.get(command, []), option, *[value] * count)
    assert done.exit_code in (1, 2), done.exception
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert isinstance(done.exception, SystemExit)


def test_all_kinds_of_numbers_are_tried():
    assert {command for command, _option, _count in numbers()} >= {"announce", "match", "solve", "status"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["records", "--min-n", 5], "--min-n is greater than --max-n"),
        (["records", "jumping_farther", "--max-n", 1], "There is nothing to find on these boards"),
        (["perft", "jadejack", "--depth", 1, "--size", 9, "--position", "8/8"], "--position or --size"),
        (["bound", ""], "A board is its face, A or B, and its 49 blocks"),
        (
            ["match", "plain", "plain", "--between", "0.6", "0.5"],
            "The first of two shares",
        ),
    ],
)
def test_arguments_that_exclude_each_other_are_named(arguments, message):
    assert message in failure(*arguments)


@pytest.mark.parametrize("wrong", ["", "0" * 63, "A" * 64, "0" * 65, "hash"])
@pytest.mark.parametrize("command", ["verify-ledger", "audit-ledger"])
def test_a_receipt_that_is_no_hash_is_not_looked_for(command, wrong, tmp_path):
    done = invoke(command, tmp_path / "ledger", "--receipt", wrong)
    assert done.exit_code == 2
    assert "'--receipt'" in done.stderr


def test_a_match_has_at_most_as_many_games_as_are_wanted():
    done = invoke("match", "plain", "plain", "--size", 8, "--games", 3)
    assert '"games":2' in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_an_argument_that_is_no_text_is_refused(command):
    for argument in (NOT_UTF_8, f"--data={NOT_UTF_8}"):
        assert "is not in UTF-8" in failure(command, argument)
