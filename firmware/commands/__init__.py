"""Subcommands, one file each: its first line is its line in the help, its ``COMMAND`` is declared (see ``declared``)."""
