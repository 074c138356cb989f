"""The subcommands, one file each: ``add_arguments(parser)`` and ``run(args) -> exit status``."""
