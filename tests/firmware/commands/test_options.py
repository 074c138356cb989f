"""What arguments that several commands share are read as."""

from __future__ import annotations

import argparse

import pytest

from firmware.commands.options import add_look_arguments, look_given


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ([], {}),
        (["--theme", "clear"], {"theme": "clear"}),
        (["--print", "large"], {"print_size": "large"}),
        (["--theme", "clear", "--print", "large"], {"theme": "clear", "print_size": "large"}),
        (["--theme", "large"], {"theme": "parchment", "print_size": "large"}),
    ],
)
def test_colours_and_size_of_print_are_two_options(arguments: list[str], given: dict[str, str]) -> None:
    parser = argparse.ArgumentParser()
    add_look_arguments(parser)
    assert look_given(parser.parse_args(arguments)) == given
