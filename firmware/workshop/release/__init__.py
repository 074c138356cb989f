"""A release's folder: sheets, parts, board, guide and packages, with checksums."""
