"""Subcommands, a file each: its first line is its line in the help, its ``COMMAND`` a dataclass of its options."""
