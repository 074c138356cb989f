"""Subcommands, a file each: its first line is its line in the help, the class of its name has its options."""
